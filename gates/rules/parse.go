package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/scope"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// Limits of a file. People write some tens of short lines.
const (
	maxFile = 256 << 10
	maxLine = 1000
	maxList = 1000
)

// Verb is what a rule does with the calls that it covers.
type Verb uint8

// The verbs, the strictest one first.
const (
	Deny Verb = iota
	Ask
	Allow
)

var verbNames = [...]string{"deny", "ask", "allow"}

// String is the verb as it is written.
func (v Verb) String() string { return verbNames[v] }

// Rule is one rule. Its zero value denies nothing, since it is about nothing.
type Rule struct {
	Verb Verb
	Text string // in one line, as it was written
	File string
	Line int

	kind  string   // of the effects that it names, "command", or "end" (ends.go)
	what  string   // what they are about
	line  string   // of a command, with varies for each star
	words []string // of its program, "/~" for the home
	facts []fact
}

// String says where the rule stands and how it reads.
func (r *Rule) String() string {
	if r.File == "" {
		return r.Text
	}
	return fmt.Sprintf("%s:%d: %s", r.File, r.Line, r.Text)
}

// What is what the rule is about: a kind of effect with a name, or "command" with its
// line.
func (r *Rule) What() (kind, what string) {
	if r.kind == "command" {
		return r.kind, strings.ReplaceAll(r.line, varies, "*")
	}
	return r.kind, r.what
}

// kinds are the words that name effects in place of a command.
var kinds = []string{"read", "write", "delete", "fetch", "send", "tool", "run"}

// File is a file of rules as far as it could be read.
type File struct {
	Name   string
	Rules  []Rule
	Faults []Fault
	// Untrusted says that nobody accepted what its allow rules say: they do not count.
	Untrusted bool
}

// Fault is a line that is no rule.
type Fault struct {
	Name string
	Line int
	Why  string
	Safe bool // it can only have been meant to allow something
}

// Error says where and what.
func (f *Fault) Error() string { return fmt.Sprintf("%s:%d: %s", f.Name, f.Line, f.Why) }

// Parse reads a file. What cannot be read is a fault, and costs the file's allow rules.
func Parse(name string, data []byte) *File {
	f := &File{Name: name}
	if len(data) > maxFile || !utf8.Valid(data) {
		f.Faults = append(f.Faults, Fault{Name: name, Line: 1, Why: "it is too long, or no UTF-8 text"})
		return f
	}
	n := 0
	for text := range strings.Lines(string(data)) {
		n++
		line := strings.TrimSpace(text)
		if line == "" || line[0] == '#' {
			continue
		}
		r, err := ParseRule(line)
		if err == nil && len(f.Rules) >= maxList {
			err = errors.New("there are too many rules")
		}
		if err != nil {
			first, _, _ := strings.Cut(line, " ")
			f.Faults = append(f.Faults, Fault{Name: name, Line: n, Why: err.Error(), Safe: first == "allow"})
			continue
		}
		r.File, r.Line = name, n
		f.Rules = append(f.Rules, *r)
	}
	return f
}

// ParseRule reads one rule.
func ParseRule(line string) (*Rule, error) {
	if len(line) > maxLine {
		return nil, errors.New("a rule is at most 1000 bytes")
	}
	if strings.IndexFunc(line, func(c rune) bool { return c < ' ' || c == 0x7f }) >= 0 {
		return nil, errors.New("a rule has no control characters")
	}
	verb, rest, _ := strings.Cut(line, " ")
	r := &Rule{Text: line}
	switch verb {
	case "allow":
		r.Verb = Allow
	case "ask":
		r.Verb = Ask
	case "deny":
		r.Verb = Deny
	default:
		return nil, fmt.Errorf("a rule begins with allow, ask or deny, not %.20q", verb)
	}
	if inner, ok := quotedWhole(strings.TrimSpace(rest)); ok {
		return nil, fmt.Errorf("the quotes around it are for a shell's command line, here they make one word of it: write %s %s", verb, inner)
	}
	what, when, has := strings.Cut(" "+strings.TrimSpace(rest)+" ", " when ")
	if has {
		var err error
		if r.facts, err = parseFacts(strings.TrimSpace(when)); err != nil {
			return nil, err
		}
	}
	return r, r.about(strings.TrimSpace(what))
}

// quotedWhole returns what stands between quotes around several words. The path of a
// program may have blanks and stand in quotes alone.
func quotedWhole(rest string) (inner string, ok bool) {
	if len(rest) < 3 || rest[0] != '\'' && rest[0] != '"' || rest[len(rest)-1] != rest[0] {
		return "", false
	}
	inner = rest[1 : len(rest)-1]
	return inner, strings.Contains(inner, " ") && !strings.ContainsAny(inner[:1], "/.~") && strings.IndexByte(inner, rest[0]) < 0
}

// about reads what a rule is about.
func (r *Rule) about(what string) error {
	if what == "" {
		return errors.New("it does not say what it is about: a command, or read, write, delete, fetch, send, tool or run with a name")
	}
	if what == endKind {
		r.kind = endKind
		return r.checkEnd()
	}
	kind, name, _ := strings.Cut(what, " ")
	name = strings.Trim(strings.TrimSpace(name), `"'`)
	for _, k := range kinds {
		if kind == k && name != "" && !strings.Contains(name, " ") {
			r.kind, r.what = k, name
			return r.checkKind()
		}
	}
	r.kind = "command"
	return r.command(what)
}

func (r *Rule) checkKind() error {
	switch {
	case r.kind == "tool" || r.kind == "run" || r.Verb != Allow:
		return nil
	case strings.Trim(r.what, "*/.~") == "":
		return fmt.Errorf("allow %s %s covers everything: name a directory or a host", r.kind, r.what)
	}
	return nil
}

// command reads the words of a command by the analyser of calls.
func (r *Rule) command(what string) error {
	r.line = strings.ReplaceAll(what, "*", varies)
	run, err := runOf(r.line)
	if err != nil {
		return err
	}
	r.words = run
	switch {
	case r.Verb != Allow:
	case strings.Contains(run[0], varies):
		return errors.New("an allow rule names its program")
	case scope.Overrides(&effect.Run{Words: run}) && slices.Contains(run, "push"):
		return errors.New("no rule lets a push take away what others have; agree to it when it is asked about")
	}
	return nil
}

// varies stands for a star while the words of a rule are read.
const varies = "zzvarieszz"

func isCall(c syntax.Command) bool {
	_, ok := c.(*syntax.CallExpr)
	return ok
}

// runOf returns the words of the one program that a line runs.
func runOf(what string) ([]string, error) {
	if strings.ContainsAny(what, "$`?[{") {
		return nil, errors.New("only a star stands for what varies, and there are no variables")
	}
	file, ok := shell.Parse(what).Syntax()
	if !ok {
		return nil, errors.New("it is no command that can be read")
	}
	if len(file.Stmts) != 1 || !isCall(file.Stmts[0].Cmd) || len(file.Stmts[0].Redirs) > 0 || file.Stmts[0].Background || file.Stmts[0].Negated {
		return nil, errors.New("a rule is about one command, without redirections")
	}
	places := effect.Places{Cwd: "/", Home: "/~", Roots: []string{effect.UnknownRoot}}.Normal()
	_, _, runs := shell.Parse(what).Analyze(&places)
	if len(runs) == 0 {
		return nil, errors.New("it runs no program")
	}
	run := runs[len(runs)-1]
	for i := range runs {
		if runs[i].Given {
			return nil, errors.New("a rule sets no variables")
		}
	}
	return run.Words, nil
}
