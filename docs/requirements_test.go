package docs

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The forms in which comments cite requirements.md: "requirements P1, K1-K4",
// "(H3; 000 §A.1)", "H of C3", "K1's rule", "decision 6", "invariants 2 and 9".
// Elsewhere a letter with a number may be anything: the V1 of a log format, say.
const (
	oneID  = `[A-Z][0-9]{1,2}`
	someID = oneID + `(?:-` + oneID + `)?`
	number = `[0-9]{1,2}`
)

var (
	lettered = regexp.MustCompile(`(?:\b[Rr]equirements? |\bof |\()(` + someID + `(?:(?:, and |, | and )` + someID + `)*)\b`)
	owner    = regexp.MustCompile(`\b(` + oneID + `)'s\b`)
	numbered = regexp.MustCompile(`\b(decision|invariant)s? (` + number + `(?:(?:, and |, | and |-)` + number + `)*)\b`)
	entry    = regexp.MustCompile(`(?m)^- \*\*(` + oneID + `|decision ` + number + `|invariant ` + number + `)\*\* `)
	place    = regexp.MustCompile("`([a-z][a-z-]*(?:/[A-Za-z_.-]+)*)`")
)

// cited returns the ids that a comment cites, with what lies within a range.
func cited(text string) []string {
	text = strings.Join(strings.Fields(text), " ")
	var out []string
	for _, m := range append(lettered.FindAllStringSubmatch(text, -1), owner.FindAllStringSubmatch(text, -1)...) {
		out = append(out, within("", strings.NewReplacer(",", "", " and ", " ").Replace(m[1]))...)
	}
	for _, m := range numbered.FindAllStringSubmatch(text, -1) {
		out = append(out, within(m[1]+" ", strings.NewReplacer(",", "", " and ", " ").Replace(m[2]))...)
	}
	return out
}

// within spells out a list such as "P1 K1-K4".
func within(kind, list string) []string {
	var out []string
	for _, item := range strings.Fields(list) {
		from, to, ranged := strings.Cut(item, "-")
		letter := strings.TrimRight(from, "0123456789")
		first, _ := strconv.Atoi(strings.TrimPrefix(from, letter))
		last := first
		if ranged {
			last, _ = strconv.Atoi(strings.TrimPrefix(to, letter))
		}
		for n := first; n <= last; n++ {
			out = append(out, fmt.Sprint(kind, letter, n))
		}
	}
	return out
}

// comments calls f with every group of comments of every Go file of the repository.
func comments(t *testing.T, f func(where, text string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(name string, d fs.DirEntry, err error) error {
		base := filepath.Base(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != ".." && (base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") || base == "node_modules"):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(base, ".go"):
			return nil
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, group := range parsed.Comments {
			f(files.Position(group.Pos()).String(), group.Text())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func requirements(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("requirements.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCitedRequirementsStandHere holds comments and requirements.md together. A
// pattern that matches nothing would pass: today's comments cite 63 ids 243 times.
func TestCitedRequirementsStandHere(t *testing.T) {
	known := map[string]int{}
	for _, m := range entry.FindAllStringSubmatch(requirements(t), -1) {
		if known[m[1]]++; known[m[1]] > 1 {
			t.Errorf("requirements.md has %s twice", m[1])
		}
	}
	ids, n := map[string]bool{}, 0
	comments(t, func(where, text string) {
		for _, id := range cited(text) {
			ids[id] = true
			if n++; known[id] == 0 {
				t.Errorf("%s cites %s, which requirements.md does not have", where, id)
			}
		}
	})
	t.Logf("%d citations of %d ids", n, len(ids))
	if n < 150 || len(ids) < 40 {
		t.Errorf("found %d citations of %d ids: too few, the patterns miss some form", n, len(ids))
	}
}

// TestRequirementsAreWhole: every id has an entry, and an entry says where it is
// kept or that it is not.
func TestRequirementsAreWhole(t *testing.T) {
	text := requirements(t)
	for kind, last := range map[string]int{
		"L": 3, "C": 5, "G": 6, "W": 3, "X": 4, "R": 3, "T": 8, "P": 3, "K": 4, "M": 1, "S": 6, "H": 5, "B": 3, "V": 6, "Z": 6, "E": 5,
		"decision ": 16, "invariant ": 13,
	} {
		for n := 1; n <= last; n++ {
			if _, after, ok := strings.Cut(text, fmt.Sprintf("\n- **%s%d** ", kind, n)); !ok {
				t.Errorf("no entry for %s%d", kind, n)
			} else if says := strings.Join(strings.Fields(strings.Split(after, "\n- **")[0]), " "); !regexp.MustCompile(`Kept:|In part:|Not built yet`).MatchString(says) {
				t.Errorf("%s%d does not say where it is kept: %s", kind, n, says)
			}
		}
	}
	found := 0
	for _, m := range place.FindAllStringSubmatch(text, -1) {
		if m[1] == "strict" || m[1] == "reference" { // settings
			continue
		}
		found++
		if _, err := os.Stat(filepath.Join("..", m[1])); err != nil {
			t.Errorf("requirements.md names %s, which is not there", m[1])
		}
	}
	if found < 80 {
		t.Errorf("found only %d places in requirements.md", found)
	}
}
