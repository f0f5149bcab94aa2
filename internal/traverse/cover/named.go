package cover

import (
	"path"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The kinds of what a task names.
const (
	File       = "file"
	Identifier = "identifier"
	Tests      = "tests"
	Rejection  = "rejection" // a clause that something must be refused, or be safe
	Number     = "number"
	Range      = "range"
)

// Piece is one thing that a task names.
type Piece struct {
	Kind string
	Text string // the file, identifier or number; the unit stands in Unit
	Unit string
	To   string // of a range: its other end
	Line int    // of the task's text, from 1
	Col  int    // in characters, from 1
}

// Code names the piece, for machines: "file:parser.py".
func (p *Piece) Code() string {
	switch p.Kind {
	case Tests, Rejection:
		return p.Kind
	case Range:
		return p.Kind + ":" + p.Text + "-" + p.To + p.Unit
	}
	return p.Kind + ":" + p.Text + p.Unit
}

// maxText bounds a task's text, in bytes; what stands behind is not looked at.
const maxText = 64 << 10

// Named are the things that a text names, each once, in order of its place.
func Named(text string) []Piece {
	text = text[:min(len(text), maxText)]
	n := &namer{text: text, seen: map[string]bool{}}
	n.files()
	n.identifiers()
	n.ranges()
	n.numbers()
	n.clauses()
	sort.SliceStable(n.out, func(i, j int) bool { return n.out[i].at < n.out[j].at })
	var out []Piece
	for _, f := range n.out {
		f.Line, f.Col = place(text, f.at)
		out = append(out, f.Piece)
	}
	return out
}

type found struct {
	Piece
	at int
}

type namer struct {
	text  string
	out   []found
	seen  map[string]bool
	taken [][2]int // parts of the text that something longer was found in
}

func (n *namer) add(p Piece, at, end int) {
	n.taken = append(n.taken, [2]int{at, end})
	if code := p.Code(); !n.seen[code] {
		n.seen[code] = true
		n.out = append(n.out, found{p, at})
	}
}

func (n *namer) free(at, end int) bool {
	return !slices.ContainsFunc(n.taken, func(x [2]int) bool { return at < x[1] && end > x[0] })
}

func place(text string, at int) (line, col int) {
	before := text[:at]
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}

// The words of the audit. Clauses are those of 000 §A.1 and what says the same; its only
// file names end in .py, here in the common endings of text, code and data.
var (
	endings = []string{".adoc", ".avro", ".bash", ".bat", ".bin", ".bmp", ".c", ".cc", ".cfg", ".class", ".cnf", ".conf", ".cpp", ".cs", ".css", ".csv", ".cu", ".dat", ".db", ".diff", ".doc", ".docx",
		".env", ".ex", ".exs", ".gif", ".go", ".gz", ".h", ".hpp", ".hs", ".htm", ".html", ".ini", ".ipynb", ".jar", ".java", ".jpeg", ".jpg", ".js", ".json", ".jsonl", ".jsx", ".kt", ".lock", ".log",
		".lua", ".md", ".mjs", ".ml", ".mod", ".parquet", ".patch", ".pdf", ".pem", ".php", ".pl", ".plist", ".png", ".proto", ".ps1", ".py", ".pyi", ".r", ".rb", ".rs", ".rst", ".scala", ".scss", ".sh", ".so",
		".sql", ".sqlite", ".svg", ".swift", ".tar", ".tex", ".tf", ".tgz", ".toml", ".ts", ".tsv", ".tsx", ".txt", ".vue", ".wasm", ".webp", ".xls", ".xlsx", ".xml", ".yaml", ".yml", ".zip", ".zst"}
	bareFiles = []string{"CHANGELOG", "Dockerfile", "Gemfile", "Jenkinsfile", "LICENSE", "Makefile", "README", "Rakefile", "Vagrantfile"}
	products  = []string{"node.js", "vue.js", "next.js", "nuxt.js", "d3.js", "three.js", "express.js", "react.js", "asp.net", "socket.io", "moment.js", "ember.js", "backbone.js", "chart.js", "p5.js", "discord.js"}

	pathEnding = regexp.MustCompile(`^\.[a-z][a-z0-9]{0,5}$`)

	wordRE   = regexp.MustCompile(`[\p{L}\p{N}_~./\\*-][\p{L}\p{N}_~./\\*+-]*`)
	urlRE    = regexp.MustCompile(`\b[a-z][a-z0-9+.-]*://\S+|\b\S+@\S+\.\S+`)
	tickRE   = regexp.MustCompile("`([^`\n]+)`")
	callRE   = regexp.MustCompile(`\b([A-Za-z_][\w.]*)\(`)
	snakeRE  = regexp.MustCompile(`\b[A-Za-z0-9]*_[\w]*[A-Za-z0-9]\b|\b_[A-Za-z]\w*\b`)
	camelRE  = regexp.MustCompile(`\b(?:[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,})\b`)
	plainID  = regexp.MustCompile(`^[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*$`)
	testsRE  = regexp.MustCompile(`(?i)\b(?:pytest|unittests?|unit tests?|tests?|test suite|test cases?)\b`)
	clauseRE = regexp.MustCompile(`(?i)\b(?:attacks?|escapes?|raises?|raising|throws?|rejects?|rejected|rejecting|refuses?|denies|deny|safe|safely|invalid|forbid(?:s|den)?|disallow(?:s|ed)?|must not (?:accept|allow)|should not (?:accept|allow)|never accepts?)\b`)
)

func (n *namer) files() {
	for _, m := range urlRE.FindAllStringIndex(n.text, -1) {
		n.taken = append(n.taken, [2]int{m[0], m[1]}) // an address is no file
	}
	for _, m := range wordRE.FindAllStringIndex(n.text, -1) {
		word := strings.TrimRight(n.text[m[0]:m[1]], ".,-*/")
		at := m[0] + len(word) - len(strings.TrimLeft(word, "-*"))
		word = strings.TrimLeft(word, "-*")
		if n.free(at, at+len(word)) && isFile(word) {
			n.add(Piece{Kind: File, Text: path.Clean(strings.ReplaceAll(word, `\`, "/"))}, at, at+len(word))
		}
	}
}

// isFile says whether a word names a file, by its ending.
func isFile(word string) bool {
	base := path.Base(word)
	ext := strings.ToLower(path.Ext(base))
	switch {
	case slices.Contains(bareFiles, base):
		return base == word || strings.Contains(word, "/") || base == "Makefile" || base == "Dockerfile"
	case slices.Contains(products, strings.ToLower(word)), strings.Contains(word, "*"):
		return false
	case len(base) > 1 && base[0] == '.' && strings.Count(base, ".") == 1:
		return slices.Contains([]string{".env", ".gitignore", ".dockerignore", ".npmrc", ".editorconfig", ".bashrc", ".profile"}, base)
	}
	stem := strings.TrimSuffix(base, path.Ext(base))
	known := slices.Contains(endings, ext) || strings.Contains(word, "/") && pathEnding.MatchString(ext) // a path names a file by any ending
	return stem != "" && known && strings.ContainsFunc(stem, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

func (n *namer) identifiers() {
	for _, m := range tickRE.FindAllStringSubmatchIndex(n.text, -1) {
		inside := n.text[m[2]:m[3]]
		name, _, called := strings.Cut(inside, "(")
		if n.free(m[2], m[3]) && plainID.MatchString(name) && (called || name == inside) && !plainWord(name) {
			n.add(Piece{Kind: Identifier, Text: name}, m[2], m[2]+len(name))
		}
	}
	for _, re := range []*regexp.Regexp{callRE, snakeRE, camelRE} {
		for _, m := range re.FindAllStringSubmatchIndex(n.text, -1) {
			at, end := m[0], m[1]
			if len(m) > 2 {
				at, end = m[2], m[3]
			}
			if name := n.text[at:end]; n.free(at, end) && !slices.Contains(proper, name) {
				n.add(Piece{Kind: Identifier, Text: name}, at, end)
			}
		}
	}
}

// proper are names of products in the form of identifiers.
var proper = []string{"JavaScript", "TypeScript", "GitHub", "GitLab", "PostgreSQL", "MySQL", "SQLite", "MongoDB", "FastAPI", "OpenAI", "DevOps", "LaTeX", "YouTube", "LinkedIn", "PayPal", "WordPress", "NumPy", "PyTorch", "TensorFlow", "OpenAPI", "GraphQL", "DynamoDB", "macOS", "iOS", "OpenSSL"}

// plainWord says whether a word in back quotes is one of a command or a language, not a
// name that the task introduces.
func plainWord(w string) bool {
	return slices.Contains([]string{"true", "false", "null", "None", "nil", "True", "False", "pytest", "python", "python3", "go", "make", "npm", "cargo", "git", "int", "str", "float", "bool", "list", "dict", "string", "stdin", "stdout", "stderr"}, w)
}

// A number with its unit; and the words by which people bound one.
const (
	num   = `[-+]?\d[\d,_]*(?:\.\d+)?(?:e[+-]?\d+)?`
	spelt = `two|three|four|five|six|seven|eight|nine|ten|eleven|twelve`
	unit  = `(?:\s?(?:%|€|\$|£|°C|°F|[a-zA-Zµ]+\b))?`
)

var (
	numberRE = regexp.MustCompile(`[€$£]?(` + num + `)(` + unit + `)`)
	rangeREs = []*regexp.Regexp{
		regexp.MustCompile(`(?i)\b(?:between|from)\s+(` + num + `)` + unit + `\s+(?:and|to|through|until)\s+(` + num + `)(` + unit + `)`),
		regexp.MustCompile(`(` + num + `)\s?(?:\.\.\.?|–|—)\s?(` + num + `)(` + unit + `)`),
		regexp.MustCompile(`(\b\d[\d,_]*(?:\.\d+)?)\s?-\s?(\d[\d,_]*(?:\.\d+)?)\b(` + unit + `)`),
		regexp.MustCompile(`[\[(]\s?(` + num + `)\s?,\s?(` + num + `)\s?[\])]()`),
	}
	boundRE = regexp.MustCompile(`(?i)\b(?:at most|at least|exactly|up to|no more than|no fewer than|fewer than|less than|more than|within|maximum of|minimum of|between)\s+(` + spelt + `)\b()`)
)

func (n *namer) ranges() {
	for _, re := range rangeREs {
		for _, m := range re.FindAllStringSubmatchIndex(n.text, -1) {
			if n.free(m[0], m[1]) && !n.within(m[0], m[1]) && !date.MatchString(around(n.text, m[0], m[1])) {
				n.add(Piece{Kind: Range, Text: plain(n.text[m[2]:m[3]]), To: plain(n.text[m[4]:m[5]]), Unit: unitOf(n.text[m[6]:m[7]])}, m[0], m[1])
			}
		}
	}
}

var (
	date    = regexp.MustCompile(`\d{4}-\d{2}(-\d{2})?|\d{1,2}:\d{2}|\d+\.\d+\.\d+`)
	version = regexp.MustCompile(`(?i)(?:\bv|\bversion\s|[#§]|\b(?:issue|pr|rfc|section|chapter|step|task|part|phase|page|line|figure|table|http|iso|utf|sha|md|ipv|base|int|uint|float|es|level|python|java|node(?:\.js)?|go|rust|ruby|php|django|ubuntu|debian|gcc|postgres|postgresql|c\+\+|php|jdk|angular|react|vue|rails|flask|php)[\s-]?)$`)
	listRE  = regexp.MustCompile(`(?m)^\s*$`)
)

func around(text string, at, end int) string {
	return text[max(0, at-6):min(len(text), end+6)]
}

// within says whether a number is a part of a word.
func (n *namer) within(at, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(n.text[:at])
	after, _ := utf8.DecodeRuneInString(n.text[end:])
	joins := func(r rune) bool {
		return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
	}
	return joins(before) || joins(after) || before == '/' || before == '.'
}

func (n *namer) numbers() {
	for _, m := range boundRE.FindAllStringSubmatchIndex(n.text, -1) {
		if n.free(m[2], m[3]) {
			n.add(Piece{Kind: Number, Text: strconv.Itoa(2 + slices.Index(strings.Split(spelt, "|"), strings.ToLower(n.text[m[2]:m[3]])))}, m[2], m[3])
		}
	}
	for _, m := range numberRE.FindAllStringSubmatchIndex(n.text, -1) {
		before := n.text[:m[0]]
		line := before[strings.LastIndexByte(before, '\n')+1:]
		after := n.text[m[3]:]
		switch {
		case !n.free(m[2], m[3]), n.within(m[2], m[3]) && !unitGlued(after), version.MatchString(before), date.MatchString(around(n.text, m[2], m[3])):
		case listRE.MatchString(line) && (strings.HasPrefix(after, ".") || strings.HasPrefix(after, ")")): // a list
		case strings.HasPrefix(before[max(0, len(before)-1):], "_"), strings.HasPrefix(after, "th"), strings.HasPrefix(after, "st "), strings.HasPrefix(after, "nd "), strings.HasPrefix(after, "rd "):
		default:
			u := unitOf(n.text[m[4]:m[5]])
			if strings.HasPrefix(n.text[m[0]:], "€") || strings.HasPrefix(n.text[m[0]:], "$") || strings.HasPrefix(n.text[m[0]:], "£") {
				u = "money"
			}
			n.add(Piece{Kind: Number, Text: plain(n.text[m[2]:m[3]]), Unit: u}, m[2], m[3])
		}
	}
}

// unitGlued says whether a number goes on with its unit, as 10ms does.
func unitGlued(after string) bool {
	end := strings.IndexFunc(after, func(r rune) bool { return !unicode.IsLetter(r) && r != 'µ' })
	if end < 0 {
		end = len(after)
	}
	return unitOf(after[:end]) != ""
}

// plain is a number without what divides thousands.
func plain(s string) string {
	s = strings.TrimPrefix(strings.ReplaceAll(strings.TrimRight(strings.ReplaceAll(s, "_", ""), ","), ",", ""), "+")
	if f, err := strconv.ParseFloat(s, 64); err == nil && strings.ContainsAny(s, "e.") {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return s
}

func (n *namer) clauses() {
	if m := testsRE.FindStringIndex(n.text); m != nil {
		n.add(Piece{Kind: Tests}, m[0], m[0])
	} else if i := slices.IndexFunc(n.out, func(f found) bool { return f.Kind == File && isTestFile(f.Text) }); i >= 0 {
		n.add(Piece{Kind: Tests}, n.out[i].at, n.out[i].at)
	} else if m := regexp.MustCompile(`\btest_\w+`).FindStringIndex(n.text); m != nil {
		n.add(Piece{Kind: Tests}, m[0], m[0])
	}
	if m := clauseRE.FindStringIndex(n.text); m != nil {
		n.add(Piece{Kind: Rejection}, m[0], m[0])
	}
}

var testFile = regexp.MustCompile(`^test_|_test\.|\.(test|spec)\.|Tests?\.(java|kt|cs)$|_spec\.rb$`)

func isTestFile(name string) bool { return testFile.MatchString(path.Base(name)) }
