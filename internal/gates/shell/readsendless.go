package shell

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// readsEndless records a run that reads a stream without an end into memory.
func (r *toolRun) readsEndless(in data) {
	if !r.t.has(traitHoldsInput) {
		return
	}
	endless := in.endless && (len(r.operands) == 0 || r.role(0) != roleReads)
	for _, w := range r.operands {
		endless = endless || endlessFile(w)
	}
	if endless {
		r.m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpSystem, Resource: r.t.name + " fills the memory from a stream without an end"})
	}
}

// passing marks the output of a program that writes for each line it reads, from its
// input or a file without an end, unless a word of it ends the program.
func (m *machine) passing(out data, args []string, in data, end string) data {
	endless := in.endless
	for _, a := range args {
		endless = endless || endlessFile(a)
		if strings.Contains(a, end) {
			return out
		}
	}
	out.endless = out.endless || endless
	return out
}

// stateSecrets records that terraform prints values that its configuration calls
// sensitive: in JSON, raw, or of an output by its name (terraform output and
// terraform show, usage). An output whose name is not that of a secret is a value
// like any other.
func (r *toolRun) stateSecrets(args []string) {
	if !r.t.has(traitShowsState) {
		return
	}
	_, sub, _ := cutAt(r.t.name, " ")
	shows := false
	for _, a := range args {
		switch flag := trimPrefix(a, "-"); {
		case flag == "json" || flag == "-json" || flag == "json=true":
			shows = shows || len(r.operands) == 0 || sub == "show"
		case a != "" && a[0] != '-' && sub == "output":
			shows = shows || mark.Has(a) || names.SecretVariable(strings.ToUpper(strings.ReplaceAll(a, "-", "_")))
		}
	}
	if shows {
		n := len(r.m.effects)
		r.m.record(effect.Effect{Kind: effect.Read, Op: effect.OpRead, Zone: effect.ZoneWorkspace, Sensitive: true, Resource: show(r.t.name + " " + strings.Join(args, " "))})
		if len(r.m.effects) > n {
			r.dump = n + 1
		}
	}
}

// movesAll records that mv takes everything in the workspace out of it: what is
// left is what a deletion leaves.
func (m *machine) movesAll(src, target string) {
	if !m.everything(src) {
		return
	}
	to := m.p.Resolve(m.cwd, target)
	if z, _, _ := m.p.Where(to); z != effect.ZoneWorkspace {
		m.remove(src, effect.OpRemoveTree)
	}
}

// everything says whether a word names all that a root of the workspace holds.
func (m *machine) everything(word string) bool {
	full := m.p.Resolve(m.cwd, word)
	if m.isRoot(full) {
		return true
	}
	i := lastSlash(full)
	return i > 0 && full[i+1:] == string(rune(mark.Star)) && m.isRoot(full[:i])
}
