package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/gates/episode"
	"github.com/gbt-policy/gbt/internal/rulebook"
	"github.com/gbt-policy/gbt/internal/stores"
)

func consentCommand(e *env) *cli.Command {
	state := &cli.StringFlag{Name: "state", Usage: "the sessions in `DIR`, as the hook's -state names it (default: where it keeps them itself)"}
	asJSON := &cli.BoolFlag{Name: "json", Usage: "print one JSON object"}
	one := &cli.StringFlag{Name: "session", Usage: "of the session `ID` alone, as the list names it"}
	list := func(c *cli.Context) error { return listConsent(e, c) }
	return &cli.Command{
		Name:  "consent",
		Usage: "list and withdraw what you agreed to in sessions of coding agents",
		Description: "The hook remembers a yes for the rest of a session: the same effect (a verb with its destination or directory) is not\n" +
			"asked about again. Never for force, secrets, computed words, deletions outside the workspace or what is rejected, of protected\n" +
			"files for the same change alone, and no more once the session has read secrets. The hook's -remember=off asks each time.\n\n" +
			"Examples:\n   gbt consent\n   gbt consent list --json\n   gbt consent withdraw 'fetch from docs.example.org'\n   gbt consent withdraw --all",
		Flags:  []cli.Flag{state, asJSON, one},
		Action: list,
		Subcommands: []*cli.Command{
			{Name: "list", Usage: "what was agreed to, newest session first", Description: examples("gbt consent list --json"), Flags: []cli.Flag{state, asJSON, one}, Action: list},
			{Name: "withdraw", Usage: "ask again about what was agreed to", ArgsUsage: "[NAME...]",
				Description: examples("gbt consent withdraw 'fetch from docs.example.org'", "gbt consent withdraw --all"),
				Flags:       []cli.Flag{state, asJSON, one, &cli.BoolFlag{Name: "all", Usage: "everything"}},
				Action:      func(c *cli.Context) error { return withdrawConsent(e, c) }},
		},
	}
}

// agreedJSON is what one session's user agreed to.
type agreedJSON struct {
	Session string   `json:"session"`
	Root    string   `json:"root"`
	Used    string   `json:"used"`
	Agreed  []string `json:"agreed"`
}

// keptSession is a session's file of the hook: a line with its root, and the memory.
type keptSession struct {
	file string
	head []byte
	root string
	used time.Time
	past episode.Memory
}

func consentDir(c *cli.Context) (string, error) {
	if dir := c.String("state"); dir != "" {
		return dir, nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fail(exitInput, "%v; name the directory with --state", err)
	}
	return filepath.Join(cache, "gbt", "hook"), nil
}

// keptSessions reads the sessions that have something to list, the newest first. What
// cannot be read is told and left alone.
func keptSessions(e *env, c *cli.Context) ([]*keptSession, error) {
	dir, err := consentDir(c)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fail(exitInput, "%v", err)
	}
	var out []*keptSession
	for _, x := range entries {
		id, ok := strings.CutSuffix(x.Name(), ".json")
		if !ok || c.String("session") != "" && id != c.String("session") {
			continue
		}
		s, err := readKept(filepath.Join(dir, x.Name()))
		if err != nil {
			fmt.Fprintf(e.stderr, "gbt: %v\n", err)
			continue
		}
		if len(s.past.Agreed()) > 0 {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b *keptSession) int { return b.used.Compare(a.used) })
	return out, nil
}

func readKept(file string) (*keptSession, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	head, past, ok := bytes.Cut(data, []byte("\n"))
	s := &keptSession{file: file, head: head}
	var in struct{ Root string }
	if err := json.Unmarshal(head, &in); err != nil || !ok {
		return nil, fmt.Errorf("%s is no session of the hook", file)
	}
	s.root = in.Root
	if info, err := os.Stat(file); err == nil {
		s.used = info.ModTime()
	}
	if err := s.past.UnmarshalBinary(past); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

func (s *keptSession) json() agreedJSON {
	return agreedJSON{strings.TrimSuffix(filepath.Base(s.file), ".json"), s.root, s.used.UTC().Format(time.RFC3339), s.past.Agreed()}
}

func listConsent(e *env, c *cli.Context) error {
	all, err := keptSessions(e, c)
	if err != nil {
		return err
	}
	list := []agreedJSON{}
	for _, s := range all {
		list = append(list, s.json())
	}
	return printConsent(e, c, "sessions", list)
}

func printConsent(e *env, c *cli.Context, key string, list []agreedJSON) error {
	if c.Bool("json") {
		return printJSON(e, map[string]any{key: list})
	}
	if len(list) == 0 {
		fmt.Fprintln(e.stderr, "gbt: nothing is remembered")
	}
	for _, s := range list {
		fmt.Fprintf(e.stdout, "%s  %s  %s\n", s.Session, s.Used, visible(s.Root))
		for _, name := range s.Agreed {
			fmt.Fprintf(e.stdout, "   %s\n", visible(name))
		}
	}
	return nil
}

// withdrawConsent takes names out of the sessions that have them.
func withdrawConsent(e *env, c *cli.Context) error {
	names := c.Args().Slice()
	if (len(names) == 0) != c.Bool("all") {
		return fail(exitUsage, "name what to withdraw, as gbt consent lists it, or give --all")
	}
	all, err := keptSessions(e, c)
	if err != nil {
		return err
	}
	list := []agreedJSON{}
	for _, s := range all {
		gone, err := s.withdraw(names)
		if err != nil {
			return fail(exitInput, "%v", err)
		}
		if len(gone) > 0 {
			x := s.json()
			x.Agreed = gone
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		return fail(exitInput, "nobody agreed to that; gbt consent lists what is remembered")
	}
	return printConsent(e, c, "withdrawn", list)
}

// withdraw changes the file under the hook's own lock, from what it holds now.
func (s *keptSession) withdraw(names []string) (gone []string, err error) {
	unlock, err := stores.Lock(s.file + ".lock")
	for end := time.Now().Add(5 * time.Second); errors.Is(err, stores.ErrBusy) && time.Now().Before(end); { // a hook holds it for milliseconds
		time.Sleep(5 * time.Millisecond)
		unlock, err = stores.Lock(s.file + ".lock")
	}
	if err != nil {
		return nil, fmt.Errorf("%s is in use: %w", s.file, err)
	}
	defer unlock()
	now, err := readKept(s.file)
	if err != nil {
		return nil, err
	}
	for _, name := range now.past.Agreed() {
		if (len(names) == 0 || slices.Contains(names, name)) && now.past.Disagree(name) {
			gone = append(gone, name)
		}
	}
	if len(gone) == 0 {
		return nil, nil
	}
	past, err := now.past.MarshalBinary()
	if err != nil {
		return nil, err
	}
	data := append(append(slices.Clone(now.head), '\n'), past...)
	return gone, rulebook.ReplacePrivate(s.file, data)
}
