// Package report prints complaints in the forms that people, scripts and
// services read.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/interlock-go/interlock/spec/diag"
)

// Formats are the names that Write takes, the one for people first.
var Formats = []string{"text", "json", "sarif", "github"}

// Write prints l in one of Formats. source returns a file's text for the lines
// that "text" quotes. The forms for programs are whole documents, printed for
// an empty list too; github's is a line for each complaint.
func Write(w io.Writer, format string, l diag.List, source func(file string) ([]byte, bool)) error {
	switch format {
	case "text":
		return diag.Write(w, l, source)
	case "json":
		return writeJSON(w, l)
	case "sarif":
		return writeSARIF(w, l)
	case "github":
		return writeGitHub(w, l)
	}
	return Known(format)
}

// Known returns an error if format is none of Formats.
func Known(format string) error {
	if slices.Contains(Formats, format) {
		return nil
	}
	return fmt.Errorf("unknown format %q; it is one of %s", format, strings.Join(Formats, ", "))
}

// document is the form "json". Its fields are stable between releases; new
// ones may come.
type document struct {
	Version     int          `json:"version"` // 1
	Diagnostics []diagnostic `json:"diagnostics"`
}

// place counts lines and columns from 1, in Unicode code points; without a
// line it is the file as a whole.
type place struct {
	File   string `json:"file"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

type diagnostic struct {
	Code     diag.Code `json:"code"`
	Severity string    `json:"severity"` // error, finding or warning
	place
	EndColumn int       `json:"endColumn,omitempty"` // the first one behind
	Message   string    `json:"message"`
	Hint      string    `json:"hint"`
	Detail    string    `json:"detail,omitempty"`
	Related   []related `json:"related,omitempty"`
}

type related struct {
	place
	Message string `json:"message"`
}

func placeOf(p diag.Pos) place { return place{p.File, p.Line, p.Col} }

// end is the first column behind what a complaint is about; 0: it has no line.
func end(d *diag.Diagnostic) int {
	if !d.Pos.IsValid() {
		return 0
	}
	return d.Pos.Col + max(1, d.Width)
}

func writeJSON(w io.Writer, l diag.List) error {
	doc := document{Version: 1, Diagnostics: []diagnostic{}}
	for _, d := range l {
		out := diagnostic{
			Code: d.Code, Severity: d.Severity().String(), place: placeOf(d.Pos), EndColumn: end(d),
			Message: d.Message, Hint: d.Repair(), Detail: d.Detail,
		}
		for _, r := range d.Related {
			out.Related = append(out.Related, related{placeOf(r.Pos), r.Message})
		}
		doc.Diagnostics = append(doc.Diagnostics, out)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}

// text is what a complaint says in forms that have one text for all of it.
func text(d *diag.Diagnostic) string {
	s := d.Message
	for _, r := range d.Related {
		s += fmt.Sprintf("\n%s: %s", r.Pos, r.Message)
	}
	if d.Detail != "" {
		s += "\n" + strings.TrimRight(d.Detail, "\n")
	}
	return s + "\nhint: " + d.Repair()
}
