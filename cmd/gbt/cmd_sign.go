package main

import (
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
)

func signCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "sign",
		Usage:     "sign a policy",
		ArgsUsage: "POLICY",
		Description: "Adds a signature to POLICY beside those that it has, at most 8 and one of each key. The policy itself stays as it is,\n" +
			"byte for byte. A file that could not be opened is not signed. gbt verify --need 2 demands two keys.\n\n" +
			"Example:\n" +
			"   gbt sign policy.gbt --key team.pem",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "key", Usage: "the private key in `FILE` (see gbt keygen)"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE` and leave POLICY alone"},
		},
		Action: func(c *cli.Context) error { return runSign(e, c) },
	}
}

func runSign(e *env, c *cli.Context) error {
	if c.NArg() != 1 || c.String("key") == "" {
		return fail(exitUsage, "sign takes one policy: gbt sign POLICY --key NAME.pem")
	}
	name := c.Args().First()
	if err := apart([]namedFile{{"the signed policy", c.String("output")}}, []namedFile{{"--key", c.String("key")}}); err != nil {
		return err
	}
	key, err := readPrivateKey(c.String("key"))
	if err != nil {
		return err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	signed, err := artifacts.Sign(data, key)
	if err != nil {
		return refused(name, err)
	}
	out := c.String("output")
	if out == "" {
		out = name
	}
	if err := writeFile(out, signed, 0o644); err != nil {
		return fail(exitInput, "%v", err)
	}
	fmt.Fprintf(e.stderr, "gbt: %s signed by %s\n", out, artifacts.KeyID(publicOf(key)))
	return nil
}
