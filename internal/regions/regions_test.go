package regions

import (
	"errors"
	"strings"
	"testing"
)

const marked = "import os\n# gbt:lock\nscore = 1\nsplit = 2\n# gbt:end\nmodel = 3\n"

// TestMarked: from one mark to the other, in the comments of any language.
func TestMarked(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"none", "a\nb\n", nil},
		{"hash", marked, []string{"f, lines 2-5"}},
		{"two", marked + marked, []string{"f, lines 2-5", "f, lines 8-11"}},
		{"slashes", "// gbt:lock\nx\n// gbt:end\n", []string{"f, lines 1-3"}},
		{"stars", "/* gbt:lock the score */ x = 1 /* gbt:end */\ny\n", []string{"f, lines 1-1"}},
		{"arrows", "<!-- gbt:lock -->\nx\n<!--gbt:end-->\n", []string{"f, lines 1-3"}},
		{"dashes", "-- gbt:lock\nselect 1;\n--gbt:end\n", []string{"f, lines 1-3"}},
		{"without an end", "a\n# gbt:lock\nb\nc", []string{"f, lines 2-4"}},
		{"an end alone", "# gbt:end\n", nil},
		{"within a word", "xgbt:lock gbt:locked gbt:lock:x\n", nil},
		{"one in the other", "# gbt:lock\n# gbt:lock\n# gbt:end\n# gbt:end\n", []string{"f, lines 1-3"}},
	} {
		var got []string
		for _, r := range Marked("f", tt.text) {
			got = append(got, r.String())
		}
		if strings.Join(got, "; ") != strings.Join(tt.want, "; ") {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// TestBroken: what is around a region may change and it may move; its lines, its marks and
// their number may not.
func TestBroken(t *testing.T) {
	span, _, _ := ParseSpan("f#3-4")
	named, err := span.Take(marked)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, text string
		marks, own bool // broken
	}{
		{"nothing", marked, false, false},
		{"behind it", strings.Replace(marked, "model = 3", "model = 4\nmore", 1), false, false},
		{"in front of it", "# first\n" + marked, false, false},
		{"a line of it", strings.Replace(marked, "score = 1", "score = 9", 1), true, true},
		{"a line between", strings.Replace(marked, "split", "x = 1\nsplit", 1), true, true},
		{"a line less", strings.Replace(marked, "split = 2\n", "", 1), true, true},
		{"blanks", strings.Replace(marked, "score = 1", "score = 1 ", 1), true, true},
		{"ends of lines", strings.ReplaceAll(marked, "\n", "\r\n"), true, true},
		{"its mark", strings.Replace(marked, "# gbt:lock\n", "", 1), true, false},
		{"its other mark", strings.Replace(marked, "# gbt:end\n", "", 1), true, false},
		{"all of it", "", true, true},
		{"a second one", marked + marked, true, true},
		{"an empty one in front", "# gbt:lock\n# gbt:end\n" + marked, true, false},
		{"a copy of its lines", marked + "score = 1\nsplit = 2\n", false, true},
	} {
		if got := len(Broken(Marked("f", marked), tt.text)) > 0; got != tt.marks {
			t.Errorf("%s: the marked part is broken: %v", tt.name, got)
		}
		if got := len(Broken([]Region{named}, tt.text)) > 0; got != tt.own {
			t.Errorf("%s: the named part is broken: %v", tt.name, got)
		}
	}
	two := Marked("f", "# gbt:lock\na\n# gbt:end\n# gbt:lock\nb\n# gbt:end\n")
	if got := Broken(two, "# gbt:lock\nb\n# gbt:end\n# gbt:lock\na\n# gbt:end\n"); len(got) == 0 {
		t.Error("two parts may change places")
	}
}

// TestSpans: FILE#START-END, and names that are none.
func TestSpans(t *testing.T) {
	for in, want := range map[string]Span{"a.py#1-3": {"a.py", 1, 3}, "a#b#10-10": {"a#b", 10, 10}, "a.py": {}, "a#b": {}, "a#1": {}, "#1-2": {}} {
		if got, ok, err := ParseSpan(in); got != want || ok != (want != Span{}) || err != nil {
			t.Errorf("%s: %+v %v %v", in, got, ok, err)
		}
	}
	for _, bad := range []string{"a#0-3", "a#4-3"} {
		if _, ok, err := ParseSpan(bad); !ok || err == nil {
			t.Errorf("%s is read", bad)
		}
	}
	s, _, _ := ParseSpan("a#2-4")
	if _, err := s.Take("1\n2\n3\n"); !errors.Is(err, errShort) {
		t.Errorf("lines that are not there: %v", err)
	}
}

// FuzzMarked: a text has the parts that it marks, and lies about none.
func FuzzMarked(f *testing.F) {
	f.Add(marked, "x\n")
	f.Add("gbt:lock\r\n\x00gbt:end", "gbt:lock")
	f.Fuzz(func(t *testing.T, text, other string) {
		list := Marked("f", text)
		if got := Broken(list, text); len(got) > 0 {
			t.Errorf("%q breaks its own %v", text, got)
		}
		if len(list) > 0 && len(Broken(list, other)) == 0 {
			now := Marked("f", other)
			if len(now) != len(list) {
				t.Errorf("%q has %d parts of %d", other, len(now), len(list))
			}
		}
	})
}
