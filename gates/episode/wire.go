package episode

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/orders"
	"github.com/gbt-policy/gbt/gates/scope"
)

// version is that of the encoding. Numbers are never reused. A memory of version 1 has
// no consent that is remembered: whoever wrote it asked each time. One of version 2 is
// refused by programs that know version 1 alone.
const (
	version = 2
	oldest  = 1
)

// ErrMemory is wrapped by the errors of UnmarshalBinary: the bytes are no memory
// that this version reads.
var ErrMemory = errors.New("not a memory of a run")

// wire is the head of a stored memory: one line of JSON, after which the texts
// follow as package origin encodes them. Fields stand in this order, lists in
// theirs: equal memories give equal bytes. Texts are escaped, because JSON cannot
// hold a path that is no Unicode ($'a\xff' in a command line).
type wire struct {
	Version  int            `json:"version"`
	Heard    bool           `json:"heard,omitempty"`
	History  []gates.Record `json:"history,omitempty"`
	Flow     gates.Flow     `json:"flow"`
	Waiting  []Waiting      `json:"waiting,omitempty"`
	Reported bool           `json:"reported,omitempty"`
	Consent  consent        `json:"consent"`
	Done     []done         `json:"done,omitempty"`
	Facts    []Fact         `json:"facts,omitempty"`
	Agreed   []string       `json:"agreed,omitempty"`
	Broke    int            `json:"broke,omitempty"`
	Orders   []orders.Order `json:"orders,omitempty"`
	From     scope.From     `json:"from,omitzero"`
	Said     []string       `json:"said,omitempty"`
	Forced   bool           `json:"forced,omitempty"`
	Tracks   bool           `json:"tracks,omitempty"`
	Places   []string       `json:"places,omitempty"`
}

// MarshalBinary encodes the memory. Limit, Unsourced, Forgetful, Observes and Opens are settings of the host
// and are not stored.
func (m *Memory) MarshalBinary() ([]byte, error) { return m.marshal(version) }

func (m *Memory) marshal(version int) ([]byte, error) {
	w := wire{version, m.heard, m.history, m.flow, m.waiting, m.reported, m.consent, m.done, m.facts, m.agreed, m.broke, m.orders, m.from, m.said, m.forced, m.tracks, m.places}
	w.texts(escape)
	out, err := json.Marshal(&w)
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	out = append(out, '\n')
	if !m.heard {
		return out, nil
	}
	index, err := m.index.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	return append(out, index...), nil
}

// UnmarshalBinary decodes what MarshalBinary encoded, and refuses all else.
func (m *Memory) UnmarshalBinary(data []byte) error {
	head, index, ok := bytes.Cut(data, []byte("\n"))
	var w wire
	if err := json.Unmarshal(head, &w); err != nil || !ok {
		return fmt.Errorf("%w: its head cannot be read", ErrMemory)
	}
	switch {
	case w.Version < oldest || w.Version > version:
		return fmt.Errorf("%w: version %d, this program reads %d to %d", ErrMemory, w.Version, oldest, version)
	case w.Version == 1 && w.remembers():
		return fmt.Errorf("%w: version 1 has no remembered consent", ErrMemory)
	case w.Heard != (len(index) > 0):
		return fmt.Errorf("%w: the texts that it has seen are missing", ErrMemory)
	case w.Broke < 0 || w.Broke > gates.MaxRepairs+1 || w.Version == 1 && w.Broke > 0:
		return fmt.Errorf("%w: a count is none", ErrMemory)
	case len(w.History) > gates.HistoryLimit || len(w.Waiting) > maxWaiting || len(w.Consent.Asked) > maxAsked || len(w.Consent.Approved) > maxApproved || len(w.Agreed) > maxAgreed || len(w.Done) > maxDone || len(w.Orders) > maxOrders || len(w.Said) > maxSaid || len(w.Places) > maxPlaces || !factsFit(w.Facts):
		return fmt.Errorf("%w: a list is too long", ErrMemory)
	}
	w.texts(unescape)
	out := Memory{
		Limit: m.Limit, Unsourced: m.Unsourced, Forgetful: m.Forgetful, Observes: m.Observes, Opens: m.Opens, heard: w.Heard, history: w.History, flow: w.Flow,
		waiting: w.Waiting, reported: w.Reported, consent: w.Consent, done: w.Done, facts: w.Facts, agreed: w.Agreed, broke: w.Broke, orders: w.Orders,
		from: w.From, said: w.Said, forced: w.Forced, tracks: w.Tracks, places: w.Places,
	}
	if w.Heard {
		if err := out.index.UnmarshalBinary(index); err != nil {
			return fmt.Errorf("%w: %w", ErrMemory, err)
		}
	}
	if again, err := out.marshal(w.Version); err != nil || !bytes.Equal(again, data) {
		return fmt.Errorf("%w: it does not encode back to the same bytes", ErrMemory)
	}
	*m = out
	return nil
}

// remembers says whether there is anything that version 1 does not know.
func (w *wire) remembers() bool {
	return w.Forced || w.Tracks || w.From != (scope.From{}) || len(w.Agreed)+len(w.Done)+len(w.Facts)+len(w.Orders)+len(w.Said)+len(w.Places) > 0 || slices.ContainsFunc(w.Waiting, func(x Waiting) bool { return len(x.Scope)+len(x.Orders) > 0 || x.Changes }) ||
		slices.ContainsFunc(w.Consent.Asked, func(x question) bool { return len(x.Scope) > 0 })
}

// texts replaces every text, in lists of its own.
func (w *wire) texts(by func(string) string) {
	w.History, w.Flow = recordsWith(w.History, by), flowWith(w.Flow, by)
	w.Waiting = slices.Clone(w.Waiting)
	for i := range w.Waiting {
		x := &w.Waiting[i]
		x.Key, x.Agent, x.Records, x.Flow, x.Scope = by(x.Key), by(x.Agent), recordsWith(x.Records, by), flowWith(x.Flow, by), textsWith(x.Scope, by)
		x.Settles = flowWith(x.Settles, by)
	}
	w.From = scope.From{Sends: by(w.From.Sends), Branch: by(w.From.Branch), Base: by(w.From.Base)}
	w.Said = textsWith(w.Said, by)
	w.Places = textsWith(w.Places, by)
	w.Agreed, w.Consent.Approved = textsWith(w.Agreed, by), textsWith(w.Consent.Approved, by)
	w.Done = slices.Clone(w.Done)
	for i := range w.Done {
		w.Done[i].Line = by(w.Done[i].Line)
	}
	w.Facts = slices.Clone(w.Facts)
	for i := range w.Facts {
		w.Facts[i].Act = by(w.Facts[i].Act)
	}
	w.Consent.Asked = slices.Clone(w.Consent.Asked)
	for i := range w.Consent.Asked {
		x := &w.Consent.Asked[i]
		x.Token, x.Call, x.Scope = by(x.Token), by(x.Call), textsWith(x.Scope, by)
	}
}

func recordsWith(list []gates.Record, by func(string) string) []gates.Record {
	list = slices.Clone(list)
	for i := range list {
		list[i].Resource = by(list[i].Resource)
	}
	return list
}

func flowWith(f gates.Flow, by func(string) string) gates.Flow {
	f.Derived, f.Unvetted = textsWith(f.Derived, by), textsWith(f.Unvetted, by)
	f.Turned = textsWith(f.Turned, by)
	f.Own, f.Made, f.Page = textsWith(f.Own, by), slices.Clone(f.Made), by(f.Page)
	for i := range f.Made {
		f.Made[i].Path, f.Made[i].Text = by(f.Made[i].Path), by(f.Made[i].Text)
	}
	return f
}

func textsWith(list []string, by func(string) string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = by(list[i])
	}
	return list
}
