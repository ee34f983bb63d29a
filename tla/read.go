package tla

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// The messages that a log's reader knows; the names follow TLC's.
const (
	codeGeneral            = 1000
	codeOutOfMemory        = 1001
	codeOutOfMemoryInit    = 1002
	codeOutOfMemoryLive    = 1003
	codeNested             = 2103
	codeAssumptionFalse    = 2104
	codeInvariantInitial   = 2107
	codePropertyInitial    = 2108
	codeInvariant          = 2110
	codeInvariantEval      = 2111
	codeActionProperty     = 2112
	codeActionPropertyEval = 2113
	codeDeadlock           = 2114
	codeTemporal           = 2116
	codeBehavior           = 2121
	codeBackTo             = 2122
	codeAssertFailed       = 2132
	codeSuccess            = 2193
	codeInitGenerated      = 2190
	codeInitGeneratedDup   = 2191
	codeStats              = 2199
	codeProgress           = 2200
	codeCoverageStart      = 2201
	codeState              = 2217
	codeStuttering         = 2218
	codeSanyEnd            = 2219
	codeVersion            = 2262
	codeCounterexample     = 2264
	codeGCAdvice           = 2401
	codeCoverageNext       = 2772
	codeCoverageInit       = 2773
	codeCoverageProperty   = 2774
	codeParsingFailed      = 3002
	codeConfigFileFirst    = 5001
	codeConfigFileLast     = 5006
)

// ReadLog reads what TLC printed in its -tool mode and returns all of [Result]
// but what a log doesn't tell: Graph, Elapsed, and the exit code, which the
// caller knows and which decides where the log has no verdict. Lines that the
// model printed go to print, which may be nil; they are valid only during the
// call. The error is r's, or that of a line too long; a log that makes no
// sense is a Verdict.
func ReadLog(r io.Reader, exitCode int, print func(line []byte)) (*Result, error) {
	lr := newLogReader(print)
	if err := lr.split.split(r); err != nil {
		return nil, err
	}
	return lr.finish(exitCode, ""), nil
}

// logReader collects a Result from messages.
type logReader struct {
	split  splitter
	res    *Result
	errors []message
	done   bool // TLC says that it found no error
	values Parser
}

func newLogReader(print func([]byte)) *logReader {
	lr := &logReader{res: new(Result)}
	lr.split = splitter{onMessage: lr.message, onPrint: print}
	return lr
}

// finish decides the verdict. stderr is what the JVM said beside the log.
func (lr *logReader) finish(exitCode int, stderr string) *Result {
	lr.res.ExitCode = exitCode
	lr.res.Verdict = lr.verdict(exitCode, stderr)
	return lr.res
}

func (lr *logReader) message(m message) {
	switch m.code {
	case codeVersion:
		lr.res.Version = strings.TrimPrefix(m.text, "TLC2 Version ")
	case codeSuccess:
		lr.done = true
	case codeInitGenerated, codeInitGeneratedDup:
		lr.initial(m.text)
	case codeStats, codeProgress:
		lr.counts(m.text)
	case codeCoverageStart:
		lr.res.Coverage, lr.res.Judged = nil, nil // TLC reports every minute; the last report counts
	case codeCoverageInit, codeCoverageNext:
		lr.coverage(m)
	case codeCoverageProperty:
		lr.judged(m)
	case codeState, codeStuttering, codeBackTo:
		lr.state(m)
	case codeGCAdvice:
		// We chose the collector.
	default:
		switch m.severity {
		case sevError, sevBug:
			lr.errors = append(lr.errors, m)
		case sevWarning:
			lr.warn("%s", m.text)
		}
	}
}

func (lr *logReader) warn(format string, args ...any) {
	lr.res.Warnings = append(lr.res.Warnings, fmt.Sprintf(format, args...))
}

var (
	initOne  = regexp.MustCompile(`initial states: ([\d,]+) distinct states? generated`)
	initDup  = regexp.MustCompile(`initial states: ([\d,]+) states? generated, with ([\d,]+) of them distinct`)
	counted  = regexp.MustCompile(`([\d,]+) states? generated[^,]*(?:\([^)]*\))?, ([\d,]+) distinct states? found`)
	judged   = regexp.MustCompile(`^<(\S+) line .*? of module \S+?>$`)
	coverage = regexp.MustCompile(`^<(\S+) (line .*? of module \S+?)(?: \([\d ]+\))?>: (\d+):(\d+)$`)
)

func (lr *logReader) initial(text string) {
	if m := initDup.FindStringSubmatch(text); m != nil {
		lr.res.InitGenerated, lr.res.Init = number(m[1]), number(m[2])
	} else if m := initOne.FindStringSubmatch(text); m != nil {
		lr.res.InitGenerated, lr.res.Init = number(m[1]), number(m[1])
	} else {
		lr.warn("unknown count of initial states: %s", text)
	}
}

func (lr *logReader) counts(text string) {
	if m := counted.FindStringSubmatch(text); m != nil {
		lr.res.Generated, lr.res.Distinct = number(m[1]), number(m[2])
	} else {
		lr.warn("unknown count of states: %s", text)
	}
}

func (lr *logReader) coverage(m message) {
	g := coverage.FindStringSubmatch(m.text)
	if g == nil {
		lr.warn("unknown line of coverage: %s", m.text)
		return
	}
	at, _ := findPosition(g[2])
	lr.res.Coverage = append(lr.res.Coverage, Covered{
		Name: g[1], At: at, Init: m.code == codeCoverageInit,
		Distinct: number(g[3]), Generated: number(g[4]),
	})
}

func (lr *logReader) judged(m message) {
	g := judged.FindStringSubmatch(m.text)
	if g == nil {
		lr.warn("unknown line of coverage: %s", m.text)
		return
	}
	lr.res.Judged = append(lr.res.Judged, g[1])
}

// number reads digits with thousands separators.
func number(s string) int64 {
	n, _ := strconv.ParseInt(strings.ReplaceAll(s, ",", ""), 10, 64)
	return n
}

// The ways in which TLC and its parser write positions.
var (
	posRange  = regexp.MustCompile(`[Ll]ine (\d+), col(?:umn)? (\d+) to line (\d+), col(?:umn)? (\d+) (?:of module|in) (\w+)`)
	posPoint  = regexp.MustCompile(`at line (\d+), col(?:umn)? (\d+)`)
	posLine   = regexp.MustCompile(`at line (\d+)`)
	posModule = regexp.MustCompile(`(?m)^In module (\w+)`)
)

// findPosition returns the first position in text.
func findPosition(text string) (Position, bool) {
	if m := posRange.FindStringSubmatch(text); m != nil {
		return rangePosition(m), true
	}
	var p Position
	if m := posPoint.FindStringSubmatch(text); m != nil {
		p.Line, p.Col = int(number(m[1])), int(number(m[2]))
	} else if m := posLine.FindStringSubmatch(text); m != nil {
		p.Line = int(number(m[1]))
	}
	if m := posModule.FindStringSubmatch(text); m != nil {
		p.Module = m[1]
	}
	return p, p.IsValid()
}

// lastPosition returns the last range in text: the innermost expression of a
// call stack.
func lastPosition(text string) (Position, bool) {
	all := posRange.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return Position{}, false
	}
	return rangePosition(all[len(all)-1]), true
}

func rangePosition(m []string) Position {
	return Position{
		Line: int(number(m[1])), Col: int(number(m[2])),
		EndLine: int(number(m[3])), EndCol: int(number(m[4])),
		Module: m[5],
	}
}
