package schema_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/interlock-go/interlock/spec/schema"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema.JSON))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	require.NoError(t, c.AddResource(schema.Name, doc))
	s, err := c.Compile(schema.Name)
	require.NoError(t, err)
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, src []byte) error {
	t.Helper()
	var v any
	require.NoError(t, yaml.Unmarshal(src, &v))
	return s.Validate(v)
}

// TestGoodTables validates the bundled tables and the rejected designs.
func TestGoodTables(t *testing.T) {
	s := compiled(t)
	var paths []string
	for _, pattern := range []string{"../*.yaml", "../rejected/*.yaml", "../../gen/*/testdata/*.yaml"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		paths = append(paths, found...)
	}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, validate(t, s, src), path)
	}
}

// structural are the codes of what a schema can see, as far as it doesn't
// depend on names; unseen are those of what comes before it: it isn't YAML of
// the language.
var (
	structural = []string{"S002", "S004", "S005"}
	unseen     = []string{"S001", "S003"}
	// dependent are cases whose structural complaints depend on names, or on
	// which of two keys is there.
	dependent = []string{"D008_moves", "S005_fair_both", "S005_fair_why"}
	// notYAML are cases with another code that YAML's parser stops at too.
	notYAML = []string{"S006_colon"}
)

var code = regexp.MustCompile(`(?m)^\S+:\d+:\d+: ([A-Z]\d+): `)

// TestBadTables demands that the schema refuses every bad case that is one of
// structure, and no other: it must not keep anybody from what the language
// allows.
func TestBadTables(t *testing.T) {
	s := compiled(t)
	paths, err := filepath.Glob("../testdata/bad/*.txtar")
	require.NoError(t, err)
	refused := 0
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		ar, err := txtar.ParseFile(path)
		require.NoError(t, err)
		var src, want, repaired []byte
		for _, f := range ar.Files {
			switch f.Name {
			case "table.yaml":
				src = f.Data
			case "want":
				want = f.Data
			case "repaired.yaml":
				repaired = f.Data
			}
		}
		shape, before := false, slices.Contains(notYAML, name)
		for _, m := range code.FindAllStringSubmatch(string(want), -1) {
			shape = shape || slices.Contains(structural, m[1])
			before = before || slices.Contains(unseen, m[1])
		}
		if repaired != nil {
			require.NoError(t, validate(t, s, repaired), name)
		}
		if before || src == nil {
			continue
		}
		err = validate(t, s, src)
		if shape && !slices.Contains(dependent, name) {
			refused++
			require.Error(t, err, "%s: the schema takes it", name)
			continue
		}
		require.NoError(t, err, name)
	}
	require.NotZero(t, refused)
}

// TestShapes validates one construct each, in a table that is whole but for it.
func TestShapes(t *testing.T) {
	s := compiled(t)
	const around = "machine: door\nstates: {open: {initial: true}}\nevents:\n  push(a bool):\n    checks: %CHECKS%\n    rows: {go: {%ROW%}}\n"
	table := func(checks, row string) []byte {
		return []byte(strings.NewReplacer("%CHECKS%", checks, "%ROW%", row).Replace(around))
	}
	for row, good := range map[string]bool{
		"to: open":                              true,
		"when: a, to: open":                     true,
		"when: true, to: open":                  true,
		"when: [a, {holds: b, says: c}], to: o": true,
		"when: [], to: open":                    false,
		"when: {says: c}, to: open":             false,
		"when: {b: c}, to: open":                false,
		"from: [a, b], to: open":                true,
		"from: {door: a, key: [b, c]}":          true,
		"from: [[a]], to: open":                 false,
		"emit: f(), to: open":                   true,
		"emit: [{each: t in l, emit: g(t)}]":    true,
		"emit: [{each: t in l}]":                false,
		"set: {x: 1, y: true, z: a}":            true,
		"set: [x]":                              false,
		"set: {x: null}":                        false,
		"fire: {m: t, n: {on: t, to: s}}":       true,
		"fire: {n: {to: s}}":                    false,
		"unles: a, to: open":                    false,
	} {
		if err := validate(t, s, table("[]", row)); (err == nil) != good {
			t.Errorf("%s: %v", row, err)
		}
	}
	for checks, good := range map[string]bool{
		"[{id: a, refuse: B}]":        true,
		"[{refuse: B}]":               false,
		"{id: a, refuse: B}":          false,
		"[{id: a, to: open}]":         false,
		"[{id: a, when: x, stay: B}]": true,
		"[{id: a, never: it is so}]":  false,
	} {
		if err := validate(t, s, table(checks, "to: open")); (err == nil) != good {
			t.Errorf("%s: %v", checks, err)
		}
	}
}
