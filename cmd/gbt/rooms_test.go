package main

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// bounds is the paragraph that tells what a room is for: two sentences that
// begin alike in every package, so that whoever adds code knows where to look.
var bounds = regexp.MustCompile(`^What belongs here: \S.*\. What never does: \S.*\.$`)

// saysBounds reports whether a package comment tells what belongs there.
func saysBounds(comment string) bool {
	for paragraph := range strings.SplitSeq(comment, "\n\n") {
		if bounds.MatchString(strings.Join(strings.Fields(paragraph), " ")) {
			return true
		}
	}
	return false
}

func TestSaysBounds(t *testing.T) {
	for _, c := range []struct {
		name, comment string
		want          bool
	}{
		{"both sentences", "Package a.\n\nWhat belongs here: b,\nc. What\nnever does: d.\n", true},
		{"nothing", "Package a is a.\n", false},
		{"the first alone", "Package a.\n\nWhat belongs here: b.\n", false},
		{"the second is empty", "Package a.\n\nWhat belongs here: b. What never does: .\n", false},
		{"in two paragraphs", "Package a.\n\nWhat belongs here: b.\n\nWhat never does: d.\n", false},
		{"inside another paragraph", "Package a. What belongs here: b. What never does: c.\n", false},
	} {
		if got := saysBounds(c.comment); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestRoomsSayWhatBelongs holds every package to a comment that says what
// belongs there and what never does.
func TestRoomsSayWhatBelongs(t *testing.T) {
	said := map[string]bool{}
	for _, s := range sources(t) {
		said[s.dir] = said[s.dir] || s.ast.Doc != nil && saysBounds(s.ast.Doc.Text())
	}
	for dir, ok := range said {
		if !ok {
			t.Errorf("%s: its package comment has no paragraph \"What belongs here: ... What never does: ...\"", dir)
		}
	}
	if len(said) < 40 {
		t.Errorf("only %d packages checked: the guard matched next to nothing", len(said))
	}
}

// TestRuntimeExamples holds every package that programs embed to an example that
// is run as a test and stands outside the package, as its user does.
func TestRuntimeExamples(t *testing.T) {
	rooms := embedded(t)
	for _, dir := range rooms {
		if !hasExample(t, filepath.Join("..", "..", filepath.FromSlash(dir))) {
			t.Errorf("%s: no Example with an \"// Output:\" in its package %s_test", dir, filepath.Base(dir))
		}
	}
	if len(rooms) < 8 {
		t.Errorf("only %v checked: the guard matched next to nothing", rooms)
	}
}

// embedded are the runtime's packages that programs outside can import.
func embedded(t *testing.T) []string {
	var out []string
	for _, s := range sources(t) {
		mine, _ := row(s.dir)
		if slices.Contains(runtimeHalf, mine) && !strings.HasPrefix(s.dir, "internal/") && !slices.Contains(out, s.dir) {
			out = append(out, s.dir)
		}
	}
	return out
}

// hasExample reports whether a folder's external tests run an example.
func hasExample(t *testing.T, dir string) bool {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f.Name.Name, "_test") {
			files = append(files, f)
		}
	}
	return slices.ContainsFunc(doc.Examples(files...), func(e *doc.Example) bool { return e.Output != "" })
}

// named is a path in backticks.
var named = regexp.MustCompile("`([a-z.][a-zA-Z0-9_.*-]*/[a-zA-Z0-9_./*-]+)`")

// TestDocumentsNameWhatIsThere holds the paths in the documents for those who
// change the code to the tree. NAME and ROOM stand for what somebody writes.
func TestDocumentsNameWhatIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, document := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(filepath.Join(root, document))
		if err != nil {
			t.Fatal(err)
		}
		checked := 0
		for _, m := range named.FindAllSubmatch(text, -1) {
			at := string(m[1])
			top, _, _ := strings.Cut(at, "/")
			if _, err := os.Stat(filepath.Join(root, top)); err != nil || strings.Contains(at, "NAME") || strings.Contains(at, "ROOM") {
				continue
			}
			checked++
			if found, err := filepath.Glob(filepath.Join(root, at)); err != nil || len(found) == 0 {
				t.Errorf("%s names %s, which is not there", document, at)
			}
		}
		if checked < 5 {
			t.Errorf("%s: only %d paths checked: the guard matched next to nothing", document, checked)
		}
	}
}
