package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about settings of a shell after which later words of a line mean something else
// (bash(1), SHELL BUILTIN COMMANDS, set and trap).

// otherMeaning notes what the option at a place of the words of set changes: with noclobber a file
// that is there stays as it is, with keyword NAME=VALUE is a variable wherever it stands, and in a
// restricted shell commands fail that would have run.
func (m *machine) otherMeaning(args []string, i int) {
	a, long := args[i], i > 0 && namesOption(args[i-1])
	switch {
	case mark.Has(a) && (long || a[0] == '-'):
		m.opaque(effect.OpComputed, "set with an option that is not known")
	case isFlag(a, "C"), long && a == "noclobber":
		m.keeping = true
	case isFlag(a, "k"), long && a == "keyword":
		m.opaque(effect.OpComputed, "set -k: words of later commands are variables")
	case isFlag(a, "r"), long && a == "restricted":
		m.opaque(effect.OpComputed, "set -r: later commands may fail")
	}
}

// keepsFile asks where a redirection keeps a file that is there: what the line makes of it then is
// not what it wrote.
func (m *machine) keepsFile(r *syntax.Redirect, word string) {
	if !m.keeping || r.Op != syntax.RdrOut && r.Op != syntax.RdrAll {
		return
	}
	full := m.p.Resolve(m.cwd, word)
	if z, _, _ := m.p.Where(full); z == effect.ZoneStream {
		return
	}
	if _, wrote := m.written(full); m.p.There == nil || m.p.There(full) || wrote && slices.ContainsFunc(m.files, func(f file) bool { return f.path == full && f.known }) {
		m.opaque(effect.OpComputed, "a file that is kept if it is there: "+show(full))
	}
}

// trapBetween asks about a trap that may run between two commands of the line and that changes what the
// later one means. What runs at the end, or when somebody breaks the line off, changes nothing of it.
func (m *machine) trapBetween(text string, signals []string) {
	ends := func(s string) bool {
		return isAmong([]string{"EXIT", "0", "INT", "TERM", "HUP", "QUIT"}, trimPrefix(s, "SIG"))
	}
	if !slices.ContainsFunc(signals, func(s string) bool { return !ends(s) }) {
		return
	}
	l := Parse(text)
	if l == nil || l.file == nil {
		return
	}
	changes := false
	syntax.Walk(l.file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DeclClause, *syntax.FuncDecl, *syntax.LetClause:
			changes = true
		case *syntax.CallExpr:
			changes = changes || len(n.Args) == 0 || isAmong(changers, n.Args[0].Lit()) || n.Args[0].Lit() == "printf" && len(n.Args) > 1 && strings.HasPrefix(n.Args[1].Lit(), "-")
		}
		return !changes
	})
	if changes {
		m.opaque(effect.OpComputed, "a trap that changes what later commands mean: "+text)
	}
}

// changers are commands of a shell after which others mean something else; what is computed is any.
var changers = []string{"", ".", "alias", "builtin", "cd", "command", "enable", "eval", "exec", "getopts", "hash", "mapfile", "popd", "pushd", "read", "readarray", "set", "shopt", "source", "trap", "unalias", "unset"}
