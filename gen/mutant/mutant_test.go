package mutant_test

import (
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
