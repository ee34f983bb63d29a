package tla

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// The sentences that name what is violated.
var (
	invariantInitial = regexp.MustCompile(`^(?:Invariant|Property) (.+) is violated by the initial state:?`)
	invariantBroken  = regexp.MustCompile(`^(?:Invariant|Action property) (.+) is violated`)
	invariantEval    = regexp.MustCompile(`^Evaluating (?:invariant|action property) (.+) failed`)
	// The pinned version has no name here; others might.
	temporalBroken = regexp.MustCompile(`^Temporal propert(?:y|ies) (?:(.+) )?w(?:as|ere) violated`)
)

// TLC's exit codes, as far as they decide something.
const (
	exitOK          = 0
	exitSpecParse   = 150
	exitConfigParse = 151
)

// verdict reads the verdict off the error messages. The first one that says
// what happened decides: what follows are consequences of it.
func (lr *logReader) verdict(exitCode int, stderr string) Verdict {
	if lr.done && exitCode == exitOK && len(lr.errors) == 0 {
		return Verdict{Kind: OK}
	}
	for _, m := range lr.errors {
		if v, ok := violation(m); ok {
			if exitCode == exitOK {
				return Verdict{Kind: Crashed, Message: "TLC reports a violation, yet its exit code is 0: " + v.Message}
			}
			if v.Initial {
				lr.initialTrace(m.text)
			}
			if v.Kind == Assertion {
				lr.locate(&v)
			}
			return v
		}
	}
	return lr.failure(exitCode, stderr)
}

// violation says whether m reports one.
func violation(m message) (Verdict, bool) {
	v := Verdict{Message: m.text}
	name := func(re *regexp.Regexp) {
		if g := re.FindStringSubmatch(m.text); g != nil {
			v.Name = g[1]
		}
	}
	switch m.code {
	case codeInvariantInitial:
		v.Kind, v.Initial = Invariant, true
		name(invariantInitial)
		v.Message, _, _ = strings.Cut(m.text, "\n")
	case codePropertyInitial:
		v.Kind, v.Initial = StateProperty, true
		name(invariantInitial)
		v.Message, _, _ = strings.Cut(m.text, "\n")
	case codeInvariant:
		v.Kind = Invariant
		name(invariantBroken)
	case codeActionProperty:
		v.Kind = ActionProperty
		name(invariantBroken)
	case codeTemporal:
		v.Kind = TemporalProperty
		name(temporalBroken)
	case codeDeadlock:
		v.Kind = Deadlock
	case codeAssumptionFalse:
		v.Kind = Assumption
		v.At, _ = findPosition(m.text)
	default:
		if !m.has(codeAssertFailed) {
			return Verdict{}, false
		}
		v.Kind = Assertion
		name(invariantEval)
	}
	v.Message = strings.TrimSpace(v.Message)
	return v, true
}

// initialTrace reads the state that follows the sentence in the same message.
func (lr *logReader) initialTrace(text string) {
	if _, body, ok := strings.Cut(text, "\n"); ok && len(lr.res.Trace.States) == 0 {
		lr.res.Trace.States = []State{{Number: 1, Action: "Initial predicate", Vars: lr.stateVars(1, body)}}
	}
}

// locate takes the position from the call stack, which is a message of its own.
func (lr *logReader) locate(v *Verdict) {
	for _, m := range lr.errors {
		if m.code == codeNested {
			if at, ok := lastPosition(m.text); ok {
				v.At = at
			}
		}
	}
}

// failure decides among the kinds that are no verdict on the model.
func (lr *logReader) failure(exitCode int, stderr string) Verdict {
	v := Verdict{Kind: failureKind(lr.errors, exitCode, stderr)}
	talk := strings.TrimSpace(string(lr.split.talk))
	switch v.Kind {
	case ParseError:
		v.Message = parserSays(talk)
		v.At, _ = findPosition(talk)
		return v
	case Crashed:
		v.Message = strings.TrimSpace(joinErrors(lr.errors) + "\n" + stderr)
		if v.Message == "" {
			v.Message = fmt.Sprintf("no verdict in TLC's log, exit code %d", exitCode)
		}
		return v
	}
	v.Message = joinErrors(lr.errors)
	v.At, _ = findPosition(v.Message)
	lr.locate(&v)
	for _, m := range lr.errors {
		if g := invariantEval.FindStringSubmatch(m.text); g != nil {
			v.Name = g[1]
		}
	}
	return v
}

func failureKind(errors []message, exitCode int, stderr string) Kind {
	has := func(is func(message) bool) bool { return slices.ContainsFunc(errors, is) }
	switch {
	case has(outOfMemory), strings.Contains(stderr, "java.lang.OutOfMemoryError"):
		return OutOfMemory
	case exitCode == exitSpecParse, has(func(m message) bool { return m.has(codeParsingFailed) }):
		return ParseError
	case exitCode == exitConfigParse, has(configTrouble):
		return ConfigError
	case exitCode == exitOK, len(errors) == 0:
		return Crashed
	case exitCode == 1: // wrong options
		return Crashed
	case has(func(m message) bool { return m.severity == sevBug }):
		return Crashed
	}
	return EvalError
}

func outOfMemory(m message) bool {
	return m.has(codeOutOfMemory, codeOutOfMemoryInit, codeOutOfMemoryLive) ||
		strings.Contains(m.text, "java.lang.OutOfMemoryError")
}

func configTrouble(m message) bool {
	if m.code >= codeConfigFileFirst && m.code <= codeConfigFileLast {
		return true
	}
	return slices.ContainsFunc(m.inner, configTrouble)
}

var boilerplate = regexp.MustCompile(`(?s)^TLC threw an unexpected exception\..*?The exception was an? (\S+)\s*: `)

// joinErrors joins what the messages say of the error itself.
func joinErrors(errors []message) string {
	var texts []string
	for _, m := range errors {
		switch m.code {
		case codeNested, codeBehavior, codeCounterexample:
			continue
		}
		text := m.text
		if m.code == codeGeneral {
			text = boilerplate.ReplaceAllString(text, "")
		}
		if text = strings.TrimSpace(text); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

var parserNoise = regexp.MustCompile(`(?m)^(?:tla2sany\.semantic\.AbortException|\*\*\* (?:Abort messages|Errors): \d+|Residual stack trace follows:|Unknown location|Semantic errors:|\*\*\*Parse Error\*\*\*|In module \w+|Module definition starting at .*|Fatal errors while parsing .*|Could not parse module .*)$`)

// parserSays drops the parser's headings and empty lines, and what only repeats
// that there is an error.
func parserSays(talk string) string {
	var lines []string
	for line := range strings.Lines(parserNoise.ReplaceAllString(talk, "")) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
