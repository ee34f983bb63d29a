package replay_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/gen/replay"
	"github.com/interlock-go/interlock/spec"
	"github.com/interlock-go/interlock/spec/diag"
)

const gates = `machine: gate
per: House
types:
  Car:   {is: identity, else: NO_CAR}
  Speed: {is: 1..9, else: NO_SPEED}
shared:
  vars: {busy: {type: bool, doc: One road leads to all houses.}}
states: {shut: {initial: true}, open: {}}
vars:
  line: {type: list(Car) max 3}
  last: {type: optional(Car)}
answers: {BUSY: B., NO_CAR: C., NO_SPEED: S., FULL: F.}
events:
  arrive(car Car, speed Speed, before optional(Car)):
    checks:
      - {id: busy, when: busy, refuse: BUSY}
      - {id: full, when: line.size() >= 3, refuse: FULL}
    rows:
      goes:  {from: shut, to: open, set: {busy: "true", line: line.append(car), last: before}}
      twice: {from: open, never: an open gate has a busy road}
  quiet(level 0..3):
    rows:
      done: {set: {busy: "false"}}
models:
  small: {sizes: {House: 1, Car: 1}}
`

func lines(t *testing.T, script string) (out []string, never bool) {
	t.Helper()
	table, err := spec.Read("gate.yaml", []byte(gates))
	require.NoError(t, err)
	s, err := replay.Read(table, nil, "script", []byte(script))
	require.NoError(t, err)
	var b strings.Builder
	never, err = replay.Run(s, replay.Table(s.Machine), func(d replay.Decision) error { return s.Text(&b, d) })
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(b.String()), "\n"), never
}

// TestShared has two instances share a variable, and one of them come to a row
// that its table says never decides.
func TestShared(t *testing.T) {
	out, never := lines(t, `{"event": "arrive", "args": {"car": 7, "speed": 3, "before": null}, "instance": "a"}
{"event": "arrive", "args": {"car": 2, "speed": 3, "before": 7}, "instance": "b"}
{"event": "quiet", "args": {"level": 0}, "instance": "b"}
{"event": "arrive", "args": {"car": 2, "speed": 3, "before": 7}, "instance": "b"}`)
	require.False(t, never)
	require.Equal(t, []string{
		"1: arrive(car 7, speed 3, before none) of a: arrive.goes, move",
		"     state = open, line = [7]", "     shared: busy = true",
		"2: arrive(car 2, speed 3, before 7) of b: arrive.busy, refuse BUSY",
		"3: quiet(level 0) of b: quiet.done, move", "     shared: busy = false",
		"4: arrive(car 2, speed 3, before 7) of b: arrive.goes, move",
		"     state = open, line = [2], last = 7", "     shared: busy = true",
	}, out)
	out, never = lines(t, `{"event": "arrive", "args": {"car": 1, "speed": 3, "before": null}}
{"event": "quiet", "args": {"level": 3}}
{"event": "arrive", "args": {"car": 1, "speed": 3, "before": null}}`)
	require.True(t, never)
	require.Equal(t, "3: arrive(car 1, speed 3, before none) of p1: arrive.twice, never", out[len(out)-1])
}

// TestOutside gives values outside their types: where the table has an answer it
// is given, in the order of arguments; elsewhere the line is bad.
func TestOutside(t *testing.T) {
	out, _ := lines(t, `{"event": "arrive", "args": {"car": 0, "speed": 0, "before": null}}
{"event": "arrive", "args": {"car": 1, "speed": 10, "before": null}}
{"event": "arrive", "args": {"car": 1, "speed": 0, "before": 0}}`)
	require.Equal(t, []string{
		"1: arrive(car 0, speed 0, before none) of p1: arrive.car, refuse NO_CAR",
		"2: arrive(car 1, speed 10, before none) of p1: arrive.speed, refuse NO_SPEED",
		"3: arrive(car 1, speed 0, before 0) of p1: arrive.speed, refuse NO_SPEED",
	}, out)
	table, err := spec.Read("gate.yaml", []byte(gates))
	require.NoError(t, err)
	for args, want := range map[string]string{
		`{"level": 4}`:    "4 is no 0..3, the type of level",
		`{"level": -1}`:   "-1 is no 0..3, the type of level",
		`{"level": 1.5}`:  "1.5 is no 0..3, the type of level",
		`{"level": "1"}`:  `"1" is no 0..3, the type of level`,
		`{"level": null}`: "null is no 0..3, the type of level",
		`{"level": true}`: "true is no 0..3, the type of level",
		`{}`:              "quiet needs the argument level, a number from 0 to 3",
	} {
		_, err := replay.Read(table, nil, "script", []byte(`{"event": "quiet", "args": `+args+`}`))
		require.ErrorContains(t, err, want, args)
	}
}

// TestNoScript reads a large file that is something else.
func TestNoScript(t *testing.T) {
	table, err := spec.Read("gate.yaml", []byte(gates))
	require.NoError(t, err)
	_, err = replay.Read(table, nil, "script", []byte(strings.Repeat("{\n", 1<<20)))
	var list diag.List
	require.ErrorAs(t, err, &list)
	require.Len(t, list, 21)
	require.Equal(t, "script:21:1: S001: the lines from here on weren't read, after 20 complaints", list[20].Error())
}

// FuzzRead reads anything as a script: it is read and runs, or each bad line is
// told.
func FuzzRead(f *testing.F) {
	table, err := spec.Read("gate.yaml", []byte(gates))
	require.NoError(f, err)
	f.Add([]byte(`{"event": "arrive", "args": {"car": 7, "speed": 3, "before": null}, "instance": "a"}`))
	f.Add([]byte("# a comment\n\n{\"event\": \"quiet\", \"args\": {\"level\": 9999999999999999999999}}"))
	f.Add([]byte(`{"event": ["quiet"], "args": {"level": {}}}`))
	f.Add([]byte("\xff{\x00}\r\n{\"evént\": \"quiet\"}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		s, err := replay.Read(table, nil, "script", src)
		if err != nil {
			return
		}
		var b strings.Builder
		_, err = replay.Run(s, replay.Table(s.Machine), func(d replay.Decision) error { return s.JSON(&b, d) })
		if err != nil && !strings.HasPrefix(err.Error(), "script:") {
			t.Fatal(err)
		}
	})
}
