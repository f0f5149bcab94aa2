package protocol

import (
	"github.com/gbt-policy/gbt/traverse"
)

type confirmRequest struct {
	Confirmation string `json:"confirmation"`
	Agreed       *bool  `json:"agreed"`
	ForSession   bool   `json:"for_session"`
}

// Confirmed is the answer to confirm.
type Confirmed struct {
	Agreed bool            `json:"agreed"`
	Status traverse.Status `json:"status"`
}

// confirm takes in what the user said about a call that asks.
func (t *turn) confirm(body []byte) (any, *Fault) {
	var in confirmRequest
	if f := Decode(body, &in); f != nil {
		return nil, f
	}
	switch {
	case in.Confirmation == "":
		return nil, Invalid("field confirmation: missing")
	case in.Agreed == nil:
		return nil, Invalid("field agreed: missing")
	case in.ForSession && !*in.Agreed:
		return nil, Invalid("field for_session: a no is for the one call")
	case in.ForSession && t.session.ConfirmSession(in.Confirmation):
	case in.ForSession:
		return nil, Conflict("not-offered", "this confirmation offers nothing for the session, or no longer does, or it is used up; check the call again")
	case *in.Agreed && !t.session.Confirm(in.Confirmation):
		return nil, Conflict("confirmation-unknown", "this confirmation was not asked for, or it is used up; check the call again")
	case !*in.Agreed:
		t.session.Refuse(in.Confirmation)
	}
	t.note(Note{Answered: &AnsweredNote{in.Confirmation, *in.Agreed, in.ForSession}})
	return &Confirmed{*in.Agreed, t.session.Status()}, t.e.record.add(traceEntry{Op: "confirm", OK: in.Agreed})
}
