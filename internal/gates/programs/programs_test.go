package programs

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

const folder = "../shell/programs"

// readFolder reads the files of all programs, once for all tests: none may change them.
var readFolder = sync.OnceValues(func() ([]Program, error) { return Read(os.DirFS(folder)) })

// file writes a source where text says SOURCE, and the example that it then needs.
func file(text string) []byte {
	source := "source: {kind: man page, version: 1, page: a.1, sha256: " + strings.Repeat("0", 64) + "}"
	written := strings.ReplaceAll(text, "SOURCE", source)
	if written != text && !strings.Contains(text, "examples:") {
		written += "examples:\n  - {run: a, gives: [spawn run a]}\n"
	}
	return []byte(written)
}

// TestGenerated holds the tables of package shell to the files.
func TestGenerated(t *testing.T) {
	list, err := readFolder()
	if err != nil {
		t.Fatal(err)
	}
	for file, write := range map[string]func() ([]byte, error){
		"../shell/tools_gen.go":                     func() ([]byte, error) { source, _, err := Write(Rows(list)); return source, err },
		"../shell/words_gen.go":                     WriteWords,
		"../../../gates/call/actionprograms_gen.go": func() ([]byte, error) { return WriteActions(list) },
	} {
		want, err := write()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what the files compile to: go generate ./internal/gates/shell (%v)", file, err)
		}
	}
	_, want, err := Write(Rows(list))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../shell/tools_gen.flate")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("tools_gen.flate is not what the files compile to: go generate ./internal/gates/shell (%v)", err)
	}
	t.Logf("\n%s", Count(list))
}

// inflated are the texts of a table's blocks, which stand behind the dictionary.
func inflated(t *testing.T, table []byte) (texts []string) {
	for from, i := len(table), 0; 4*i < from; i++ {
		to := int(binary.LittleEndian.Uint32(table[4*i:]))
		if i == 0 {
			from = 4
			for int(binary.LittleEndian.Uint32(table[from-4:])) < len(table) {
				from += 4
			}
		}
		var dict []byte
		if i > 0 {
			dict = dictionary
		}
		text, err := io.ReadAll(flate.NewReaderDict(bytes.NewReader(table[from:to]), dict))
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			texts = append(texts, string(text))
		} else if !bytes.Equal(text, dictionary) {
			t.Fatal("the table has another dictionary")
		}
		from = to
		if to == len(table) {
			break
		}
	}
	return texts
}

// TestWriteRefuses gives rows that the table could not be read with again.
func TestWriteRefuses(t *testing.T) {
	for _, r := range []Row{{Name: "a\tb"}, {Name: "a\nb"}, {Name: "a", Operands: "\t"}, {Name: "a", Options: "b!n\n"}, {Name: "a", Same: "b\t"}} {
		if source, _, err := Write([]Row{r}); err == nil {
			t.Errorf("%+v: %s", r, source)
		}
	}
}

// TestShortened holds what is left out of options in the table, and what could be read in another way and stays.
func TestShortened(t *testing.T) {
	for _, tt := range []struct{ options, want string }{
		{"=!n a:n b!n c:r d?n ee!n ff~w", "= a: b c:r d? ee ff~w"}, {"?!n -e?!n a:b!n x!!o", "?!n -e?!n a:b!n x!!o"}, {"n!n nn:n a&n", "n nn: a&"}, {"", ""},
	} {
		if got := shortened(tt.options); got != tt.want || lengthened(got) != tt.options {
			t.Errorf("%q: %q, which is read as %q; want %q", tt.options, got, lengthened(got), tt.want)
		}
	}
}

// TestBlocks holds the table to its form: a row that is added changes no other block than the
// one that it is in.
func TestBlocks(t *testing.T) {
	list, err := readFolder()
	if err != nil {
		t.Fatal(err)
	}
	rows := Rows(list)
	_, table, err := Write(rows)
	if err != nil {
		t.Fatal(err)
	}
	before := inflated(t, table)
	if lines := strings.Count(strings.Join(before, ""), "\n"); lines != len(rows) || len(before) < 10 {
		t.Fatalf("%d lines in %d blocks of %d rows", lines, len(before), len(rows))
	}
	_, table, err = Write(slices.Insert(rows, len(rows)/2, Row{Name: rows[len(rows)/2-1].Name + "-added", Does: 'p'}))
	if err != nil {
		t.Fatal(err)
	}
	changed := slices.DeleteFunc(inflated(t, table), func(text string) bool { return slices.Contains(before, text) })
	if len(changed) == 0 || len(changed) > 2 {
		t.Errorf("%d blocks change", len(changed))
	}
}

// TestUnlistedFlags refuses to take any option for a flag where a manual was opened
// and a run may do something that does not ask by itself.
func TestUnlistedFlags(t *testing.T) {
	source := "source: {kind: man page, version: 1, page: a.1, sha256: " + strings.Repeat("a", 64) + "}\nexamples:\n  - {run: a, gives: [spawn run a]}\n"
	for _, tt := range []struct {
		entry   string
		refused bool
	}{
		{source + "operands: [creates]\nunlisted: flag\n", true}, {source + "does: fetches\nunlisted: flag\n", true}, {source + "operands: [command]\nunlisted: flag\n", true},
		{source + "options:\n  -o: value creates\nunlisted: flag\n", true}, {source + "subcommands:\n  b: {operands: [removes], unlisted: flag}\n", true},
		{source + "operands: [creates]\nunlisted: others\n", false}, {source + "operands: [creates]\n", false}, {source + "operands: [reads]\nunlisted: flag\n", false},
		{source + "does: services\nunlisted: flag\n", false},
	} {
		_, err := Read(fstest.MapFS{"a.yaml": {Data: []byte("name: a\n" + tt.entry)}})
		if got := err != nil && strings.Contains(err.Error(), "unlisted: flag"); got != tt.refused {
			t.Errorf("%s: %v", tt.entry, err)
		}
	}
}

// TestDropped holds the list of programs that lost their rows to the files: who
// gets a file leaves the list.
func TestDropped(t *testing.T) {
	list, err := readFolder()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(folder + "/dropped.txt")
	if err != nil {
		t.Fatal(err)
	}
	var dropped []string
	for line := range strings.Lines(string(text)) {
		if name := strings.TrimSpace(line); name != "" && !strings.HasPrefix(name, "#") {
			dropped = append(dropped, name)
		}
	}
	if !slices.IsSorted(dropped) || len(slices.Compact(slices.Clone(dropped))) != len(dropped) {
		t.Error("dropped.txt is not sorted, or names a program twice")
	}
	for _, p := range list {
		for _, name := range append([]string{p.Name}, aliases(p)...) {
			if _, ok := slices.BinarySearch(dropped, name); ok {
				t.Errorf("%s has a file: take it off dropped.txt", name)
			}
		}
	}
}

func aliases(p Program) (names []string) {
	for _, a := range p.Also {
		names = append(names, a.Name)
	}
	return names
}

// TestFormatListsWords holds FORMAT.md to the words that the compiler takes.
func TestFormatListsWords(t *testing.T) {
	text, err := os.ReadFile(folder + "/FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, list := range [][]word{doesWords, roleWords, flagWords, outputWords} {
		words = append(words, texts(list)...)
	}
	for _, w := range traitWords {
		words = append(words, w.text)
	}
	words = append(words, strings.Split(entryKeys, ", ")...)
	words = append(words, "name", "also", "source", "action", "arguments")
	for _, w := range words {
		if !bytes.Contains(text, []byte("`"+w+"`")) && !bytes.Contains(text, []byte("`"+w+":")) {
			t.Errorf("FORMAT.md does not explain `%s`", w)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no YAML", "name: [", "a.yaml:1: is no YAML"},
		{"no source", "name: a\n", "a.yaml:1: has no source"},
		{"no name", "SOURCE\n", "a.yaml:1: has no name"},
		{"an unknown key", "name: a\nSOURCE\ndose: runs\n", "a.yaml:3: unknown key dose"},
		{"an unknown word", "name: a\nSOURCE\ndoes: explodes\n", "a.yaml:3: does: explodes is none of runs,"},
		{"an unknown role", "name: a\nSOURCE\noperands: [raeds]\n", "a.yaml:3: operands: unknown role raeds"},
		{"a role that no value has", "name: a\nSOURCE\noptions:\n  -o: value raeds\n", `a.yaml:4: option -o: a value has no word "raeds"`},
		{"a kind that is none", "name: a\nSOURCE\noptions:\n  -o: reads\n", `a.yaml:4: option -o: "reads" is none of flag, value, maybe, optional, pair`},
		{"an option with its value in its name", "name: a\nSOURCE\noptions:\n  --out FILE: value creates\n", `a.yaml:4: option "--out FILE"`},
		{"an option twice", "name: a\nSOURCE\noptions:\n  -o, --out: flag\n  --out: flag\n", "a.yaml:5: option --out of a stands twice"},
		{"a key twice", "name: a\nSOURCE\ndoes: runs\ndoes: runs\n", "a.yaml:4: does stands twice"},
		{"a subcommand twice", "name: a\nSOURCE\nsubcommands:\n  b: {also: [c]}\n  c: {}\n", "a.yaml:5: subcommand c of a stands twice"},
		{"a subcommand of two words", "name: a\nSOURCE\nsubcommands:\n  b c: {}\n", "a.yaml:4: subcommand \"b c\""},
		{"operands of what has subcommands", "name: a\nSOURCE\noperands: [reads]\nsubcommands:\n  b: {}\n", "a.yaml:1: a has subcommands"},
		{"a trait that is none", "name: a\nSOURCE\ntraits: [taks]\n", "a.yaml:3: unknown trait taks"},
		{"a source that is none", "name: a\nsource: none\nexamples:\n  - {run: a, gives: [spawn run a]}\n", "a.yaml:2: source: none: write kind"},
		{"like what is not there", "name: a\nSOURCE\nsubcommands:\n  b: {like: c}\n", "a.yaml:4: like: c: no such subcommand"},
		{"like what is like another", "name: a\nSOURCE\nsubcommands:\n  b: {like: c}\n  c: {like: d}\n  d: {}\n", "a.yaml:4: like: c: name an entry without like:"},
		{"a source that can't be found again", "name: a\nsource: {kind: man page, page: a.1}\nexamples:\n  - {run: a, gives: [spawn run a]}\n", "a.yaml:2: source lacks"},
		{"a digest that is none", "name: a\nsource: {kind: man page, version: 1, page: a.1, sha256: abc}\nexamples:\n  - {run: a, gives: [spawn run a]}\n", "a.yaml:2: sha256: 64 digits"},
		{"a source and no example", "name: a\nsource: {kind: man page, version: 1, page: a.1, sha256: " + strings.Repeat("0", 64) + "}\n", "a.yaml:1: has no example"},
		{"an example without effects", "name: a\nSOURCE\nexamples:\n  - run: a\n", "a.yaml:4: an example needs run:"},
		{"another name without a source", "name: a\nSOURCE\nalso:\n  - name: b\n", "a.yaml:4: another name needs name: and source:"},
		{"a language with options", "name: a\nSOURCE\narguments: language\noptions:\n  -i: flag\n", "a.yaml:1: has arguments: language and options"},
		{"what changes operands that nothing reads", "name: a\nSOURCE\noptions:\n  -i: flag in-place\n", "a.yaml:4: option -i of a changes operands"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(fstest.MapFS{"a.yaml": {Data: file(c.text)}})
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestNamesOfTwoPrograms(t *testing.T) {
	_, err := Read(fstest.MapFS{
		"a.yaml": {Data: file("name: a\nSOURCE\nalso:\n  - {name: b, source: a(1)}\n")},
		"b.yaml": {Data: file("name: b\nSOURCE\n")},
	})
	if want := `b.yaml:1: "b" is a program of a.yaml already`; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v\nwant %s", err, want)
	}
	if _, err := Read(fstest.MapFS{}); err == nil {
		t.Error("an empty folder is read without an error")
	}
}

func TestRows(t *testing.T) {
	list, err := Read(fstest.MapFS{"a.yaml": {Data: file(`name: a
SOURCE
also:
  - {name: ga, source: a(1)}
options:
  -C: value directory
subcommands:
  b:
    does: builds
    operands: [reads]
    last: creates
    options:
      -o, --output: value creates
      -name: maybe
  c:
    like: b
    also: [d]
    letters: apart
    options:
      -o: flag
    unlisted: others
  e: {}
alone: {does: interactive, unlisted: others}
`)}})
	if err != nil {
		t.Fatal(err)
	}
	want := []Row{
		{"a", '/', 0, "", "=!n C:C", 0, ""},
		{"a ", 'I', 0, "n", "", 0, ""},
		{"a b", 'b', 0, "$rw", "=!n -name?n o:w output:w", 0, ""},
		{"a c", 'b', 0, "$rw", "-o!n -name?n", 0, ""},
		{"a d", 'b', 0, "$rw", "-o!n -name?n", 0, ""},
		{"a e", 'p', 0, "n", "", 0, ""},
		{Name: "ga", Same: "a"},
	}
	got := Rows(list)
	if !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}

func TestNamed(t *testing.T) {
	got, err := Named(fstest.MapFS{
		"a.go":      {Data: []byte("package a\n\nimport \"go\"\n\nvar x = []string{\"go\", \"make\",\n\t\"go run\", \"gone\"}\n")},
		"a_test.go": {Data: []byte("package a\n\nvar y = \"go\"\n")},
		"g.go":      {Data: []byte("// Code generated by x. DO NOT EDIT.\n\npackage a\n\nvar z = \"go\"\n")},
	}, []Program{{Name: "go"}, {Name: "make"}})
	if err != nil || len(got) != 1 || got["a.go"] != 2 {
		t.Errorf("got %v, %v; want two lines of a.go", got, err)
	}
}
