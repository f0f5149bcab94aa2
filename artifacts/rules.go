package artifacts

import (
	"errors"
	"fmt"

	"github.com/gbt-policy/gbt/gates"
)

// Rules is the part of a policy that judges single calls: its guardrail, its
// gates and its tool schemas.
type Rules struct {
	Guardrail Guardrail
	Gates     []Gate
	Schemas   []Schema
}

// Checker returns the checker that the rules describe.
func (r *Rules) Checker() (*gates.Checker, error) {
	return NewChecker(&Policy{Guardrail: r.Guardrail, Gates: r.Gates, Schemas: r.Schemas})
}

// OpenRules opens a file for its rules alone, for a program that starts for
// every call. Of the steps of Open it takes frame, signature, sequence,
// checksum and sections in full, so every byte of the file is what was signed
// and what its checksum says, and then encoding and policy for the sections
// RAIL, GATE and SCHM.
//
// It does not decode the other sections. A file in which one of them is not in
// its one encoding, in which the tree breaks an invariant, or whose nodes name
// gates that are not there, is refused by Open and not here. Nothing of those
// sections is handed out, so nothing of them can be believed; and Sign signs
// only what Open accepts, so a file of a trusted signer has no such fault.
//
// Every error is a *Refusal, and then nothing else is returned.
func OpenRules(data []byte, trust Trust) (*Rules, *Info, error) {
	h, parts, info, step, err := verifyFile(data, trust)
	if err != nil {
		return nil, nil, &Refusal{Step: step, Err: err}
	}
	p, err := decodeRules(h, parts)
	if err != nil {
		return nil, nil, &Refusal{Step: StepEncoding, Err: err}
	}
	c := checker{p: p}
	c.sections(func(s *section) bool { return s.rules })
	if len(c.errs) > 0 {
		return nil, nil, &Refusal{Step: StepPolicy, Err: errors.Join(c.errs...)}
	}
	return &Rules{Guardrail: p.Guardrail, Gates: p.Gates, Schemas: p.Schemas}, info, nil
}

func decodeRules(h header, parts [][]byte) (*Policy, error) {
	d := &document{p: &Policy{Sequence: h.sequence}}
	for i := range sections() {
		s := &sections()[i]
		if !s.rules {
			continue
		}
		c := newDecoder(parts[i], d)
		s.walk(c)
		if err := c.finish(); err != nil {
			return nil, fmt.Errorf("section %s%w", s.tag, err)
		}
	}
	return d.p, nil
}
