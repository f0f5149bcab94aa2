package shell

import (
	"strings"
	"unicode"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges programs that wait for somebody to type where the line types for him: a
// debugger of Go that is told to stop and show (Delve's Documentation/cli/README.md, v1.27.2),
// and Terraform's console that is given something to compute (internal/lang/functions.go of
// v1.13.3). What is typed must be known and do no more than that.

// typed says whether all that an interactive program reads is on the line and harmless.
func (r *toolRun) typed() bool {
	in := r.m.in
	if in.tty || !in.known() || strings.TrimSpace(in.text) == "" {
		return false
	}
	reads := dlvReads
	switch r.t.name {
	case "dlv debug", "dlv test", "dlv exec", "dlv core":
	case "terraform console", "tofu console":
		reads = hclReads
	default:
		return false
	}
	for line := range strings.Lines(in.text) {
		if line = strings.TrimSpace(line); line != "" && !reads(line) {
			return false
		}
	}
	return true
}

// dlvCommands only run the program or show something of it; those of dlvValues take an
// expression, which calls nothing (print, whatis and display do not call functions of the
// program). Sorted.
var (
	dlvCommands = "args bt c clear clearall continue deferred disass disassemble down exit frame funcs goroutine goroutines gr grs help l libraries list locals ls n next next-instruction ni " +
		"packages q quit r rebuild regs restart s si so sources stack step step-instruction stepout thread threads toggle tr types up vars"
	dlvValues = []string{"b", "break", "cond", "condition", "display", "examinemem", "p", "print", "t", "trace", "watch", "whatis", "x"}
)

func dlvReads(line string) bool {
	verb, rest, _ := cutAt(line, " ")
	if searchNames(dlvValues, verb) {
		rest = strings.ReplaceAll(strings.ReplaceAll(rest, "len(", "("), "cap(", "(")
		place, condition, _ := cutAt(rest, " if ")
		return debuggerReads(strings.ReplaceAll(place, ").", ".")) && debuggerReads(condition)
	}
	// restart, goroutine, frame and deferred hand on what stands behind them
	restarts := verb == "restart" || verb == "r" || verb == "goroutine" || verb == "gr" || verb == "grs" || verb == "goroutines" || verb == "frame" || verb == "deferred"
	if restarts && rest != "" && strings.Trim(rest, "0123456789") != "" {
		return false
	}
	return mark.Among(dlvCommands, verb) && strings.Trim(rest, placeLetters+" ") == ""
}

// hclFunctions compute something of what they are given: no file, no key, and none that
// takes the mark of a secret away. Sorted.
const hclFunctions = "abs alltrue anytrue base64decode base64encode base64gzip base64sha256 base64sha512 basename can ceil chomp chunklist cidrhost cidrnetmask cidrsubnet cidrsubnets coalesce " +
	"coalescelist compact concat contains csvdecode dirname distinct element endswith flatten floor format formatdate formatlist indent index issensitive join jsondecode " +
	"jsonencode keys length log lookup lower matchkeys max md5 merge min one parseint pow range regex regexall replace reverse sensitive setintersection setproduct setsubtract " +
	"setunion sha1 sha256 sha512 signum slice sort split startswith strcontains strrev substr sum timeadd timecmp timestamp title tobool tolist tomap tonumber toset tostring " +
	"transpose trim trimprefix trimspace trimsuffix try type upper urlencode uuid uuidv5 values yamldecode yamlencode zipmap"

// hclReads says whether a line of the console calls none but those functions. A quoted text
// may hold calls, too (${…}), so it is looked at as what it is in.
func hclReads(line string) bool {
	for i, c := range line {
		if c != '(' {
			continue
		}
		before := strings.TrimRight(line[:i], " \t")
		name := before[strings.LastIndexFunc(before, func(c rune) bool {
			return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' && c != ':' && c != '-'
		})+1:]
		if name != "" && !mark.Among(hclFunctions, name) {
			return false
		}
	}
	return true
}
