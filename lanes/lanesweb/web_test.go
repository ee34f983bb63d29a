package lanesweb_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
	"github.com/interlock-go/interlock/lanes/lanesweb"
)

var (
	agent = lanes.Owner{Kind: lanes.OwnerAgent, ID: "a1"}
	paths = []string{"/", "/projects.json", "/queues.json", "/sessions.json"}
)

func open(t testing.TB) *lanes.Manager {
	t.Helper()
	m, err := lanes.Open(lanes.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

// ask sends a request from this machine, as changed, and returns the answer.
func ask(h http.Handler, path string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Host, r.RemoteAddr = "localhost:8765", "127.0.0.1:40000"
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func get(t testing.TB, h http.Handler, path string) string {
	t.Helper()
	w := ask(h, path, nil)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return w.Body.String()
}

// fill gives m an occupied lane, a queue and a session.
func fill(t testing.TB, m *lanes.Manager) {
	t.Helper()
	ctx := t.Context()
	lease, err := m.Projects().Claim(ctx, "website", "nightly")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Projects().RequestStop(ctx, lease); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"x", "y"} {
		r := lanes.Request{Session: "chat", Execution: id, Owner: agent, Metadata: map[string]string{"model": "m"}}
		if _, err := m.Coordinator().Submit(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	key := lanes.SessionKey{Directory: "/src/web", Session: "ses_1"}
	if _, err := m.Sessions().Begin(ctx, key, "turn-7", true); err != nil {
		t.Fatal(err)
	}
}

// What JSON shows is what the parts themselves show, to the name.
func TestJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := open(t)
		h := lanesweb.Handler(m, lanesweb.Options{})
		for _, path := range paths[1:] {
			if got := get(t, h, path); got != "[]\n" {
				t.Errorf("%s of nothing is %q", path, got)
			}
		}
		fill(t, m)
		if _, err := m.Projects().Claim(t.Context(), "api", "r"); err != nil {
			t.Fatal(err)
		}
		ticket := func(id, status, started, serial, position string) string {
			return `{"execution_id":"` + id + `","session_id":"chat","root_frame_id":"chat","branch_id":null,"owner":{"kind":"agent","id":"a1"},` +
				`"language":null,"generation_id":null,"resource_keys":null,"status":"` + status + `","queued_at":946684800,"started_at":` + started +
				`,"finished_at":null,"cancel_requested":false,"cancel_reason":null,"error":null,"reported":null,"serial":` + serial +
				`,"queue_position":` + position + `,"metadata":{"model":"m"}}`
		}
		for path, want := range map[string]string{
			"/projects.json": `[{"project":"api","busy":true,"run":"r","state":"running"},` + "\n" +
				`{"project":"website","busy":true,"run":"nightly","state":"stop_requested"}]` + "\n",
			"/queues.json": `[{"session_id":"chat","root_frame_id":"chat","closed":false,"close_reason":null,"owner":` +
				ticket("x", "running", "946684800", "1", "0") + `,"queue":[` + ticket("y", "queued", "null", "2", "1") +
				`],"queued_count":1,"active_count":1}]` + "\n",
			"/sessions.json": `[{"directory":"/src/web","session":"ses_1","state":"starting","abortable":true,"needs_confirmation":false,` +
				`"since":"2000-01-01T00:00:00Z","run":"turn-7"}]` + "\n",
		} {
			w := ask(h, path, nil)
			got := strings.ReplaceAll(w.Body.String(), `+00:00"`, `Z"`)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", path, diff)
			}
			if !json.Valid(w.Body.Bytes()) || w.Header().Get("Content-Type") != "application/json" {
				t.Errorf("%s is no JSON: %v", path, w.Header())
			}
		}
	})
}

// Two managers with the same contents can't be told apart by a byte, whatever
// their leases and tickets are; and no byte is of an address.
func TestNoTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen [2]string
		for i := range seen {
			m := open(t)
			for range i { // so that tokens drawn in turn would differ
				lease, err := m.Projects().Claim(t.Context(), "other", "run")
				if err != nil {
					t.Fatal(err)
				}
				if _, err := m.Projects().Release(t.Context(), lease, lanes.OutcomeSucceeded); err != nil {
					t.Fatal(err)
				}
			}
			fill(t, m)
			h := lanesweb.Handler(m, lanesweb.Options{})
			for _, path := range paths {
				w := ask(h, path, nil)
				seen[i] += fmt.Sprintln(path, w.Header(), w.Body)
			}
		}
		if diff := cmp.Diff(seen[0], seen[1]); diff != "" {
			t.Errorf("the tokens show:\n%s", diff)
		}
		for _, word := range []string{"0xc0", "token", "lease", "fencing"} {
			if strings.Contains(strings.ToLower(seen[0]), word) {
				t.Errorf("%q in:\n%s", word, seen[0])
			}
		}
	})
}

// Who isn't on this machine, or names a host that isn't this one, reads nothing.
func TestGuard(t *testing.T) {
	m := open(t)
	fill(t, m)
	h := lanesweb.Handler(m, lanesweb.Options{Hosts: []string{"ops.example"}})
	host := func(s string) func(*http.Request) { return func(r *http.Request) { r.Host = s } }
	from := func(s string) func(*http.Request) { return func(r *http.Request) { r.RemoteAddr = s } }
	method := func(s string) func(*http.Request) { return func(r *http.Request) { r.Method = s } }
	field := func(name string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, "127.0.0.1") }
	}
	type change = func(*http.Request)
	for code, changes := range map[int]map[string]change{
		http.StatusOK: {
			"nothing": nil, "IPv4": host("127.0.0.1"), "IPv4 and a port": host("127.0.0.1:80"), "IPv6": host("[::1]:80"), "IPv6 alone": host("[::1]"),
			"capitals": host("LOCALHOST"), "a known host": host("ops.example:443"), "from IPv6": from("[::1]:9"), "from mapped": from("[::ffff:127.0.0.1]:9"),
			"HEAD": method(http.MethodHead),
		},
		http.StatusForbidden: {
			"another host": host("evil.example"), "another host on our port": host("evil.example:8765"), "no host": host(""),
			"a name that begins well": host("localhost.evil.example"), "one that ends well": host("evil-localhost"), "a bad port": host("localhost:x"),
			"an outer address": host("192.168.1.7:80"), "any address": host("0.0.0.0"), "a longer known host": host("ops.example.evil"),
			"a peer": from("192.168.1.7:5"), "an IPv6 peer": from("[2001:db8::1]:5"), "a mapped peer": from("[::ffff:10.0.0.1]:5"),
			"no peer": from(""), "a socket": from("@"), "a peer without a port": from("127.0.0.1"),
			"a proxy's peer": field("X-Forwarded-For"), "a proxy": field("Via"), "a modern proxy": field("Forwarded"),
		},
		http.StatusMethodNotAllowed: {
			"POST": method(http.MethodPost), "PUT": method(http.MethodPut), "DELETE": method(http.MethodDelete), "PATCH": method(http.MethodPatch),
			"OPTIONS": method(http.MethodOptions), "TRACE": method(http.MethodTrace), "CONNECT": method(http.MethodConnect), "another": method("get"),
		},
	} {
		for name, c := range changes {
			for _, path := range append(paths, "/nothing") {
				want := code
				if path == "/nothing" && code == http.StatusOK {
					want = http.StatusNotFound
				}
				w := ask(h, path, c)
				if w.Code != want {
					t.Errorf("%s, %s: %d; want %d", name, path, w.Code, want)
				}
				if want != http.StatusOK && strings.ContainsAny(w.Body.String(), "{<[") || strings.Contains(w.Body.String(), "nightly") && want != http.StatusOK {
					t.Errorf("%s, %s: %s", name, path, w.Body)
				}
				if want == http.StatusMethodNotAllowed && w.Header().Get("Allow") != "GET, HEAD" {
					t.Errorf("%s: %v", name, w.Header())
				}
				wantHeaders(t, w.Header())
			}
		}
	}
}

func wantHeaders(t *testing.T, got http.Header) {
	t.Helper()
	for name, want := range map[string]string{
		"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Access-Control-Allow-Origin": "",
	} {
		if got.Get(name) != want {
			t.Errorf("%s is %q; want %q", name, got.Get(name), want)
		}
	}
	if p := got.Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'none'; style-src 'sha256-") || !strings.Contains(p, "frame-ancestors 'none'") {
		t.Errorf("policy %q", p)
	}
}

// The page says what is there, has no script and nothing from elsewhere, and
// what people named is text.
func TestPage(t *testing.T) {
	m := open(t)
	h := lanesweb.Handler(m, lanesweb.Options{})
	for _, want := range []string{"No lane is occupied", "No session is known", "Nothing is known of any session"} {
		if p := get(t, h, "/"); !strings.Contains(p, want) {
			t.Errorf("no %q in:\n%s", want, p)
		}
	}
	fill(t, m)
	c := m.Coordinator()
	hostile := `<script>alert(1)</script>" onload="x`
	r := lanes.Request{Session: hostile, Execution: hostile, Owner: lanes.Owner{Kind: hostile}}
	if _, err := c.Submit(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if _, err := c.CloseSession(t.Context(), hostile, hostile); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("日", 1<<18)
	if _, err := c.Submit(t.Context(), lanes.Request{Session: long, Execution: "a", Owner: agent}); err != nil {
		t.Fatal(err)
	}
	p := get(t, h, "/")
	for _, want := range []string{
		"<td>website</td><td>nightly</td><td class=\"asked\">stop_requested</td>", "<bdi>chat</bdi>", "<bdi>x</bdi>", "<bdi>y</bdi>", "<bdi>agent a1</bdi>",
		"<bdi>/src/web</bdi>", "<bdi>ses_1</bdi>", "turn-7", "&lt;script&gt;", strings.Repeat("日", 100) + "…",
	} {
		if !strings.Contains(p, want) {
			t.Errorf("no %s in:\n%s", want, p)
		}
	}
	for _, bad := range []string{"<script", "http:", "https:", "src=", " style=", "onload=\"", "<form", "<link"} {
		if strings.Contains(p, bad) {
			t.Errorf("%s in:\n%s", bad, p)
		}
	}
	if len(p) > 20_000 {
		t.Errorf("%d bytes", len(p))
	}
	sheet := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(p)
	if sheet == nil {
		t.Fatal("no style")
	}
	sum := sha256.Sum256([]byte(sheet[1]))
	policy := ask(h, "/", nil).Header().Get("Content-Security-Policy")
	if want := base64.StdEncoding.EncodeToString(sum[:]); !strings.Contains(policy, "'sha256-"+want+"'") {
		t.Errorf("the policy %s doesn't have the style's sum, %s", policy, want)
	}
}

// Of very much the page shows the first, and counts the rest.
func TestPageIsShort(t *testing.T) {
	m, err := lanes.Open(lanes.Config{Queue: lanes.QueueConfig{Cap: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	h := lanesweb.Handler(m, lanesweb.Options{})
	for i := range 203 {
		if _, err := m.Projects().Claim(t.Context(), fmt.Sprint("p", i), "r"); err != nil {
			t.Fatal(err)
		}
		for _, session := range []string{"same", fmt.Sprint("s", i)} {
			if _, err := m.Coordinator().Submit(t.Context(), lanes.Request{Session: session, Execution: fmt.Sprint("x", i), Owner: agent}); err != nil {
				t.Fatal(err)
			}
		}
	}
	p := get(t, h, "/")
	for _, want := range []string{"And 3 more.", "and 2 more</td>", "And 4 more sessions."} {
		if !strings.Contains(p, want) {
			t.Errorf("no %q", want)
		}
	}
	var all []lanes.View
	if err := json.Unmarshal([]byte(get(t, h, "/projects.json")), &all); err != nil || len(all) != 203 {
		t.Errorf("%d lanes, %v", len(all), err)
	}
}

// Mounted below a prefix, behind a real server, the page's links lead to what
// they name; HEAD has a length and no body.
func TestMounted(t *testing.T) {
	m := open(t)
	fill(t, m)
	mux := http.NewServeMux()
	mux.Handle("/lanes/", http.StripPrefix("/lanes", lanesweb.Handler(m, lanesweb.Options{})))
	s := httptest.NewServer(mux)
	defer s.Close()
	r, err := http.Get(s.URL + "/lanes")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	p, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatal(r.Status, err)
	}
	links := regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(string(p), -1)
	if len(links) != 3 {
		t.Fatalf("links %v", links)
	}
	for _, l := range links {
		to, err := r.Request.URL.Parse(l[1])
		if err != nil {
			t.Fatal(err)
		}
		head, err := http.Head(to.String())
		if err != nil {
			t.Fatal(err)
		}
		head.Body.Close()
		if head.StatusCode != http.StatusOK || head.ContentLength < 3 {
			t.Errorf("%s: %s, %d bytes", to, head.Status, head.ContentLength)
		}
	}
}
