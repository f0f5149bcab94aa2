package logs

import (
	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// editDelta is the change that an edit observation shows. prev_exist is false
// in many logs whatever is true, so a file counts as new only if there was no
// old content either.
func editDelta(s *corpora.Step, extras *fastjson.Value) {
	diff := extras.GetStringBytes("diff")
	if len(diff) == 0 && !isSet(extras, "new_content") {
		return
	}
	kind := corpora.DeltaFileModify
	if !extras.GetBool("prev_exist") && len(extras.GetStringBytes("old_content")) == 0 {
		kind = corpora.DeltaFileCreate
	}
	s.Deltas = []corpora.Delta{{Kind: kind, Resource: str(extras, "path"), Size: changedLines(diff), Observed: true}}
}

// changedLines counts the added and removed lines of a unified diff.
func changedLines(diff []byte) int {
	n, start := 0, true
	for i, c := range diff {
		if start && (c == '+' || c == '-') && !isDiffHeader(diff[i:]) {
			n++
		}
		start = c == '\n'
	}
	return n
}

func isDiffHeader(line []byte) bool {
	return len(line) > 3 && (string(line[:4]) == "+++ " || string(line[:4]) == "--- ")
}
