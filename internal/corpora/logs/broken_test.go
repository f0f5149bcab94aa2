package logs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOneBadLineCostsItself: whatever is wrong with one line, or with the text
// between two records, the other records are read, and what is wrong has its
// place.
func TestOneBadLineCostsItself(t *testing.T) {
	rec := strings.TrimSpace(goodLine)
	long := strings.Replace(rec, "Say hi.", strings.Repeat("x", 200_000), 1)
	lines := func(n int) string { return strings.Repeat(goodLine, n) }
	type at struct {
		line int
		code string
	}
	for _, c := range []struct {
		name, content string
		o             Options
		episodes      int
		problems      []at
	}{
		{name: "prose, then a record longer than the head", content: "starting up\n" + long + "\n", episodes: 1, problems: []at{{1, CodeBadJSON}}},
		{name: "prose, then a record that is not read at once", content: "starting up\n" + long + "\n" + goodLine, o: Options{WholeLimit: 1}, episodes: 2, problems: []at{{1, CodeBadJSON}}},
		{name: "zero bytes, then records", content: "\x00\x00\n" + lines(2), episodes: 2, problems: []at{{1, CodeBadJSON}}},
		{name: "brackets of another kind, then records", content: "[WARN] slow\n" + lines(2), episodes: 2, problems: []at{{1, CodeBadJSON}}},
		{name: "two broken lines", content: "{broken\n{broken\n" + lines(2), episodes: 2, problems: []at{{1, CodeBadJSON}, {2, CodeBadJSON}}},
		{name: "a broken line and prose", content: "{broken\nslow\nslow\n" + goodLine, episodes: 1, problems: []at{{1, CodeBadJSON}, {2, CodeBadJSON}, {3, CodeBadJSON}}},
		{name: "a comma behind the first line", content: rec + ",\n" + lines(2), episodes: 3, problems: []at{{1, CodeBadJSON}}},
		{name: "a comma behind every line but the last", content: rec + ",\n" + rec + ",\n" + rec + ",\n" + goodLine, episodes: 4, problems: []at{{1, CodeBadJSON}, {2, CodeBadJSON}, {3, CodeBadJSON}}},
		{name: "a semicolon", content: rec + ";\n" + lines(2), episodes: 3, problems: []at{{1, CodeBadJSON}}},
		{name: "words", content: rec + " junk\n" + lines(2), episodes: 3, problems: []at{{1, CodeBadJSON}}},
		{name: "a zero byte", content: rec + "\x00\n" + lines(2), episodes: 3, problems: []at{{1, CodeBadJSON}}},
		{name: "words behind the last line", content: lines(2) + rec + " junk\n", episodes: 3, problems: []at{{3, CodeBadJSON}}},
		{name: "a comma behind the only line", content: rec + ",\n", episodes: 1, problems: []at{{1, CodeBadJSON}}},
		{name: "a bracket too many", content: "[" + rec + "],\n" + rec + "]", episodes: 2, problems: []at{{1, CodeBadJSON}, {2, CodeBadJSON}}},
		{name: "a bracket too many, on one line", content: "[" + rec + "]," + rec + "]", episodes: 2, problems: []at{{1, CodeBadJSON}, {1, CodeBadJSON}}},
		{name: "a broken element", content: "[" + rec + ",\n{\"a\":nope},\n" + rec + "]", episodes: 2, problems: []at{{2, CodeBadJSON}}},
		{name: "a broken member", content: "{\"a\":" + rec + ",\n\"b\":{\"a\":nope},\n\"c\":" + rec + "}", episodes: 2, problems: []at{{2, CodeBadJSON}}},
		{name: "words between documents", content: "{\n\"messages\":[{\"role\":\"user\",\"content\":\"a\"}]\n}\n--\n" + rec, episodes: 2, problems: []at{{4, CodeBadJSON}}},
		{name: "a table of settings", content: "[section]\na = {1}\n[other]\nb = 2\n", problems: []at{{1, CodeBadJSON}, {2, CodeBadJSON}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log.jsonl")
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			episodes, problems := 0, []at(nil)
			for r := range Open([]string{path}, c.o).Records(t.Context()) {
				switch {
				case r.Episode != nil:
					episodes++
				case r.Problem != nil:
					problems = append(problems, at{r.Problem.Line, r.Problem.Code})
				}
			}
			if episodes != c.episodes || !slices.Equal(problems, c.problems) {
				t.Errorf("%d episodes, problems %v; want %d, %v", episodes, problems, c.episodes, c.problems)
			}
		})
	}
}

// TestWarningsBeforeRecords: a file of records stays one, however many lines of
// another kind stand before them.
func TestWarningsBeforeRecords(t *testing.T) {
	for _, warning := range []string{"WARNING: slow\n", "[WARNING] slow\n"} {
		for _, n := range []int{1, 21, 500} {
			for name, want := range map[string]int{"log.jsonl": 100, "log": 100} {
				path := filepath.Join(t.TempDir(), name)
				if err := os.WriteFile(path, []byte(strings.Repeat(warning, n)+strings.Repeat(goodLine, 100)), 0o600); err != nil {
					t.Fatal(err)
				}
				if got := count(t, Options{}, path); got.episodes != want || len(got.codes) != n {
					t.Errorf("%s, %d times %q: %d episodes, %d problems", name, n, warning, got.episodes, len(got.codes))
				}
			}
		}
	}
}

// TestProseStaysProse: notes that quote a record are no log.
func TestProseStaysProse(t *testing.T) {
	notes := "# Notes\n\nA record looks like this:\n\n" + goodLine + "\n" + strings.Repeat("More words about it, line after line.\n", 50)
	for _, name := range []string{"README.md", "notes.txt"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(notes), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := count(t, Options{}, dir); got.episodes != 0 || len(got.codes) != 0 || len(got.skips) != 1 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestPlacesOfAWalk: a fault in a large document is placed by line and byte,
// however the text came in.
func TestPlacesOfAWalk(t *testing.T) {
	rec := strings.TrimSpace(goodLine)
	content := "[\n" + strings.Repeat(rec+",\n", 5000) + "{\"a\":\nnope},\n" + rec + "\n]"
	want := fmt.Sprintf("not valid JSON at byte %d", strings.Index(content, "ope"))
	path := filepath.Join(t.TempDir(), "log.json")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{0, 1} {
		n := 0
		for r := range Open([]string{path}, Options{WholeLimit: limit}).Records(t.Context()) {
			if p := r.Problem; p != nil {
				n++
				if p.Line != 5003 || p.Index != 5000 || !strings.HasPrefix(p.Sentence, want) {
					t.Errorf("limit %d: %+v, want line 5003 and %q", limit, p, want)
				}
			}
		}
		if n != 1 {
			t.Errorf("limit %d: %d problems", limit, n)
		}
	}
}
