package lanesweb

import (
	"bytes"
	"encoding/json"
	"iter"
	"net/http"

	"github.com/interlock-go/interlock/lanes"
)

func writeProjects(b *bytes.Buffer, r *http.Request, m *lanes.Manager) error {
	return writeArray(b, m.Projects().All(r.Context()))
}

func writeQueues(b *bytes.Buffer, r *http.Request, m *lanes.Manager) error {
	return writeArray(b, m.Coordinator().Snapshots(r.Context()))
}

func writeSessions(b *bytes.Buffer, r *http.Request, m *lanes.Manager) error {
	return writeArray(b, m.Sessions().All(r.Context()))
}

// writeArray writes all as a JSON array, an element a line.
func writeArray[T any](b *bytes.Buffer, all iter.Seq2[T, error]) error {
	separator := "["
	for v, err := range all {
		if err != nil {
			return err
		}
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		b.WriteString(separator)
		b.Write(data)
		separator = ",\n"
	}
	if separator == "[" {
		b.WriteString(separator)
	}
	b.WriteString("]\n")
	return nil
}
