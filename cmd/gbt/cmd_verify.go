package main

import (
	"crypto/ed25519"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/trust"
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
			"gbt serve, mcp, run, check and the hook remember beside a policy, in POLICY.seen, the highest sequence number that they\n" +
			"opened with --trust, and refuse lower ones; so does verify, which remembers nothing. --allow-rollback is how a person\n" +
			"goes back: it writes down the reason, and POLICY is from then on the newest that was seen.\n\n" +
			"Example:\n" +
			"   gbt verify policy.gbt --trust team.pub\n" +
			"   gbt verify policy.gbt --trust ann.pub --trust ben.pub --need 2",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "trust", Usage: "accept signatures by the public key in `FILE` (may be given again)"},
			needFlag(), minSequenceFlag(), seenFlag(),
			&cli.StringFlag{Name: "allow-rollback", Usage: "let a policy older than the newest seen be opened again, for a `REASON` that is written down"},
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

	info *artifacts.Info
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
	d, err := verifyDoor(c, name)
	if err != nil {
		return err
	}
	data, err := readPolicyFile(name)
	if err != nil {
		return err
	}
	v, refusal := verifyPolicy(name, data, d)
	if refusal == nil && c.IsSet("allow-rollback") {
		err = rollBack(e, d, v)
	}
	switch {
	case err != nil:
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

func verifyDoor(c *cli.Context, name string) (*trust.Door, error) {
	o := trustOf(c)
	if o.AllowRollback = c.String("allow-rollback"); c.IsSet("allow-rollback") {
		if err := trust.CheckReason(o.AllowRollback); err != nil {
			return nil, fail(exitUsage, "--allow-rollback: %v", err)
		}
		if len(o.Keys) == 0 {
			return nil, fail(exitUsage, "--allow-rollback needs --trust: nobody goes back to a policy of unknown origin")
		}
	}
	return newDoor(o, name)
}

// rollBack makes a verified policy the newest that was seen.
func rollBack(e *env, d *trust.Door, v *verification) error {
	back, err := d.Opened(v.info)
	switch {
	case err != nil:
		return fail(exitInput, "%v", err)
	case d.Forgets() != "":
		return fail(exitInput, "nothing was written down: %s", d.Forgets())
	case back:
		fmt.Fprintf(e.stderr, "gbt: %s is the newest that was seen from now on, and the reason is written down\n", v.Policy)
	default:
		fmt.Fprintf(e.stderr, "gbt: %s: no newer policy was seen, so there is nothing to go back from\n", v.Policy)
	}
	return nil
}

func verifyPolicy(name string, data []byte, d *trust.Door) (*verification, *exitError) {
	v := &verification{Policy: name}
	p, info, err := artifacts.Open(data, d.Trust)
	if err != nil {
		err = d.Refused(err)
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
	v.info = info
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
	line("signature", "%s", strings.TrimPrefix(v.Signature, "signature "))
	line("digest", "%s", v.Digest)
	line("profile", "%s", v.Profile)
	line("encoder", "%q", v.Encoder)
	line("made by", "%q", v.Tool)
	n := v.Counts
	line("holds", "%s, %s, %s, %s, %s", count(n.Families, "family"), count(n.States, "state"), count(n.Nodes, "node"), count(n.Leaves, "leaf"), count(n.Gates, "gate"))
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
