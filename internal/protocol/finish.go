package protocol

import "github.com/gbt-policy/gbt/traverse"

type reportRequest struct {
	ID     string `json:"id"`
	Passed *bool  `json:"passed"`
	// Untouched says that the check ran before anything was done.
	Untouched bool   `json:"untouched"`
	Exit      *int   `json:"exit_code"`
	Digest    string `json:"digest"`
	Head      string `json:"head"`
}

// report notes that the host ran a completion check.
func (t *turn) report(body []byte) (any, *Fault) {
	var in reportRequest
	if f := Decode(body, &in); f != nil {
		return nil, f
	}
	switch {
	case in.ID == "":
		return nil, Invalid("field id: missing")
	case in.Passed == nil:
		return nil, Invalid("field passed: missing")
	}
	told, op := t.session.Report, "report"
	if in.Untouched {
		told, op = t.session.Untouched, "untouched"
	}
	if !told(in.ID, *in.Passed, &traverse.Evidence{Exit: in.Exit, Digest: in.Digest, Head: in.Head}) {
		return nil, Conflict("check-unknown", "the task has no check %.80s, or calls ran before it was tried on what is untouched", in.ID)
	}
	t.note(Note{Reported: &ReportedNote{in.ID, *in.Passed}})
	return &Observed{t.session.Status()}, t.e.record.add(traceEntry{Op: op, OK: in.Passed, Reason: in.ID})
}

type finishRequest struct{}

// finish answers a claim to be done.
func (t *turn) finish(body []byte) (any, *Fault) {
	var in finishRequest
	if len(body) > 0 {
		if f := Decode(body, &in); f != nil {
			return nil, f
		}
	}
	out := t.session.Finish()
	isDone := out.Done()
	t.note(Note{Claimed: &out})
	t.s.opt.Tell(t.ctx, Claimed{&out})
	return &out, t.e.record.add(traceEntry{Op: "finish", OK: &isDone, Reason: out.Reason})
}
