package lanes_test

import (
	"math/rand/v2"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/interlock-go/interlock/lanes"
)

// TestStress uses all three parts at random, eight goroutines at a time, for as
// long as LANES_STRESS says, and is no test without it. Each run is recorded and
// held against the table, or its history is held against the generated Step, by
// turns. Run it by make stress, with the race detector; TestMain looks for
// goroutines that are left.
func TestStress(t *testing.T) {
	long, err := time.ParseDuration(os.Getenv("LANES_STRESS"))
	if err != nil {
		t.Skip("LANES_STRESS gives no duration, such as 2m")
	}
	seed, end := rand.Uint64(), time.Now().Add(long)
	t.Logf("the first seed is %d", seed)
	var writers []*writer
	for _, c := range traces {
		writers = append(writers, writerOf(t, c.machine))
	}
	runs, records, calls := 0, 0, 0
	for ; time.Now().Before(end); seed++ {
		for i, c := range traces {
			tr := c.of(t, seed)
			if err := match(writers[i], tr); err != nil {
				t.Fatalf("%s, seed %d: %v", c.machine, seed, err)
			}
			records += len(tr.records)
		}
		var store lanes.Store = lanes.NewMemory(epoch)
		if seed%2 == 1 {
			store = yielding{store}
		}
		history := recordHistory(mustOpen(t, store), 1+int(seed/2%2)*2, seed, 40)
		linear(t, "lanes", model, history)
		calls += len(history)
		m, err := lanes.Open(lanes.Config{Store: store, Clock: yieldingClock{}, Queue: lanes.QueueConfig{Cap: queueCap, Remember: queueKeep}})
		if err != nil {
			t.Fatal(err)
		}
		history = recordQueue(m.Coordinator(), seed, 25)
		m.Close()
		linear(t, "queue", queueLinear, history)
		calls += len(history)
		synctest.Test(t, func(t *testing.T) { unreliableTurns(t, seed) })
		runs++
	}
	t.Logf("%d rounds: %d records and %d calls", runs, records, calls)
}

// linear fails unless a history is one of the model's, and then leaves its
// picture behind.
func linear(t *testing.T, name string, model porcupine.Model, history []porcupine.Operation) {
	t.Helper()
	verdict, info := porcupine.CheckOperationsVerbose(model, history, time.Minute)
	if verdict == porcupine.Ok {
		return
	}
	t.Fatalf("%s: %s; see %s", name, verdict, drawn(name, model, info))
}
