package artifacts

import (
	"fmt"
	"strings"
)

// Info is what is known about a file besides the policy in it.
type Info struct {
	Version  int
	Sequence uint64
	Digest   string // SHA-256 of the unsigned file, hex
	Size     int    // bytes of the file, signature included

	// Signed is true only if as many keys of the Trust given to Open signed as it
	// needs. KeyIDs then names them, and without a Trust the keys that the file
	// claims as its signers, which nobody checked.
	Signed bool
	KeyIDs []string
}

// Status says in one phrase what is known about the origin.
func (i *Info) Status() string {
	switch {
	case i.Signed:
		return "signed by " + strings.Join(i.KeyIDs, " and ")
	case len(i.KeyIDs) > 0:
		return "signature not checked, claims " + strings.Join(i.KeyIDs, " and ")
	}
	return "unsigned"
}

// Step is a stage of opening a file. The stages run in the order of the
// constants and FORMAT.md says what each refuses.
type Step string

// The steps.
const (
	StepFrame     Step = "frame"
	StepSignature Step = "signature"
	StepSequence  Step = "sequence"
	StepChecksum  Step = "checksum"
	StepSections  Step = "sections"
	StepEncoding  Step = "encoding"
	StepPolicy    Step = "policy"
)

// Refusal is the error of Open: the step that refused the file, and why.
type Refusal struct {
	Step Step
	Err  error
}

func (r *Refusal) Error() string { return fmt.Sprintf("policy refused (%s): %v", r.Step, r.Err) }

func (r *Refusal) Unwrap() error { return r.Err }

// Open verifies the signature of a file, then its format, then the invariants
// of its policy, and hands the policy out only if all hold. data is not kept.
// Every error is a *Refusal, and then nothing else is returned.
func Open(data []byte, trust Trust) (*Policy, *Info, error) {
	p, info, step, err := open(data, trust)
	if err != nil {
		return nil, nil, &Refusal{Step: step, Err: err}
	}
	return p, info, nil
}

func open(data []byte, trust Trust) (p *Policy, info *Info, step Step, err error) {
	h, parts, info, step, err := verifyFile(data, trust)
	if err != nil {
		return nil, nil, step, err
	}
	if p, err = decode(h, parts); err != nil {
		return nil, nil, StepEncoding, err
	}
	if err = p.Check(); err != nil {
		return nil, nil, StepPolicy, err
	}
	return p, info, "", nil
}

// verifyFile takes every step that needs no section to be decoded. What it
// returns may be handed out only after the steps that follow.
func verifyFile(data []byte, trust Trust) (h header, parts [][]byte, info *Info, step Step, err error) {
	if h, err = readHeader(data); err != nil {
		return h, nil, nil, StepFrame, err
	}
	body, envelope := data[:h.length], data[h.length:]
	digest, sum := digests(body)
	info = &Info{Version: int(h.version), Sequence: h.sequence, Size: len(data), Digest: digest}
	if info.KeyIDs, info.Signed, err = verify(envelope, h, info.Digest, &trust); err != nil {
		return h, nil, nil, StepSignature, err
	}
	if h.sequence < trust.MinSequence {
		err = fmt.Errorf("sequence %d is older than %d: rolled back", h.sequence, trust.MinSequence)
		return h, nil, nil, StepSequence, err
	}
	if err = checksum(body, sum); err != nil {
		return h, nil, nil, StepChecksum, err
	}
	if parts, err = readSections(body); err != nil {
		return h, nil, nil, StepSections, err
	}
	return h, parts, info, "", nil
}
