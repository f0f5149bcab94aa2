package main

import (
	"crypto/ed25519"
	"fmt"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
)

func verifyCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "check a policy's signature, format and invariants",
		ArgsUsage: "POLICY",
		Description: "Good (exit 0) only if a trusted key signed exactly this file, the file has the one form that its content\n" +
			"can have, and every invariant of the policy holds. A bad, missing or unknown signature, and a policy older than\n" +
			"--min-sequence, exit with 4; a damaged file with 5. Without --trust everything but the origin is checked and\n" +
			"the exit is 4, because nothing is known about the signer.\n\n" +
			"Example:\n" +
			"   gbt verify policy.gbt --trust team.pub",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "trust", Usage: "accept signatures by the public key in `FILE` (may be given again)"},
			&cli.Uint64Flag{Name: "min-sequence", Usage: "refuse policies with a sequence number below `N`"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
		},
		Action: func(c *cli.Context) error { return runVerify(e, c) },
	}
}

// verification is what verify prints.
type verification struct {
	Policy    string   `json:"policy"`
	OK        bool     `json:"ok"`
	Signed    bool     `json:"signed"`
	KeyID     string   `json:"keyid,omitempty"` // the first of KeyIDs
	KeyIDs    []string `json:"keyids,omitempty"`
	Signature string   `json:"signature,omitempty"`
	Step      string   `json:"step,omitempty"` // the step that refused
	Error     string   `json:"error,omitempty"`
	Name      string   `json:"name,omitempty"`
	Digest    string   `json:"digest,omitempty"`
	Format    int      `json:"format,omitempty"`
	Sequence  uint64   `json:"sequence,omitempty"`
	Bytes     int      `json:"bytes,omitempty"`
	Profile   string   `json:"profile,omitempty"`
	Encoder   string   `json:"encoder,omitempty"`
	Tool      string   `json:"tool,omitempty"`
	LogText   bool     `json:"log_text"` // texts of the logs stand in it
	Counts    *counts  `json:"counts,omitempty"`
	Checked   []string `json:"checked,omitempty"`
}

type counts struct {
	Families int `json:"families"`
	States   int `json:"states"`
	Nodes    int `json:"nodes"`
	Leaves   int `json:"leaves"`
	Gates    int `json:"gates"`
}

func runVerify(e *env, c *cli.Context) error {
	if c.NArg() != 1 {
		return fail(exitUsage, "verify takes one policy: gbt verify POLICY --trust NAME.pub")
	}
	name := c.Args().First()
	trust, err := readTrust(c.StringSlice("trust")...)
	if err != nil {
		return err
	}
	trust.MinSequence = c.Uint64("min-sequence")
	data, err := os.ReadFile(name)
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	v, refusal := verifyPolicy(name, data, trust)
	switch {
	case c.Bool("json"):
		err = printJSON(e, v)
		if refusal != nil {
			refusal.err = nil // the object says it
		}
	case v.Counts != nil:
		_, err = e.stdout.Write(v.text())
	}
	if err == nil && refusal != nil {
		return refusal
	}
	return err
}

func verifyPolicy(name string, data []byte, trust artifacts.Trust) (*verification, *exitError) {
	v := &verification{Policy: name}
	p, info, err := artifacts.Open(data, trust)
	if err != nil {
		ee := asExit(refused(name, err))
		v.Step, v.Error = stepOf(err), err.Error()
		return v, ee
	}
	if err := recompiled(p); err != nil {
		v.Step, v.Error = "gates", err.Error()
		return v, asExit(fail(exitInput, "%s: %w", name, err))
	}
	v.fill(p, info)
	if info.Signed {
		v.OK = true
		return v, nil
	}
	v.Step = string(artifacts.StepSignature)
	v.Error = "unsigned: nothing is known about the origin; gbt sign adds a signature"
	if len(info.KeyIDs) > 0 {
		v.Error = "signature not checked: name the signer's public key with --trust"
	}
	return v, asExit(fail(exitSignature, "%s: %s", name, v.Error))
}

func (v *verification) fill(p *artifacts.Policy, info *artifacts.Info) {
	v.Signed, v.KeyIDs, v.Signature = info.Signed, info.KeyIDs, info.Status()
	if len(v.KeyIDs) > 0 {
		v.KeyID = v.KeyIDs[0]
	}
	v.Name, v.Digest, v.Format, v.Sequence, v.Bytes = p.Name, info.Digest, info.Version, info.Sequence, info.Size
	v.Profile, v.Encoder, v.Tool, v.LogText = p.Params.Profile, p.Encoder.ID, p.Provenance.Tool, p.HoldsLogText()
	v.Counts = &counts{len(p.Tree.Families), len(p.Tree.States), len(p.Tree.Nodes), len(p.Tree.Leaves), len(p.Gates)}
	if info.Signed {
		v.Checked = append(v.Checked, "signature by a trusted key over every byte")
	}
	v.Checked = append(v.Checked, "one encoding: no other file holds this policy", "limits",
		"tree: one root, no cycles, edges inside families", "gates: names are hashes of their text, inherited by every child",
		"gates: each program is what its text compiles to",
		fmt.Sprintf("governance pack: every run stops at %d steps, %d seconds, %d tokens", p.Pack.Steps(), p.Pack.WallSeconds(), p.Pack.Tokens()),
		"settings in range, vectors of the encoder's length")
}

func (v *verification) text() []byte {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s "+format+"\n", append([]any{name}, args...)...)
	}
	line("policy", "%q, sequence %d, format %d, %d bytes", v.Name, v.Sequence, v.Format, v.Bytes)
	line("signature", "%s", v.Signature)
	line("digest", "%s", v.Digest)
	line("profile", "%s", v.Profile)
	line("encoder", "%q", v.Encoder)
	line("made by", "%q", v.Tool)
	n := v.Counts
	line("holds", "%d families, %d states, %d nodes, %d leaves, %d gates", n.Families, n.States, n.Nodes, n.Leaves, n.Gates)
	line("log text", "%s", logTextWord(v.LogText))
	for _, s := range v.Checked {
		line("checked", "%s", s)
	}
	return []byte(b.String())
}

// logTextWord says whether a policy may be shown to people who may not see the logs.
func logTextWord(kept bool) string {
	if kept {
		return "kept: tasks, sentences of agents and names of groups stand in the policy"
	}
	return "none: descriptions have plain words that several tasks share, tasks are vectors"
}

func publicOf(key ed25519.PrivateKey) ed25519.PublicKey { return key.Public().(ed25519.PublicKey) }
