package episode

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/scope"
)

// consent is what the user was asked about and agreed to (requirement V4): a
// confirmation is for exactly one call, by hash, and holds once.
type consent struct {
	Approved []string   `json:"approved"` // hashes of calls that may run and were not told to have run yet
	Asked    []question `json:"asked"`
	Offered  int64      `json:"offered"` // confirmations offered so far
}

// question is a confirmation that was offered.
type question struct {
	Token     string      `json:"token"`
	Call      string      `json:"call"`
	Confirmed bool        `json:"confirmed,omitempty"`
	Scope     scope.Scope `json:"scope,omitempty"` // what a yes for the session would be remembered for
}

// Bounds on what is kept of calls that were judged and did not run yet. The
// oldest are dropped: such a call is asked about again.
const (
	maxApproved = 64
	maxAsked    = 256
)

// Ask returns the token that confirms a call, which is named by its hash. mint
// makes a new one where the call is not asked about yet; n counts them.
func (m *Memory) Ask(call string, mint func(n int64) string) (token string) {
	q := &m.consent
	for i := range q.Asked {
		if q.Asked[i].Call == call {
			return q.Asked[i].Token
		}
	}
	q.Offered++
	token = mint(q.Offered)
	q.Asked = last(append(q.Asked, question{Token: token, Call: call}), maxAsked)
	return token
}

// Offer notes what a yes for the whole session to an open question is remembered for.
func (m *Memory) Offer(token string, s scope.Scope) {
	for i := range m.consent.Asked {
		if x := &m.consent.Asked[i]; x.Token == token && !m.Forgetful {
			x.Scope = slices.Clone(s)
		}
	}
}

// Offered is what a yes for the session to an open question would be remembered for now;
// nil where nothing is offered, or no longer is.
func (m *Memory) Offered(token string) scope.Scope {
	for i := range m.consent.Asked {
		if x := &m.consent.Asked[i]; x.Token == token && !m.Forgetful {
			return slices.Clone(x.Scope)
		}
	}
	return nil
}

// ConfirmSession is Confirm for the session: what the question offered is not asked
// about again. ok is also false where nothing was offered; then nothing is confirmed.
func (m *Memory) ConfirmSession(token string) (ok bool) {
	i := slices.IndexFunc(m.consent.Asked, func(x question) bool { return x.Token == token && !x.Confirmed && len(x.Scope) > 0 })
	if i < 0 || m.Forgetful {
		return false
	}
	s := m.consent.Asked[i].Scope
	m.Confirm(token)
	m.Agree(s)
	return true
}

// SettledSession is Settled for a yes that holds for the session: what the question
// about this very call offered is not asked about again. It is false, and nothing
// changes, where nothing was offered.
func (m *Memory) SettledSession(token, call string) bool {
	i := slices.IndexFunc(m.consent.Asked, func(x question) bool { return x.Token == token && x.Call == call })
	return i >= 0 && m.ConfirmSession(token) && m.Settled(token, call)
}

// Confirm records that the user agreed to the call that a token was given for. ok
// is false for a token that is unknown or used up.
func (m *Memory) Confirm(token string) (ok bool) {
	for i := range m.consent.Asked {
		if x := &m.consent.Asked[i]; x.Token == token && !x.Confirmed {
			x.Confirmed = true
			return true
		}
	}
	return false
}

// Refuse withdraws a confirmation that was asked for.
func (m *Memory) Refuse(token string) {
	m.consent.Asked = slices.DeleteFunc(m.consent.Asked, func(x question) bool { return x.Token == token })
}

// Revoke takes back all that was asked and agreed to: another policy asks its own
// questions. What was offered is never offered again.
func (m *Memory) Revoke() { m.consent.Asked, m.agreed, m.orders = nil, nil, nil }

// Spend uses up the confirmation of a call, and says whether there was one.
func (m *Memory) Spend(call string) bool { return m.SpendToken(call) != "" }

// SpendToken uses up the confirmation of a call and returns its token, or nothing
// where there was none.
func (m *Memory) SpendToken(call string) (token string) {
	m.spend(func(x question) bool {
		if x.Call != call || !x.Confirmed {
			return false
		}
		token = x.Token
		return true
	})
	return token
}

// Settled uses up a token that was given for this very call, confirmed or not,
// and says whether there was one.
func (m *Memory) Settled(token, call string) bool {
	return m.spend(func(x question) bool { return x.Call == call && x.Token == token })
}

func (m *Memory) spend(is func(question) bool) bool {
	i := slices.IndexFunc(m.consent.Asked, is)
	if i >= 0 {
		m.consent.Asked = slices.Delete(m.consent.Asked, i, i+1)
	}
	return i >= 0
}

// Approve lets a call run once, however often it was asked for before it ran.
func (m *Memory) Approve(call string) {
	m.Withdraw(call)
	m.consent.Approved = last(append(m.consent.Approved, call), maxApproved)
}

// Withdraw ends every approval of a call, and says whether there was one.
func (m *Memory) Withdraw(call string) bool {
	n := len(m.consent.Approved)
	m.consent.Approved = slices.DeleteFunc(m.consent.Approved, func(x string) bool { return x == call })
	return len(m.consent.Approved) < n
}

// last keeps the last n of a list.
func last[T any](list []T, n int) []T {
	if len(list) > n {
		list = slices.Clone(list[len(list)-n:])
	}
	return list
}
