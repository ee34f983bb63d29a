package lanes_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

func TestLanesRule4NothingShowsTheToken(t *testing.T) {
	type hidden struct {
		name  string
		lease lanes.Lease
	}
	type shown struct {
		Lease   lanes.Lease
		Pointer *lanes.Lease
		Map     map[string]lanes.Lease
		Slice   []lanes.Lease
		Any     any
	}
	values := func(l lanes.Lease) []any {
		return []any{
			l, &l, hidden{"x", l}, &hidden{"x", l}, []hidden{{"x", l}}, map[string]hidden{"x": {"x", l}},
			[]lanes.Lease{l}, map[string]lanes.Lease{"x": l}, struct{ any }{l},
			shown{l, nil, map[string]lanes.Lease{"x": l}, []lanes.Lease{l}, l},
		}
	}
	// render shows l in every way; what differs between two leases with the same
	// labels could only be their tokens.
	render := func(l lanes.Lease) map[string]string {
		out := map[string]string{}
		for i, v := range values(l) {
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%X", "%t", "%c", "%e", "%p", "%10v", "%w", "%!"} {
				if k := reflect.TypeOf(v).Kind(); verb == "%p" && k != reflect.Struct {
					continue // the address of the caller's own value
				}
				out[fmt.Sprint(i, verb)] = fmt.Sprintf(verb, v)
			}
			out[fmt.Sprint(i, "print")] = fmt.Sprintln(v)
			data, err := json.Marshal(v)
			out[fmt.Sprint(i, "json")] = fmt.Sprintf("%s %v", data, err)
			data, err = xml.Marshal(v)
			out[fmt.Sprint(i, "xml")] = fmt.Sprintf("%s %v", data, err)
			for name, handler := range map[string]func(*bytes.Buffer) slog.Handler{
				"text": func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, noTime) },
				"json": func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, noTime) },
			} {
				var b bytes.Buffer
				slog.New(handler(&b)).Info("m", "v", v, slog.Group("g", "v", v))
				out[fmt.Sprint(i, "slog ", name)] = b.String()
			}
		}
		text, err := l.MarshalText()
		out["text"] = fmt.Sprintf("%s %v", text, err)
		return out
	}
	r := mustOpen(t)
	first := mustClaim(t, r, "proj", "run7")
	before := render(first)
	mustRelease(t, r, first, lanes.OutcomeSucceeded)
	after := render(mustClaim(t, r, "proj", "run7"))
	if diff := cmp.Diff(before, after); diff != "" {
		t.Fatalf("two leases with the same labels can be told apart:\n%s", diff)
	}
	for how, s := range before {
		if strings.Contains(s, "0xc0") {
			t.Errorf("%s shows an address: %s", how, s)
		}
	}
	for verb, want := range map[string]string{"0%v": "lease(proj/run7)", "0%#v": "lease(proj/run7)", "0json": `{"project":"proj","run":"run7"} <nil>`, "text": "lease(proj/run7) <nil>"} {
		if before[verb] != want {
			t.Errorf("%s: %s; want %s", verb, before[verb], want)
		}
	}
}

// Nothing of a lease survives encoding: what comes back owns nothing.
func TestLanesRule4LeasesCannotBeDecoded(t *testing.T) {
	r := mustOpen(t)
	lease := mustClaim(t, r, "p", "run")
	data, err := json.Marshal(lease)
	if err != nil {
		t.Fatal(err)
	}
	var decoded lanes.Lease
	if err := json.Unmarshal(data, &decoded); err != nil {
		t.Fatal(err)
	}
	_, err = r.Release(bg, decoded, lanes.OutcomeSucceeded)
	wantRefusal(t, err, lanes.ErrInvalidLease, "release.lease")
	wantView(t, r, running("p", "run"))
}

var noTime = &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}}
