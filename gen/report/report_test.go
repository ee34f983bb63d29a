package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/spec/diag"
)

// nasty has everything that a form must escape, or leave out.
func nasty() diag.List {
	var l diag.List
	l.Add(diag.Overlap, diag.Pos{File: "a,b: c/ü d.yaml", Line: 3, Col: 5}, "100%% of\r\nrows <both> \"apply\", 🚂").
		WithHint("let one exclude: the other").
		Also(diag.Pos{File: "a,b: c/ü d.yaml", Line: 1, Col: 2}, "the first").Width = 4
	l.Add(diag.UnusedName, diag.Pos{File: "/abs/x.yaml", Line: 1, Col: 1}, "nothing reads x")
	l.Add(diag.Violated, diag.Pos{File: "x.yaml", Line: 2, Col: 1}, "P: violated").Detail = "1. push(): opens\n     state = open\n"
	l.Add(diag.Unreadable, diag.Pos{File: "nowhere.yaml"}, "it can't be read")
	return l
}

func written(t *testing.T, format string, l diag.List) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, Write(&out, format, l, func(string) ([]byte, bool) { return nil, false }))
	return out.String()
}

// TestGitHub: a command is one line, whatever its text is.
func TestGitHub(t *testing.T) {
	require.Equal(t, strings.Join([]string{
		`::error file=a%2Cb%3A c/ü d.yaml,line=3,col=5,endColumn=9,title=interlock D002::100%25 of%0D%0Arows <both> "apply", 🚂%0Aa,b: c/ü d.yaml:1:2: the first%0Ahint: let one exclude: the other`,
		`::warning file=/abs/x.yaml,line=1,col=1,endColumn=2,title=interlock N004::nothing reads x%0Ahint: use it, or take it out`,
		`::error file=x.yaml,line=2,col=1,endColumn=2,title=interlock P001::P: violated%0A1. push(): opens%0A     state = open%0Ahint: follow the steps: mend the row that takes the last one, or the property`,
		`::error file=nowhere.yaml,title=interlock S009::it can't be read%0Ahint: name a table that is there, such as spec/lane.yaml, and may be read`,
		"",
	}, "\n"), written(t, "github", nasty()))
	require.Empty(t, written(t, "github", nil))
}

func TestJSON(t *testing.T) {
	require.JSONEq(t, `{"version": 1, "diagnostics": []}`, written(t, "json", nil))
	var doc struct {
		Diagnostics []map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(written(t, "json", nasty())), &doc))
	require.Len(t, doc.Diagnostics, 4)
	require.Equal(t, map[string]any{
		"code": "D002", "severity": "error", "file": "a,b: c/ü d.yaml", "line": 3.0, "column": 5.0, "endColumn": 9.0,
		"message": "100% of\r\nrows <both> \"apply\", 🚂", "hint": "let one exclude: the other",
		"related": []any{map[string]any{"file": "a,b: c/ü d.yaml", "line": 1.0, "column": 2.0, "message": "the first"}},
	}, doc.Diagnostics[0])
	require.Equal(t, "warning", doc.Diagnostics[1]["severity"])
	require.Equal(t, "1. push(): opens\n     state = open\n", doc.Diagnostics[2]["detail"])
	require.NotContains(t, doc.Diagnostics[3], "line")
}

// TestSARIF holds logs against the schema of OASIS, which the library carries.
func TestSARIF(t *testing.T) {
	for _, l := range []diag.List{nil, nasty()} {
		log, err := sarif.FromString(written(t, "sarif", l))
		require.NoError(t, err)
		require.NoError(t, log.Validate())
		require.Equal(t, "2.1.0", log.Version)
		run := log.Runs[0]
		require.Len(t, run.Tool.Driver.Rules, len(diag.Codes))
		require.Len(t, run.Results, len(l))
		for i, d := range l {
			require.Equal(t, string(d.Code), *run.Results[i].RuleID)
			require.Equal(t, string(d.Code), *run.Tool.Driver.Rules[run.Results[i].RuleIndex].ID)
		}
	}
	run := sarifReport(nasty()).Runs[0]
	at := run.Results[0].Locations[0].PhysicalLocation
	require.Equal(t, "./a,b:%20c/%C3%BC%20d.yaml", *at.ArtifactLocation.URI)
	require.Equal(t, 9, *at.Region.EndColumn)
	require.Equal(t, "file:///abs/x.yaml", *run.Results[1].Locations[0].PhysicalLocation.ArtifactLocation.URI)
	require.Equal(t, "warning", run.Results[1].Level)
	require.Nil(t, run.Results[3].Locations[0].PhysicalLocation.Region)
}

type full struct{}

var errFull = errors.New("no space left on device")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestFullDisk: no form forgets an error.
func TestFullDisk(t *testing.T) {
	for _, format := range Formats {
		err := Write(full{}, format, nasty(), func(string) ([]byte, bool) { return nil, false })
		require.ErrorIs(t, err, errFull, format)
	}
	require.ErrorContains(t, Write(full{}, "xml", nil, nil), `unknown format "xml"`)
}
