package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// This file says which parts of a line may not do what stands in them.

// partial says whether a statement may leave out some of what it holds, or begin none of it: a part
// of it runs by itself, or a redirection before it may fail.
func (ownConstants) partial(s *syntax.Stmt) bool {
	_, sub := s.Cmd.(*syntax.Subshell)
	files := 0
	for _, r := range s.Redirs {
		if r.Hdoc == nil && r.Op != syntax.WordHdoc && r.Op != syntax.DplOut && r.Op != syntax.DplIn && r.Word.Lit() != "/dev/null" {
			files++
		}
	}
	return s.Background || s.Coprocess || s.Disown || sub || s.Cmd != nil && (guarded(s.Cmd) || files > 0 && !simple(s.Cmd) || files > 1)
}

// keepsOthers says whether the words of cp, mv or ln leave a file as it is that lies under the name
// already: with -n, -u and -i some or all, and ln where -f is not given (their manuals).
func (ownConstants) keepsOthers(m *machine, name string) bool {
	keeps := name == "ln"
	for _, a := range m.argv {
		w := strings.TrimLeft(a, "-")
		if len(a)-len(w) > 1 {
			w = w[:min(1, len(w))]
		}
		switch {
		case len(w) == len(a):
		case strings.ContainsAny(w, "nui"):
			return true
		case firstByte(w, 'f') >= 0:
			keeps = false
		}
	}
	return keeps
}
