package shell

import (
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"io"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
)

//go:generate go run ../programs/generate

// toolTable is the table of programs, see Write in package programs.
//
//go:embed tools_gen.flate
var toolTable string

// inflated are the blocks of the table that were read before.
var inflated [len(toolBlocks)]atomic.Pointer[string]

// inflaters are readers to be used again: one has some 40 KB.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// lookedUp are tools that were looked up before, by the sum of their name: of two that
// have one place the later stays.
var lookedUp [1 << 12]atomic.Pointer[tool]

// lookupTool finds a tool, or a subcommand as "tool sub". Nothing is done before main: the block of the
// table in which the name would stand is inflated when it is first asked for, and bisected as it stands. Nobody may change the tool.
func lookupTool(name string) *tool {
	sum := uint32(2166136261) // FNV-1a
	for i := range len(name) {
		sum = (sum ^ uint32(name[i])) * 16777619
	}
	place := &lookedUp[sum%uint32(len(lookedUp))]
	if t := place.Load(); t != nil && t.name == name {
		return t
	}
	row, ok := rowOf(name)
	if !ok {
		return nil
	}
	t := readRow(name, row)
	place.Store(t)
	return t
}

// rowOf is the row of a name, or that of the program or subcommand which it is another name of.
func rowOf(name string) (row string, ok bool) {
	program, rest, sub := cutAt(name, " ")
	row, ok = findRow(name)
	if !ok && sub {
		row, ok = findRow(program)
	} else if sub {
		return row, ok
	}
	same := sameAs(row)
	switch {
	case same == "":
		return row, ok && !sub
	case sub:
		return findRow(same + " " + rest)
	}
	return findRow(same)
}

// sameAs is the program that a row's name is another name of.
func sameAs(row string) string {
	_, row, _ = cutAt(row, "\t")
	does, _, _ := cutAt(row, "\t")
	same, ok := cutPrefix(does, "=")
	if !ok {
		return ""
	}
	return same
}

// findRow is the row of a name, without its end.
func findRow(name string) (row string, ok bool) {
	i := sort.SearchStrings(toolBlocks[:], name)
	if i == len(toolBlocks) || toolBlocks[i] != name {
		if i--; i < 0 {
			return "", false
		}
	}
	text := block(i)
	low, high := 0, len(text) // each where a row begins, or the end
	for low < high {
		mid := low + (high-low)/2
		mid = low + lastByte(text[low:mid], '\n') + 1
		row, _, _ := cutAt(text[mid:high], "\n")
		switch c := strings.Compare(row[:firstByte(row, '\t')], name); {
		case c == 0:
			return row, true
		case c > 0:
			high = mid
		default:
			low = mid + len(row) + 1
		}
	}
	return "", false
}

// dictionary is the text that the blocks of the table are deflated behind, as if each began with it.
var dictionary = sync.OnceValue(func() []byte { return inflate(0, nil) })

// block is the text of a block of the table.
func block(i int) string {
	if text := inflated[i].Load(); text != nil {
		return *text
	}
	text := string(inflate(i+1, dictionary()))
	inflated[i].Store(&text)
	return text
}

// inflate reads a piece of the table: the first is the dictionary, all others are blocks.
func inflate(i int, dictionary []byte) []byte {
	ends := func(i int) uint32 { return binary.LittleEndian.Uint32([]byte(toolTable[4*i : 4*i+4])) }
	from := uint32(4 * (1 + len(toolBlocks)))
	if i > 0 {
		from = ends(i - 1)
	}
	r := inflaters.Get().(io.Reader)
	defer inflaters.Put(r)
	var b []byte
	err := r.(flate.Resetter).Reset(strings.NewReader(toolTable[from:ends(i)]), dictionary)
	if err == nil {
		b, err = io.ReadAll(r)
	}
	if err != nil {
		panic("the table of programs: " + err.Error())
	}
	return b
}

// readRow reads the row of a name: behind the name that it has itself, a letter for what each run
// does and for its output, letters for traits, those of the operands, and the options.
func readRow(name, row string) *tool {
	_, row, _ = cutAt(row, "\t")
	does, row, _ := cutAt(row, "\t")
	operands, options, _ := cutAt(row, "\t")
	t := &tool{name: name, act: does[0], out: does[1], operands: operands, opts: lengthened(options)}
	if t.out == ' ' {
		t.out = outAnything
	}
	for i := 2; i < len(does); i++ {
		t.traits |= 1 << (does[i] - 'A')
	}
	return t
}

// lengthened gives back to each option that has none the letter of no role, and to one without a
// kind that it is a flag: package programs leaves both out.
func lengthened(options string) string {
	const kinds = "!:?~&"
	var b strings.Builder
	b.Grow(len(options) + len(options)/4)
	for o := range strings.FieldsSeq(options) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(o)
		switch n := len(o); {
		case n > 2 && strings.Contains(kinds, o[n-2:n-1]):
		case n > 1 && strings.Contains(kinds, o[n-1:]):
			b.WriteByte('n')
		default:
			b.WriteString("!n")
		}
	}
	return b.String()
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
