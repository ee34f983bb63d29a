package tla_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/tla"
)

func ints(ns ...int64) []tla.Value {
	var vs []tla.Value
	for _, n := range ns {
		vs = append(vs, tla.Int(n))
	}
	return vs
}

var (
	p1 = tla.Model("p1")
	p2 = tla.Model("p2")
	ab = tla.Record(tla.Field{Name: "a", Value: tla.Int(1)}, tla.Field{Name: "b", Value: tla.Set()})
)

// What TLC prints, the value, and the canonical text where it differs.
var texts = []struct {
	text string
	want tla.Value
	back string
}{
	{"0", tla.Int(0), ""},
	{"-17", tla.Int(-17), ""},
	{"2147483647", tla.Int(1<<31 - 1), ""},
	{"TRUE", tla.Bool(true), ""},
	{"FALSE", tla.Bool(false), ""},
	{`"free"`, tla.Str("free"), ""},
	{`""`, tla.Str(""), ""},
	{`"a \"q\" \\ b\n\t\f\r"`, tla.Str("a \"q\" \\ b\n\t\f\r"), ""},
	{`"<<1, {2}>>"`, tla.Str("<<1, {2}>>"), ""},
	{"p1", p1, ""},
	{"1st", tla.Model("1st"), ""},
	{"TRUEST", tla.Model("TRUEST"), ""},
	{"{}", tla.Set(), ""},
	{"{3, 1, 2}", tla.Set(ints(1, 2, 3)...), "{1, 2, 3}"},
	{"{1, 1}", tla.Set(tla.Int(1)), "{1}"},
	{"1..3", tla.Set(ints(1, 2, 3)...), "{1, 2, 3}"},
	{"-2..0", tla.Set(ints(-2, -1, 0)...), "{-2, -1, 0}"},
	{"3..1", tla.Set(), "{}"},
	{"{1..2, {}}", tla.Set(tla.Set(), tla.Set(ints(1, 2)...)), "{{}, {1, 2}}"},
	{"<<>>", tla.Tuple(), ""},
	{"<< >>", tla.Tuple(), "<<>>"},
	{`<<"a", <<1>>>>`, tla.Tuple(tla.Str("a"), tla.Tuple(tla.Int(1))), ""},
	{"[a |-> 1, b |-> {}]", ab, ""},
	{"[b |-> {}, a |-> 1]", ab, "[a |-> 1, b |-> {}]"},
	{"(p1 :> 1 @@ p2 :> 2)", tla.Func(tla.Pair{Arg: p1, Result: tla.Int(1)}, tla.Pair{Arg: p2, Result: tla.Int(2)}), ""},
	{"(p2 :> 2 @@ p1 :> 1)", tla.Func(tla.Pair{Arg: p1, Result: tla.Int(1)}, tla.Pair{Arg: p2, Result: tla.Int(2)}), "(p1 :> 1 @@ p2 :> 2)"},
	{"(p1 :> 1 @@ p1 :> 2)", tla.Func(tla.Pair{Arg: p1, Result: tla.Int(1)}), "(p1 :> 1)"},
	{"(0 :> 5)", tla.Func(tla.Pair{Arg: tla.Int(0), Result: tla.Int(5)}), ""},
	// A function on 1..n is a sequence; one on strings is a record, even if
	// its fields can't be written as names.
	{"(1 :> 5 @@ 2 :> 6)", tla.Tuple(ints(5, 6)...), "<<5, 6>>"},
	{`("a" :> 1 @@ "b" :> {})`, ab, "[a |-> 1, b |-> {}]"},
	{`("a b" :> 1)`, tla.Record(tla.Field{Name: "a b", Value: tla.Int(1)}), ""},
	{`("1" :> 1)`, tla.Record(tla.Field{Name: "1", Value: tla.Int(1)}), ""},
	{`("TRUE" :> 1)`, tla.Record(tla.Field{Name: "TRUE", Value: tla.Int(1)}), ""},
	{" ( p1 :>\n      [ id |-> 1,\n        n |-> None ] )\t\r\n",
		tla.Func(tla.Pair{Arg: p1, Result: tla.Record(tla.Field{Name: "id", Value: tla.Int(1)}, tla.Field{Name: "n", Value: tla.Model("None")})}),
		"(p1 :> [id |-> 1, n |-> None])"},
}

func TestParseValue(t *testing.T) {
	for _, tt := range texts {
		t.Run(tt.text, func(t *testing.T) {
			got, err := tla.ParseValue(tt.text)
			require.NoError(t, err)
			assert.Empty(t, cmp.Diff(tt.want, got))
			assert.Zero(t, tt.want.Compare(got))
			back := tt.back
			if back == "" {
				back = tt.text
			}
			assert.Equal(t, back, got.String())
			again, err := tla.ParseValue(back)
			require.NoError(t, err)
			assert.True(t, again.Equal(got))
		})
	}
}

func TestParseValueErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "line 1, column 1: expected a value, found end of text",
		"1 2":                     `line 1, column 3: unexpected "2" after the value`,
		"{1, 2":                   "line 1, column 6: expected , or }, found end of text",
		"{1 2}":                   `line 1, column 4: expected , or }, found "2}"`,
		"{1,}":                    `line 1, column 4: expected a value, found "}"`,
		"<<1>":                    `line 1, column 4: expected , or >>, found ">"`,
		"[]":                      `line 1, column 2: expected a field's name, found "]"`,
		"[a -> 1]":                `line 1, column 4: expected |->, found "-> 1]"`,
		"[a |-> 1 b |-> 2]":       `line 1, column 10: expected , or ], found "b |-> 2]"`,
		"(1)":                     `line 1, column 3: expected :>, found ")"`,
		"(p1 :> 1, p2 :> 2)":      `line 1, column 9: expected @@ or ), found ", p2 :> 2)"`,
		"(p1 :>\n 1 @@\n p2 : 2)": `line 3, column 5: expected :>, found ": 2)"`,
		`"abc`:                    "line 1, column 1: the string does not end",
		`"abc\`:                   "line 1, column 1: the string does not end",
		`"a\x"`:                   "line 1, column 4: unknown escape in a string",
		"-":                       `line 1, column 1: expected an integer, found "-"`,
		"- 1":                     `line 1, column 1: expected an integer, found "- 1"`,
		"1..":                     "line 1, column 4: expected an integer, found end of text",
		"1..2000000000":           "line 1, column 14: intervals with more than 65536 elements",
		"{1..65000, 1..65000}":    "line 1, column 20: intervals with more than 65536 elements",
		"1234567890123456789":     "line 1, column 1: an integer of more than 18 digits",
		"SUBSET {1}":              `line 1, column 8: unexpected "{1}" after the value`,
		"?":                       `line 1, column 1: expected a value, found "?"`,
	} {
		_, err := tla.ParseValue(text)
		var syntax *tla.SyntaxError
		if assert.ErrorAs(t, err, &syntax, text) {
			assert.Equal(t, "tla: "+want, err.Error(), text)
		}
	}
}

func TestParseValueBoundsNesting(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("<<", n) + strings.Repeat(">>", n) }
	_, err := tla.ParseValue(deep(200))
	require.NoError(t, err)
	_, err = tla.ParseValue(deep(201))
	require.ErrorContains(t, err, "more than 200 values inside each other")
	_, err = tla.ParseValue(strings.Repeat("{", 10_000_000))
	require.ErrorContains(t, err, "more than 200 values inside each other")
}

// A Parser is fit for use after an error, and what it returned stays.
func TestParserReuse(t *testing.T) {
	var p tla.Parser
	first, err := p.Parse("{<<1, 2>>, <<3>>}")
	require.NoError(t, err)
	_, err = p.Parse("{<<4, 5>>, {6, ")
	require.Error(t, err)
	second, err := p.Parse("{<<7, 8>>, <<9>>}")
	require.NoError(t, err)
	assert.Equal(t, "{<<3>>, <<1, 2>>}", first.String())
	assert.Equal(t, "{<<9>>, <<7, 8>>}", second.String())
}

func TestParsePrinted(t *testing.T) {
	var p tla.Parser
	line := []byte(`"<<\"claim\", p1, \"a \\\"q\\\" \\\\ b\">>"`)
	got, err := p.ParsePrinted(line)
	require.NoError(t, err)
	for i := range line {
		line[i] = '#'
	}
	assert.Equal(t, `<<"claim", p1, "a \"q\" \\ b">>`, got.String())
	for _, bad := range []string{``, `"`, `<<1>>`, `"1" 2"`, `"1\"`, `"\x"`, `"<<1"`} {
		_, err := p.ParsePrinted([]byte(bad))
		var syntax *tla.SyntaxError
		assert.ErrorAs(t, err, &syntax, bad)
	}
}

func TestValueAccess(t *testing.T) {
	assert.Equal(t, tla.NoType, tla.Value{}.Type())
	assert.EqualValues(t, 7, tla.Int(7).Int())
	assert.True(t, tla.Bool(true).Bool())
	assert.Equal(t, "a", tla.Str("a").Text())
	assert.Zero(t, tla.Bool(true).Int())

	set := tla.Set(ints(3, 1)...)
	assert.Equal(t, 2, set.Len())
	assert.True(t, set.Has(tla.Int(3)))
	assert.False(t, set.Has(tla.Int(2)))
	assert.Len(t, slices.Collect(set.Elems()), 2)
	assert.EqualValues(t, 1, set.Elem(0).Int())
	assert.Panics(t, func() { ab.Elem(0) })

	v, ok := ab.Field("a")
	assert.True(t, ok)
	assert.EqualValues(t, 1, v.Int())
	_, ok = ab.Field("c")
	assert.False(t, ok)
	assert.Equal(t, 2, ab.Len())

	// A sequence is a function.
	tuple := tla.Tuple(tla.Str("x"), tla.Str("y"))
	v, ok = tuple.Apply(tla.Int(2))
	assert.True(t, ok)
	assert.Equal(t, "y", v.Text())
	_, ok = tuple.Apply(tla.Int(0))
	assert.False(t, ok)
	n := 0
	for arg, result := range tuple.Pairs() {
		n++
		applied, _ := tuple.Apply(arg)
		assert.True(t, applied.Equal(result))
	}
	assert.Equal(t, 2, n)
}

// Compare is an order: the texts' values sort into one sequence, whatever
// their order before.
func TestValueCompare(t *testing.T) {
	var values []tla.Value
	for _, tt := range texts {
		values = append(values, tt.want)
	}
	for _, v := range values {
		for _, w := range values {
			assert.Equal(t, v.Compare(w), -w.Compare(v))
			assert.Equal(t, v.Equal(w), v.Compare(w) == 0)
			assert.Equal(t, v.Equal(w), v.String() == w.String(), "%v and %v", v, w)
		}
	}
}

const edge = `"<<\"claim.won\", p1, <<1>>, <<(p1 :> \"free\" @@ p2 :> \"free\"), (p1 :> None @@ p2 :> None), (p1 :> 0 @@ p2 :> 0), (p1 :> {} @@ p2 :> {}), (p1 :> {} @@ p2 :> {})>>, <<(p1 :> \"running\" @@ p2 :> \"free\"), (p1 :> 1 @@ p2 :> None), (p1 :> 1 @@ p2 :> 0), (p1 :> {1} @@ p2 :> {}), (p1 :> {1} @@ p2 :> {})>>>>"`

// A line of the lane's comparison: 309 bytes, 52 values.
func BenchmarkParsePrinted(b *testing.B) {
	var p tla.Parser
	line := []byte(edge)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.ParsePrinted(line); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkValueAppend(b *testing.B) {
	v, err := new(tla.Parser).ParsePrinted([]byte(edge))
	require.NoError(b, err)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = v.Append(buf[:0])
	}
}
