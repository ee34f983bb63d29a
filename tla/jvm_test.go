package tla_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/tla"
)

var record = flag.Bool("record", false, "rewrite the logs in testdata/cases with what TLC prints now")

// needTLC skips a test where TLC can't be run. Under CI=true it fails: there,
// a skipped test would go unnoticed.
func needTLC(t *testing.T) {
	t.Helper()
	_, err := tla.Available(t.Context())
	if err == nil {
		return
	}
	missing := errors.Is(err, tla.ErrNoJava) || errors.Is(err, tla.ErrNoMaven) || errors.Is(err, tla.ErrFetch)
	if missing && os.Getenv("CI") != "true" {
		t.Skipf("needs TLC: %v", err)
	}
	t.Fatal(err)
}

// run runs TLC, for models too small for the JVM's second compiler.
func run(t *testing.T, c tla.Config) *tla.Result {
	t.Helper()
	c.Short = true
	if c.HeapMB == 0 {
		c.HeapMB = 256
	}
	res, err := tla.Run(t.Context(), c)
	require.NoError(t, err)
	return res
}

// stable are the parts of a log that differ between runs or machines, and
// what stands for them in a recording.
var stable = []struct {
	re *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`Parsing file \S*/`), "Parsing file "},
	{regexp.MustCompile(`(?m)( with fp \d+) and seed .*$`), "$1."},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`), "2023-03-20 12:00:00"},
	{regexp.MustCompile(`\([\d,]+ s/min\)`), "(1,000 s/min)"},
	{regexp.MustCompile(`\([\d,]+ ds/min\)`), "(1,000 ds/min)"},
	{regexp.MustCompile(`Finished in \w+ at`), "Finished in 1s at"},
	{regexp.MustCompile(`checking temporal properties in \w+ at`), "checking temporal properties in 00s at"},
}

func normalise(log []byte) []byte {
	for _, s := range stable {
		log = s.re.ReplaceAll(log, []byte(s.to))
	}
	return log
}

// The recordings are what TLC prints today.
func TestRecordings(t *testing.T) {
	needTLC(t)
	for _, r := range recordings {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			if r.unstable && !*record {
				t.Skip("the log differs from run to run")
			}
			var log bytes.Buffer
			c := tla.Config{Dir: r.dir(), Module: "M", Log: &log}
			if r.config != nil {
				r.config(&c)
			}
			res := run(t, c)
			assert.Equal(t, r.exit, res.ExitCode)
			path := filepath.Join(r.dir(), "tlc.log")
			got := normalise(log.Bytes())
			if *record {
				require.NoError(t, os.WriteFile(path, got, 0o644))
				return
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(got))
		})
	}
}
