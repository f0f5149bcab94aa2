package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// fact is one thing that must hold for a rule to apply.
type fact struct {
	not   bool
	name  string // as gates.Context.Fact is asked for it
	value string
}

// FactsHelp lists the facts that rules may ask for.
const FactsHelp = `branch = NAME, remote = NAME, tree clean, tests passed, ran "COMMAND"`

// parseFacts reads facts that are joined by and.
func parseFacts(text string) ([]fact, error) {
	var out []fact
	for _, part := range splitAnd(text) {
		f, err := parseFact(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// splitAnd splits at the word and, outside quotes.
func splitAnd(text string) []string {
	var out []string
	quoted, from := false, 0
	for i := 0; i < len(text); i++ {
		if text[i] == '"' {
			quoted = !quoted
		}
		if !quoted && strings.HasPrefix(text[i:], " and ") {
			out, from = append(out, text[from:i]), i+len(" and ")
			i = from - 1
		}
	}
	return append(out, text[from:])
}

func parseFact(text string) (fact, error) {
	var f fact
	if rest, ok := strings.CutPrefix(text, "not "); ok {
		f.not, text = true, strings.TrimSpace(rest)
	}
	name, value, _ := strings.Cut(text, " ")
	value = strings.TrimSpace(value)
	switch name {
	case "branch", "remote":
		equal, is := strings.CutPrefix(value, "=")
		if differs, isnt := strings.CutPrefix(value, "!="); isnt {
			equal, is, f.not = differs, true, !f.not
		}
		if equal = strings.Trim(strings.TrimSpace(equal), `"`); !is || equal == "" || strings.ContainsAny(equal, " \t") {
			return f, fmt.Errorf("a rule says %s = NAME", name)
		}
		f.name, f.value = name, equal
		return f, nil
	case "tree":
		if value == "clean" {
			return fact{f.not, "tree", "clean"}, nil
		}
	case "tests":
		if value == "passed" {
			return fact{f.not, "tests", "passed"}, nil
		}
	case "ran":
		if line := strings.Trim(value, `"`); line != "" && len(line)+2 == len(value) {
			if err := oneCommand(line); err != nil {
				return f, err
			}
			return fact{f.not, "ran " + line, "yes"}, nil
		}
	}
	return f, errors.New("it asks for no fact that is known; there are " + FactsHelp)
}

// oneCommand refuses what a session never keeps as one command that ended well: more than
// one, or one whose line hides its end.
func oneCommand(line string) error {
	l := shell.Parse(line)
	if sure := l.Sure(); len(sure) == 1 && spaced(sure[0]) == spaced(line) && len(line) <= maxRan {
		return nil
	}
	if _, ok := l.Syntax(); !ok {
		return fmt.Errorf("ran %q: it is no command that can be read", line)
	}
	return fmt.Errorf("ran %q can never hold: it asks for one command, of at most %d bytes, without pipes, lists, redirections, negation, parentheses and &; for several write ran \"A\" and ran \"B\" (after deny and not: a rule for each)", line, maxRan)
}

// maxRan is the longest command that sessions keep, in bytes (gates/episode).
const maxRan = 300

// spaced is a line with one blank between its words.
func spaced(line string) string { return strings.Join(strings.Fields(line), " ") }

// holds says whether the facts of a rule hold. Where one is not known they do for what
// stops a call, and not for what lets it pass.
func (r *Rule) holds(c *gates.Context) bool {
	for _, f := range r.facts {
		value, known := c.Fact(f.name)
		if !known {
			if r.Verb == Allow {
				return false
			}
			continue
		}
		if !f.is(value) {
			return false
		}
	}
	return true
}

// is says whether a value that is known is the one that the fact asks for.
func (f *fact) is(value string) bool {
	same := value == f.value
	if f.name == "remote" {
		same = place(value) == place(f.value)
	}
	return same != f.not
}

// place is an address of a repository as questions show it, HOST/PATH, whatever way of
// writing it was taken.
func place(address string) string {
	for _, a := range [...]string{address, "https://" + address} {
		if r := effect.Remote(a); r != "" && (a == address || !strings.Contains(address, "://") && !strings.HasPrefix(address, "/") && !strings.HasPrefix(address, ".")) {
			return r
		}
	}
	return address
}
