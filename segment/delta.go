package segment

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Basis says how a change is known.
type Basis uint8

// The bases. A call that only reads has none: there is no change to know of.
const (
	BasisNone     Basis = iota
	BasisNominal        // what its action does by its name and arguments; the log shows nothing of it
	BasisObserved       // what the log shows: a result, an exit status, a difference of files
)

// Change is what one step changed (requirement X1).
type Change struct {
	Deltas []corpora.Delta // each marked observed or not
	Coarse effect.Delta
	Basis  Basis // of Coarse

	Sensitive bool // it changed nothing, but it read what holds secrets or private records (requirement C4)
}

// String returns the basis as gbt inspect prints it.
func (b Basis) String() string {
	return [...]string{"none", "nominal", "observed"}[min(b, BasisObserved)]
}

// ChangeOf returns what a step changed: what the log shows of it, and what its
// action does only where the log does not.
//
// A program may change more than it says. So what its output shows stands beside
// its action and never lowers it; the answer of a tool that did one thing takes
// the action's place, also where it says that nothing was done.
func ChangeOf(s *corpora.Step) Change { return changeOf(s, call.ActionOf(s.Tool, s.Args)) }

// Deltas returns the changes of ChangeOf.
func Deltas(s *corpora.Step) []corpora.Delta { return ChangeOf(s).Deltas }

func changeOf(s *corpora.Step, a call.Action) Change {
	if s.Status == corpora.StatusBlocked {
		return Change{Coarse: effect.DeltaNone, Basis: BasisObserved}
	}
	family := call.Classify(s.Tool).Family
	runs := family == call.FamilyShell || family == call.FamilyCode
	if logged := observedOf(s.Deltas); len(logged) > 0 {
		return weigh(s, a, logged, runs)
	}
	if a.Delta == effect.DeltaNone {
		return Change{Coarse: effect.DeltaNone, Sensitive: readsSecrets(s)}
	}
	if !runs && s.Error != "" {
		return Change{Coarse: effect.DeltaNone, Basis: BasisObserved}
	}
	seen, refused := shown(s, a, family)
	if refused {
		return Change{Coarse: effect.DeltaNone, Basis: BasisObserved}
	}
	return weigh(s, a, seen, runs)
}

// readsSecrets reports whether a step reads a sensitive place. A read that failed
// showed nothing.
func readsSecrets(s *corpora.Step) bool {
	if s.Error != "" {
		return false
	}
	places := effect.Places{Cwd: s.Cwd}.Normal()
	c := call.Read(call.Request{Tool: s.Tool, Args: []byte(s.Args)}, &places, nil)
	return slices.ContainsFunc(c.Effects, func(e effect.Effect) bool { return e.Kind == effect.Read && e.High() })
}

func observedOf(all []corpora.Delta) []corpora.Delta {
	return slices.DeleteFunc(slices.Clone(all), func(d corpora.Delta) bool { return !d.Observed })
}

// weigh sets what was seen against what the action does.
func weigh(s *corpora.Step, a call.Action, seen []corpora.Delta, runs bool) Change {
	if len(seen) == 0 {
		return Change{Deltas: inferred(s, a), Coarse: a.Delta, Basis: BasisNominal}
	}
	worst := effect.DeltaNone
	for _, d := range seen {
		if d.Kind == corpora.DeltaSpawn && a.Delta != effect.DeltaRun {
			continue // every command line starts a program: that says nothing of what it wrote
		}
		if x := coarse(d.Kind, a); x == a.Delta || x.Risk() > worst.Risk() && worst != a.Delta {
			worst = x
		}
	}
	if !runs || worst == a.Delta || worst.Risk() > a.Delta.Risk() {
		return Change{Deltas: seen, Coarse: worst, Basis: BasisObserved}
	}
	return Change{Deltas: append(seen, inferred(s, a)...), Coarse: a.Delta, Basis: BasisNominal}
}

// coarse is the coarse change of a kind. Records are written and deleted alike;
// which it was, only the action says.
func coarse(kind corpora.DeltaKind, a call.Action) effect.Delta {
	switch kind {
	case corpora.DeltaNone:
		return effect.DeltaNone
	case corpora.DeltaFileCreate, corpora.DeltaFileModify:
		return effect.DeltaWrite
	case corpora.DeltaFileDelete:
		return effect.DeltaDelete
	case corpora.DeltaRecord:
		if a.Delta == effect.DeltaDelete {
			return effect.DeltaDelete
		}
		return effect.DeltaWrite
	case corpora.DeltaSpawn, corpora.DeltaTest, corpora.DeltaInterpreter:
		return effect.DeltaRun
	case corpora.DeltaNavigate:
		return effect.DeltaNavigate
	case corpora.DeltaSubmit, corpora.DeltaSend:
		return effect.DeltaSend
	}
	return effect.DeltaUnknown
}

// inferred is the change that a step's action makes by itself. A call that
// failed implies none.
func inferred(s *corpora.Step, a call.Action) []corpora.Delta {
	kind := kindOf(s.Tool, a)
	if kind == corpora.DeltaNone || s.Error != "" {
		return nil
	}
	d := corpora.Delta{Kind: kind, Resource: call.Resource(s.Args)}
	if kind == corpora.DeltaFileModify {
		d.Size = linesOf(s.Args)
	}
	return []corpora.Delta{d}
}

// linesOf counts the lines that arguments hold.
func linesOf(args string) int { return strings.Count(args, `\n`) }

// kindOf maps an action to the kind of change that it makes.
func kindOf(tool string, a call.Action) corpora.DeltaKind {
	family := call.Classify(tool).Family
	file := family == call.FamilyFile || family == call.FamilyShell
	switch a.Delta {
	case effect.DeltaNone:
		return corpora.DeltaNone
	case effect.DeltaWrite:
		if file {
			return corpora.DeltaFileModify
		}
		return corpora.DeltaRecord
	case effect.DeltaDelete:
		if file {
			return corpora.DeltaFileDelete
		}
		return corpora.DeltaRecord
	case effect.DeltaRun:
		if a.Key == "test" {
			return corpora.DeltaTest
		}
		return corpora.DeltaSpawn
	case effect.DeltaSend:
		return corpora.DeltaSend
	case effect.DeltaNavigate:
		return corpora.DeltaNavigate
	case effect.DeltaUnknown:
		return corpora.DeltaNone
	}
	return corpora.DeltaNone
}
