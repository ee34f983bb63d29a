package gen_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The reports of others' faults that this project is held against have numbers.
// Those about tables, the checker and generated machines are 1 to 30; a test of
// one has its number in its name, as a script or as a Go test.
var (
	caseScript = regexp.MustCompile(`^case(\d\d)_\w+\.txtar$`)
	caseTest   = regexp.MustCompile(`(?m)^func Test\w*Case0?(\d+)\w*\(t \*testing\.T\)`)
	caseTitle  = regexp.MustCompile(`^# Case (\d+): `)
)

// TestEveryCaseHasATest demands that each has one, by name.
func TestEveryCaseHasATest(t *testing.T) {
	tests := map[int][]string{}
	scripts := map[int]string{}
	add := func(digits, where string) {
		n, err := strconv.Atoi(digits)
		require.NoError(t, err)
		tests[n] = append(tests[n], where)
	}
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch name := filepath.Base(path); {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(name, ".") && name != "..":
			return fs.SkipDir
		case caseScript.MatchString(name):
			digits := caseScript.FindStringSubmatch(name)[1]
			n, err := strconv.Atoi(digits)
			require.NoError(t, err)
			assert.Empty(t, scripts[n], "two scripts for case %d", n)
			scripts[n] = path
			add(digits, path)
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			title := caseTitle.FindSubmatch(text)
			require.NotNil(t, title, "%s doesn't begin with its case", path)
			assert.Equal(t, strconv.Itoa(n), string(title[1]), path)
		case strings.HasSuffix(name, "_test.go"):
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			for _, m := range caseTest.FindAllSubmatch(text, -1) {
				add(string(m[1]), path)
			}
		}
		return nil
	}))
	for n := 1; n <= 30; n++ {
		assert.NotEmpty(t, tests[n], "case %d has no test by its number", n)
	}
}
