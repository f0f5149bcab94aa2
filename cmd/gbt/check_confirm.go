package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/gbt-policy/gbt/gates"
)

// confirmations are the calls that were asked about and not confirmed yet, by
// name. Each can be used once (requirement V4). They live as long as the run:
// consent does not outlast the process that asked for it.
type confirmations map[string]bool

// maxConfirmations bounds them; past it a call can be asked about again.
const maxConfirmations = 1 << 16

// settle turns a confirmed call into an approved one, and gives one that needs a
// confirmation its name. What is rejected cannot be confirmed.
func (k confirmations) settle(policy string, in *callInput, d *gates.Decision, a *answer) {
	if d.Disposition != gates.ApprovedWithConstraints {
		return
	}
	name := confirmationOf(policy, in)
	if in.Confirmation == name && k[name] {
		delete(k, name)
		a.Disposition, a.Confirmed = gates.Approved.String(), true
		return
	}
	if len(k) < maxConfirmations {
		k[name] = true
		a.Confirmation = name
	}
}

// confirmationOf names a call by everything that decides what it does: 128 bits
// of the SHA-256 of policy and call, as one JSON array.
func confirmationOf(policy string, in *callInput) string {
	data, err := json.Marshal([]any{"gbt confirmation 1", policy, in.Session, in.Shell, in.Tool, string(in.Args), in.Command, in.Cwd, in.Home, in.Roots, in.UID, in.GID})
	if err != nil {
		panic("gbt: internal error: " + err.Error()) // strings and numbers always encode
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}
