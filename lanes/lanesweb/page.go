package lanesweb

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"iter"
	"net/http"
	"time"

	"github.com/interlock-go/interlock/lanes"
)

const (
	most = 200 // rows of a part on the page; all are in its JSON
	wide = 100 // characters of a text in a row
)

//go:embed page.html
var pageSource string

//go:embed page.css
var style string

// policy lets the page have its own style sheet, by its sum, and nothing else.
var policy = func() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"short": short, "since": since, "waiting": waiting,
}).Parse(pageSource))

// contents is what the page shows.
type contents struct {
	Style    template.CSS
	Projects part[lanes.View]
	Queues   part[lanes.Snapshot]
	Sessions part[lanes.SessionView]
}

// part is the first of what there is, and how much more there is.
type part[T any] struct {
	Rows []T
	More int
}

func writePage(b *bytes.Buffer, r *http.Request, m *lanes.Manager) error {
	c := contents{Style: template.CSS(style)}
	var err error
	if c.Projects, err = first(m.Projects().All(r.Context())); err != nil {
		return err
	}
	if c.Queues, err = first(m.Coordinator().Snapshots(r.Context())); err != nil {
		return err
	}
	if c.Sessions, err = first(m.Sessions().All(r.Context())); err != nil {
		return err
	}
	return page.Execute(b, c)
}

func first[T any](all iter.Seq2[T, error]) (p part[T], err error) {
	for v, err := range all {
		if err != nil {
			return p, err
		}
		if len(p.Rows) == most {
			p.More++
			continue
		}
		p.Rows = append(p.Rows, v)
	}
	return p, nil
}

// waiting returns those of s that wait.
func waiting(s lanes.Snapshot) part[lanes.TicketView] {
	n := min(len(s.Queue), most)
	return part[lanes.TicketView]{s.Queue[:n], len(s.Queue) - n}
}

// short returns s as far as it fits into a row.
func short(s string) string {
	n := 0
	for i := range s {
		if n == wide {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// since returns t to the second, and nothing for the zero time.
func since(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}
