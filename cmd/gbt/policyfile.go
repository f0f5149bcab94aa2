package main

import (
	"crypto/ed25519"
	"errors"
	"io/fs"
	"os"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/trust"
)

func readPrivateKey(name string) (ed25519.PrivateKey, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fail(exitInput, "private key: %v", err)
	}
	key, err := artifacts.ParsePrivateKey(data)
	if err != nil {
		return nil, fail(exitInput, "private key %s: %v; gbt keygen writes keys as NAME.pem", name, err)
	}
	return key, nil
}

// refused turns the refusal of a policy file into the exit code of its step.
func refused(name string, err error) error {
	var r *artifacts.Refusal
	if errors.As(err, &r) && (r.Step == artifacts.StepSignature || r.Step == artifacts.StepSequence) {
		return fail(exitSignature, "%s: %w", name, err)
	}
	return fail(exitInput, "%s: %w", name, err)
}

// stepOf names the step that refused a policy, or nothing.
func stepOf(err error) string {
	var r *artifacts.Refusal
	if errors.As(err, &r) {
		return string(r.Step)
	}
	return ""
}

// asExit returns the exit code and message in an error made by fail.
func asExit(err error) *exitError {
	var ee *exitError
	if !errors.As(err, &ee) {
		return &exitError{code: exitInput, err: err}
	}
	return ee
}

// readPolicy opens a policy file. What is known about its origin is in Info,
// for the caller to show.
func readPolicy(name string, o trust.Options) (*artifacts.Policy, *artifacts.Info, error) {
	p, info, _, err := readPolicyBytes(name, o)
	return p, info, err
}

// readPolicyBytes is readPolicy for who needs the file's bytes too: they are those
// that were verified, whoever replaces the file meanwhile.
func readPolicyBytes(name string, o trust.Options) (*artifacts.Policy, *artifacts.Info, []byte, error) {
	o.Seen = trust.Off // it decides on nothing
	d, err := newDoor(o, name)
	if err != nil {
		return nil, nil, nil, err
	}
	return openBytes(name, d)
}

// readPolicyFile reads a policy's bytes, and says how to make one where there is none.
func readPolicyFile(name string) ([]byte, error) {
	data, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fail(exitInput, "%v; gbt distill LOGS -o %s makes a policy, gbt init --guard one without logs", err, name)
	case err != nil:
		return nil, fail(exitInput, "%v", err)
	}
	return data, nil
}

func openBytes(name string, d *trust.Door) (*artifacts.Policy, *artifacts.Info, []byte, error) {
	data, err := readPolicyFile(name)
	if err != nil {
		return nil, nil, nil, err
	}
	p, info, err := artifacts.Open(data, d.Trust)
	if err != nil {
		return nil, nil, nil, refused(name, d.Refused(err))
	}
	return p, info, data, nil
}

// openPolicy opens a policy file, under trusted keys if there are any, and says
// on standard error what is known about its origin.
func openPolicy(e *env, name string, o trust.Options) (*artifacts.Policy, *artifacts.Info, error) {
	p, info, err := readPolicy(name, o)
	if err == nil {
		sayOrigin(e, name, info)
	}
	return p, info, err
}
