package shell

import (
	"math"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file finds code that never stops or asks for more than a disk or a memory
// has. It reads words and numbers alone, so it misses what is computed; what it
// finds is plain.

// endlessHeads are loops without a condition, with one space between words and none
// around brackets, in the languages of inline code.
var endlessHeads = [...]string{
	"while True", "while(True)", "while 1", "while(1)", "while true", "while(true)", "for(;;)", "until false", "until(0)", "until 0", "loop{", "loop do", "repeat ",
}

// leavingWords are names that end a loop or the program, wait, or take input: code
// that has one of them may well stop.
var leavingWords = [...]string{
	"StopIteration", "accept", "await", "break", "die", "exit", "getline", "gets", "goto", "input", "last", "poll", "quit", "raise", "read", "readline", "recv", "return", "select",
	"sleep", "throw", "until", "usleep", "wait", "yield",
}

// sizeCalls are functions whose argument is how much they make, or where a file is
// made to end: of Python, JavaScript, PHP, Lua and jq.
var sizeCalls = [...]string{"Array", "ArrayBuffer", "Buffer.alloc", "Buffer.allocUnsafe", "bytearray", "bytes", "fill", "range", "rep", "repeat", "seek", "str_repeat", "truncate", "xrange"}

// exhausts records that code runs without an end, or makes something as large as
// hugeBytes.
func (m *machine) exhausts(text string) {
	if runsOn(text) {
		m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpSystem, Resource: "runs without an end"})
	}
	if makesHuge(text) {
		m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpSystem, Resource: "makes more than a disk or a memory holds"})
	}
}

// runsOn says whether code has a loop without a condition and nothing that leaves one.
func runsOn(text string) bool {
	text = spaced(text)
	loops := strings.HasSuffix(strings.TrimRight(text, " ;}"), "while 1") || strings.Contains(text, "1 while ")
	for _, head := range endlessHeads {
		for rest := text; !loops; {
			i := strings.Index(rest, head)
			if i < 0 {
				break
			}
			loops = (i == 0 || !wordByte(rest[i-1])) && (i+len(head) == len(rest) || !wordByte(head[len(head)-1]) || !wordByte(rest[i+len(head)]))
			rest = rest[i+len(head):]
		}
	}
	if !loops {
		return false
	}
	for _, w := range leavingWords {
		for rest := text; ; {
			i := strings.Index(rest, w)
			if i < 0 {
				break
			}
			if (i == 0 || !wordByte(rest[i-1])) && w != "until" {
				return false
			}
			rest = rest[i+len(w):]
		}
	}
	return true
}

// spaced is code with one space between words and none around brackets and signs.
func spaced(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.NewReplacer(" (", "(", "( ", "(", " ;", ";", "; ", ";", " {", "{", "{ ", "{", " )", ")").Replace(text)
}

//go:noinline
func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// makesHuge says whether code repeats something, or calls a function of sizeCalls,
// by a number of hugeBytes or more, or raises a power that no machine can hold.
func makesHuge(text string) bool {
	for i := 0; i < len(text); {
		if text[i] < '0' || text[i] > '9' || i > 0 && (wordByte(text[i-1]) || text[i-1] == '.') {
			i++
			continue
		}
		n, used := powers(text[i:])
		if math.IsInf(n, 1) || n >= hugeBytes && (repeated(text[:i], text[i+used:]) || sized(text[:i])) {
			return true
		}
		i += used
	}
	return false
}

// powers reads a number and the powers and shifts of numbers behind it; used is
// how long they are.
func powers(s string) (n float64, used int) {
	n, used = numeral(s)
	var ops []float64
	shift := false
	for {
		rest := strings.TrimLeft(s[used:], " ")
		power := strings.HasPrefix(rest, "**")
		if !power && !strings.HasPrefix(rest, "<<") {
			break
		}
		rest = strings.TrimLeft(rest[2:], " ")
		next, length := numeral(rest)
		if length == 0 {
			break
		}
		shift = shift || !power
		ops = append(ops, next)
		used = len(s) - len(rest) + length
	}
	if shift {
		for _, by := range ops {
			n *= math.Pow(2, by)
		}
		return n, used
	}
	for i := len(ops) - 2; i >= 0; i-- { // powers bind to the right
		ops[i] = math.Pow(ops[i], ops[i+1])
	}
	if len(ops) > 0 {
		n = math.Pow(n, ops[0])
	}
	return n, used
}

// numeral reads a decimal number, with underscores and an exponent.
func numeral(s string) (n float64, used int) {
	for used < len(s) && (s[used] >= '0' && s[used] <= '9' || s[used] == '_') {
		used++
	}
	if used+1 < len(s) && (s[used] == 'e' || s[used] == 'E') && s[used+1] >= '0' && s[used+1] <= '9' {
		for used++; used < len(s) && s[used] >= '0' && s[used] <= '9'; used++ {
		}
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(s[:used], "_", ""), 64)
	if err != nil && !math.IsInf(n, 1) {
		return 0, used
	}
	return n, used
}

// repeated says whether what stands before or behind a number is text or a list
// that it multiplies.
func repeated(before, after string) bool {
	before, after = strings.TrimRight(before, " ("), strings.TrimLeft(after, " )")
	if text, ok := cutSuffix(before, "*"); ok && endsText(text) {
		return true
	}
	if text, ok := cutSuffix(before, "x"); ok && endsText(text) {
		return true
	}
	text, ok := cutPrefix(after, "*")
	text = strings.TrimLeft(text, " ")
	return ok && text != "" && firstByte("'\"[b", text[0]) >= 0
}

func endsText(s string) bool {
	s = strings.TrimRight(s, " ")
	return s != "" && firstByte("'\"])", s[len(s)-1]) >= 0
}

// sized says whether a number is an argument of a function of sizeCalls, or the
// bound of a counting loop.
func sized(before string) bool {
	open := lastByte(before, '(')
	if open < 0 || firstByte(before[open:], ')') >= 0 {
		return false
	}
	name := strings.TrimRight(before[:open], " ")
	if strings.HasSuffix(name, "for") {
		return strings.Count(before[open:], ";") == 1
	}
	for _, call := range sizeCalls {
		if rest, ok := cutSuffix(name, call); ok && (rest == "" || !wordByte(rest[len(rest)-1])) {
			return true
		}
	}
	return false
}
