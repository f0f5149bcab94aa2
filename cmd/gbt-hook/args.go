package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/artifacts/trust"
	"github.com/gbt-policy/gbt/internal/hosts"
)

// defaultTimeout ends a decision that takes too long. It is shorter than the
// time limits that gbt hook install sets, because most hosts go on with the
// call when their own limit runs out.
const defaultTimeout = 5 * time.Second

// config is what the command line says.
type config struct {
	host      chosenHost
	policy    string
	trust     trust.Options
	profile   string
	roots     []string
	protect   []string
	allow     []string
	reads     []string
	state     string
	approvals string
	log       string
	undo      string
	receipts  string
	unsynced  bool // the system says when receipts reach the disk
	timeout   time.Duration
	askLater  bool
	consents  bool // a yes is remembered
	approve   bool // the host's own questions about calls that are approved are answered
	after     bool
	atEnd     bool          // it is asked when the agent ends its turn
	checks    []string      // commands that must end well then
	checkTime time.Duration // that they may take together
}

// chosenHost is the host to answer, or none while it is not known.
type chosenHost struct {
	hosts.Host
	known bool
}

// refusal is the blocked form. A host that is not known gets what blocks on
// every one of them: exit 2 and a reason on stderr.
func (h chosenHost) refusal(err error) hosts.Output {
	if !h.known {
		return hosts.Output{Stderr: "gbt-hook: " + err.Error() + "\n", Exit: exitBlocked}
	}
	return h.Refuse(err.Error())
}

// shellEnd is the end of what gbt hook install puts behind a command line, for a
// shell (settings.OrBlock).
var shellEnd = [...]string{"||", "exit", "2"}

// sayEnd begins what stands before shellEnd and says that the hook is missing.
var sayEnd = [...]string{"||", "sh", "-c"}

func withoutEnd(args []string) []string {
	n := len(args) - len(shellEnd)
	if n < 0 || !slices.Equal(args[n:], shellEnd[:]) {
		return args
	}
	args = args[:n]
	if i := slices.Index(args, sayEnd[0]); i >= 0 && len(args)-i > len(sayEnd) && slices.Equal(args[i:i+len(sayEnd)], sayEnd[:]) {
		args = args[:i]
	}
	return args
}

// parseArgs reads HOST and the flags after it. The config it returns with an
// error knows the host as soon as the arguments name one.
func parseArgs(args []string) (config, error) {
	c := config{timeout: defaultTimeout, consents: true, checkTime: checksTime}
	usage := "usage: gbt-hook HOST [flags], HOST one of " + strings.Join(hosts.Names(), ", ")
	if len(args) == 0 {
		return c, errors.New(usage)
	}
	if c.host.Host, c.host.known = hosts.Lookup(args[0]); !c.host.known {
		return c, fmt.Errorf("%.40q is not a host; %s", args[0], usage)
	}
	args = args[1:]
	// A host that runs the command line of its settings without a shell.
	args = withoutEnd(args)
	fs := c.flags()
	if err := fs.Parse(args); err != nil {
		return c, fmt.Errorf("the hook's command line: %w", err)
	}
	if fs.NArg() > 0 {
		return c, fmt.Errorf("the hook's command line: unexpected argument %.80q", fs.Arg(0))
	}
	return c, c.check()
}

func (c *config) flags() *flag.FlagSet {
	fs := flag.NewFlagSet("gbt-hook", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // the error carries the message
	more := func(list *[]string) func(string) error {
		return func(s string) error {
			if s == "" {
				return errors.New("empty value")
			}
			*list = append(*list, s)
			return nil
		}
	}
	one := func(value *string) func(string) error {
		return func(s string) error {
			if s == "" { // -policy "$POLICY" where POLICY is not set: not the same as no -policy
				return errors.New("empty value")
			}
			*value = s
			return nil
		}
	}
	fs.Func("policy", "check calls under the policy in `FILE`", one(&c.policy))
	fs.Func("trust", "accept policies signed by the key in `FILE`", more(&c.trust.Keys))
	fs.IntVar(&c.trust.Need, "need", 0, "let `N` different keys of -trust have signed")
	fs.Uint64Var(&c.trust.MinSequence, "min-sequence", 0, "refuse a policy with a sequence number below `N`")
	fs.Func("seen", "remember the newest policy opened in `FILE`, or \"off\"; with -trust it is beside the policy", one(&c.trust.Seen))
	fs.Func("profile", "workspace, strict, apps or observe", one(&c.profile))
	fs.Func("root", "a workspace root", more(&c.roots))
	fs.Func("protect", "a path that must not be changed", more(&c.protect))
	fs.Func("allow-host", "a domain that may be fetched from", more(&c.allow))
	fs.Func("read", "a directory outside the workspace that may be read", more(&c.reads))
	fs.Func("state", "keep what a session has read and made in `DIR`, or \"auto\"", one(&c.state))
	fs.Func("approvals", "queue what the host can't ask in `DIR`, or \"auto\" (with -state) or \"none\"", one(&c.approvals))
	fs.Func("log", "append one line for each decision to `FILE`; \"off\" keeps none, \"auto\" is the user's own log", one(&c.log))
	fs.Func("undo", "remember what calls change, for gbt undo, in `DIR`, or \"auto\"", one(&c.undo))
	fs.Func("receipts", "keep a receipt of each call in `DIR`, or \"auto\" (with -undo) or \"none\"", one(&c.receipts))
	fs.Func("receipts-sync", "\"off\" does not wait until receipts are on the disk", c.setSync)
	fs.DurationVar(&c.timeout, "timeout", c.timeout, "block when there is no decision in time")
	fs.BoolVar(&c.askLater, "ask-later", false, "Cursor: leave questions to beforeShellExecution and beforeMCPExecution")
	fs.Func("remember", "\"off\" asks about each call; else a yes holds for the same effect in the session", c.setRemember)
	fs.BoolVar(&c.approve, "approve", false, "answer the host's own question with yes where the call is approved; needs -state")
	fs.BoolVar(&c.after, "after", false, "note what ran and what the user said; decide nothing")
	fs.BoolVar(&c.atEnd, "end", false, "hold the end of the agent's turn against what must hold then; with -state")
	fs.Func("check", "run `COMMAND` when the agent ends its turn after a change; one that fails sends it back", more(&c.checks))
	fs.DurationVar(&c.checkTime, "check-time", c.checkTime, "how long the commands of -check may take together")
	return fs
}

func (c *config) setSync(s string) error {
	if s != "on" && s != "off" {
		return errors.New("it is on or off")
	}
	c.unsynced = s == "off"
	return nil
}

func (c *config) setRemember(s string) error {
	if s != "on" && s != "off" {
		return errors.New("it is on or off")
	}
	c.consents = s == "on"
	return nil
}

func (c *config) check() error {
	if c.timeout <= 0 || c.timeout > time.Hour {
		return errors.New("the hook's command line: -timeout is out of range")
	}
	for _, r := range c.roots {
		if home, _ := os.UserHomeDir(); effect.TooWide(filepath.Clean(r), home) {
			return errors.New("the hook's command line: -root " + r + ": " + effect.WhyTooWide)
		}
	}
	if c.policy == "" && (len(c.trust.Keys) > 0 || c.trust.Need != 0 || c.trust.MinSequence != 0 || c.trust.Seen != "") {
		return errors.New("the hook's command line: -trust, -need, -min-sequence and -seen need -policy")
	}
	if c.policy != "" && len(c.allow) > 0 {
		return errors.New("the hook's command line: -allow-host can't loosen a policy; seal it into the policy")
	}
	if c.policy != "" && len(c.reads) > 0 {
		return errors.New("the hook's command line: -read can't loosen a policy; name it as a root there, or leave it out")
	}
	for _, r := range c.reads {
		if home, _ := os.UserHomeDir(); effect.TooWide(filepath.Clean(r), home) {
			return errors.New("the hook's command line: -read " + r + ": " + effect.WhyTooWide)
		}
	}
	if c.checkTime <= 0 || c.checkTime > maxChecksTime {
		return errors.New("the hook's command line: -check-time is out of range")
	}
	if c.atEnd && c.after {
		return errors.New("the hook's command line: -end and -after are about different events")
	}
	if c.atEnd && (c.state == "" || c.state == "none") {
		return errors.New("the hook's command line: -end needs -state, which counts how often an end was sent back")
	}
	if _, err := c.profileValue(); err != nil {
		return err
	}
	if err := c.checkApprove(); err != nil {
		return err
	}
	return c.resolve()
}

// resolve makes the paths of the command line absolute.
func (c *config) resolve() error {
	var paths []*string
	for _, list := range [][]string{c.roots, c.protect, c.reads, c.trust.Keys} {
		for i := range list {
			paths = append(paths, &list[i])
		}
	}
	paths = append(paths, &c.policy)
	if c.log != logAuto && c.log != logOff {
		paths = append(paths, &c.log)
	}
	if c.trust.Seen != trust.Off {
		paths = append(paths, &c.trust.Seen)
	}
	for _, p := range paths {
		if *p == "" {
			continue
		}
		abs, err := c.absolute(*p)
		if err != nil {
			return err
		}
		*p = abs
	}
	return nil
}

// absolute resolves ~ and makes a path of the command line absolute. A relative one
// is that of a project's settings (gbt hook install --project) and begins where they
// lie: the host starts the hook wherever the agent's last cd led.
func (c *config) absolute(p string) (string, error) {
	if !filepath.IsAbs(p) && p != "~" && !strings.HasPrefix(p, "~/") {
		p = filepath.Join(c.settingsDir(), p)
	}
	return absolute(p)
}

// settingsDir is the project whose settings name this hook: the one that the host
// tells, else the nearest directory upwards that has the host's settings file; or
// empty, which stands for the working directory.
func (c *config) settingsDir() string {
	if dir := c.projectDir(); filepath.IsAbs(dir) {
		return dir
	}
	dir, err := os.Getwd()
	for err == nil && c.host.Settings.Project != "" {
		if _, missing := os.Stat(filepath.Join(dir, filepath.FromSlash(c.host.Settings.Project))); missing == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// absolute resolves ~ and makes a path absolute.
func absolute(p string) (string, error) {
	if p == "~" || strings.HasPrefix(p, "~/") {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		p = home + p[1:]
	}
	return filepath.Abs(p)
}

func (c *config) profileValue() (gates.Profile, error) {
	for p := gates.ProfileWorkspace; p <= gates.ProfileApps; p++ {
		if c.profile == p.String() {
			return p, nil
		}
	}
	if c.profile == "" {
		return gates.ProfileWorkspace, nil
	}
	return 0, fmt.Errorf("the hook's command line: %.40q is not a profile; use workspace, strict, apps or observe", c.profile)
}

// helpText is what a person is told who starts the hook by hand.
func helpText() string {
	var b strings.Builder
	b.WriteString("gbt-hook decides on one call of a coding agent before it runs. The agent's host starts it;\n" +
		"gbt hook install puts it into a host's settings and gbt doctor proves that it blocks there.\n\n" +
		"usage: gbt-hook HOST [flags] < call.json\n\nHOST is one of " + strings.Join(hosts.Names(), ", ") + ".\n\nFlags:\n")
	fs := (&config{timeout: defaultTimeout, checkTime: checksTime}).flags()
	fs.SetOutput(&b)
	fs.PrintDefaults()
	return b.String()
}
