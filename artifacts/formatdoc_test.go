package artifacts

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestShapesAsWritten holds the shapes of the sections in FORMAT.md, and what it
// says about fields that its prose does not have, to the table of rows. With
// -update it writes them.
func TestShapesAsWritten(t *testing.T) {
	doc, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	was := bytes.Clone(doc)
	for i := range sections() {
		s := &sections()[i]
		place := regexp.MustCompile(`(?m)^\*\*` + s.tag + "\\*\\* `[^`]*`\n(\\*[^*]+\\*: .*\n)*")
		if n := len(place.FindAll(doc, -1)); n != 1 {
			t.Fatalf("FORMAT.md has %d paragraphs that start with the tag %s and a shape", n, s.tag)
		}
		doc = place.ReplaceAllLiteral(doc, []byte(paragraph(s)))
	}
	if bytes.Equal(doc, was) {
		return
	}
	if !*update {
		t.Fatal("FORMAT.md has other shapes than the table; read what changes, then go test ./artifacts -run TestShapesAsWritten -update")
	}
	if err := os.WriteFile("FORMAT.md", doc, 0o644); err != nil {
		t.Fatal(err)
	}
}

// paragraph is how FORMAT.md begins to speak of a section.
func paragraph(s *section) string {
	out := wrapped(fmt.Sprintf("**%s** `%s`", s.tag, s.typ.shape()), 115) + "\n"
	out += ranges(s.typ.record)
	for _, f := range allRows(s.typ.record, "") {
		if f.about != "" {
			out += wrapped(fmt.Sprintf("*%s*: %s", f.name, f.about), 10000) + "\n"
		}
	}
	return out
}

// ranges says what numbers must be in step policy, beside what their types say.
func ranges(r *record) string {
	var order []span
	names := map[span][]string{}
	for _, f := range allRows(r, "") {
		if f.within == (span{}) {
			continue
		}
		if names[f.within] == nil {
			order = append(order, f.within)
		}
		names[f.within] = append(names[f.within], f.name)
	}
	if order == nil {
		return ""
	}
	var out []string
	for _, w := range order {
		out = append(out, fmt.Sprintf("%s in %d..%d", strings.Join(names[w], ", "), w.least, w.most))
	}
	return "*Ranges*: " + strings.Join(out, "; ") + ".\n"
}

// allRows lists the rows of a record and of those in it.
func allRows(r *record, in string) []row {
	if r == nil {
		return nil
	}
	var out []row
	for _, f := range r.rows {
		f.name = in + f.name
		out = append(out, f)
		out = append(out, allRows(f.typ.record, f.name+".")...)
	}
	return out
}

// wrapped breaks a text between words.
func wrapped(text string, width int) string {
	var out strings.Builder
	at := 0
	for i, word := range strings.Split(text, " ") {
		switch {
		case i == 0:
		case at+1+len(word) > width:
			out.WriteByte('\n')
			at = 0
		default:
			out.WriteByte(' ')
			at++
		}
		out.WriteString(word)
		at += len(word)
	}
	return out.String()
}

// TestRowsAreNamed: names are what people and programs find fields by, so each
// stands once in its record, and optional fields stand last.
func TestRowsAreNamed(t *testing.T) {
	n := 0
	for i := range sections() {
		s, seen, optional := &sections()[i], map[string]bool{}, false
		for _, f := range allRows(s.typ.record, "") {
			if n++; f.name == "" || seen[f.name] {
				t.Errorf("section %s has the field %q twice, or one without a name", s.tag, f.name)
			}
			seen[f.name] = true
		}
		if s.typ.record == nil {
			continue
		}
		for _, f := range s.typ.record.rows {
			if optional && !f.optional {
				t.Errorf("section %s: the field %s stands behind an optional one and is not optional", s.tag, f.name)
			}
			optional = optional || f.optional
		}
	}
	if n < 90 {
		t.Errorf("only %d fields in the table", n)
	}
}
