package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// getopt names the options with a value of a program whose arguments are read by
// code of its own, and its long options. They are read as getopt_long(3) does:
// letters stand together, a value is attached or the next word, and a long name
// may be cut short.
type getopt struct {
	valued   string // letters with a value
	attached string // letters with a value in the same word, or none
	longs    string // long names, blank-separated: "file=" with a value, "backup?" with one after = or none
	first    bool   // what follows the first operand is no option
	apart    bool   // some versions of the program do not read letters that stand together
}

// option is an option that was read: a letter or a whole long name, and the word
// that it stood in. The name of one that is computed is empty.
type option struct{ name, value, word string }

// read tells the options of a line from its operands.
func (g *getopt) read(args []string) (opts []option, operands []string) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			return opts, append(operands, args[i+1:]...)
		case len(a) > 1 && a[0] == '-':
			list, used := g.word(a, args[i+1:])
			opts = append(opts, list...)
			i += used
		case g.first:
			return opts, args[i:]
		default:
			operands = append(operands, a)
		}
	}
	return opts, operands
}

// word reads one word of options; used says how many of the next words are the
// value of its last one.
func (g *getopt) word(a string, next []string) (opts []option, used int) {
	if strings.HasPrefix(a, "--") {
		o, used := g.long(a[2:], next)
		o.word = a
		return []option{o}, used
	}
	for j := 1; j < len(a); j++ {
		o := option{a[j : j+1], a[j+1:], a}
		switch {
		case mark.Has(o.name):
			return append(opts, option{word: a}), 0
		case strings.Contains(g.attached, o.name):
			return append(opts, o), 0
		case strings.Contains(g.valued, o.name):
			if o.value == "" && len(next) > 0 {
				o.value, used = next[0], 1
			}
			return append(opts, o), used
		case g.apart && len(a) > 2:
			return []option{{name: a, word: a}}, 0
		}
		opts = append(opts, option{name: o.name, word: a})
	}
	return opts, 0
}

// long reads a long option. A name cut short that fits several counts as the
// first of them: the program itself would refuse it.
func (g *getopt) long(a string, next []string) (o option, used int) {
	name, value, has := cutAt(a, "=")
	if name == "" || mark.Has(name) {
		return option{}, 0
	}
	o, kind := option{name: name, value: value}, byte(0)
	for _, l := range strings.Fields(g.longs) {
		full := strings.TrimRight(l, "=?")
		if full != name && (kind != 0 || !strings.HasPrefix(full, name)) {
			continue
		}
		o.name, kind = full, l[len(l)-1]
		if full == name {
			break
		}
	}
	if kind == 0 {
		o.name = "--" + name // never a letter's name
	}
	if kind == '=' && !has && len(next) > 0 {
		o.value, used = next[0], 1
	}
	return o, used
}
