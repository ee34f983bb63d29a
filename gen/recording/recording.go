// Package recording writes what a table's machine does down as data: each step
// at the sizes under record, and the sums of the graphs that are too large for
// that. The generated test replays the steps on the machine in Go.
package recording

import (
	"context"
	"fmt"
	"path"

	"github.com/interlock-go/interlock/gen/file"
	"github.com/interlock-go/interlock/gen/interp"
	"github.com/interlock-go/interlock/gen/mbt/edges"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

// FileName is the name of a machine's file of edges, beside its Go.
func FileName(machine string) string { return machine + "_edges_gen.txt" }

// Files returns fsm/NAME/NAME_edges_gen.txt, which edges.Parse reads; nothing
// for a table that says nothing under record.
//
// The error is a diag.List of rows that no recording has, or says which model or
// recording can't be searched.
func Files(t *spec.Table) ([]file.File, error) {
	if len(t.Record) == 0 {
		return nil, nil
	}
	d := &edges.Data{Machine: t.Name, Table: t.Hash}
	for _, size := range t.Record {
		r, err := edges.Record(context.Background(), t, size)
		if err != nil {
			return nil, err
		}
		d.Recordings = append(d.Recordings, r)
	}
	var ds diag.List
	for _, row := range edges.Missing(t, d.Recordings) {
		ds.Add(diag.DeadRow, row.Pos, "no recording has %s", row.Name()).
			WithHint("give a size under record that reaches it").Width = len(row.ID)
	}
	if err := ds.Err(); err != nil {
		return nil, err
	}
	for _, model := range t.Models {
		m, err := interp.New(t, model)
		if err != nil {
			return nil, err
		}
		s, err := edges.Summarize(context.Background(), m)
		if err != nil {
			return nil, fmt.Errorf("model %s: %w", model.Name, err)
		}
		d.Graphs = append(d.Graphs, edges.Graph{Name: model.Name, States: s.States, Edges: s.Edges, Sum: s.Sum})
	}
	return []file.File{{
		Path: path.Join("fsm", t.Name, FileName(t.Name)),
		Data: append([]byte("# "+file.Marker(path.Base(t.Path))+"\n"), d.Text()...),
	}}, nil
}
