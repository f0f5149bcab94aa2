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
		{"Pay at most 12345678901234567890 euros", "spend<=12345678901234567890", ""},
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
		// Exceptions.
		{"Do NOT delete anything except tmp.txt.", "delete!tmp.txt", ""},
		{"Never remove files other than old/a.log", "delete!old/a.log", ""},
		{"Do not delete anything but tmp.txt.", "delete!tmp.txt", ""},
		{"You may not write outside of docs/.", "change!docs", ""},
		{"Do not edit or delete anything outside the src/ folder.", "delete!src change!src", ""},
		{"Ask before deleting anything except tmp.txt.", "delete!tmp.txt?", ""},
		{"Do not delete a.txt except in old/.", "", "Do not delete a.txt except in old/"},
		{"Except for tmp.txt, do not delete anything.", "", "Except for tmp.txt, do not delete anything"},
		{"Do not delete anything except tmp.txt and b.txt.", "", "Do not delete anything except tmp.txt and b.txt"},
		{"Do not delete anything except the old logs.", "", "Do not delete anything except the old logs"},
		{"Do not change tests except a.py.", "", "Do not change tests except a.py"},
		{"Do not delete files except before reading a.py.", "", "Do not delete files except before reading a.py"},
		{"Do not push unless the tests pass.", "", "Do not push unless the tests pass"},
		{"Do not change files that are not in src/.", "", "Do not change files that are not in src/"},
		{"Do not run code without a sandbox.", "", "Do not run code without a sandbox"},
		{"Only change files outside docs/.", "", "Only change files outside docs/"},
		{"Do not forget to delete tmp.txt.", "", "Do not forget to delete tmp.txt"},
		{"Don't hesitate to change a.py.", "", "Don't hesitate to change a.py"},
		{"Do not delete files, only move them.", "delete", ""},
		{"Do not push any changes.", "push", ""},
		// Short forms.
		{"Don’t modify README.md.", "change:README.md", ""},
		{"Leave main.go alone.", "change:main.go", ""},
		{"Please keep a.py and b.py as they are.", "change:a.py change:b.py", ""},
		{"Leave the tests alone.", "", "Leave the tests alone"},
		{"- No commits please.\n- Keep secrets.txt unread.", "commit", "Keep secrets.txt unread"},
		{"* No changes to a.py\n* Never push", "change:a.py push", ""},
		{"No deletions.", "delete", ""},
		{"No noise.", "", "No noise"},
		{"No tests fail now. No changes are needed in a.py.", "", ""},
		{"There are no commits yet. Leave a message.", "", ""},
		{"Outside of docs/ nothing matters.", "", "Outside of docs/ nothing matters"},
		// What is no file's name.
		{"Do not touch the tests.", "", "Do not touch the tests"},
		{"Do not change the public API or push.", "push", "Do not change the public API or push"},
		{"Do not touch notes.md or the tests.", "change:notes.md", "Do not touch notes.md or the tests"},
		{"Do not change any files in the workspace.", "change", ""},
		{"Do not run the deployment.", "", "Do not run the deployment"},
		{"Do not run anything.", "run", ""},
	} {
		rules, unread := Compile(tt.text)
		var got []string
		for _, r := range rules {
			s := r.Does
			switch {
			case r.Asks && r.Only:
				s += "!" + r.Path + "?"
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
	f.Add("Pay at most 99999999999999999999.9999999999999 euros")
	f.Fuzz(func(t *testing.T, text string) {
		rules, unread := Compile(text)
		for _, r := range rules {
			if err := r.Check(); err != nil {
				t.Errorf("%+v: %v", r, err)
			}
		}
		for _, s := range sentences(text[:min(len(text), maxText)]) {
			if bounds(s) && !slices.Contains(unread, s) && !slices.ContainsFunc(rules, func(r Rule) bool { return r.Text == s }) {
				t.Errorf("%q was dropped", s)
			}
		}
	})
}

// TestCheck: a rule of no known form is refused, and so is a proposed one that bounds less
// than its sentence or speaks of something else.
func TestCheck(t *testing.T) {
	const s = "Leave notes.md as it is"
	for _, tt := range []struct {
		name, sentence string
		rule           Rule
		form, grounded bool
	}{
		{"as the words say", s, Rule{Does: "change", Path: "notes.md"}, true, true},
		{"more than the words say", s, Rule{Does: "change"}, true, true},
		{"of nothing known", s, Rule{Does: "allow"}, false, true},
		{"of nothing", s, Rule{}, false, true},
		{"a path where none belongs", s, Rule{Does: "send", Path: "notes.md"}, false, true},
		{"only without a path", s, Rule{Does: "change", Only: true}, false, true},
		{"an amount where none belongs", s, Rule{Does: "send", Most: "5"}, false, false},
		{"a path with dots", "Leave a/../b.md", Rule{Does: "change", Path: "a/../b.md"}, false, false},
		{"a path with an escape", s, Rule{Does: "change", Path: "notes.md\x1b[2K"}, false, false},
		{"an endless amount", "Keep it under 5 euros", Rule{Does: "spend", Most: "1e999"}, false, false},
		{"no number", "Keep it under 5 euros", Rule{Does: "spend", Most: "NaN"}, false, false},
		{"below nothing", "Keep it under 5 euros", Rule{Does: "spend", Most: "-1"}, false, false},
		{"the sentence's amount", "Keep it under 5 euros", Rule{Does: "spend", Most: "5"}, true, true},
		{"a looser amount", "Keep it under 5 euros", Rule{Does: "spend", Most: "50"}, true, false},
		{"the larger of two", "5 euros are fine, 50 euros are not", Rule{Does: "spend", Most: "50"}, true, false},
		{"the smaller of two", "5 euros are fine, 50 euros are not", Rule{Does: "spend", Most: "5"}, true, true},
		{"a number that is no amount", "Two of 3 for 5 dollars", Rule{Does: "spend", Most: "3"}, true, false},
		{"which number", "2 of 3", Rule{Does: "spend", Most: "2"}, true, false},
		{"no amount at all", "Keep it cheap", Rule{Does: "spend", Most: "1000"}, true, false},
		{"no spending", "Keep it cheap", Rule{Does: "spend"}, true, true},
		{"asks where the words forbid", s, Rule{Does: "change", Path: "notes.md", Asks: true}, true, false},
		{"asks where the words ask", "Changes need my approval", Rule{Does: "change", Asks: true}, true, true},
		{"another path", s, Rule{Does: "change", Path: "other.md"}, true, false},
		{"only one of two", "Keep to a.py and b.py only", Rule{Does: "change", Path: "a.py", Only: true}, true, false},
		{"only the one", "Keep to a.py only", Rule{Does: "change", Path: "a.py", Only: true}, true, true},
		{"the other way round", "Keep to a.py only", Rule{Does: "change", Path: "a.py"}, true, false},
	} {
		tt.rule.Text = tt.sentence
		if err := tt.rule.Check(); (err == nil) != tt.form {
			t.Errorf("%s: %v", tt.name, err)
		}
		if err := tt.rule.Grounded(tt.sentence); (err == nil) != tt.grounded {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if err := (&Rule{Does: "change"}).Check(); err == nil {
		t.Error("a rule of no words")
	}
}
