package lanes_test

import (
	"bytes"
	"encoding"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/interlock-go/interlock/lanes"
)

// renderings shows l in every way. What differs between two leases with the same
// labels could only be their tokens.
func renderings[L any](l L) map[string]string {
	type hidden struct {
		name  string
		lease L
	}
	type shown struct {
		Lease   L
		Pointer *L
		Map     map[string]L
		Slice   []L
		Any     any
	}
	out := map[string]string{}
	for i, v := range []any{
		l, &l, hidden{"x", l}, &hidden{"x", l}, []hidden{{"x", l}}, map[string]hidden{"x": {"x", l}},
		[]L{l}, map[string]L{"x": l}, struct{ any }{l},
		shown{l, nil, map[string]L{"x": l}, []L{l}, l},
	} {
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
	if m, ok := any(l).(encoding.TextMarshaler); ok {
		text, err := m.MarshalText()
		out["text"] = fmt.Sprintf("%s %v", text, err)
	}
	return out
}

// address is what a pointer looks like.
var address = regexp.MustCompile(`(?i)0x[0-9a-f]{6}`)

// wantHidden fails unless two values with the same labels look the same in every
// way, with no address, and the first as want says.
func wantHidden[L any](t *testing.T, first, second L, want map[string]string) {
	t.Helper()
	shown := renderings(first)
	if diff := cmp.Diff(shown, renderings(second)); diff != "" {
		t.Fatalf("two leases with the same labels can be told apart:\n%s", diff)
	}
	for how, s := range shown {
		if address.MatchString(s) {
			t.Errorf("%s shows an address: %s", how, s)
		}
	}
	for verb, want := range want {
		if shown[verb] != want {
			t.Errorf("%s: %s; want %s", verb, shown[verb], want)
		}
	}
}

func TestLanesRule4NothingShowsTheToken(t *testing.T) {
	r := mustOpen(t)
	first := mustClaim(t, r, "proj", "run7")
	mustRelease(t, r, first, lanes.OutcomeSucceeded)
	wantHidden(t, first, mustClaim(t, r, "proj", "run7"), map[string]string{
		"0%v": "lease(proj/run7)", "0%#v": "lease(proj/run7)", "0json": `{"project":"proj","run":"run7"} <nil>`, "text": "lease(proj/run7) <nil>",
	})
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
