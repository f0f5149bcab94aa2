package segment

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// This file reads changes off results. Every form has its source beside it: the
// program that prints it. A form that nobody prints any more costs nothing.

// maxShown bounds how much of a result is looked at, at its beginning and at its
// end: programs sum up there.
const maxShown = 4096

// shown returns the changes that a step's result shows. refused says that the
// tool itself tells that nothing was done.
func shown(s *corpora.Step, a call.Action, family call.Family) (seen []corpora.Delta, refused bool) {
	out := ends(s.Result)
	switch family {
	case call.FamilyShell:
		if a.Key == "edit" {
			if seen, refused = edited(s, out); refused || len(seen) > 0 {
				return seen, refused
			}
		}
		return ran(s, out), false
	case call.FamilyCode:
		return interpreted(s, out), false
	case call.FamilyFile:
		if seen, refused = edited(s, out); refused || len(seen) > 0 {
			return seen, refused
		}
	case call.FamilyWeb:
		if a.Delta == effect.DeltaNavigate {
			return opened(s, out), false
		}
	}
	return answered(s, a), false
}

// ends is a text, less the middle of a long one.
func ends(s string) string {
	if len(s) <= 2*maxShown {
		return s
	}
	return s[:maxShown] + "\n" + s[len(s)-maxShown:]
}

// fileForm is how a program says what it did to which file. word is a part of every
// match: looking for it first is what makes reading results cheap.
type fileForm struct {
	word string
	re   *regexp.Regexp
	kind corpora.DeltaKind
}

// maxFiles bounds the files of one form that are read off a result.
const maxFiles = 64

func (f *fileForm) paths(out string) []string {
	if !strings.Contains(out, f.word) {
		return nil
	}
	var paths []string
	for _, m := range f.re.FindAllStringSubmatch(out, maxFiles) {
		paths = append(paths, m[1])
	}
	return paths
}

var fileForms = []fileForm{
	// The edit tools of Anthropic's computer use demo, OpenHands and Claude Code.
	{"File created", regexp.MustCompile(`(?m)^File created successfully at: (.+)$`), corpora.DeltaFileCreate},
	{" has been ", regexp.MustCompile(`(?m)^The file (.+?) has been (?:edited|updated)\b`), corpora.DeltaFileModify},
	// Gemini CLI's write_file and replace.
	{"Successfully created", regexp.MustCompile(`(?m)^Successfully created and wrote to new file: (.+?)\.?$`), corpora.DeltaFileCreate},
	{"Successfully ", regexp.MustCompile(`(?m)^Successfully (?:overwrote|modified) file: (.+?)(?: \(\d+ replacements\))?\.?$`), corpora.DeltaFileModify},
	// Codex's apply_patch.
	{"A ", regexp.MustCompile(`(?m)^A (.+)$`), corpora.DeltaFileCreate},
	{"M ", regexp.MustCompile(`(?m)^M (.+)$`), corpora.DeltaFileModify},
	{"D ", regexp.MustCompile(`(?m)^D (.+)$`), corpora.DeltaFileDelete},
}

const patchForms = 4 // where the forms begin that stand below patchHead alone

const patchHead = "Success. Updated the following files:\n"

// unchanged are what edit tools say that left the file as it was: SWE-agent's
// (syntax errors, text that is not there) and those of the forms above.
// They stand at the beginning of a line: elsewhere they are a file's own text, which
// edit tools show with the numbers of its lines.
var unchanged = regexp.MustCompile(`(?m)^(?:\w*[Ee][Rr][Rr][Oo][Rr]:? )?(?:Your proposed edit has introduced new syntax error|No replacement was performed|` +
	`Text not found|String to replace not found|No changes to make)`)

var (
	swePage    = regexp.MustCompile(`(?m)^\[File: (.+) \((\d+) lines total\)\]`)
	sweChanged = []string{"File updated.", "Text replaced.", "Replaced "}
)

// edited reads the answer of an edit tool.
func edited(s *corpora.Step, out string) (seen []corpora.Delta, refused bool) {
	add := func(kind corpora.DeltaKind, path string) {
		seen = append(seen, corpora.Delta{Kind: kind, Resource: strings.TrimSpace(path), Size: linesOf(s.Args), Observed: true})
	}
	forms := fileForms[:patchForms]
	if _, list, ok := strings.Cut(out, patchHead); ok {
		forms, out = fileForms[patchForms:], list
	}
	for i := range forms {
		f := &forms[i]
		for _, path := range f.paths(out) {
			add(f.kind, path)
		}
	}
	if len(seen) == 0 && unchanged.MatchString(out) {
		return nil, true
	}
	page := swePage.FindStringSubmatch(out)
	switch {
	case len(seen) > 0:
	case page != nil && sweSays(out):
		add(corpora.DeltaFileModify, page[1])
	case page != nil && page[2] == "1": // create opens the new, empty file
		add(corpora.DeltaFileCreate, page[1])
	case page == nil && strings.HasPrefix(out, "Replaced "):
		add(corpora.DeltaFileModify, call.Resource(s.Args))
	}
	return seen, false
}

func sweSays(out string) bool {
	for _, words := range sweChanged {
		if strings.Contains(out, words) {
			return true
		}
	}
	return false
}

// testSummaries are the last lines of test runners: pytest, unittest, go test,
// cargo test, Jest and Vitest, Mocha, Maven Surefire, CTest, RSpec, PHPUnit.
var testSummaries = regexp.MustCompile(`(?m)^=+ (?:\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|warnings?|deselected)(?:, )?)+ in [\d.]+s|` +
	`^Ran \d+ tests? in [\d.]+s|` +
	`^(?:ok  |FAIL)\t\S+\t(?:[\d.]+s|\(cached\))|^--- (?:PASS|FAIL|SKIP): |` +
	`^test result: (?:ok|FAILED)\. \d+ passed|` +
	`^ *Tests:? +(?:\d+ \w+[,|] *)*\d+ (?:passed|failed|total)|` +
	`^ +\d+ passing \(|` +
	`^(?:\[\w+\] )?Tests run: \d+, Failures: \d+|` +
	`^\d+% tests passed, \d+ tests failed out of \d+|` +
	`^\d+ examples?, \d+ failures?|` +
	`^OK \(\d+ tests?, \d+ assertions?\)`)

// testWords are parts of testSummaries, one of which every match has.
var testWords = []string{" in ", "ok  \t", "FAIL\t", "--- ", "test result: ", "Tests", " passing (", "tests passed", " failure", "OK ("}

// tested reports whether a test runner has summed up.
func tested(out string) bool {
	return slices.ContainsFunc(testWords, func(w string) bool { return strings.Contains(out, w) }) && testSummaries.MatchString(out)
}

// programForms are how programs name files that they made, changed or deleted.
var programForms = []fileForm{
	// rm -v, mkdir -v, cp -v and mv -v of GNU coreutils.
	{"removed ", regexp.MustCompile(`(?m)^removed (?:directory )?['‘](.+)['’]$`), corpora.DeltaFileDelete},
	{"created directory", regexp.MustCompile(`(?m)^mkdir: created directory ['‘](.+)['’]$`), corpora.DeltaFileCreate},
	{"' -> '", regexp.MustCompile(`(?m)^(?:copied |renamed )?'.+' -> '(.+)'$`), corpora.DeltaFileCreate},
	// git clone, wget, unzip.
	{"Cloning into", regexp.MustCompile(`(?m)^Cloning into '(.+)'\.\.\.$`), corpora.DeltaFileCreate},
	{" saved [", regexp.MustCompile(`['‘](.+?)['’] saved \[`), corpora.DeltaFileCreate},
	{"ing: ", regexp.MustCompile(`(?m)^ +(?:inflating|extracting|creating): (.+?) *$`), corpora.DeltaFileCreate},
}

// commit is what git commit prints: branch and id, then the sum of the change
// (git-diff --shortstat).
var commit = regexp.MustCompile(`(?m)^\[\S.* ([0-9a-f]{7,40})\] .*\n(?:.*\n)*? \d+ files? changed(?:, (\d+) insertions?\(\+\))?(?:, (\d+) deletions?\(-\))?`)

// committed is what commit finds, if there is anything to find.
func committed(out string) []string {
	if !strings.Contains(out, " changed") {
		return nil
	}
	return commit.FindStringSubmatch(out)
}

// ran reads the output of a command line.
func ran(s *corpora.Step, out string) []corpora.Delta {
	var seen []corpora.Delta
	if tested(out) {
		seen = append(seen, corpora.Delta{Kind: corpora.DeltaTest, Observed: true})
	}
	for i := range programForms {
		f := &programForms[i]
		for _, path := range f.paths(out) {
			seen = append(seen, corpora.Delta{Kind: f.kind, Resource: path, Observed: true})
		}
	}
	if m := committed(out); m != nil {
		seen = append(seen, corpora.Delta{Kind: corpora.DeltaRecord, Resource: m[1], Size: number(m[2]) + number(m[3]), Observed: true})
	}
	if prompted(out) {
		seen = append(seen, corpora.Delta{Kind: corpora.DeltaInterpreter, Observed: true})
	}
	if s.HasExit || s.Status == corpora.StatusExecuted && out != "" {
		seen = append(seen, corpora.Delta{Kind: corpora.DeltaSpawn, Observed: true})
	}
	return seen
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// prompted reports whether a Python interpreter has answered: its prompt
// (sys.ps1) at the beginning of a line.
func prompted(out string) bool {
	return strings.HasPrefix(out, ">>> ") || strings.Contains(out, "\n>>> ")
}

// interpreted reads the output of code. That there is any shows that it ran.
func interpreted(s *corpora.Step, out string) []corpora.Delta {
	if !s.HasExit && (s.Status != corpora.StatusExecuted || out == "") {
		return nil
	}
	seen := []corpora.Delta{{Kind: corpora.DeltaInterpreter, Observed: true}}
	if tested(out) {
		seen = append(seen, corpora.Delta{Kind: corpora.DeltaTest, Observed: true})
	}
	return seen
}

// pageAt is where a browser says that it is: the servers of Playwright and of
// Puppeteer for MCP.
var pageAt = regexp.MustCompile(`(?m)^(?:- )?(?:Page URL:|Navigated to) (\S+)`)

// opened reads the answer of a browser: where it is, or the page itself.
func opened(s *corpora.Step, out string) []corpora.Delta {
	d := corpora.Delta{Kind: corpora.DeltaNavigate, Resource: call.Resource(s.Args), Observed: true}
	if m := pageAt.FindStringSubmatch(out); m != nil {
		d.Resource = m[1]
	} else if s.Status != corpora.StatusExecuted || out == "" {
		return nil
	}
	return []corpora.Delta{d}
}

var (
	// done are the words that a short answer says of a change that was made.
	done = regexp.MustCompile(`(?i)\b(?:sent|created|updated|added|removed|deleted|cancell?ed|scheduled|booked|reserved|posted|saved|` +
		`uploaded|shared|invited|moved|submitted|transferred|paid|modified|success(?:ful|fully)?)\b`)
	// undone are the words of one that was not.
	undone = regexp.MustCompile(`(?i)\b(?:not|no|error|fail(?:ed|ure)?|cannot|unable|invalid|denied|false|unknown)\b|can't|n't\b`)
)

const (
	shortAnswer = 300 // bytes; a longer one is a record or a page
	minEcho     = 4   // bytes of an argument that a record repeats; shorter ones stand in any text
)

// answered reads the answer of an application: a short one that says that it was
// done, or the record as it is now, which repeats what the call put there. It
// shows the change that the action names, no other.
func answered(s *corpora.Step, a call.Action) []corpora.Delta {
	kind := kindOf(s.Tool, a)
	switch a.Delta {
	case effect.DeltaWrite, effect.DeltaDelete, effect.DeltaSend:
	default:
		return nil
	}
	if s.Status != corpora.StatusExecuted || !acknowledged(s.Result) && !echoed(s) {
		return nil
	}
	return []corpora.Delta{{Kind: kind, Resource: call.Resource(s.Args), Observed: true}}
}

func acknowledged(result string) bool {
	return len(result) <= shortAnswer && done.MatchString(result) && !undone.MatchString(result)
}

func echoed(s *corpora.Step) bool {
	if len(s.Result) <= shortAnswer && undone.MatchString(s.Result) {
		return false
	}
	var args map[string]any
	if json.Unmarshal([]byte(s.Args), &args) != nil {
		return false
	}
	for _, v := range args {
		if word, ok := v.(string); ok && len(word) >= minEcho && strings.Contains(s.Result, word) {
			return true
		}
	}
	return false
}
