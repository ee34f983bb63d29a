package lanestest_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/lanes/lanestest"
)

// TestBubble has an Agent in a bubble, as its documentation says: bounds of half
// a minute and of ten are waited for to the nanosecond, and take no time.
func TestBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, key := t.Context(), lanes.SessionKey{Directory: "/src", Session: "ses_1"}
		var agent lanestest.Agent
		m, err := lanes.Open(lanes.Config{})
		require.NoError(t, err)
		defer m.Close()
		sessions := m.Sessions()
		state := func() lanes.SessionState {
			v, err := sessions.View(ctx, key)
			require.NoError(t, err)
			return v.State
		}
		prompt := func(run string) {
			lease, err := sessions.Begin(ctx, key, run, true)
			require.NoError(t, err)
			note, err := sessions.Sent(ctx, lease)
			require.NoError(t, err)
			require.Empty(t, note)
			w := httptest.NewRecorder()
			agent.ServeHTTP(w, httptest.NewRequest("POST", "/session/ses_1/prompt?directory=/src", strings.NewReader(run)))
			require.Equal(t, 204, w.Code)
		}
		observe := func() {
			poll, err := sessions.StartPoll(ctx, key.Directory)
			require.NoError(t, err)
			w := httptest.NewRecorder()
			agent.ServeHTTP(w, httptest.NewRequest("GET", "/session/status?directory=/src", nil))
			var statuses map[string]struct{ Type lanes.Status }
			require.NoError(t, json.Unmarshal(w.Body.Bytes(), &statuses))
			list := map[string]lanes.Status{}
			for id, s := range statuses {
				list[id] = s.Type
			}
			seen, err := poll.Observe(ctx, list)
			require.NoError(t, err)
			require.True(t, seen.Accepted)
		}

		agent.HoldPrompts(true) // accepted, and never seen: its grace ends it
		prompt("turn-1")
		time.Sleep(30*time.Second - 1)
		observe()
		require.Equal(t, lanes.SessionStarting, state())
		time.Sleep(1)
		require.Equal(t, lanes.SessionUnknown, state())

		agent.HoldPrompts(false) // turn-1 starts after all
		agent.Finish(key)
		prompt("turn-2")
		observe()
		require.Equal(t, lanes.SessionRunning, state())
		agent.Finish(key)
		observe()
		time.Sleep(10*time.Minute - 1)
		require.Equal(t, lanes.SessionCompleted, state())
		time.Sleep(1)
		require.Equal(t, lanes.SessionUnknown, state())
	})
}
