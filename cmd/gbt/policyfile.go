package main

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"

	"github.com/gbt-policy/gbt/artifacts"
)

// readTrust reads public keys. Empty names are left out, so that an unset flag
// means no trust; a name that can't be read is an error, never less trust.
func readTrust(names ...string) (artifacts.Trust, error) {
	var t artifacts.Trust
	for _, name := range names {
		if name == "" {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return t, fail(exitInput, "trusted key: %v", err)
		}
		key, err := artifacts.ParsePublicKey(data)
		if err != nil {
			return t, fail(exitInput, "trusted key %s: %v; gbt keygen writes keys as NAME.pub", name, err)
		}
		t.Keys = append(t.Keys, key)
	}
	return t, nil
}

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
func readPolicy(name string, trusted []string) (*artifacts.Policy, *artifacts.Info, error) {
	p, info, _, err := readPolicyBytes(name, trusted)
	return p, info, err
}

// readPolicyBytes is readPolicy for who needs the file's bytes too: they are those
// that were verified, whoever replaces the file meanwhile.
func readPolicyBytes(name string, trusted []string) (*artifacts.Policy, *artifacts.Info, []byte, error) {
	trust, err := readTrust(trusted...)
	if err != nil {
		return nil, nil, nil, err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, nil, fail(exitInput, "%v", err)
	}
	p, info, err := artifacts.Open(data, trust)
	if err != nil {
		return nil, nil, nil, refused(name, err)
	}
	return p, info, data, nil
}

// openPolicy opens a policy file, under a trusted key if one is given, and says
// on standard error what is known about its origin.
func openPolicy(e *env, name, trusted string) (*artifacts.Policy, *artifacts.Info, error) {
	p, info, err := readPolicy(name, []string{trusted})
	if err == nil {
		sayUnsigned(e, name, info)
	}
	return p, info, err
}

func sayUnsigned(e *env, name string, info *artifacts.Info) {
	if !info.Signed {
		fmt.Fprintf(e.stderr, "gbt: %s: %s\n", name, info.Status())
	}
}
