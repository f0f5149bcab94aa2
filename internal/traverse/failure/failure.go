// Package failure says how a call failed, in one of a few classes that hold nothing of what
// it printed, and which later call is the same check once more. Mining and running ask the
// same questions here, so that a fix that was mined for a failure is found again when it
// happens.
//
// Of is the class of a failure, CheckOf the check that a call is.
//
// What belongs here: reading what came back. What never does: which fix helps
// (internal/completion/fixes) and what follows from a failure (package traverse).
package failure

import (
	"regexp"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/traverse/proof"
)

// Any stands for a failure of whatever class.
const Any = ""

// The most of a result that is looked at, at its beginning and at its end.
const maxText = 4096

// class is a kind of failure, and what says so.
type class struct {
	name string
	says *regexp.Regexp
}

// classes in the order in which they are asked. The names of errors are those of public
// interfaces: POSIX, HTTP, SQL and the standard libraries of common languages.
var classes = []class{
	{"timeout", regexp.MustCompile(`(?i)\btimed? ?out\b|deadline exceeded|\bETIMEDOUT\b`)},
	{"module", regexp.MustCompile(`ModuleNotFoundError|ImportError|(?i)no module named|cannot find (?:module|package)|unresolved import|no required module`)},
	{"command", regexp.MustCompile(`(?i)command not found|not recognized as an|\bexit (?:status|code) 127\b|executable file not found`)},
	{"syntax", regexp.MustCompile(`(?i)syntax ?error|IndentationError|parse error|unexpected token|invalid syntax|error in your SQL syntax|unterminated|unexpected EOF`)},
	{"denied", regexp.MustCompile(`(?i)permission denied|access denied|operation not permitted|not allowed|forbidden|unauthori[sz]ed|\bEACCES\b|\bEPERM\b`)},
	{"exists", regexp.MustCompile(`(?i)already exists?|duplicate (?:entry|key)|\bEEXIST\b`)},
	{"absent", regexp.MustCompile(`(?i)no such|not found|does(?: not|n't) exist|unknown (?:column|table|database|option|user)|cannot find|could not find|\bENOENT\b|KeyError|FileNotFoundError|NameError|AttributeError|undefined`)},
	{"connection", regexp.MustCompile(`(?i)connection (?:refused|reset|error)|could not resolve|network is unreachable|\bECONNREFUSED\b`)},
	{"assertion", regexp.MustCompile(`AssertionError|--- FAIL|\bFAILED\b|(?i)\b[1-9][0-9]* (?:failed|failures?|failing)\b|assertion`)},
	{"argument", regexp.MustCompile(`(?i)invalid|illegal|missing (?:\w+ )*(?:argument|parameter|field)|required|unexpected (?:keyword|argument)|usage:|TypeError|ValueError|validation|must be|unrecognized|ambiguous|not unique|multiple`)},
	{"limit", regexp.MustCompile(`(?i)too (?:many|long|large|big)|out of (?:memory|range)|exceed|insufficient|rate limit|quota|no space left`)},
}

var exit = regexp.MustCompile(`(?i)\bexit(?:ed)?(?: with)? (?:status|code) ([1-9][0-9]{0,2})\b`)

// Of is the class of a failure; ok is false of a call that did not fail. fault is the
// tool's error, as "exit status 2" of a command. A failure that says nothing known is of
// the class of its exit status, or else "other".
func Of(fault string, output []byte) (name string, ok bool) {
	if !proof.Failed(fault, output) {
		return "", false
	}
	text := fault + "\n" + shortened(string(output))
	for _, c := range classes {
		if c.says.MatchString(text) {
			return c.name, true
		}
	}
	if m := exit.FindStringSubmatch(fault); m != nil {
		return "exit " + m[1], true
	}
	return "other", true
}

// shortened is the beginning and the end of a text.
func shortened(s string) string {
	if len(s) <= 2*maxText {
		return s
	}
	return s[:maxText] + "\n" + s[len(s)-maxText:]
}

// Counts says whether calls of an action can fail in a way that teaches anything: what only
// says something, or goes somewhere, cannot.
func Counts(act call.Action) bool { return act.Key != "" && !proof.Words(act.Key) }

var goTo = regexp.MustCompile(`^(?:cd\s+[^\s;&|]+\s*(?:&&|;)\s*)+`)

// CheckOf names the check that a call is: the same command line of tests and builds, and of
// other calls the tool and the action, whatever their arguments are.
func CheckOf(tool string, args []byte, act call.Action) string {
	if line, ok := call.CommandOf(tool, args); ok {
		if act.Key == "test" || act.Key == "build" {
			return act.Key + "\x00" + strings.TrimSpace(goTo.ReplaceAllString(strings.TrimSpace(line), ""))
		}
		return act.Key
	}
	return act.Key + "\x00" + tool
}
