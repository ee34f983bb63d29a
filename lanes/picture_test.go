package lanes_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"

	"github.com/interlock-go/interlock/lanes"
)

// drawn writes the picture of a history to a file of its own, which stays after
// the test, and returns its name, or why there is none.
func drawn(name string, model porcupine.Model, info porcupine.LinearizationInfo) string {
	dir, err := os.MkdirTemp("", name+"-history-")
	if err != nil {
		return err.Error()
	}
	picture := filepath.Join(dir, "history.html")
	if err := porcupine.VisualizePath(model, info, picture); err != nil {
		return err.Error()
	}
	return picture
}

// A history that is none of a model's leaves a picture that shows its calls.
func TestPictureOfAHistory(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	claims := func(client int, number uint64) porcupine.Operation {
		return porcupine.Operation{ClientId: client, Input: input{call: "claim", project: "p", run: "r"}, Call: 1, Output: output{number: number}, Return: 2}
	}
	verdict, info := porcupine.CheckOperationsVerbose(model, []porcupine.Operation{claims(0, 1), claims(1, 2)}, 0)
	if verdict != porcupine.Illegal {
		t.Fatal(verdict)
	}
	name := drawn("lanes", model, info)
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<html", "claim r lease 0", string(lanes.StateRunning)} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s doesn't show %q", name, want)
		}
	}
}
