package shell

import (
	"strings"
	"sync/atomic"

	"github.com/gbt-policy/gbt/internal/gates/pieces"
)

//go:generate go run ../programs/generate

// lookedUp are tools that were looked up before, by the sum of their name: of two that
// have one place the later stays.
var lookedUp [1 << 12]atomic.Pointer[tool]

// lookupTool finds a tool, or a subcommand as "tool sub". The table is bisected as it
// stands, which needs no work before main, and a row's options are read when it is first
// asked for. Nobody may change the tool.
func lookupTool(name string) *tool {
	sum := uint32(2166136261) // FNV-1a
	for i := range len(name) {
		sum = (sum ^ uint32(name[i])) * 16777619
	}
	place := &lookedUp[sum%uint32(len(lookedUp))]
	if t := place.Load(); t != nil && t.name == name {
		return t
	}
	from, ok := findRow(name)
	if !ok {
		return nil
	}
	t := readRow(from)
	place.Store(t)
	return t
}

// findRow is where the row of a name begins.
func findRow(name string) (from int, ok bool) {
	low, high := 0, len(toolTable) // each where a row begins, or the end
	for low < high {
		mid := low + (high-low)/2
		mid = low + strings.LastIndexByte(toolTable[low:mid], '\n') + 1
		row := toolTable[mid:high]
		switch c := strings.Compare(row[:strings.IndexByte(row, '\t')], name); {
		case c == 0:
			return mid, true
		case c > 0:
			high = mid
		default:
			low = mid + strings.IndexByte(row, '\n') + 1
		}
	}
	return 0, false
}

// readRow reads the row that begins at a byte of the table: the name, a letter for what
// each run does and for its output, letters for traits, those of the operands, and the
// code of the options, see Write in package programs.
func readRow(from int) *tool {
	row, _, _ := strings.Cut(toolTable[from:], "\n")
	name, row, _ := strings.Cut(row, "\t")
	does, row, _ := strings.Cut(row, "\t")
	operands, code, _ := strings.Cut(row, "\t")
	t := &tool{name: name, act: does[0], out: does[1], operands: operands, opts: pieces.Text(code)}
	if t.out == ' ' {
		t.out = outAnything
	}
	for i := 2; i < len(does); i++ {
		t.traits |= 1 << (does[i] - 'A')
	}
	return t
}

// Listed says whether a program is in the table: what it does and loads is known, as far as it
// stands there.
func Listed(name string) bool { return lookupTool(name) != nil }

// Valued says whether an option of a tool of the table takes a value: then its letter
// is no flag, whatever it means elsewhere. option has no dashes.
func Valued(name, option string) bool {
	t := lookupTool(name)
	return t != nil && option != "" && strings.Contains(" "+t.opts, " "+option+":")
}

var askTool = tool{name: "", act: doesReview}

func orAsk(t *tool) *tool {
	if t == nil {
		return &askTool
	}
	return t
}
