package main

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
)

func keygenCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "keygen",
		Usage:     "make a key pair to sign policies with",
		ArgsUsage: " ",
		Description: "Writes NAME.pem, the private key (PKCS#8, readable by you alone: keep it off shared machines), and\n" +
			"NAME.pub, the public key (PKIX: give it to everybody who verifies). Ed25519. Prints the key id.\n\n" +
			"Example:\n" +
			"   gbt keygen -o team && gbt sign policy.gbt --key team.pem && gbt verify policy.gbt --trust team.pub",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write `NAME`.pem and NAME.pub"},
			&cli.BoolFlag{Name: "force", Usage: "overwrite an existing pair: whatever the old key signed can't be signed by it again"},
		},
		Action: func(c *cli.Context) error { return runKeygen(e, c) },
	}
}

func runKeygen(e *env, c *cli.Context) error {
	name := c.String("output")
	if c.NArg() != 0 || name == "" {
		return fail(exitUsage, "keygen takes a name and nothing else: gbt keygen -o NAME")
	}
	if b := filepath.Base(name); b == "." || b == ".." || strings.HasSuffix(name, "/") {
		return fail(exitUsage, "%s is a directory: give the name of the pair, as in gbt keygen -o team", name)
	}
	private, public := name+".pem", name+".pub"
	if !c.Bool("force") {
		for _, f := range []string{private, public} {
			if _, err := os.Lstat(f); !errors.Is(err, fs.ErrNotExist) {
				return fail(exitUsage, "%s is there already: choose another name, or --force to lose the old key", f)
			}
		}
	}
	pub, priv, err := ed25519.GenerateKey(nil)
	if err != nil {
		return fmt.Errorf("make key: %w", err)
	}
	if err := writeFile(private, artifacts.MarshalPrivateKey(priv), 0o600); err != nil {
		return fail(exitInput, "%v", err)
	}
	if err := writeFile(public, artifacts.MarshalPublicKey(pub), 0o644); err != nil {
		return fail(exitInput, "%v", err)
	}
	_, err = fmt.Fprintln(e.stdout, artifacts.KeyID(pub))
	return err
}
