package corpora

import (
	"strconv"
	"strings"
)

// Requests cuts a session at every message of its user that calls follow: each
// request is an episode of its own, with the message as its task and the calls up
// to the next message. What the agent said between its last call and that message
// is the request's final word. A message that no call follows belongs to the next
// one, because there is nothing to learn from it alone.
//
// The requests of one session share its task id, since they are no independent
// tasks: whatever is held out is held out by whole sessions. They share the
// steps' memory with ep. What judges the whole session (outcome, safety and the
// verdicts on no step) is left behind.
func Requests(ep *Episode) []Episode {
	var out []Episode
	from := 0
	for i := 1; i <= len(ep.Steps); i++ {
		if i == len(ep.Steps) || ep.Steps[i].Heard != "" {
			out = append(out, request(ep, len(out), from, i))
			from = i
		}
	}
	return out
}

// request is steps from to to of a session, as its n-th request.
func request(ep *Episode, n, from, to int) Episode {
	out := *ep
	out.ID = ep.ID + "#" + strconv.Itoa(n+1)
	out.TaskID = ep.ID
	out.Outcome, out.Safety, out.Verdicts = OutcomeUnknown, SafetyUnknown, nil
	out.TokensIn, out.TokensOut, out.Chars = 0, 0, 0
	out.Steps = append([]Step(nil), ep.Steps[from:to]...)
	first := &out.Steps[0]
	if first.Heard != "" {
		out.Task = strings.TrimSpace(strings.TrimPrefix(ep.Task+"\n\n"+first.Heard, "\n\n"))
		if from > 0 {
			out.Task = first.Heard
		}
		first.Text, first.Heard, first.Before = strings.TrimSpace(first.Text[first.said():]), "", 0
	}
	if to < len(ep.Steps) {
		next := &ep.Steps[to]
		out.Final = strings.TrimSpace(next.Text[:next.said()])
	}
	if first.Line > 0 {
		out.Origin.Line = first.Line
	}
	for _, v := range ep.Verdicts {
		if v.Step >= from && v.Step < to {
			v.Step -= from
			out.Verdicts = append(out.Verdicts, v)
		}
	}
	for i := range out.Steps {
		out.TokensIn += out.Steps[i].TokensIn
		out.TokensOut += out.Steps[i].TokensOut
	}
	return out
}

// said is Before, within the text: a file of episodes may hold any number.
func (s *Step) said() int { return max(0, min(s.Before, len(s.Text))) }

// Declined says whether the user was asked about the call and said no. It did not
// run, so it shows nothing of harm; it shows what somebody wants to be asked about.
func (s *Step) Declined() bool { return s.Status == StatusBlocked && s.BlockedBy == "user" }
