package constraint

import (
	"slices"
	"strings"
	"testing"
)

func TestCompile(t *testing.T) {
	for _, tt := range []struct{ text, rules, unread string }{
		{"Fix the bug in a.py.", "", ""},
		{"Tidy up. Do not delete anything.", "delete", ""},
		{"Never remove data/raw.csv", "delete:data/raw.csv", ""},
		{"Don't touch notes.md or old.md!", "change:notes.md change:old.md", ""},
		{"Summarise the folder; only read.", "delete change send install push commit spend", ""},
		{"Ask me before sending anything.", "send?", ""},
		{"Do not push without asking.", "push?", ""},
		{"Book a hotel for at most 50 euros", "spend<=50", ""},
		{"Pay no more than $1,200.50.", "spend<=1200.50", ""},
		{"Only change src/a.py.", "change!src/a.py delete!src/a.py", ""},
		{"Work without the internet", "network", ""},
		{"Do not install packages and do not commit.", "install commit", ""},
		{"Do not wake the cat.", "", "Do not wake the cat"},
		{"Use at most 3 colours.", "", "Use at most 3 colours"},
		{"Only change a.py and b.py.", "", "Only change a.py and b.py"},
		{"Delete tmp.txt but do not delete keep.txt.", "delete:keep.txt", ""},
		{"The script must not delete files.", "", "The script must not delete files"},
		{"Make the form only list active users.", "", "Make the form only list active users"},
		{"The attribute is read-only.", "", "The attribute is read-only"},
		{"Read-only task: summarise.", "delete change send install push commit spend", ""},
		{"You must not send mails, and never push.", "send push", ""},
		{"Do not rename delete.py", "change:delete.py", ""},
	} {
		rules, unread := Compile(tt.text)
		var got []string
		for _, r := range rules {
			s := r.Does
			switch {
			case r.Asks:
				s += "?"
			case r.Most != "":
				s += "<=" + r.Most
			case r.Only:
				s += "!" + r.Path
			case r.Path != "":
				s += ":" + r.Path
			}
			got = append(got, s)
		}
		if strings.Join(got, " ") != tt.rules || strings.Join(unread, "|") != tt.unread {
			t.Errorf("%q: %q %q, want %q %q", tt.text, got, unread, tt.rules, tt.unread)
		}
	}
}

// FuzzCompile: nothing that bounds is dropped, and every rule is about something known.
func FuzzCompile(f *testing.F) {
	f.Add("Do not delete a.py. At most 5 euros; only read")
	f.Fuzz(func(t *testing.T, text string) {
		rules, unread := Compile(text)
		for _, r := range rules {
			if !slices.Contains(All, r.Does) || r.Text == "" {
				t.Errorf("%+v", r)
			}
		}
		for _, s := range sentences(text[:min(len(text), maxText)]) {
			if bounds(s) && !slices.Contains(unread, s) && !slices.ContainsFunc(rules, func(r Rule) bool { return r.Text == s }) {
				t.Errorf("%q was dropped", s)
			}
		}
	})
}
