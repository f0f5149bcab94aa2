package episode

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

func TestFactHolds(t *testing.T) {
	f := NewFact("read:order", []gates.Bound{{Name: "order_id", Value: "W-17"}}, `{"order_id":"W-17","user":{"name":"Ann Lee","mail":"ann@x.org"},"path":"/srv/a.txt"}`)
	for _, c := range []struct {
		need  gates.Need
		value string
		want  bool
	}{
		{gates.Need{How: gates.HowDid, Act: "read:order"}, "", true},
		{gates.Need{How: gates.HowDid, Act: "read:user"}, "", false},
		{gates.Need{How: gates.HowSame, Act: "read:order", Arg: "order_id"}, "W-17", true},
		{gates.Need{How: gates.HowSame, Act: "read:order", Arg: "order_id"}, "W-18", false},
		{gates.Need{How: gates.HowSame, Act: "read:order", Arg: "id"}, "W-17", false},
		{gates.Need{How: gates.HowShown, Act: "read:order"}, "ANN LEE", true},
		{gates.Need{How: gates.HowShown, Act: "read:order"}, "ann@x.org", true},
		{gates.Need{How: gates.HowShown, Act: "read:order"}, "/srv/a.txt", true},
		{gates.Need{How: gates.HowShown, Act: "read:order"}, "ann@x.com", false},
		{gates.Need{How: gates.HowShown, Act: "read:order"}, "1", false},
		{gates.Need{How: gates.HowShown, Act: "read:order"}, "", false},
		{gates.Need{How: gates.HowShown, Act: "read:order"}, " , ", false},
		{gates.Need{How: gates.HowShown, Act: "read:order"}, strings.Repeat("ann ", maxWords+1), false},
		{gates.Need{Act: "read:order"}, "W-17", false},
	} {
		if got := f.Holds(&c.need, c.value); got != c.want {
			t.Errorf("%v of %q: %v", c.need, c.value, got)
		}
	}
}

func TestFactIsBounded(t *testing.T) {
	var text strings.Builder
	for i := range 3 * maxShown {
		text.WriteString(" w" + strings.Repeat("x", i%50) + string(rune('a'+i%26)))
	}
	f := NewFact("a", nil, text.String(), "late")
	if len(f.Shown) > maxShown*hashSize || f.Shows("late") {
		t.Errorf("%d bytes kept", len(f.Shown))
	}
}
