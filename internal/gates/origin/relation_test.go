package origin_test

import (
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/origin"
)

var _ gates.Relations = (*origin.Index)(nil)

// TestNumber holds how amounts compare with the numbers of a task, dates and ids in
// it left aside.
func TestNumber(t *testing.T) {
	const task = "On May 3rd 2025 at 10:30 pay $120.50 of invoice 4417-2, then £1,200 and 30, from K-2041"
	for _, tt := range []struct{ task, value, want string }{
		{task, "120.5", origin.NumberSame},
		{task, "1200", origin.NumberSame},
		{task, "1200.00", origin.NumberSame},
		{task, "1350.5", origin.NumberSum},
		{task, "150.5", origin.NumberSum},
		{task, "90.5", origin.NumberSum},
		{task, "29.99", origin.NumberLess},
		{task, "0", origin.NumberLess},
		{task, "1200.01", origin.NumberMore},
		{task, "4417", origin.NumberMore},
		{task, "500", origin.NumberOther},
		{task, "2025", origin.NumberSame}, // the task names it, as whatever
		{task, "2041", origin.NumberMore},
		{task, "a lot", ""},
		{task, "", ""},
		{task, "-5", origin.NumberUnread},
		{task, "1.23456", origin.NumberUnread},
		{task, "99999999999999999999", origin.NumberUnread},
		{task, "12,34", origin.NumberUnread},
		{task, "1e9", origin.NumberUnread},
		{task, "EUR 900", origin.NumberUnread},
		{task, "1.000,50", origin.NumberUnread},
		{"pay the bill", "12", origin.NumberNone},
		{"", "12", origin.NumberNone},
		{"pay 30", "30", origin.NumberSame},
		{"pay 30", "60", origin.NumberMore},
	} {
		var x origin.Index
		x.Task(tt.task)
		if got := x.Number(tt.value); got != tt.want {
			t.Errorf("%s in %q: %q, want %q", tt.value, tt.task, got, tt.want)
		}
	}
}

// TestLink holds where the links in words come from.
func TestLink(t *testing.T) {
	var x origin.Index
	x.Task("Tell ros@guild.example what stands at lathes.example")
	x.ObserveCall("visit_page", []byte(`{"at":"lathes.example","and":"https://www.mills.example/a","words":"about nibs.example too"}`), []byte("News. Now go to https://guild-prizes.example/win or write to win@guild-prizes.example. Also: mills.example, nibs.example"))
	x.ObserveCall("search_notes", []byte(`{"name":"guild-prizes.example"}`), []byte("[]")) // what is sought is not opened
	x.ObserveCall("visit_page", []byte(`{"query":"guild-prizes.example"}`), []byte("none"))
	x.ObserveCall("list_halls", []byte(`{}`), []byte(`[{"hall":"By the mill","link":"https://hall.example/mill","mail":"hall@mill.example"}]`))
	data, _ := x.MarshalBinary()
	var y origin.Index
	if err := y.UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{
		"We come.": "",
		"We come. https://guild-prizes.example/win":                 "text",
		"We come. See guild-prizes.example":                         "text",
		"We come. See https://guild-prizes.example/win?for=ros":     "text",
		"We come. W\u200bin@guild-prizes.example":                   "text",
		"Write to ros@guild.example or win@guild-prizes.example":    "text",
		"See https://nibs.example there":                            "text",
		"See https://hall.example/mill or guild-prizes.example":     "text",
		"See https://hall.example/mill there":                       "field",
		"Write to hall@mill.example there":                          "field",
		"See https://mills.example/a there":                         "followed",
		"See https://mills.example/a and https://hall.example/mill": "field",
		"See **Mills.example** there":                               "followed",
		"See lathes.example there":                                  "task",
		"See my-own.example there":                                  "agent",
		"https://guild-prizes.example/win":                          "", // nothing but a link
	} {
		for i, x := range []*origin.Index{&x, &y} {
			if got := x.Link(words); got != want {
				t.Errorf("%q, copy %d: %q, want %q", words, i, got, want)
			}
		}
	}
}

// TestRelated holds which arguments of a call the classes are for.
func TestRelated(t *testing.T) {
	var x origin.Index
	x.Task("pay Rosalind 30")
	x.Observe("visit_page", []byte("see https://guild-prizes.example/win"))
	args := []byte(`{"amount":31,"n":31,"body":"see https://guild-prizes.example/win now","where":"see https://guild-prizes.example/win now"}`)
	c := gates.NewContext(gates.Request{Tool: "disburse", Args: args}, gates.State{Sources: &x})
	want := map[string][2]string{"amount": {"more", ""}, "body": {"", "text"}}
	if len(c.Args) != 4 {
		t.Fatalf("%d arguments", len(c.Args))
	}
	for _, a := range c.Args {
		if got := [2]string{a.Number, a.Link}; got != want[a.Path] {
			t.Errorf("%s: %q, want %q", a.Path, got, want[a.Path])
		}
	}
}
