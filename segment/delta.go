package segment

import (
	"strings"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/action"
)

// Deltas returns the changes a step made: those the log shows, else the one
// its action implies, marked as inferred. A call that failed implies none.
func Deltas(s *corpora.Step) []corpora.Delta {
	if len(s.Deltas) > 0 || s.Status == corpora.StatusBlocked || s.Error != "" {
		return s.Deltas
	}
	a := action.Of(s.Tool, s.Args)
	kind := inferred(s.Tool, a)
	if kind == corpora.DeltaNone {
		return nil
	}
	d := corpora.Delta{Kind: kind, Resource: action.Resource(s.Args)}
	if kind == corpora.DeltaFileModify || kind == corpora.DeltaFileCreate {
		d.Size = strings.Count(s.Args, `\n`)
	}
	return []corpora.Delta{d}
}

// inferred maps an action to the change it makes where the log shows none.
func inferred(tool string, a action.Action) corpora.DeltaKind {
	file := gates.Classify(tool).Family == gates.FamilyFile || gates.Classify(tool).Family == gates.FamilyShell
	switch a.Delta {
	case action.DeltaNone:
		return corpora.DeltaNone
	case action.DeltaWrite:
		if file {
			return corpora.DeltaFileModify
		}
		return corpora.DeltaRecord
	case action.DeltaDelete:
		if file {
			return corpora.DeltaFileDelete
		}
		return corpora.DeltaRecord
	case action.DeltaRun:
		if a.Key == "test" {
			return corpora.DeltaTest
		}
		return corpora.DeltaSpawn
	case action.DeltaSend:
		return corpora.DeltaSend
	case action.DeltaNavigate:
		return corpora.DeltaNavigate
	case action.DeltaUnknown:
		return corpora.DeltaNone
	}
	return corpora.DeltaNone
}
