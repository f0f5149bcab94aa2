package call

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// maxCommand bounds the part of a command line that is looked at. Longer ones
// are here-documents and data; their head names the programs.
const maxCommand = 16 << 10

// shellAction returns the action of a command line: the one of its programs that
// ranks highest, with the riskiest change of all of them. A line that cannot be
// parsed is classified by its first word.
func shellAction(line *shell.Line) Action {
	if len(line.Text) > maxCommand {
		line = shell.Parse(line.Text[:maxCommand])
	}
	f, ok := line.Named()
	if !ok {
		return unparsed(line.Text)
	}
	w := walker{depth: 2}
	w.file(f)
	if !w.any {
		return actionNamed("noop")
	}
	return w.best
}

func unparsed(command string) Action {
	for _, field := range strings.Fields(command) {
		if a, ok := program(field, nil); ok {
			if a.Delta == effect.DeltaNone {
				a.Delta = effect.DeltaUnknown // what follows it was not read
			}
			return a
		}
	}
	return Action{Key: "shell", Delta: effect.DeltaUnknown}
}

// walker collects the actions of every program a command line names.
type walker struct {
	best  Action
	any   bool
	depth int // how deep code given to a shell is still followed
}

func (w *walker) add(a Action) {
	if !w.any || rankOf(a.Key) > rankOf(w.best.Key) {
		a.Delta = worse(a.Delta, w.best.Delta, w.any)
		w.best, w.any = a, true
		return
	}
	w.best.Delta = worse(w.best.Delta, a.Delta, true)
}

// worse returns the riskier of two changes; ties keep the first.
func worse(a, b effect.Delta, both bool) effect.Delta {
	if both && b.Risk() > a.Risk() {
		return b
	}
	return a
}

func (w *walker) file(f *syntax.File) {
	syntax.Walk(f, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Redirect:
			w.redirect(n)
		case *syntax.CallExpr:
			w.call(n)
		}
		return true
	})
}

// redirect counts output to a file as an edit; discarding output is none.
func (w *walker) redirect(r *syntax.Redirect) {
	switch r.Op {
	case syntax.RdrOut, syntax.AppOut, syntax.RdrAll, syntax.AppAll, syntax.RdrClob:
		if t := r.Word.Lit(); !strings.HasPrefix(t, "/dev/") && !strings.HasPrefix(t, "&") {
			w.add(actionNamed("edit"))
		}
	}
}

func (w *walker) call(c *syntax.CallExpr) {
	args := make([]string, len(c.Args))
	for i, a := range c.Args {
		args[i] = shell.Literal(a)
	}
	for len(args) > 0 && wrapper(args[0]) {
		args = unwrap(args[1:])
	}
	if len(args) == 0 {
		return
	}
	if code, ok := shellCode(args); ok && w.depth > 0 {
		if f, ok := shell.Parse(code).Named(); ok {
			w.depth--
			w.file(f)
			w.depth++
			return
		}
	}
	if a, ok := program(args[0], args[1:]); ok {
		w.add(a)
	}
}

// wrapper reports whether a program runs the command given as its arguments.
func wrapper(name string) bool {
	switch name {
	case "sudo", "doas", "env", "time", "nohup", "timeout", "xargs", "exec", "command", "nice", "setsid", "stdbuf", "builtin", "then", "do":
		return true
	}
	return false
}

// unwrap drops the wrapper's own options, assignments and durations.
func unwrap(args []string) []string {
	for len(args) > 1 && (strings.HasPrefix(args[0], "-") || strings.Contains(args[0], "=") || digits(args[0])) {
		args = args[1:]
	}
	return args
}

func digits(s string) bool {
	s = strings.TrimRight(s, "smhd")
	return s != "" && strings.Trim(s, "0123456789.") == ""
}

// shellCode returns the code of sh -c CODE and its relatives.
func shellCode(args []string) (string, bool) {
	switch base(args[0]) {
	case "sh", "bash", "zsh", "dash", "ksh":
	default:
		return "", false
	}
	for i := 1; i+1 < len(args); i++ {
		if a := args[i]; strings.HasPrefix(a, "-") && strings.HasSuffix(a, "c") {
			return args[i+1], args[i+1] != ""
		}
	}
	return "", false
}

func base(path string) string {
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		return path[i+1:]
	}
	return path
}
