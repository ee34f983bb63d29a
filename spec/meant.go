package spec

import (
	"regexp"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
)

// meant are the words of other tools and languages for keys, and the keys that
// say the same here, of which one may be known at the place.
var meant = map[string][]string{
	"if": {"when"}, "guard": {"when"}, "cond": {"when"}, "condition": {"when"}, "where": {"when"}, "require": {"when"}, "not": {"unless"},
	"target": {"to"}, "goto": {"to"}, "next": {"to"}, "dst": {"to"}, "into": {"to"}, "state": {"to", "states"}, "src": {"from"}, "in": {"from"}, "source": {"from"},
	"action": {"set"}, "actions": {"set"}, "do": {"set"}, "assign": {"set"}, "update": {"set"}, "updates": {"set"}, "send": {"emit"}, "raise": {"emit"}, "effect": {"emit", "effects"},
	"error": {"refuse"}, "reject": {"refuse"}, "deny": {"refuse"}, "fail": {"refuse"}, "accept": {"stay"}, "ok": {"stay"}, "noop": {"stay"}, "skip": {"ignore"}, "drop": {"ignore"},
	"impossible": {"never"}, "unreachable": {"never"},
	"reason": {"why"}, "comment": {"doc", "why"}, "desc": {"doc", "why"}, "description": {"doc", "why"}, "name": {"id", "machine"}, "text": {"says", "doc"},
	"transitions": {"events", "rows"}, "actors": {"events"}, "messages": {"events"}, "commands": {"events"}, "variables": {"vars"}, "data": {"vars"}, "context": {"vars"}, "fields": {"vars"}, "constants": {"params"}, "parameters": {"params"},
	"codes": {"answers"}, "errors": {"answers"}, "enums": {"types"}, "properties": {"invariants"}, "safety": {"invariants"}, "asserts": {"invariants"}, "assertions": {"invariants"}, "liveness": {"eventually"}, "goals": {"sometimes"},
	"start": {"initial"}, "init": {"initial"}, "default": {"initial"}, "guards": {"checks"}, "cases": {"rows"}, "size": {"sizes"}, "bounds": {"sizes"}, "enum": {"one_of"}, "values": {"one_of"}, "kind": {"is"},
}

// keyHint says what a key that isn't known at its place may be meant for.
func keyHint(key string, known []string) string {
	for _, m := range meant[strings.ToLower(key)] {
		if slices.Contains(known, m) {
			return "here this is said by " + m
		}
	}
	has := func(k string) bool { return slices.Contains(known, k) }
	switch {
	case has("id") && slices.Contains(moveKeys, key), has("id") && key == "never":
		return "a check refuses, stays or ignores; what moves, or never is, stands under rows"
	case key == "id" && has("refuse"):
		return "the name of a row is its key: leave id out"
	case has("sizes") && has("assume"):
		return "sizes stand together: {sizes: {" + key + ": ...}}"
	}
	if near := diag.Nearest(key, known); near != "" {
		return "did you mean " + near + "?"
	}
	if strings.Contains(key, ")") {
		return "an expression with a comma must be quoted, or YAML takes what follows for a key"
	}
	return "known here: " + strings.Join(known, ", ")
}

var (
	ranged    = regexp.MustCompile(`^(-?\d+)\s*(?:-|\.\.\.|\.\.=|to|:)\s*(-?\d+)$`)
	angular   = regexp.MustCompile(`^(\w+)[<\[](.*)[>\]](.*)$`)
	questions = regexp.MustCompile(`^(?:(.*)\?|\*(.*)|\[\](.*))$`)
)

// typeHint says how a type that isn't known is written; empty: nothing is
// known of it.
func typeHint(src string) string {
	if strings.Count(src, "(") > strings.Count(src, ")") {
		return "each ( has its ): " + src + ")"
	}
	if m := ranged.FindStringSubmatch(src); m != nil {
		return "a range has two dots: " + m[1] + ".." + m[2]
	}
	if m := angular.FindStringSubmatch(src); m != nil {
		return "what a type is of stands in parentheses: " + m[1] + "(" + m[2] + ")" + m[3]
	}
	if m := questions.FindStringSubmatch(src); m != nil {
		if m[3] != "" {
			return "a list has a bound: list(" + m[3] + ") max 8"
		}
		return "what may be missing is optional: optional(" + m[1] + m[2] + ")"
	}
	switch strings.ToLower(src) {
	case "int", "integer", "number", "uint", "int64", "uint64", "int32", "float", "nat", "counter":
		return "a number has its bounds: 0..3"
	case "string", "text", "str", "uuid", "id", "guid":
		return "there are no texts: declare an identity under types, such as Name: {is: identity, go: string}, and let vars and arguments be of that"
	case "boolean":
		return "did you mean bool?"
	case "time", "date", "duration", "timestamp":
		return "there is no time: let what is due be an event by timer"
	case "enum":
		return "write the values: [open, shut]"
	}
	return ""
}
