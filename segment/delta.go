package segment

import (
	"strings"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Deltas returns the changes a step made: those the log shows, else the one
// its action implies, marked as inferred. A call that failed implies none.
func Deltas(s *corpora.Step) []corpora.Delta {
	if len(s.Deltas) > 0 || s.Status == corpora.StatusBlocked || s.Error != "" {
		return s.Deltas
	}
	a := call.ActionOf(s.Tool, s.Args)
	kind := inferred(s.Tool, a)
	if kind == corpora.DeltaNone {
		return nil
	}
	d := corpora.Delta{Kind: kind, Resource: call.Resource(s.Args)}
	if kind == corpora.DeltaFileModify || kind == corpora.DeltaFileCreate {
		d.Size = strings.Count(s.Args, `\n`)
	}
	return []corpora.Delta{d}
}

// inferred maps an action to the change it makes where the log shows none.
func inferred(tool string, a call.Action) corpora.DeltaKind {
	file := call.Classify(tool).Family == call.FamilyFile || call.Classify(tool).Family == call.FamilyShell
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
