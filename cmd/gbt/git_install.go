package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/artifacts/trust"
)

func gitInstallCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "install",
		Usage: "set a repository up for policies",
		Description: "Writes a line to .gitattributes, which is for everybody and is to be committed, and into this clone alone the driver for\n" +
			"differences and merges and the hooks pre-commit and pre-merge-commit. What is there already is left as it is; a hook of\n" +
			"somebody else's is not touched, and then the exit status is 1 and the line to add is printed. git finds gbt on the path.\n\n" +
			"Example:\n" +
			"   gbt git install --trust keys/team.pub",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "trust", Usage: "let commits need a signature by the public key in `FILE`, from the root of the repository (may be given again)"},
			&cli.IntFlag{Name: "need", Usage: "let `N` different ones of these keys have signed (default: 1)"},
			&cli.BoolFlag{Name: "dry-run", Usage: "say what would be written and write nothing"},
		},
		Action: func(c *cli.Context) error { return runGitInstall(e, c) },
	}
}

const gitAttributes = "*.gbt diff=gbt merge=gbt"

// gitSettings are the keys of git's configuration and their values.
var gitSettings = [][2]string{
	{"diff.gbt.textconv", "gbt git textconv"},
	{"diff.gbt.binary", "true"},
	{"merge.gbt.name", "policies: every gate of both sides"},
	{"merge.gbt.driver", "gbt git merge %O %A %B %P"},
}

const gitHookCommand = "gbt git pre-commit"

var gitHookText = "#!/bin/sh\n# Refuses a policy that is weaker than before. Written by gbt git install.\nexec " + gitHookCommand + "\n"

// gitInstall writes one thing after the other and says so.
type gitInstall struct {
	e      *env
	dry    bool
	others bool // a hook of somebody else's is there
}

func (g *gitInstall) say(done bool, format string, args ...any) {
	word := "kept "
	if done {
		word = "wrote"
		if g.dry {
			word = "would write"
		}
	}
	fmt.Fprintf(g.e.stdout, "%s  %s\n", word, fmt.Sprintf(format, args...))
}

func runGitInstall(e *env, c *cli.Context) error {
	if c.NArg() != 0 {
		return fail(exitUsage, "git install takes no arguments; run it in the repository")
	}
	top, err := gitLine(e, "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	g := &gitInstall{e: e, dry: c.Bool("dry-run")}
	if err := g.attributes(filepath.Join(top, ".gitattributes")); err != nil {
		return err
	}
	for _, s := range gitSettings {
		if err := g.config(s[0], s[1], false); err != nil {
			return err
		}
	}
	for _, name := range c.StringSlice("trust") {
		if _, err := readTrust(trust.Options{Keys: []string{filepath.Join(top, name)}}); err != nil {
			return err
		}
		if err := g.config("gbt.trust", name, true); err != nil {
			return err
		}
	}
	if n := c.Int("need"); c.IsSet("need") {
		if n < 1 || n > len(c.StringSlice("trust")) {
			return fail(exitUsage, "--need %d: name at least as many different keys with --trust", n)
		}
		if err := g.config("gbt.need", strconv.Itoa(n), false); err != nil {
			return err
		}
	}
	for _, hook := range []string{"pre-commit", "pre-merge-commit"} {
		if err := g.hook(hook); err != nil {
			return err
		}
	}
	if g.others {
		return fail(exitFindings, "a hook is there already: add the line %q to it", gitHookCommand)
	}
	return nil
}

// attributes adds a line to .gitattributes.
func (g *gitInstall) attributes(file string) error {
	data, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return fail(exitInput, "%v", err)
	}
	text := string(data)
	if slices.Contains(strings.Split(text, "\n"), gitAttributes) {
		g.say(false, ".gitattributes: %s", gitAttributes)
		return nil
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	g.say(true, ".gitattributes: %s", gitAttributes)
	if g.dry {
		return nil
	}
	return writeFile(file, []byte(text+gitAttributes+"\n"), 0o644)
}

// config sets a key of this clone, or adds a value to it.
func (g *gitInstall) config(key, value string, add bool) error {
	if slices.Contains(gitConfig(g.e, key), value) {
		g.say(false, "git config %s %q", key, value)
		return nil
	}
	g.say(true, "git config %s %q", key, value)
	if g.dry {
		return nil
	}
	args := []string{"config", "--local", key, value}
	if add {
		args = []string{"config", "--local", "--add", key, value}
	}
	_, err := runGit(g.e, args...)
	return err
}

// hook writes a hook, unless there is one.
func (g *gitInstall) hook(name string) error {
	file, err := gitLine(g.e, "rev-parse", "--git-path", "hooks/"+name)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(file)
	switch {
	case err == nil && strings.Contains(string(data), gitHookCommand):
		g.say(false, "hook %s", file)
		return nil
	case err == nil:
		g.others = true
		fmt.Fprintf(g.e.stdout, "other  hook %s is somebody else's: not touched\n", file)
		return nil
	case !os.IsNotExist(err):
		return fail(exitInput, "%v", err)
	}
	g.say(true, "hook %s", file)
	if g.dry {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fail(exitInput, "%v", err)
	}
	return writeFile(file, []byte(gitHookText), 0o755)
}
