package cover

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Check is what the audit reads of a completion check: what is executed, and no
// description.
type Check struct {
	ID      string
	Command string // a command line
	Exit    int    // the status that it must end with
	// Words are what a check of another kind compares: a path, a content, a value.
	Words []string
	// Reads is what the scripts and tests that the command starts hold, as the host read
	// them before anything was done.
	Reads string
	// Void says that it is known to pass before anything is done.
	Void bool
}

// Gap is something that a task names and no check would fail without.
type Gap struct {
	Piece
	Near string // a name of a check that is almost the one asked for
	Idle string // the check in which it stands where it decides nothing
}

// Message says what is missing and what to do.
func (g *Gap) Message() string {
	what := map[string]string{
		File: "the file " + g.Text + " is in no check that would fail without it", Identifier: g.Text + " is in no check that would fail without it",
		Tests: "the task asks for tests and no check runs any", Rejection: "the task has a clause about what must be refused or be safe, and no check tries it",
		Number: "the number " + strings.TrimSpace(g.Text+" "+g.Unit) + " is in no check", Range: "the range from " + g.Text + " to " + strings.TrimSpace(g.To+" "+g.Unit) + " is in no check with both of its ends",
	}[g.Kind]
	switch {
	case g.Near != "":
		what += "; a check names " + g.Near + ", which is something else"
	case g.Idle != "":
		what += "; it stands in check " + g.Idle + " where it decides nothing"
	}
	return what
}

// covering is the text of one check that its outcome depends on.
type covering struct {
	id, text, all string
	programs      []string
	refuses       bool
}

// Audit is what of a task no check covers, in order of its place in the text.
func Audit(task string, checks []Check) []Gap {
	return gaps(Named(task), checks)
}

func gaps(pieces []Piece, checks []Check) []Gap {
	var list []covering
	for i := range checks {
		list = append(list, read(&checks[i]))
	}
	var out []Gap
	for _, p := range pieces {
		if slices.ContainsFunc(list, func(c covering) bool { return c.covers(&p) }) {
			continue
		}
		g := Gap{Piece: p}
		for _, c := range list {
			if g.Near == "" {
				g.Near = near(&p, c.text)
			}
			idle := c
			if idle.text = c.all; g.Idle == "" && idle.covers(&p) {
				g.Idle = c.id
			}
		}
		out = append(out, g)
	}
	return out
}

func read(c *Check) covering {
	out := covering{id: c.ID, all: c.Command + "\n" + strings.Join(c.Words, "\n")}
	if c.Void {
		return out
	}
	out.text = strings.Join(c.Words, "\n")
	if c.Command != "" {
		r := Read(c.Command)
		if r.Why != "" && c.Exit != 0 {
			r = Reading{}
		}
		out.text += "\n" + r.Text
		out.programs = r.Programs
		if r.Text != "" {
			out.text += "\n" + c.Reads
			if c.Exit != 0 {
				out.refuses = true
				out.text += "\nexit " + strconv.Itoa(c.Exit)
			}
		}
	}
	return out
}

// runners start tests by their own name; commands do so by a word behind it.
var (
	runners  = []string{"pytest", "py.test", "unittest", "nose2", "tox", "nox", "jest", "vitest", "mocha", "ava", "tap", "phpunit", "rspec", "ctest", "bats", "gotestsum", "playwright", "cypress", "doctest", "behave", "busted", "minitest"}
	subtests = regexp.MustCompile(`(?m)\b(?:go|cargo|npm|yarn|pnpm|bun|deno|make|just|mvn|mvnw|gradle|gradlew|dotnet|mix|rake|rails|swift|zig|bazel|node|dune|stack|cabal|composer|ant|meson|ninja|sbt|lein|flutter|dart|manage\.py|setup\.py|runtests?)\b[^\n|;&]*?\s(?:run\s+)?(?:--)?(?:test|tests|check|verify|spec)(?::\S+)?(?:\s|$)`)
)

func (c *covering) covers(p *Piece) bool {
	switch p.Kind {
	case File:
		return c.names(p.Text)
	case Identifier:
		return holdsName(c.text, p.Text)
	case Tests:
		return c.tests()
	case Rejection:
		return c.refuses || refusing.MatchString(c.text)
	case Number:
		return has(quantities(c.text), p.Text, p.Unit, false) || numberWord(c.text, p.Text)
	case Range:
		all := quantities(c.text)
		return has(all, p.Text, p.Unit, true) && has(all, p.To, p.Unit, true)
	}
	return false
}

func numberWord(text, number string) bool {
	for i, w := range strings.Split(spelt, "|") {
		if number == string(rune('2'+i)) && i < 8 && regexp.MustCompile(`(?i)\b`+w+`\b`).MatchString(text) {
			return true
		}
	}
	return false
}

// refusing is how a check tries that something is refused (000 §A.1), or expects it to
// fail.
var refusing = regexp.MustCompile(`(?m)raises|reject|refus|\bsafe|\b[Dd]en(?:y|ied|ies)\b|\bthrows?\b|[Ii]nvalid|[A-Z]\w*(?:Error|Exception)\b|\bassert|^!|\s!\s|-ne 0|!= ?0|(?:==?|-eq) ?[1-9]\d*\b|returncode`)

func (c *covering) tests() bool {
	if slices.ContainsFunc(c.programs, func(p string) bool { return slices.Contains(runners, p) }) || subtests.MatchString(c.text) {
		return true
	}
	return slices.ContainsFunc(fileWords(c.text), func(w string) bool { return isTestFile(w) || isTestScript(path.Base(w)) })
}

var testScript = regexp.MustCompile(`^(run[-_]?)?(tests?|check|verify)([-_.]\w+)*$`)

func isTestScript(base string) bool {
	return testScript.MatchString(base) && strings.Contains(base, ".")
}

var fileWord = regexp.MustCompile(`[\p{L}\p{N}_./~*-]+`)

// fileWords are the words of a text that can be names of files, in their plain form.
func fileWords(text string) []string {
	var out []string
	for _, w := range fileWord.FindAllString(text, -1) {
		if w = strings.TrimRight(w, "."); w != "" {
			out = append(out, path.Clean(w))
		}
	}
	return out
}

// names says whether a check's deciding part names a file: by its path, by a longer one
// that ends in it, by its name where the command goes to its directory, by a pattern, as
// a directory whose tests it runs, or as a module that code imports.
func (c *covering) names(file string) bool {
	words := fileWords(c.text)
	dir, base := path.Split(path.Clean(file))
	dir = strings.Trim(dir, "/")
	there := dir == "" || slices.ContainsFunc(words, func(w string) bool { return w == dir || strings.HasSuffix(w, "/"+dir) })
	for _, w := range words {
		switch {
		case w == file, strings.HasSuffix(w, "/"+file), w == base && there, dir != "" && strings.HasSuffix(file, "/"+w) && strings.Contains(w, "/"):
			return true
		case strings.ContainsAny(w, "*") && fitsPattern(w, file):
			return true
		case isTestFile(file) && dir != "" && (w == dir || strings.HasPrefix(dir, w+"/")) && c.tests():
			return true
		}
	}
	return c.imports(file)
}

func fitsPattern(pattern, file string) bool {
	if strings.Trim(pattern, "*/.") == "" {
		return false
	}
	ok, _ := path.Match(pattern, file)
	base, _ := path.Match(path.Base(pattern), path.Base(file))
	return ok || base && !strings.Contains(pattern, "/")
}

var (
	moduleRE  = regexp.MustCompile(`(?:-m\s+|\bimport\s+|\bfrom\s+|import_module\(\s*["'])(\.*[A-Za-z_][\w.]*(?:\s*,\s*[A-Za-z_][\w.]*)*)`)
	requireRE = regexp.MustCompile(`(?:require\(|import\(|from|import)\s*["']([^"']+)["']`)
)

// imports says whether code in the check imports the file as a module.
func (c *covering) imports(file string) bool {
	ext := path.Ext(file)
	stem := strings.TrimSuffix(file, ext)
	switch ext {
	case ".py", ".pyi":
		dotted := strings.ReplaceAll(strings.TrimSuffix(stem, "/__init__"), "/", ".")
		for _, m := range moduleRE.FindAllStringSubmatch(c.text, -1) {
			for _, name := range strings.FieldsFunc(m[1], func(r rune) bool { return r == ',' || r == ' ' }) {
				name = strings.Trim(name, ".")
				if name == dotted || strings.HasSuffix(dotted, "."+name) || strings.HasPrefix(name, dotted+".") {
					return true
				}
			}
		}
	case ".js", ".ts", ".mjs", ".jsx", ".tsx":
		for _, m := range requireRE.FindAllStringSubmatch(c.text, -1) {
			name := strings.TrimSuffix(path.Clean(m[1]), path.Ext(m[1]))
			if name == stem || strings.HasSuffix(stem, "/"+name) || strings.HasSuffix(name, "/"+stem) {
				return true
			}
		}
	case ".java", ".kt":
		return holdsName(c.text, path.Base(stem)) && slices.ContainsFunc(c.programs, func(p string) bool { return p == "java" || p == "kotlin" || p == "javac" })
	}
	return false
}

// holdsName says whether a text has a name as a word of its own. A dotted one may be
// written by its last part where its first is there too.
func holdsName(text, name string) bool {
	parts := strings.Split(name, ".")
	for _, p := range []string{parts[0], parts[len(parts)-1]} {
		if !wordIn(text, p) {
			return false
		}
	}
	return true
}

func wordIn(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		if (from == 0 || !isWord(text[from-1])) && (to == len(text) || !isWord(text[to])) {
			return true
		}
		at = to
	}
}

// near finds a name in a check that is almost the one asked for: another case, one or two
// letters, or the ending said twice.
func near(p *Piece, text string) string {
	var words []string
	switch p.Kind {
	case File:
		words = fileWords(text)
	case Identifier:
		words = regexp.MustCompile(`\w+`).FindAllString(text, -1)
	default:
		return ""
	}
	want := path.Base(p.Text)
	for _, w := range words {
		if base := path.Base(w); base != want && len(want) > 3 && (strings.EqualFold(base, want) || distance(squash(base), squash(want)) <= 2) || path.Base(w) == want && w != p.Text {
			return w
		}
	}
	return ""
}

func squash(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(s))
}

// distance is the number of letters by which two short words differ (Levenshtein).
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := last
			if a[i] != b[j] {
				cost++
			}
			last, row[j+1] = row[j+1], min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
