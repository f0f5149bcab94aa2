package approval

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/gates/library"
)

// bookFormat is the only form of the file of proposals. It comes first, so that
// whoever reads logs knows the file for what it is.
const bookFormat = "gbt proposals 1"

// Book is a file of proposals.
type Book struct {
	Format    string     `json:"format"`
	Policy    string     `json:"policy"` // digest of the policy that they are for
	Proposals []Proposal `json:"proposals"`
}

// Proposal is a gate that is not enforced. Its id is the one that the gate will
// have if it is accepted as it stands.
type Proposal struct {
	ID          string   `json:"id"`
	Scope       string   `json:"scope"`
	Macros      []string `json:"macros,omitempty"` // where a local gate is asked
	Disposition string   `json:"disposition"`
	Expr        string   `json:"expr"`
	Message     string   `json:"message"`
	By          string   `json:"by"`
	Why         string   `json:"why"` // it is not enforced
	Unsafe      int      `json:"unsafe"`
	Tasks       int      `json:"tasks"`

	// On tasks left out in turn; zeros where nobody measured it.
	HarmStopped int `json:"left_out_harm_stopped"`
	Harm        int `json:"left_out_harm"`
	GoodTouched int `json:"left_out_tasks_touched"`
	Good        int `json:"left_out_tasks"`
}

// FromReview makes proposals of what learning keeps for review, sorted by id. What
// does not compile is none, and neither is what names too rare a text: both have
// no program.
func FromReview(list []learn.Gate) []Proposal {
	var out []Proposal
	for i := range list {
		if len(list[i].Program) > 0 {
			out = append(out, proposalOf(&list[i]))
		}
	}
	slices.SortStableFunc(out, func(a, b Proposal) int { return cmp.Compare(a.ID, b.ID) })
	return joined(out)
}

func proposalOf(g *learn.Gate) Proposal {
	p := Proposal{
		Scope: g.Scope, Macros: g.Macros, Disposition: artifacts.DispositionConsent, Expr: g.Expr, Message: g.Message, By: g.By, Why: g.Why,
		Unsafe: g.Unsafe, Tasks: g.Tasks, HarmStopped: g.Left.Harm.N, Harm: g.Left.Harm.Of, GoodTouched: g.Left.Good.N, Good: g.Left.Good.Of,
	}
	if len(p.Macros) == 0 && g.Macro != "" {
		p.Macros = []string{g.Macro}
	}
	if name, _, _ := strings.Cut(g.Library, "@"); name != "" {
		if lib, ok := library.Find(name); ok {
			p.Disposition = lib.Disposition
		}
	}
	p.ID = artifacts.GateID(p.Scope, p.Disposition, p.Expr)
	return p
}

// joined makes one proposal of those that say the same at several macros; the
// first keeps its figures.
func joined(list []Proposal) []Proposal {
	out := []Proposal{}
	for _, p := range list {
		if n := len(out); n > 0 && out[n-1].ID == p.ID {
			out[n-1].Macros = append(slices.Clone(out[n-1].Macros), p.Macros...)
			slices.Sort(out[n-1].Macros)
			out[n-1].Macros = slices.Compact(out[n-1].Macros)
			continue
		}
		out = append(out, p)
	}
	return out
}

// Gate is the gate that a proposal becomes.
func (p *Proposal) Gate() (artifacts.Gate, error) {
	canonical, program, err := lang.Compile(p.Expr)
	if err != nil {
		return artifacts.Gate{}, err
	}
	g := artifacts.Gate{
		Scope: p.Scope, Disposition: p.Disposition, Expr: canonical, Message: p.Message, Program: program,
		Evidence: artifacts.Evidence{Unsafe: uint32(p.Unsafe), Benign: uint32(p.Good), Rejected: uint32(p.GoodTouched)},
	}
	g.ID = artifacts.GateID(g.Scope, g.Disposition, g.Expr)
	return g, nil
}

// Encode is the file of a book; the same proposals give the same bytes.
func (b *Book) Encode() ([]byte, error) {
	b.Format = bookFormat
	if b.Proposals == nil {
		b.Proposals = []Proposal{}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(b)
	return out.Bytes(), err
}

// ReadBook reads a file of proposals. It refuses unknown keys and versions, and a
// proposal whose id is not that of what it says.
func ReadBook(data []byte) (*Book, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	b := &Book{}
	if err := dec.Decode(b); err != nil {
		return nil, fmt.Errorf("no file of proposals: %w", err)
	}
	if dec.More() {
		return nil, errors.New("no file of proposals: something follows the object")
	}
	if b.Format != bookFormat {
		return nil, fmt.Errorf("format %q, this program reads %q", b.Format, bookFormat)
	}
	for i := range b.Proposals {
		p := &b.Proposals[i]
		g, err := p.Gate()
		if err != nil {
			return nil, fmt.Errorf("proposal %d: %w", i+1, err)
		}
		if g.ID != p.ID || p.Unsafe < 0 || p.Good < 0 || p.GoodTouched < 0 || p.GoodTouched > p.Good {
			return nil, fmt.Errorf("proposal %d was changed: its id is not that of its text; gbt gates edit makes another one of it", i+1)
		}
	}
	return b, nil
}
