package episode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/orders"
	"github.com/gbt-policy/gbt/gates/scope"
)

// full is a memory of everything there is.
func full(t testing.TB) *Memory {
	t.Helper()
	m := &Memory{}
	m.Hear("write to gamma-delta")
	ran(t, m, "cat ~/.ssh/id_rsa", 1)
	ran(t, m, "curl https://h.example/a > a.sh", 2)
	m.Returned("Bash", []byte(`{"command":"x"}`), "see alpha-beta <there> & \xff\u2028", "exit 1")
	m.Report("nobody's", false)
	m.Succeeded(read(t, m.Before, "go test ./... && make lint"))
	m.MayRun("k", "sub", read(t, m.Before, "rm f"), 3)
	m.MayRun("l", "", read(t, m.Before, "echo x > g"), 4)
	m.Asked("l", scope.Scope{"write in /\xff/"})
	m.Agree(scope.Scope{"fetch from h.example"})
	m.Confirm(m.Ask("a", numbered))
	m.Offer(m.Ask("b", numbered), scope.Scope{"read /x/"})
	m.Approve("c")
	m.broke = 2
	m.Told(orders.Of("commit and push"), inFix)
	m.Named([]string{" /data/\xff", "https://example.org/x"})
	m.forced, m.tracks = true, true
	return m
}

// TestRoundTrip: a memory that was stored is the one that was not, now and after
// whatever comes next.
func TestRoundTrip(t *testing.T) {
	for name, m := range map[string]*Memory{"empty": {}, "full": full(t), "dropped": func() *Memory { m := full(t); m.index.Drop(); return m }()} {
		data := encoded(t, m)
		back := Memory{Limit: 5, Unsourced: true}
		if err := back.UnmarshalBinary(data); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if back.Limit != 5 || !back.Unsourced {
			t.Errorf("%s: the host's settings changed", name)
		}
		back.Limit, back.Unsourced = 0, false
		if again := encoded(t, &back); !bytes.Equal(again, data) {
			t.Errorf("%s:\n%s\n%s", name, data, again)
		}
		for _, value := range []string{"alpha-beta", "gamma-delta", "epsilon-zeta"} {
			if a, b := from(m, value), from(&back, value); a != b {
				t.Errorf("%s: %s: %s, stored and read %s", name, value, a, b)
			}
		}
		a, b := before(m), before(&back)
		a.Sources, b.Sources, a.Consent, b.Consent = nil, nil, nil, nil
		a.Facts, b.Facts, a.Established, b.Established = nil, nil, nil, nil
		if fmt.Sprintf("%+v", a) != fmt.Sprintf("%+v", b) {
			t.Errorf("%s: %+v, stored and read %+v", name, a, b)
		}
		for _, x := range []*Memory{m, &back} {
			x.Report("k", false)
			ran(t, x, "touch z", 5)
			x.Settle("")
			x.Returned("Bash", nil, "more")
			x.Spend("a")
			x.Ask("d", numbered)
		}
		if a, b := encoded(t, m), encoded(t, &back); !bytes.Equal(a, b) {
			t.Errorf("%s, later:\n%s\n%s", name, a, b)
		}
	}
}

// TestUnmarshalRefuses all that is no memory, and leaves what was there.
func TestUnmarshalRefuses(t *testing.T) {
	good := string(encoded(t, full(t)))
	replace := func(old, new string) string {
		t.Helper()
		if !strings.Contains(good, old) {
			t.Fatalf("the sample has no %s", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	head, index, _ := strings.Cut(good, "\n")
	var w wire
	if err := json.Unmarshal([]byte(head), &w); err != nil {
		t.Fatal(err)
	}
	edit := func(change func(w *wire)) string {
		x := w
		change(&x)
		data, err := json.Marshal(&x)
		if err != nil {
			t.Fatal(err)
		}
		return string(data) + "\n" + index
	}
	for name, data := range map[string]string{
		"nothing": "", "null": "null", "another object": "{}", "a list": "[]", "cut": good[:len(good)-1],
		"a later version":     replace(`"version":2`, `"version":3`),
		"no version":          replace(`"version":2`, `"version":0`),
		"too old to remember": replace(`"version":2`, `"version":1`),
		"an unknown field":    replace(`"version":2`, `"version":2,"x":1`),
		"many agreed to":      edit(func(w *wire) { w.Agreed = make([]string, maxAgreed+1) }),
		"many orders":         edit(func(w *wire) { w.Orders = make([]orders.Order, maxOrders+1) }),
		"bytes behind it":     good + "x",
		"a value behind it":   good + "{}",
		"white space":         good + "\n",
		"a field twice":       replace(`"version":2`, `"version":2,"version":2`),
		"another letter case": replace(`"version":2`, `"Version":2`),
		"no index":            head + "\n",
		"an unheard index":    edit(func(w *wire) { w.Heard = false }),
		"a damaged index":     good[:len(good)-2],
		"no index at all":     head + "\nx",
		"a long history":      edit(func(w *wire) { w.History = make([]gates.Record, gates.HistoryLimit+1) }),
		"many facts":          edit(func(w *wire) { w.Facts = make([]Fact, maxFacts+1) }),
		"many that wait":      edit(func(w *wire) { w.Waiting = make([]Waiting, maxWaiting+1) }),
		"many questions":      edit(func(w *wire) { w.Consent.Asked = make([]question, maxAsked+1) }),
		"many approvals":      edit(func(w *wire) { w.Consent.Approved = make([]string, maxApproved+1) }),
	} {
		m := full(t)
		if err := m.UnmarshalBinary([]byte(data)); !errors.Is(err, ErrMemory) {
			t.Errorf("%s: %v", name, err)
		}
		if got := string(encoded(t, m)); got != good {
			t.Errorf("%s: what was there changed:\n%s", name, got)
		}
	}
}

// TestWireNamesEveryField fails when a field is added to Memory that is neither
// stored nor known to be a setting.
func TestWireNamesEveryField(t *testing.T) {
	const settings, stored = "Limit Unsourced Forgetful Observes Opens", "index heard history flow waiting reported consent done facts agreed broke orders from said forced tracks places"
	typ := reflect.TypeOf(Memory{})
	if known := strings.Fields(settings + " " + stored); typ.NumField() != len(known) {
		t.Errorf("Memory has %d fields, %d are known", typ.NumField(), len(known))
	}
	for i := range typ.NumField() {
		if !strings.Contains(" "+settings+" "+stored+" ", " "+typ.Field(i).Name+" ") {
			t.Errorf("field %s is not stored", typ.Field(i).Name)
		}
	}
}

// FuzzUnmarshal: what is read encodes back to the same bytes, what version 1 wrote to
// those of this version.
func FuzzUnmarshal(f *testing.F) {
	f.Add(encoded(f, full(f)))
	f.Add(encoded(f, &Memory{}))
	f.Add([]byte(`{"version":1,"flow":{"SensitiveRead":false,"Derived":null,"Unvetted":[]},"consent":{"approved":null,"asked":[],"offered":-1}}`))
	f.Add([]byte(`{"version":1,"flow":{"SensitiveRead":false,"Derived":null,"Unvetted":null},"consent":{"approved":null,"asked":null,"offered":0}}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m Memory
		if m.UnmarshalBinary(data) != nil {
			return
		}
		if rest, old := bytes.CutPrefix(data, []byte(`{"version":1,`)); old {
			data = append(fmt.Appendf(nil, `{"version":%d,`, version), rest...)
		}
		if again := encoded(t, &m); !bytes.Equal(again, data) {
			t.Errorf("\n%s\n%s", data, again)
		}
		from(&m, "a value")
		m.Confirm(m.Ask("a", numbered))
		m.Settle("")
		encoded(t, &m)
	})
}

// TestAnyText: a name that is no Unicode, as a shell writes it, is remembered to
// the byte, so that what was read and made is known again.
func TestAnyText(t *testing.T) {
	for name, word := range map[string]string{
		"a byte": `$'a\xff'`, "a byte before another letter": `$'\xc3\xa9\xc3'`, "the replacement": "a\ufffd", "digits": `$'a\xff''ff'`,
	} {
		m := &Memory{}
		ran(t, m, "cat ~/.ssh/id_rsa > "+word, 1)
		m.MayRun("key\xff", "", read(t, m.Before, "curl https://h.example/a > "+word), 2)
		m.Confirm(m.Ask("call\xff\x00ff", numbered))
		var back Memory
		if err := back.UnmarshalBinary(encoded(t, m)); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		a, b := before(m), before(&back)
		a.Sources, b.Sources, a.Consent, b.Consent = nil, nil, nil, nil
		a.Facts, b.Facts = nil, nil
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %+v, stored and read %+v", name, a, b)
		}
		if !back.Spend("call\xff\x00ff") || !back.Report("key\xff", false) {
			t.Errorf("%s: the call is not known any more", name)
		}
	}
}

// TestEscape: every text comes back, and nothing else reads as one.
func TestEscape(t *testing.T) {
	for _, s := range []string{"", "a", "\x00", "\x00ff", "a\xff", "\xff\xfe", "é", "\xc3", "\ufffd", "a\x00\xff00"} {
		out := escape(s)
		if !utf8.ValidString(out) || unescape(out) != s {
			t.Errorf("%q: %q, and back %q", s, out, unescape(out))
		}
	}
	for _, s := range []string{"\x00", "\x00f", "\x00zz", "\x0041", "\x00FF", "\x00c3\x00a9", "a\x00\x00"} {
		if again := escape(unescape(s)); again == s {
			t.Errorf("%q is read as %q", s, unescape(s))
		}
	}
}

// TestOldMemory: a memory that was written before consent was remembered says all that
// it said, and remembers none.
func TestOldMemory(t *testing.T) {
	var m Memory
	ran(t, &m, "cat ~/.ssh/id_rsa", 1)
	old, err := m.marshal(oldest)
	if err != nil {
		t.Fatal(err)
	}
	var back Memory
	if err := back.UnmarshalBinary(old); err != nil || !before(&back).Flow.SensitiveRead || len(back.Agreed()) > 0 {
		t.Errorf("%v: %+v", err, back)
	}
	if got := string(encoded(t, &back)); !strings.HasPrefix(got, `{"version":2,`) {
		t.Errorf("it is stored as %s", got)
	}
}
