package overlay_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/overlay"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name, err := overlay.Write(dir, "/module", map[string]string{"a/b.go": "package b"})
	require.NoError(t, err)
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.JSONEq(t, `{"Replace": {"/module/a/b.go": "`+filepath.Join(dir, "a_b.go")+`"}}`, string(text))
	text, err = os.ReadFile(filepath.Join(dir, "a_b.go"))
	require.NoError(t, err)
	assert.Equal(t, "package b", string(text))
}
