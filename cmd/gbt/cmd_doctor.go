package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/hosts/settings"
)

func doctorCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "doctor",
		Usage:     "prove that an installed hook blocks",
		ArgsUsage: "[HOST]",
		Description: "Finds gbt's hooks in the settings of the user and of the project, runs the very command lines that stand there\n" +
			"with dangerous, harmless and broken input as the host would, and reads the answers as the host does. Nothing is\n" +
			"executed but the hook. Also names what the host itself lets through. Exit 1 on any finding.\n\n" +
			"Example:\n   gbt doctor claude-code",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "dir", Value: ".", Usage: "the project's directory"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object"},
		},
		Action: func(c *cli.Context) error { return runDoctor(e, c) },
	}
}

// diagnosis is what doctor prints.
type diagnosis struct {
	OK       bool          `json:"ok"`
	Hooks    []hookReport  `json:"hooks"`
	Findings []string      `json:"findings"`
	Notes    []string      `json:"notes"` // what the user still has to do; no findings
	Limits   []hostsLimits `json:"limits"`
}

type hostsLimits struct {
	Host   string   `json:"host"`
	Limits []string `json:"limits"`
}

// hookReport is one installed hook and how it did.
type hookReport struct {
	Host    string      `json:"host"`
	Scope   string      `json:"scope"`
	File    string      `json:"file"`
	Event   string      `json:"event"`
	Command string      `json:"command"`
	Cases   []caseCheck `json:"cases"`
}

type caseCheck struct {
	Name    string `json:"case"`
	Wanted  string `json:"wanted"`
	Got     string `json:"got"`
	OK      bool   `json:"ok"`
	Blocked bool   `json:"blocked"`
	Host    bool   `json:"by_host,omitempty"` // the host's own behaviour, which no hook can change
	Detail  string `json:"detail,omitempty"`
}

func runDoctor(e *env, c *cli.Context) error {
	names := hosts.Names()
	if c.NArg() > 1 {
		return fail(exitUsage, "doctor takes at most one host")
	}
	if c.NArg() == 1 {
		if _, ok := hosts.Lookup(c.Args().First()); !ok {
			return fail(exitUsage, "%q is not a host; use one of %s", c.Args().First(), strings.Join(names, ", "))
		}
		names = []string{c.Args().First()}
	}
	o, err := hookOptions(c)
	if err != nil {
		return err
	}
	d := &diagnosis{Hooks: []hookReport{}, Findings: []string{}, Notes: []string{}, Limits: []hostsLimits{}}
	for _, name := range names {
		if err := d.host(e, name, o); err != nil {
			return err
		}
	}
	if len(d.Hooks) == 0 && len(d.Findings) == 0 {
		d.find("no hook of gbt is installed for %s in %s or for this user; gbt hook install HOST installs one", strings.Join(names, ", "), o.Project)
	}
	d.OK = len(d.Findings) == 0
	if c.Bool("json") {
		err = printJSON(e, d)
	} else {
		_, err = e.stdout.Write(d.text())
	}
	if err == nil && !d.OK {
		return &exitError{code: exitFindings}
	}
	return err
}

func (d *diagnosis) find(format string, args ...any) {
	d.Findings = append(d.Findings, fmt.Sprintf(format, args...))
}

// host looks at the settings of one host in every scope.
func (d *diagnosis) host(e *env, name string, o settings.Options) error {
	h, _ := hosts.Lookup(name)
	before := len(d.Hooks)
	for _, scope := range []settings.Scope{settings.User, settings.Project, settings.Local} {
		o.Scope = scope
		if scope == settings.User && o.Home == "" {
			continue
		}
		files, err := settings.For(name, o)
		if err != nil {
			continue // the host has no such scope
		}
		for i := range files {
			if err := d.file(e, h, &files[i], o); err != nil {
				return err
			}
		}
	}
	if len(d.Hooks) > before {
		d.Limits = append(d.Limits, hostsLimits{name, h.Limits})
	}
	return nil
}

func (d *diagnosis) file(e *env, h hosts.Host, f *settings.File, o settings.Options) error {
	text, err := os.ReadFile(f.Path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fail(exitInput, "%v", err)
	}
	list, off, err := f.Find(text)
	if err != nil {
		d.find("%s does not parse, so %s runs no hook of it: %v", f.Path, h.Title, err)
		return nil
	}
	if off {
		d.find("%s turns all hooks of %s off", f.Path, h.Title)
	}
	if len(list) > 0 {
		if s := untrusted(h.Trust, o.Home, f.Path); s != "" {
			d.Notes = append(d.Notes, s)
		}
	}
	d.companions(f.Path, h, list)
	d.silent(f.Path, h, list)
	for _, in := range list {
		if !in.Plain {
			d.find("%s: %s runs gbt-hook among other things, which is not tried: %s", f.Path, in.Event, in.Command)
			continue
		}
		if s := missingProgram(in); s != "" {
			d.find("%s: %s: %s", f.Path, in.Event, s)
			continue
		}
		r := hookReport{Host: h.Name, Scope: string(o.Scope), File: f.Path, Event: in.Event, Command: in.Command}
		if r.Command == "" {
			r.Command = strings.Join(in.Argv, " ")
		}
		p := prober{ctx: e.ctx, host: h, hook: in, dir: o.Project, home: o.Home}
		r.Cases = p.all()
		for _, c := range r.Cases {
			if !c.OK {
				d.find("%s %s: %s: wanted %s, got %s%s", h.Name, in.Event, c.Name, c.Wanted, c.Got, c.Detail)
			}
		}
		if in.Matcher != "" && in.Matcher != "*" && in.Matcher != ".*" {
			d.find("%s: the matcher %q leaves tools out", f.Path, in.Matcher)
		}
		d.Hooks = append(d.Hooks, r)
	}
	return nil
}

// companions checks that a hook which leaves questions to others has them.
func (d *diagnosis) companions(file string, h hosts.Host, list []settings.Installed) {
	events, later := map[string]bool{}, false
	for _, in := range list {
		events[in.Event] = true
		later = later || strings.Contains(in.Command, "-ask-later")
	}
	wide := slices.IndexFunc(h.Events, func(k hosts.EventKind) bool { return k.AskLater })
	if !later || wide < 0 {
		return
	}
	for _, k := range h.Events {
		if k.Asks && !events[k.Name] {
			d.find("%s: %s leaves questions to %s, where no hook of gbt is installed", file, h.Events[wide].Name, k.Name)
		}
	}
}

// silent says so where a session's state is kept and nobody notes what ran,
// though the host would tell.
func (d *diagnosis) silent(file string, h hosts.Host, list []settings.Installed) {
	remembers, notes := false, false
	for _, in := range list {
		words, _ := settings.Words(in.Command)
		i := slices.Index(words, "-state")
		remembers = remembers || i >= 0 && i+1 < len(words) && words[i+1] != "none"
		notes = notes || in.After
	}
	if h.Reports && remembers && !notes {
		d.find("%s: no hook notes what ran, so calls that you decline count as run; install again", file)
	}
}

func (d *diagnosis) text() []byte {
	var b strings.Builder
	for _, r := range d.Hooks {
		fmt.Fprintf(&b, "%s (%s): %s\n  event    %s\n  command  %s\n", r.Host, r.Scope, r.File, r.Event, r.Command)
		fmt.Fprintf(&b, "  %-44s %-12s %s\n", "case", "blocked", "host")
		for _, c := range r.Cases {
			verdict := "ok"
			if !c.OK {
				verdict = "FINDING: wanted " + c.Wanted + c.Detail
			} else if c.Host {
				verdict = "the host's own limit"
			}
			fmt.Fprintf(&b, "  %-44s %-12s %-10s %s\n", c.Name, yesNo(c.Blocked), c.Got, verdict)
		}
		b.WriteByte('\n')
	}
	for _, l := range d.Limits {
		fmt.Fprintf(&b, "%s: what no hook can block there\n", l.Host)
		for _, s := range l.Limits {
			fmt.Fprintf(&b, "  - %s\n", s)
		}
		b.WriteByte('\n')
	}
	for _, s := range d.Notes {
		fmt.Fprintf(&b, "note: %s\n", s)
	}
	if len(d.Findings) == 0 {
		b.WriteString("no findings\n")
	}
	for _, s := range d.Findings {
		fmt.Fprintf(&b, "finding: %s\n", s)
	}
	return []byte(b.String())
}

func yesNo(v bool) string {
	if v {
		return "yes"
	}
	return "no"
}
