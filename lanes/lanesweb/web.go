// Package lanesweb shows an operator what a manager of package lanes has: its
// occupied lanes, its queues and its sessions of an agent server. It reads, and
// changes nothing.
//
//	GET /               a page for people, without script
//	GET /projects.json  an array of lanes.View: the occupied lanes
//	GET /queues.json    an array of lanes.Snapshot: the queues of all sessions
//	GET /sessions.json  an array of lanes.SessionView
//
// Nothing is served until a program mounts it, on a port of its own or below a
// prefix that it strips:
//
//	http.ListenAndServe("127.0.0.1:8765", lanesweb.Handler(m, lanesweb.Options{}))
//	mux.Handle("/lanes/", http.StripPrefix("/lanes", lanesweb.Handler(m, lanesweb.Options{})))
//
// Who is on the machine may read it, and nobody else. A request is refused with
// 403 unless it comes from a loopback address itself, not through a proxy, and
// names a host that is known. So a page elsewhere that has its own name point at
// this machine (DNS rebinding) reads nothing.
//
// What is shown has no tokens, but what programs put into a ticket's metadata,
// reasons and errors is shown as it is.
package lanesweb

import (
	"bytes"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/interlock-go/interlock/lanes"
)

// Options are for who mounts a Handler. The zero value is of use.
type Options struct {
	// Hosts are names that a request may have in its Host field besides
	// localhost and loopback addresses, without a port. A name that others
	// control lets their pages read.
	Hosts []string
}

// Handler returns a handler that shows what m has. Each answer is made before
// its first byte is sent, so that a slow reader holds up nothing; it is as long
// as what m has, but for the page, which tells of so many and counts the rest.
func Handler(m *lanes.Manager, o Options) http.Handler {
	h := &handler{m, slices.Clone(o.Hosts)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", h.answer("text/html; charset=utf-8", writePage))
	mux.HandleFunc("GET /projects.json", h.answer("application/json", writeProjects))
	mux.HandleFunc("GET /queues.json", h.answer("application/json", writeQueues))
	mux.HandleFunc("GET /sessions.json", h.answer("application/json", writeSessions))
	return h.guard(mux)
}

type handler struct {
	manager *lanes.Manager
	hosts   []string
}

// guard lets through who may read, and sets what holds for each answer.
func (h *handler) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, f := range [][2]string{
			{"Cache-Control", "no-store"},
			{"Content-Security-Policy", policy},
			{"Cross-Origin-Opener-Policy", "same-origin"},
			{"Cross-Origin-Resource-Policy", "same-origin"},
			{"Referrer-Policy", "no-referrer"},
			{"X-Content-Type-Options", "nosniff"},
			{"X-Frame-Options", "DENY"},
		} {
			w.Header().Set(f[0], f[1])
		}
		switch {
		case !local(r.RemoteAddr):
			http.Error(w, "only for this machine", http.StatusForbidden)
		case proxied(r):
			http.Error(w, "not through a proxy", http.StatusForbidden)
		case !h.knows(r.Host):
			http.Error(w, "unknown host", http.StatusForbidden)
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// answer returns a handler that sends what write writes.
func (h *handler) answer(mediaType string, write func(*bytes.Buffer, *http.Request, *lanes.Manager) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var b bytes.Buffer
		if err := write(&b, r, h.manager); err != nil {
			http.Error(w, "it can't be read now", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", mediaType)
		w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
		if r.Method != http.MethodHead {
			b.WriteTo(w) // an error is the reader's, who has gone
		}
	}
}

// local reports whether a peer's address is one of this machine's own.
func local(peer string) bool {
	at, err := netip.ParseAddrPort(peer)
	return err == nil && at.Addr().IsLoopback()
}

// proxied reports whether somebody passes r on for another, who may be
// anywhere.
func proxied(r *http.Request) bool {
	return slices.ContainsFunc([]string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip"}, func(field string) bool {
		return len(r.Header.Values(field)) > 0
	})
}

// knows reports whether host, which may have a port, is a name of this machine
// that nobody else controls.
func (h *handler) knows(host string) bool {
	name := host
	if n, port, err := net.SplitHostPort(host); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
		name = n
	} else {
		name = strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
	}
	if at, err := netip.ParseAddr(name); err == nil {
		return at.IsLoopback()
	}
	same := func(known string) bool { return name != "" && strings.EqualFold(name, known) }
	return same("localhost") || slices.ContainsFunc(h.hosts, same)
}
