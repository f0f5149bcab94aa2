package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/artifacts/trust"
)

// trustFlag and needFlag are flags of every command that opens policies; what is
// what it refuses without a signature.
func trustFlag(what string) cli.Flag {
	return &cli.StringSliceFlag{Name: "trust", Usage: "refuse " + what + " not signed by the public key, or a key of the ring, in `FILE` (may be given again)"}
}

func needFlag() cli.Flag {
	return &cli.IntFlag{Name: "need", Usage: "let `N` different keys of --trust have signed (default: 1)"}
}

// minSequenceFlag and seenFlag are flags of a command that decides on calls under
// a policy: it remembers the newest one.
func minSequenceFlag() cli.Flag {
	return &cli.Uint64Flag{Name: "min-sequence", Usage: "refuse a policy with a sequence number below `N`"}
}

func seenFlag() cli.Flag {
	return &cli.StringFlag{Name: "seen", Usage: "remember the newest policy opened in `FILE`, and refuse older ones; off for nowhere (default: with --trust, POLICY" + trust.SeenSuffix + ")"}
}

// trustOf is what the flags of these flags say.
func trustOf(c *cli.Context) trust.Options {
	return trust.Options{Keys: c.StringSlice("trust"), Need: c.Int("need"), MinSequence: c.Uint64("min-sequence"), Seen: c.String("seen")}
}

// trusted are the files of --trust, as inputs of a run.
func trusted(c *cli.Context) (out []namedFile) {
	for _, name := range c.StringSlice("trust") {
		out = append(out, namedFile{"--trust", name})
	}
	return out
}

// trustNeedsPolicy refuses trust in what is not there.
func trustNeedsPolicy(c *cli.Context) error {
	for _, flag := range []string{"trust", "need", "min-sequence", "seen"} {
		if c.IsSet(flag) {
			return fail(exitUsage, "--%s needs --policy", flag)
		}
	}
	return nil
}

// readTrust reads public keys; no names mean no trust.
func readTrust(o trust.Options) (artifacts.Trust, error) {
	o.Seen = trust.Off
	d, err := newDoor(o, "")
	if err != nil {
		return artifacts.Trust{}, err
	}
	return d.Trust, nil
}

func newDoor(o trust.Options, policy string) (*trust.Door, error) {
	d, err := trust.New(o, policy)
	switch {
	case errors.Is(err, trust.ErrUsage):
		return nil, fail(exitUsage, "%v", err)
	case errors.Is(err, trust.ErrRing):
		return nil, fail(exitSignature, "%v", err)
	case err != nil:
		return nil, fail(exitInput, "%v", err)
	}
	return d, nil
}

// openDoor opens a policy that calls are decided under, and remembers it.
func openDoor(e *env, name string, o trust.Options) (*artifacts.Policy, *artifacts.Info, error) {
	d, err := newDoor(o, name)
	if err != nil {
		return nil, nil, err
	}
	p, info, _, err := openBytes(name, d)
	if err != nil {
		return nil, nil, err
	}
	if _, err := d.Opened(info); err != nil {
		return nil, nil, fail(exitInput, "%v; --seen FILE puts its memory elsewhere", err)
	}
	if s := d.Forgets(); s != "" {
		fmt.Fprintf(e.stderr, "gbt: %s\n", s)
	}
	sayOrigin(e, name, info)
	return p, info, nil
}

// sayOrigin says what is known about the origin of a policy that nobody vouches for.
func sayOrigin(e *env, name string, info *artifacts.Info) {
	if !info.Signed {
		fmt.Fprintf(e.stderr, "gbt: %s: %s\n", name, info.Status())
	}
}

// protectTrust are the files that decide which policy is opened, with slashes.
func protectTrust(c *cli.Context) (out []string, err error) {
	o := trustOf(c)
	for _, name := range o.Files(c.String("policy")) {
		abs, err := filepath.Abs(name)
		if err != nil {
			return nil, fail(exitUsage, "%s: %v", name, err)
		}
		out = append(out, filepath.ToSlash(abs))
	}
	return out, nil
}
