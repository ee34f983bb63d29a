package mutant_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/mutant"
)

func TestReplace(t *testing.T) {
	got, err := mutant.Replace("a == b", "==", "!=")
	require.NoError(t, err)
	assert.Equal(t, "a != b", got)
	for name, old := range map[string]string{"nowhere": "<", "twice": "b", "nothing": ""} {
		_, err := mutant.Replace("a == b || b", old, "c")
		assert.Error(t, err, name)
	}
	_, err = mutant.Replace("a == b", "==", "==")
	assert.Error(t, err, "a change that is none")
}

func TestOverlay(t *testing.T) {
	dir := t.TempDir()
	overlay, err := mutant.Overlay(dir, "/module", map[string]string{"a/b.go": "package b"})
	require.NoError(t, err)
	text, err := os.ReadFile(overlay)
	require.NoError(t, err)
	assert.JSONEq(t, `{"Replace": {"/module/a/b.go": "`+filepath.Join(dir, "a_b.go")+`"}}`, string(text))
	text, err = os.ReadFile(filepath.Join(dir, "a_b.go"))
	require.NoError(t, err)
	assert.Equal(t, "package b", string(text))
}
