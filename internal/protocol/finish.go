package protocol

type reportRequest struct {
	ID     string `json:"id"`
	Passed *bool  `json:"passed"`
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
	case !t.session.Report(in.ID, *in.Passed):
		return nil, Conflict("check-unknown", "the task has no check %.80s", in.ID)
	}
	return &Observed{t.session.Status()}, t.e.record.add(traceEntry{Op: "report", OK: in.Passed, Reason: in.ID})
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
	t.s.opt.Tell(t.ctx, Claimed{&out})
	return &out, t.e.record.add(traceEntry{Op: "finish", OK: &out.Done, Reason: out.Reason})
}
