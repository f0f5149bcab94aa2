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

// watching has a policy that asks for two reads and one end.
func watching() *gates.Checker {
	return &gates.Checker{Conditions: gates.NewConditions([]gates.Condition{
		{Act: "cancel:order", Arg: "order_id", Needs: []gates.Need{{How: gates.HowSame, Act: "read:order", Arg: "order_id"}, {How: gates.HowSaid}}},
		{End: true, Act: "cancel:order", Needs: []gates.Need{{How: gates.HowDid, Act: "send:email"}}},
	})}
}

// made is the context of a call in a memory.
func made(k *gates.Checker, m *Memory, tool, args string) gates.Context {
	var st gates.State
	m.Before(&st)
	return k.Context(gates.Request{Tool: tool, Args: []byte(args)}, st)
}

func TestConditionsInARun(t *testing.T) {
	k, m := watching(), &Memory{Observes: true}
	cancel := func(id string) gates.Decision {
		c := made(k, m, "cancel_order", `{"order_id":"`+id+`"}`)
		return k.Check(&c, nil)
	}
	if d := cancel("W-1"); d.Disposition != gates.RevisionRequired || len(d.Missing) != 1 || !strings.Contains(d.Reasons[0].Message, "read order") {
		t.Fatalf("nothing was looked up: %v %v", d.Disposition, d.Reasons)
	}
	c := made(k, m, "get_order", `{"order_id":"W-1"}`)
	k.Check(&c, nil)
	if d := cancel("W-1"); d.Disposition != gates.RevisionRequired {
		t.Errorf("an approval establishes nothing: %v", d.Disposition)
	}
	m.Ran(&c, 1)
	m.Returned("get_order", nil, "order W-1")
	if d := cancel("W-1"); d.Disposition != gates.RevisionRequired {
		t.Errorf("a call whose end nobody told establishes nothing: %v", d.Disposition)
	}
	m.Establish(&c, "order W-1")
	if d := cancel("W-1"); len(d.Missing) != 0 || d.Disposition == gates.RevisionRequired {
		t.Errorf("it was looked up: %v %v", d.Disposition, d.Reasons)
	}
	if d := cancel("W-2"); d.Disposition != gates.RevisionRequired {
		t.Errorf("another one: %v", d.Disposition)
	}
	m.Hear("Cancel W-2 as well.")
	if d := cancel("W-2"); d.Disposition == gates.RevisionRequired {
		t.Errorf("the user named it: %v", d.Reasons)
	}
	m.Observes = false
	if d := cancel("W-3"); d.Disposition != gates.ApprovedWithConstraints {
		t.Errorf("where nobody tells what came back the user is asked: %v %v", d.Disposition, d.Reasons)
	}
}

func TestOwed(t *testing.T) {
	k, m := watching(), &Memory{Observes: true}
	tell := func(tool string) {
		c := made(k, m, tool, `{"order_id":"W-1"}`)
		m.Establish(&c, "done")
	}
	for _, x := range []struct {
		tool string
		owed int
	}{{"send_email", 0}, {"cancel_order", 1}, {"list_products", 1}, {"send_email", 0}, {"cancel_order", 1}} {
		tell(x.tool)
		if got := m.Owed(k.Conditions); len(got) != x.owed {
			t.Errorf("after %s: %d owed, want %d", x.tool, len(got), x.owed)
		}
	}
	for range 2 * maxFacts {
		tell("get_order")
	}
	if len(m.facts) > maxFacts || len(m.Owed(k.Conditions)) != 1 {
		t.Errorf("%d facts kept, %d owed: what is owed is not forgotten", len(m.facts), len(m.Owed(k.Conditions)))
	}
	if (&Memory{Observes: true}).Owed(nil) != nil {
		t.Error("no conditions owe nothing")
	}
}

func TestFactsAreStored(t *testing.T) {
	k, m := watching(), &Memory{Observes: true}
	for i := range 40 {
		c := made(k, m, "get_order", `{"order_id":"W-`+strings.Repeat("1", i+1)+`"}`)
		m.Establish(&c, strings.Repeat("word"+strings.Repeat("x", i)+" ", 9))
	}
	c := made(k, m, "list_products", `{}`)
	m.Establish(&c, "not asked for")
	data, err := m.MarshalBinary()
	if err != nil || len(m.facts) != 40 {
		t.Fatal(err, len(m.facts))
	}
	again := Memory{Observes: true}
	if err := again.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	if ok, known := again.Established(&gates.Need{How: gates.HowSame, Act: "read:order", Arg: "order_id"}, "W-11"); !ok || !known {
		t.Error("a fact was lost")
	}
	m.facts[0].Bound = m.facts[0].Bound[:7]
	if data, _ = m.MarshalBinary(); again.UnmarshalBinary(data) == nil {
		t.Error("half a hash was read")
	}
}
