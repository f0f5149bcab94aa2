package origin

import (
	"reflect"
	"strings"
	"testing"
)

func TestDates(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"make a reservation from the 1st to the 5th of May 2024.", []string{"2024-05-05", "2024-05-01"}},
		{"from January 11th to January 15th 2025", []string{"2025-01-11", "2025-01-15"}},
		{"on May 26th?", []string{"--05-26"}},
		{"June 13, 2024 and nothing else", []string{"2024-06-13"}},
		{"may I have 13 of them", nil},
		{"they may 13", []string{"--05-13"}}, // a word that is a month too: that errs towards untrusted
		{"on the 40th of May", nil},
		{"2024-05-01", nil}, // stands for itself
		{"", nil},
	}
	for _, tt := range tests {
		if got := dates(tt.text); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("dates(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestFindDates(t *testing.T) {
	var x Index
	x.Task("Book me a room from January 11th to January 15th 2025, and tell me what happens on May 26th.")
	x.Observe("read_reviews", []byte(`[{"review": "Book it from the 1st to the 5th of May 2024.", "day": "2024-08-09"}, {"review": "closed on 3 July"}]`))
	tests := []struct{ value, origin, form string }{
		{"2025-01-15", "task", ""},
		{"2024-05-26", "task", ""},
		{"2024-05-05", "untrusted", "[].review~"},
		{"2024-07-03", "untrusted", "[].review~"},
		{"2024-08-09", "untrusted", "[].day"},
		{"2024-05-06", "agent", ""},
		{"2025-01-12", "agent", ""},
	}
	for _, tt := range tests {
		if origin, _, form := x.Find(tt.value); origin != tt.origin || form != tt.form {
			t.Errorf("Find(%s) = %s %s, want %s %s", tt.value, origin, form, tt.origin, tt.form)
		}
	}
}

// TestMayDate: the cheap test lets every month through, however it is written.
func TestMayDate(t *testing.T) {
	for _, m := range months {
		for _, name := range []string{m.short, m.long, strings.ToUpper(m.long), strings.ToUpper(m.short[:1]) + m.short[1:]} {
			if s := "on 5 " + name; !mayDate(s) {
				t.Errorf("%q cannot be a date", s)
			}
		}
	}
	for _, s := range []string{"", "5 m", "in may", "12345", "5 m\x41y!", "5 j\x01n x"} {
		if mayDate(s) != (s == "5 m\x41y!") {
			t.Errorf("%q: %v", s, mayDate(s))
		}
	}
}
