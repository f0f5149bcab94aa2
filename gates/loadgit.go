package gates

import (
	"path"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file follows what git starts by the settings of its repository: converters, filters, drivers,
// monitors, and hooks where it changes something (git-config(1), gitattributes(5), githooks(5)).

// gitStarts adds what a run of git starts.
func (f *follower) gitStarts(r *effect.Run) {
	sub, args := shell.GitSubcommand(r.Words)
	if sub == "" || sub == "config" || len(f.bad) == 0 {
		return
	}
	for dir := f.c.dirOf(r); f.c.inWorkspace(dir); dir = path.Dir(dir) {
		text, ok := f.text(path.Join(dir, ".git/config"))
		if !ok {
			if dir == "/" {
				return
			}
			continue
		}
		starts, hooks := shell.GitStarts(text)
		for _, line := range starts {
			f.command(line, dir)
		}
		if shell.ReadsOnly(sub, args) {
			return
		}
		if hooks == "" {
			hooks = ".git/hooks"
		}
		at := f.c.places.Resolve(dir, hooks)
		if path.Base(at) == "_" { // husky's start those beside them
			at = path.Dir(at)
		}
		for u := range f.bad {
			if mark.Under(u, at) {
				f.file(u)
			}
		}
		return
	}
}
