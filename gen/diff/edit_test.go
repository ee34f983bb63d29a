package diff_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/interlock-go/interlock/gen/diff"
	"github.com/interlock-go/interlock/spec"
)

// edit is a small change of a table's source.
type edit struct {
	name string
	// apply changes the source; where there is nothing to change it stays.
	apply func(t *rapid.T, lines []string, old *spec.Table) []string
	// only is what the report may tell; nil: the walks decide.
	only func(r *diff.Report)
}

var edits = []edit{
	{"rename a state", renameState, func(r *diff.Report) { r.Renamed, r.Wording = nil, nil }},
	{"rename a row", renameRow, func(r *diff.Report) { r.Renamed, r.Wording = nil, nil }},
	{"reword", reword, func(r *diff.Report) { r.Wording = nil }},
	{"reorder", reorder, func(r *diff.Report) { r.Order = nil }},
	{"swap checks", swapChecks, nil},
	{"change a target", changeTarget, nil},
	{"change a code", changeCode, nil},
	{"drop an update", dropUpdate, nil},
	{"drop a check", dropCheck, nil},
}

// oneModel stands in for the models of a bundled table: the least at which
// much is reached, so that many edits can be tried.
var oneModel = map[string]string{
	"lane":    "  small: {sizes: {Project: 1, Lease: 2, Fence: 2, durable: true}, assume: [HonestOwner, HonestOrReview, OrphanedIsGone]}\n",
	"session": "  small: {sizes: {Run: 2, Lease: 2, Call: 1, Poll: 1}, assume: [NoForeignTurn, NoUpset]}\n",
}

// TestSmallEdits makes random small edits of bundled tables. What only
// renames, rewords or moves is told as that and nothing more. Of all others
// each decision that is told is replayed, and where none is, random commands
// find none either. The way back is told alike.
func TestSmallEdits(t *testing.T) {
	for _, name := range []string{"lane", "session"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join("../../spec", name+".yaml")
			src, err := os.ReadFile(path)
			require.NoError(t, err)
			text, _, _ := strings.Cut(string(src), "\nmodels:\n")
			text += "\nmodels:\n" + oneModel[name]
			old, err := spec.Read(path, []byte(text))
			require.NoError(t, err)
			tried := map[string]int{}
			rapid.Check(t, func(rt *rapid.T) {
				e := rapid.SampledFrom(edits).Draw(rt, "edit")
				lines := e.apply(rt, strings.Split(text, "\n"), old)
				fresh, err := spec.Read(path, []byte(strings.Join(lines, "\n")))
				if err != nil || fresh.Hash == old.Hash {
					rt.Skip("the table isn't one any more")
				}
				tried[e.name]++
				checkEdit(rt, old, fresh, e.only)
			})
			assert.Greater(t, len(tried), len(edits)/2, "edits that gave tables")
		})
	}
}

func checkEdit(t *rapid.T, old, fresh *spec.Table, only func(*diff.Report)) {
	r, err := diff.Tables(context.Background(), old, fresh, diff.Options{})
	require.NoError(t, err)
	back, err := diff.Tables(context.Background(), fresh, old, diff.Options{})
	require.NoError(t, err)
	mirrored(t, r, back)
	if only != nil {
		require.Equal(t, diff.Harmless, r.Verdict, r.Text())
		rest := *r
		only(&rest)
		rest.Unasked, rest.Holding = 0, 0
		require.Equal(t, 2, len(strings.Split(strings.TrimRight(rest.Text(), "\n"), "\n"))-1, r.Text()) // headline, verdict, graph
		return
	}
	for _, d := range r.Decisions {
		require.NoError(t, replayed(old, fresh, d), r.Text())
	}
	if len(r.Decisions) == 0 {
		for _, m := range fresh.Models {
			require.Empty(t, wander(t, old, fresh, m), r.Text())
		}
	}
	require.NotEqual(t, diff.Same, r.Verdict, r.Text())
}

// mirrored holds a report against the one of the way back.
func mirrored(t require.TestingT, r, back *diff.Report) {
	require.Equal(t, decisions(r, false), decisions(back, true), "%s\n%s", r.Text(), back.Text())
	require.ElementsMatch(t, r.Added, back.Removed)
	require.ElementsMatch(t, r.Removed, back.Added)
	require.ElementsMatch(t, r.Gained, back.Lost)
	require.ElementsMatch(t, r.Lost, back.Gained)
	var turned []diff.Rename
	for _, n := range back.Renamed {
		turned = append(turned, diff.Rename{Kind: n.Kind, Old: n.New, New: n.Old, Uses: n.Uses})
	}
	require.ElementsMatch(t, r.Renamed, turned)
	require.Len(t, back.Rows, len(r.Rows))
	require.Equal(t, r.Holding+r.Unasked, back.Holding+back.Unasked)
}

// decisions are those of a report, as one can compare them with those of the
// way back.
func decisions(r *diff.Report, turn bool) []string {
	var out []string
	for _, d := range r.Decisions {
		before, after := d.Before, d.After
		if turn {
			before, after = after, before
		}
		out = append(out, fmt.Sprintf("%s in %s %s: %s %s %s, %s %s %s, after %d", d.Event, d.State, d.Part,
			before.Row, before.Outcome, before.Code, after.Row, after.Outcome, after.Code, len(d.Way)))
	}
	slices.Sort(out)
	return out
}

// pick returns one of the places at which the expression matches.
func pick(t *rapid.T, lines []string, re *regexp.Regexp) (line int, at []int) {
	type place struct {
		line int
		at   []int
	}
	var all []place
	inside := false
	for i, l := range lines {
		if !strings.HasPrefix(l, " ") && l != "" {
			inside = l == "events:"
		}
		if inside {
			for _, m := range re.FindAllStringSubmatchIndex(l, -1) {
				all = append(all, place{i, m})
			}
		}
	}
	p := all[rapid.IntRange(0, len(all)-1).Draw(t, "place")]
	return p.line, p.at
}

// put replaces the first group of what pick found.
func put(lines []string, line int, at []int, text string) []string {
	out := slices.Clone(lines)
	out[line] = out[line][:at[2]] + text + out[line][at[3]:]
	return out
}

func renameWord(lines []string, from, to string) []string {
	re := regexp.MustCompile(`\b` + from + `\b`)
	return strings.Split(re.ReplaceAllString(strings.Join(lines, "\n"), to), "\n")
}

func renameState(t *rapid.T, lines []string, old *spec.Table) []string {
	s := rapid.SampledFrom(old.States).Draw(t, "state")
	return renameWord(lines, s.Name, s.Name+"Zz")
}

func renameRow(t *rapid.T, lines []string, old *spec.Table) []string {
	line, at := pick(t, lines, regexp.MustCompile(`(?:^      |- \{id: )(\w+)(?:,|:\s+\{from)`))
	id := lines[line][at[2]:at[3]]
	out := put(lines, line, at, id+"Zz")
	for i := line; i > 0; i-- {
		if m := regexp.MustCompile(`^  (\w+)\(`).FindStringSubmatch(lines[i]); m != nil {
			return strings.Split(strings.ReplaceAll(strings.Join(out, "\n"), m[1]+"."+id+":", m[1]+"."+id+"Zz:"), "\n")
		}
	}
	return lines
}

func reword(t *rapid.T, lines []string, _ *spec.Table) []string {
	line, at := pick(t, lines, regexp.MustCompile(`(?:doc|why|says|never): "?()[A-Za-z]`))
	return put(lines, line, at, "Indeed ")
}

// reorder swaps two entries that stand in one line each.
func reorder(t *rapid.T, lines []string, _ *spec.Table) []string {
	entry := regexp.MustCompile(`^( +)\w+: +\S`)
	var at []int
	for i := range len(lines) - 2 {
		a, b := entry.FindStringSubmatch(lines[i]), entry.FindStringSubmatch(lines[i+1])
		if a != nil && b != nil && a[1] == b[1] && len(a[1]) > 0 && !strings.HasPrefix(lines[i+2], a[1]+" ") && within(lines, i, "states:", "answers:", "vars:", "rows:", "events:") {
			at = append(at, i)
		}
	}
	i := rapid.SampledFrom(at).Draw(t, "line")
	out := slices.Clone(lines)
	out[i], out[i+1] = out[i+1], out[i]
	return out
}

// within reports whether the entry at a line stands right below one of these.
func within(lines []string, i int, sections ...string) bool {
	indent := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
	for ; i >= 0; i-- {
		l := lines[i]
		if l != "" && len(l)-len(strings.TrimLeft(l, " ")) < indent {
			return slices.Contains(sections, strings.TrimSpace(l))
		}
	}
	return false
}

func swapChecks(t *rapid.T, lines []string, _ *spec.Table) []string {
	var at []int
	for i := range len(lines) - 1 {
		if strings.HasPrefix(lines[i], "      - {id: ") && strings.HasPrefix(lines[i+1], "      - {id: ") {
			at = append(at, i)
		}
	}
	i := rapid.SampledFrom(at).Draw(t, "line")
	out := slices.Clone(lines)
	out[i], out[i+1] = out[i+1], out[i]
	return out
}

func changeTarget(t *rapid.T, lines []string, old *spec.Table) []string {
	line, at := pick(t, lines, regexp.MustCompile(`\bto: (\w+)`))
	return put(lines, line, at, rapid.SampledFrom(old.States).Draw(t, "state").Name)
}

func changeCode(t *rapid.T, lines []string, old *spec.Table) []string {
	line, at := pick(t, lines, regexp.MustCompile(`(?:refuse|stay|ignore): (\w+)`))
	return put(lines, line, at, rapid.SampledFrom(old.Answers).Draw(t, "answer").Code)
}

func dropUpdate(t *rapid.T, lines []string, _ *spec.Table) []string {
	line, at := pick(t, lines, regexp.MustCompile(`set: \{(?:[^{}]*, )?(\w+: (?:"[^"]*"|[^,{}"]+), )\w`))
	return put(lines, line, at, "")
}

func dropCheck(t *rapid.T, lines []string, _ *spec.Table) []string {
	line, _ := pick(t, lines, regexp.MustCompile(`^      - (\{id: \w+, .*\})$`))
	return slices.Delete(slices.Clone(lines), line, line+1)
}
