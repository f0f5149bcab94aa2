package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/artifacts"
)

func keysCommand(e *env) *cli.Command {
	signed := []cli.Flag{
		&cli.StringSliceFlag{Name: "key", Usage: "sign with the private key in `FILE`, whose public key the ring holds (may be given again)", Required: true},
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write to `FILE` and leave RING alone"},
	}
	return &cli.Command{
		Name:  "keys",
		Usage: "keep a ring of keys that change over time",
		Description: "A key ring is a text file that --trust takes in the place of a public key. It says which keys may sign policies from which\n" +
			"sequence number on and up to which, and how many of them must. Whoever changes it signs the change with as many keys\n" +
			"that it holds: a ring that was changed without them is refused, and so is a policy by a key that was retired before it.\n" +
			"--trust RING#ROOT pins the ring that gbt keys list names ROOT, whatever is in the file.\n\n" +
			"Example:\n" +
			"   gbt keys add team.ring old.pub --key old.pem                     # a new ring\n" +
			"   gbt keys add team.ring new.pub --from 8 --key old.pem            # policy 8 and later: the new key too\n" +
			"   gbt keys retire team.ring old.pub --after 7 --key old.pem        # and the old one no more",
		Subcommands: []*cli.Command{
			{Name: "list", Usage: "show a ring's keys", ArgsUsage: "RING", Description: examples("gbt keys list team.ring"),
				Flags:  []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print one JSON object"}},
				Action: func(c *cli.Context) error { return runKeysList(e, c) }},
			{Name: "add", Usage: "add public keys, or make a ring of them", ArgsUsage: "RING NAME.pub...",
				Description: examples("gbt keys add team.ring old.pub --key old.pem", "gbt keys add team.ring new.pub --from 8 --key old.pem"),
				Flags: append([]cli.Flag{
					&cli.Uint64Flag{Name: "from", Usage: "let them sign policies from sequence number `N` on (a new ring: 1)"},
					&cli.IntFlag{Name: "need", Usage: "let policies, and changes of the ring, need `N` signatures from now on (a new ring: 1)"},
				}, signed...),
				Action: func(c *cli.Context) error { return runKeysAdd(e, c) }},
			{Name: "retire", Usage: "let a key sign no later policies", ArgsUsage: "RING NAME.pub", Description: examples("gbt keys retire team.ring old.pub --after 7 --key new.pem"),
				Flags: append([]cli.Flag{
					&cli.Uint64Flag{Name: "after", Usage: "the sequence `NUMBER` of the last policy that it counts for, 0 for none", Required: true},
				}, signed...),
				Action: func(c *cli.Context) error { return runKeysRetire(e, c) }},
			{Name: "sign", Usage: "add a signature to the last change", ArgsUsage: "RING", Description: examples("gbt keys sign team.ring --key second.pem"), Flags: signed,
				Action: func(c *cli.Context) error { return runKeysSign(e, c) }},
		},
	}
}

// ringList is the JSON of gbt keys list.
type ringList struct {
	Root string    `json:"root"`
	Need int       `json:"need"`
	Keys []listKey `json:"keys"`
}

type listKey struct {
	ID      string `json:"id"`
	From    uint64 `json:"from"`
	Retired bool   `json:"retired"`
	To      uint64 `json:"to,omitempty"` // of a retired key
}

func runKeysList(e *env, c *cli.Context) error {
	if c.NArg() != 1 {
		return fail(exitUsage, "keys list takes one ring: gbt keys list RING")
	}
	name := c.Args().First()
	data, err := os.ReadFile(name)
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	r, err := artifacts.OpenRing(data, "")
	if err != nil {
		return fail(exitSignature, "%s: %v", name, err)
	}
	out := ringList{Root: r.Root, Need: r.Need}
	for _, k := range r.Keys {
		l := listKey{ID: k.ID, From: k.From, Retired: k.Retired}
		if k.Retired {
			l.To = k.To
		}
		out.Keys = append(out.Keys, l)
	}
	if c.Bool("json") {
		return printJSON(e, out)
	}
	_, err = e.stdout.Write(out.text())
	return stdoutError(err)
}

func (l *ringList) text() []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "root  %s\nneed  %d of these keys sign a policy, and a change of the ring\n", l.Root, l.Need)
	for _, k := range l.Keys {
		span := fmt.Sprintf("from sequence %d on", k.From)
		switch {
		case k.Retired && k.To < k.From:
			span = "retired, and counts for no policy"
		case k.Retired:
			span = fmt.Sprintf("retired, counts for sequence %d to %d", k.From, k.To)
		}
		fmt.Fprintf(&b, "key   %s  %s\n", k.ID, span)
	}
	return []byte(b.String())
}

func runKeysAdd(e *env, c *cli.Context) error {
	if c.NArg() < 1 || c.NArg() < 2 && !c.IsSet("need") {
		return fail(exitUsage, "keys add needs a ring and keys: gbt keys add RING NAME.pub... --key OLD.pem")
	}
	name := c.Args().First()
	data, err := os.ReadFile(name)
	fresh := errors.Is(err, fs.ErrNotExist)
	if err != nil && !fresh {
		return fail(exitInput, "%v", err)
	}
	from, need := c.Uint64("from"), c.Int("need")
	var lines strings.Builder
	switch {
	case fresh:
		from, need = max(from, 1), max(need, 1)
		lines.WriteString(artifacts.RingHead + "\n")
	case c.NArg() > 1 && from == 0:
		return fail(exitUsage, "--from is missing: the sequence number of the first policy that the key signs")
	}
	if fresh || c.IsSet("need") {
		fmt.Fprintf(&lines, "need %d\n", need)
	}
	for _, file := range c.Args().Tail() {
		key, err := readPublicKey(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(&lines, "add %s from %d\n", base64.StdEncoding.EncodeToString(key), from)
	}
	return changeRing(e, c, name, data, lines.String())
}

func runKeysRetire(e *env, c *cli.Context) error {
	if c.NArg() != 2 {
		return fail(exitUsage, "keys retire needs a ring and a key: gbt keys retire RING NAME.pub --after N --key KEY.pem")
	}
	name := c.Args().First()
	data, err := os.ReadFile(name)
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	key, err := readPublicKey(c.Args().Get(1))
	if err != nil {
		return err
	}
	return changeRing(e, c, name, data, fmt.Sprintf("retire %s after %d\n", artifacts.KeyID(key), c.Uint64("after")))
}

func runKeysSign(e *env, c *cli.Context) error {
	if c.NArg() != 1 {
		return fail(exitUsage, "keys sign takes one ring: gbt keys sign RING --key KEY.pem")
	}
	name := c.Args().First()
	data, err := os.ReadFile(name)
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	return signRing(e, c, name, data)
}

// changeRing adds lines to a ring that is whole, and signs them.
func changeRing(e *env, c *cli.Context, name string, data []byte, lines string) error {
	if len(data) > 0 {
		if _, err := artifacts.OpenRing(data, ""); err != nil {
			return fail(exitSignature, "%s: %v", name, err)
		}
	}
	return signRing(e, c, name, append(data, lines...))
}

// signRing adds the signatures of --key. A ring that lacks some is not put in the
// place of one that is in use.
func signRing(e *env, c *cli.Context, name string, data []byte) error {
	out := c.String("output")
	var keys []namedFile
	for _, file := range c.StringSlice("key") {
		keys = append(keys, namedFile{"--key", file})
	}
	if err := apart([]namedFile{{"-o", out}}, keys); err != nil {
		return err
	}
	for _, k := range keys {
		priv, err := readPrivateKey(k.file)
		if err != nil {
			return err
		}
		if data, err = artifacts.SignRing(data, priv); err != nil {
			return fail(exitSignature, "%s: %v", name, err)
		}
	}
	r, err := artifacts.OpenRing(data, "")
	if err != nil && out == "" {
		return fail(exitSignature, "%s is left as it is: %v; name each key with --key, or write to another file with -o for gbt keys sign", name, err)
	}
	if out == "" {
		out = name
	}
	if err := writeFile(out, data, 0o644); err != nil {
		return err
	}
	if r == nil {
		fmt.Fprintf(e.stderr, "gbt: %s is no ring yet: %v\n", out, err)
		return nil
	}
	_, err = fmt.Fprintln(e.stdout, r.Root)
	return stdoutError(err)
}

func readPublicKey(name string) (ed25519.PublicKey, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fail(exitInput, "public key: %v", err)
	}
	key, err := artifacts.ParsePublicKey(data)
	if err != nil {
		return nil, fail(exitInput, "public key %s: %v; gbt keygen writes keys as NAME.pub", name, err)
	}
	return key, nil
}
