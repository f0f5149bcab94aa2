package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/artifacts/trust"
	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/hosts/settings"
)

func hookCommand(e *env) *cli.Command {
	local := hosts.NamesOf(func(h *hosts.Host) bool { return h.Settings.Local != "" })
	rated := hosts.NamesOf(func(h *hosts.Host) bool { return h.Analyzer != nil })
	answered := hosts.NamesOf(func(h *hosts.Host) bool { return h.Prompts != nil })
	where := []cli.Flag{
		&cli.StringFlag{Name: "scope", Value: "project", Usage: "whose settings: user, project, or local (" + strings.Join(local, ", ") + ": the project's, not shared)"},
		&cli.BoolFlag{Name: "user", Usage: "the same as --scope user: for you, in every project"},
		&cli.BoolFlag{Name: "project", Usage: "the same as --scope project: for everyone who works on the project"},
		&cli.StringFlag{Name: "dir", Value: ".", Usage: "the project's directory"},
		&cli.BoolFlag{Name: "dry-run", Usage: "show the change and make none"},
		&cli.BoolFlag{Name: "analyzer", Usage: strings.Join(rated, ", ") + ": the security analyzer instead of the hook"},
	}
	what := []cli.Flag{
		&cli.StringFlag{Name: "hook", Usage: "run the hook program `PATH`, not the gbt-hook beside gbt"},
		&cli.StringFlag{Name: "policy", Usage: "check calls under the policy in `FILE`"},
		trustFlag("a policy"), needFlag(), minSequenceFlag(), seenFlag(),
		&cli.StringFlag{Name: "profile", Usage: "workspace, strict, apps or observe"},
		&cli.StringSliceFlag{Name: "root", Usage: "a workspace root (may be given again)"},
		&cli.StringSliceFlag{Name: "protect", Usage: "a path that must not be changed (may be given again)"},
		&cli.StringSliceFlag{Name: "read", Usage: "a directory outside the workspace that may be read (may be given again)"},
		&cli.StringSliceFlag{Name: "allow-host", Usage: "a domain that may be fetched from (may be given again)"},
		&cli.StringFlag{Name: "state", Value: "auto", Usage: "where to remember what a session has read and made: auto, none or `DIR`"},
		&cli.StringFlag{Name: "approvals", Value: "auto", Usage: "where to queue what the host can't ask: auto, none or `DIR`"},
		&cli.StringFlag{Name: "log", Usage: "append one line for each decision to `FILE`; off keeps none (default: the log that gbt log reads)"},
		&cli.BoolFlag{Name: "undo", Usage: "remember what calls change, so that gbt undo can give it back, and keep receipts"},
		&cli.BoolFlag{Name: "approve", Usage: "answer the host's own question with yes where gbt approves the call (" + strings.Join(answered, ", ") + "); see docs/hooks.md for what is never answered"},
		&cli.StringFlag{Name: "receipts", Usage: "where to keep a receipt of each call, which gbt sessions shows: auto, none or `DIR` (default: auto with --undo, else none); where one can't be written the call is blocked"},
	}
	what = append(what, &cli.StringFlag{Name: "receipts-sync", Value: "on", Usage: "on or off: off does not wait until a receipt is on the disk, which saves some milliseconds a call; a power failure may then cost the last ones"})
	return &cli.Command{
		Name:  "hook",
		Usage: "put gbt-hook into a coding agent's settings, or take it out",
		Description: "Hosts: " + strings.Join(hosts.Names(), ", ") + ". docs/hooks.md says for each what is blocked and how.\n\n" +
			"Settings of a project are shared, so they name the program gbt-hook and no place of yours: everyone needs it on the path.\n" +
			"Without it every call is blocked, in one sentence that says what to do.\n\n" +
			"Examples:\n   gbt hook install claude-code --user\n   gbt hook install claude-code --user --approve\n   gbt hook install codex --project --dry-run\n   gbt hook uninstall claude-code --user",
		Subcommands: []*cli.Command{
			{
				Name: "install", Usage: "add the hook to a host's settings", ArgsUsage: "HOST",
				Description: examples("gbt hook install claude-code --user", "gbt hook install codex --policy policy.gbt --trust team.pub", "gbt hook install claude-code --check \"go test ./...\" --dry-run"),
				Flags:       slices.Concat(where, what, endFlags()),
				Action:      func(c *cli.Context) error { return runHook(e, c, true) },
			},
			{
				Name: "uninstall", Usage: "remove exactly what install added", ArgsUsage: "HOST", Description: examples("gbt hook uninstall claude-code --user"), Flags: where,
				Action: func(c *cli.Context) error { return runHook(e, c, false) },
			},
		},
	}
}

func runHook(e *env, c *cli.Context, install bool) error {
	if c.NArg() != 1 {
		return fail(exitUsage, "name one host: %s", strings.Join(hosts.Names(), ", "))
	}
	o, err := hookOptions(c)
	if err != nil {
		return err
	}
	if install {
		if o.Hook, err = hookProgram(c.String("hook"), o.Scope); err != nil {
			return err
		}
		if o.Args, err = hookArgs(e, c, o); err != nil {
			return err
		}
		if err := setEnds(e, c, &o); err != nil {
			return err
		}
		warnPolicy(e, c)
	}
	files, err := settings.For(c.Args().First(), o)
	if err != nil {
		return fail(exitUsage, "%v", err)
	}
	for i := range files {
		if install {
			if err := hidesHooks(&files[i]); err != nil {
				return err
			}
		}
		if err := editSettings(e, &files[i], install, c.Bool("dry-run")); err != nil {
			return err
		}
	}
	return nil
}

// warnPolicy says that every call would be blocked where the hook could not open its policy.
// Who shares settings may make the policy after them, so it is no refusal.
func warnPolicy(e *env, c *cli.Context) {
	name := c.String("policy")
	if name == "" {
		return
	}
	if _, _, err := readPolicy(name, trustOf(c)); err != nil {
		fmt.Fprintf(e.stderr, "gbt: the hook can't open its policy, and until it can every call is blocked: %v\n", err)
	}
}

func hookOptions(c *cli.Context) (settings.Options, error) {
	o := settings.Options{Analyzer: c.Bool("analyzer"), Approve: c.Bool("approve")}
	var err error
	if o.Scope, err = hookScope(c); err != nil {
		return o, err
	}
	if o.Project, err = filepath.Abs(c.String("dir")); err != nil {
		return o, fail(exitUsage, "%v", err)
	}
	if info, err := os.Stat(o.Project); err != nil || !info.IsDir() {
		return o, fail(exitUsage, "%s is not a directory", o.Project)
	}
	return o, userDirs(&o)
}

// hookScope is the one scope that the flags name.
func hookScope(c *cli.Context) (settings.Scope, error) {
	scope := settings.Scope(c.String("scope"))
	for _, s := range []settings.Scope{settings.User, settings.Project} {
		if !c.Bool(string(s)) {
			continue
		}
		if c.IsSet("scope") && scope != s || c.Bool(string(settings.User)) && c.Bool(string(settings.Project)) {
			return "", fail(exitUsage, "give one of --user, --project and --scope")
		}
		scope = s
	}
	return scope, nil
}

// userDirs fills in the user's directories. Hosts that keep their settings in the
// configuration directory follow the XDG base directory specification on every
// system.
func userDirs(o *settings.Options) error {
	home, err := os.UserHomeDir()
	if err != nil {
		if o.Scope == settings.User {
			return fail(exitUsage, "the home directory is not known: %v", err)
		}
		return nil
	}
	o.Home, o.Config = home, filepath.Join(home, ".config")
	if dir := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		o.Config = dir
	}
	return nil
}

// hookProgram finds the hook: the one named; for a project's settings, which others
// share, the one on whatever path they have; else the one beside this program, or on
// the path.
func hookProgram(name string, scope settings.Scope) (string, error) {
	base := "gbt-hook"
	if runtime.GOOS == "windows" {
		base += ".exe"
	}
	if name == "" && scope == settings.Project {
		return sharedProgram(base)
	}
	if name != "" {
		if filepath.Base(name) != base {
			return "", fail(exitUsage, "--hook: the program must be called %s, so that uninstall and doctor know it", base)
		}
		if _, err := exec.LookPath(name); err != nil {
			return "", fail(exitUsage, "--hook: %v", err)
		}
		if !strings.ContainsAny(name, `/\`) {
			return name, nil // left to the path of whoever runs the host
		}
		return filepath.Abs(name)
	}
	if exe, err := os.Executable(); err == nil {
		if beside := filepath.Join(filepath.Dir(exe), base); isProgram(beside) {
			return beside, nil
		}
	}
	found, err := exec.LookPath(base)
	if err != nil {
		return "", fail(exitUsage, "gbt-hook is neither beside gbt nor on the path; run go install ./cmd/gbt-hook in a clone of gbt, or name it with --hook")
	}
	return filepath.Abs(found)
}

// sharedProgram is the hook's name, if that finds it here.
func sharedProgram(base string) (string, error) {
	if _, err := exec.LookPath(base); err == nil {
		return "gbt-hook", nil
	}
	where := "run go install ./cmd/gbt-hook in a clone of gbt"
	if exe, err := os.Executable(); err == nil && isProgram(filepath.Join(filepath.Dir(exe), base)) {
		where = "put " + filepath.Dir(exe) + " on the path"
	}
	return "", fail(exitUsage, "the project's settings are shared, so they name gbt-hook and not its place, and it is not on your path: %s, or use --user, or name the program with --hook", where)
}

func isProgram(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// hookArgs are the hook's own arguments. Paths are made absolute, because a host may
// run the hook in any directory; in a project's settings those inside the project
// are relative to it, because everyone has it somewhere else.
func hookArgs(e *env, c *cli.Context, o settings.Options) ([]string, error) {
	var args []string
	add := func(name string, isPath bool, values ...string) error {
		for _, v := range values {
			if v == "" {
				continue
			}
			if isPath {
				abs, err := filepath.Abs(v)
				if err != nil {
					return fail(exitUsage, "--%s: %v", name, err)
				}
				if v = abs; o.Scope == settings.Project {
					v = sharedPath(e, name, abs, o.Project)
				}
			}
			if home, _ := os.UserHomeDir(); name == "root" && effect.TooWide(filepath.ToSlash(v), home) {
				return fail(exitUsage, "--root %s: %s", v, effect.WhyTooWide)
			}
			args = append(args, "-"+name, v)
		}
		return nil
	}
	number := func(isSet bool, n uint64) string {
		if !isSet {
			return ""
		}
		return strconv.FormatUint(n, 10)
	}
	if c.Int("need") < 0 {
		return nil, fail(exitUsage, "--need %d: give a number of keys, from 1", c.Int("need"))
	}
	state, seen, queue, undo := c.String("state"), c.String("seen"), c.String("approvals"), ""
	if c.Bool("undo") {
		undo = "auto"
	}
	if queue == "auto" {
		queue = "" // the hook's own
	}
	if c.Bool("approve") && state == "none" {
		return nil, fail(exitUsage, "--approve needs --state: without it nobody knows what a session has read")
	}
	synced := c.String("receipts-sync")
	switch synced {
	case "on":
		synced = "" // the hook's own
	case "off":
	default:
		return nil, fail(exitUsage, "--receipts-sync is on or off, not %q", synced)
	}
	log, checkTime := c.String("log"), ""
	if c.Duration("check-time") != defaultChecks && len(c.StringSlice("check")) > 0 {
		checkTime = c.Duration("check-time").String()
	}
	err := errors.Join(
		add("policy", true, c.String("policy")), add("trust", true, c.StringSlice("trust")...),
		add("need", false, number(c.IsSet("need"), uint64(c.Int("need")))), add("min-sequence", false, number(c.IsSet("min-sequence"), c.Uint64("min-sequence"))),
		add("seen", seen != trust.Off, seen), add("profile", false, c.String("profile")),
		add("root", true, c.StringSlice("root")...), add("protect", true, c.StringSlice("protect")...), add("read", true, c.StringSlice("read")...), add("allow-host", false, c.StringSlice("allow-host")...),
		add("state", state != "auto" && state != "none", state), add("approvals", queue != "none", queue), add("log", log != "off" && log != "auto", log), add("undo", false, undo),
		add("receipts", false, c.String("receipts")), add("receipts-sync", false, synced),
		add("check", false, c.StringSlice("check")...), add("check-time", false, checkTime),
	)
	if c.Bool("approve") {
		args = append(args, "-approve")
	}
	return args, err
}

// sharedPath is a path as a project's settings should have it. Whatever lies outside
// the project is on this machine only, and the user is told so.
func sharedPath(e *env, flag, abs, project string) string {
	if rel, err := filepath.Rel(project, abs); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	fmt.Fprintf(e.stderr, "gbt: --%s %s lies outside the project: where others don't have it, every call of theirs is blocked; --user or --scope local is for you alone\n", flag, abs)
	return abs
}

// editSettings changes one file, or shows the change.
func editSettings(e *env, f *settings.File, install, dry bool) error {
	name := f.Path
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real // the file, not the link to it, is replaced
	}
	old, err := os.ReadFile(name)
	exists := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fail(exitInput, "%v", err)
	}
	text, keep, err := edited(f, old, exists, install)
	if err != nil {
		return settingsError(name, err)
	}
	if exists == keep && string(old) == string(text) {
		fmt.Fprintf(e.stderr, "gbt: %s: nothing to change\n", name)
		return nil
	}
	if _, err := e.stdout.Write(diff.Diff(diffName("a", name, exists), old, diffName("b", name, keep), text)); err != nil || dry {
		return err
	}
	if !keep {
		return os.Remove(name)
	}
	perm := fs.FileMode(0o600)
	if info, err := os.Stat(name); err == nil {
		perm = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fail(exitInput, "%v", err)
	}
	if err := writeFile(name, text, perm); err != nil {
		return fail(exitInput, "%v", err)
	}
	if install {
		fmt.Fprintf(e.stderr, "gbt: installed; run gbt doctor %s here to see that it blocks\n", f.Host)
		if h, _ := hosts.Lookup(f.Host); h.Trust != nil {
			fmt.Fprintln(e.stderr, "gbt: "+h.Trust.Hint)
		}
	}
	return nil
}

// hidesHooks refuses to make a file beside which the host would stop reading hooks
// that the user has.
func hidesHooks(f *settings.File) error {
	h, _ := hosts.Lookup(f.Host)
	if _, err := os.Stat(f.Path); err == nil || h.Settings.Hides == "" {
		return nil
	}
	other := filepath.Join(filepath.Dir(f.Path), h.Settings.Hides)
	text, err := os.ReadFile(other)
	var has struct {
		Hooks map[string]any `json:"hooks"`
	}
	if err == nil && json.Unmarshal(text, &has) == nil && len(has.Hooks) > 0 {
		return fail(exitUsage, "%s has hooks, which %s stops reading once there is %s: move them there first, each event as a key of its own", other, h.Title, f.Path)
	}
	return nil
}

func edited(f *settings.File, old []byte, exists, install bool) (text []byte, keep bool, err error) {
	if install {
		text, err = f.Install(old, exists)
		return text, true, err
	}
	if !exists {
		return nil, false, nil
	}
	return f.Uninstall(old)
}

func diffName(side, name string, exists bool) string {
	if !exists {
		return "/dev/null"
	}
	return side + "/" + strings.TrimPrefix(filepath.ToSlash(name), "/")
}

// settingsError names file and line of settings that can't be edited.
func settingsError(name string, err error) error {
	var se *settings.SyntaxError
	if errors.As(err, &se) {
		return fail(exitInput, "%s:%d: %s; nothing was changed", name, se.Line, se.Msg)
	}
	return fail(exitInput, "%s: %v; nothing was changed", name, err)
}
