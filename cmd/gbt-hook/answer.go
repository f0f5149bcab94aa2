package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/scope"
	"github.com/gbt-policy/gbt/internal/gates/powershell"
	"github.com/gbt-policy/gbt/internal/gates/source"
	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/processes"
	"github.com/gbt-policy/gbt/internal/rulebook"
)

// answer reads one call and decides on it.
func (c *config) answer(stdin io.Reader, stderr io.Writer, start time.Time) hosts.Output {
	data, err := io.ReadAll(io.LimitReader(stdin, hosts.MaxInput+1))
	if err != nil {
		return c.host.refusal(fmt.Errorf("reading the call: %w", err))
	}
	in, err := c.host.Decode(data)
	if err != nil {
		if c.host.IsEnd(data) { // registered by hand, without -end
			return c.end(data, stderr, start)
		}
		return c.host.refusal(err)
	}
	p, err := c.load()
	if err != nil {
		return c.host.refusal(err)
	}
	s, err := c.openSession(in)
	if err != nil {
		return c.host.refusal(err)
	}
	defer s.close()
	if out, done := c.prompted(s, in); done {
		return out
	}
	s.past.Unsourced, s.past.Forgetful = s.file == "" || !p.gates, !c.consents
	s.past.Observes = s.file != "" && c.host.Reports && c.host.TellsSuccess()
	ctx, up, err := c.context(p, s, in, s.past.Before)
	if err != nil {
		return c.host.refusal(err)
	}
	d := p.checker.Check(ctx, nil)
	if up != "" {
		upThroughLink(&d, up, p.checker.Guardrail.Profile == gates.ProfileObserve)
	}
	var kept taken
	later := c.askLater && in.Elsewhere && d.Disposition == gates.ApprovedWithConstraints
	if !later && d.Disposition == gates.ApprovedWithConstraints && !c.host.CanAsk(in) {
		c.queue(in, ctx, &d, start, stderr)
	}
	c.seeing(s, in, ctx, &d)
	if !later && c.mayRun(in, &d) {
		if !c.host.Reports {
			s.changed(c, p, ctx)
		}
		if err := s.record(in, ctx, &d, c.host.Reports, start); err != nil {
			return c.host.refusal(err)
		}
		if kept, err = c.remember(in, ctx); err != nil {
			fmt.Fprintf(stderr, "gbt: this call can't be undone: %v\n", err)
		}
	}
	if s.file != "" && s.past.Stopped(&d) {
		if err := s.save(); err != nil {
			return c.host.refusal(err)
		}
	}
	if !later {
		if err := c.unreceipted(c.receipt(p, s, in, ctx, &d, kept), stderr); err != nil {
			return c.host.refusal(err)
		}
	}
	if all := scope.Of(ctx, &d); len(all) > 0 && c.consents && s.file != "" && c.host.Reports {
		d.Offer = all[0].Shown()
	}
	if later && (c.log == "" || c.log == logAuto) {
		return c.host.Pass(in) // the hook that asks keeps it
	}
	if err := c.writeLog(p, s, in, ctx, &d, start); err != nil {
		fmt.Fprintf(stderr, "gbt: decision log: %v\n", err)
	}
	if later {
		return c.host.Pass(in)
	}
	if d.Disposition == gates.ApprovedWithConstraints {
		in.Known = agesOf(ctx, start)
	}
	return c.host.Encode(in, ctx, &d)
}

// mayRun says whether the call can run after this answer. What a user answers
// is not known now: a call they are asked about counts as run until there is
// word of it (note).
func (c *config) mayRun(in *hosts.Input, d *gates.Decision) bool {
	return d.Disposition == gates.Approved || d.Disposition == gates.ApprovedWithConstraints && c.host.CanAsk(in)
}

// upThroughLink asks for another form of a path that means one place to the
// file system and another to its reader.
func upThroughLink(d *gates.Decision, word string, observe bool) {
	d.Would = min(d.Would, gates.RevisionRequired)
	if !observe {
		d.Disposition = d.Would
	}
	d.Object(gates.Reason{
		Rule: "workspace/link", Disposition: gates.RevisionRequired, Effect: -1,
		Message: "goes up from a symbolic link: " + word + ". Write the path without \"..\".",
	})
}

// places tells the state what the host keeps, and which work trees belong to the workspace.
func (c *config) places(p *policy, s *session, st *gates.State) {
	var linked, trees []string
	var kept []gates.Kept
	if len(c.roots) == 0 && len(p.roots) == 0 { // else somebody said on purpose what the workspace is
		linked, kept = treesOf(st.Roots, st.Home, s.past.WroteTree)
		trees = slices.Clone(linked)
		for _, k := range kept {
			trees = append(trees, k.Dir)
		}
	}
	if len(st.Roots) > 0 {
		st.Kept = c.host.Kept(st.Roots[0], trees...)
	}
	for i := range st.Kept {
		if k := &st.Kept[i]; k.Below != "" {
			k.Now = func(file string) bool { return s.calls.ran(bornAt(file)) || s.saved.ran(bornAt(file)) }
		}
	}
	st.Roots, st.Kept = append(st.Roots, linked...), append(st.Kept, kept...)
}

// context builds the context of the call from what the host said and what the
// file system shows; past adds what the session knows. up is a word that goes up from a link, or empty.
func (c *config) context(p *policy, s *session, in *hosts.Input, past func(*gates.State)) (ctx *gates.Context, up string, err error) {
	st := in.State
	st.Home, _ = os.UserHomeDir()
	st.UID, st.GID = os.Getuid(), os.Getgid()
	st.Roots = c.rootsOf(p, s, in, st.Home)
	c.places(p, s, &st)
	for _, dir := range withReal(c.reads) {
		st.Kept = append(st.Kept, gates.Kept{Dir: dir})
	}
	st.Remotes, st.Repo = remotesOf(st.Roots), repositoryOf
	st.Exists, st.Found, st.Stamp, st.Holds, st.Ref, st.Free = exists, found, stamp, holds, refOf, freePort
	st.Text, st.Names, st.LinksIn, st.Tracked = textOf, namesIn, linksIn, tracked
	w := watch{calls: &s.calls, mark: c.host.ShellEnv, self: os.Getpid()}
	st.PlainAsRun, st.FollowPython, st.SaysOnly, st.ThrowAway, st.Compiled = gates.PlainAsRun, gates.FollowPython, gates.SaysOnly, gates.ThrowAway, source.Reader{}
	st.ByArguments, st.OtherClone, st.Inline, st.Naming, st.Forges = gates.ByArguments, gates.OtherClone, gates.InlineReader(), scope.Naming{}, gates.Forges
	st.Installed = gates.InstalledLooker()
	st.PowerShell = call.NewPowerShell(powershell.Reader{})
	st.Aside, st.Constants, st.StartFiles = asideOf(&st), gates.OwnConstants(), gates.StartFiles()
	st.Reached = (&processes.Machine{All: w.processes, Holders: w.holders}).Own
	st.Output = (&outputs{calls: &s.calls, roots: st.Roots, born: bornAt}).made
	st.NewDirs = func(c *gates.Context, own []string) []string {
		return gates.NewDirs(c, own, func(dir string) bool { return isDir(dir) && s.calls.ran(bornAt(dir)) })
	}
	st.Facts = rulebook.Facts(st.Cwd)
	st.Own = append(c.ownFiles(), rulebook.Own()...)
	past(&st)
	k := *p.checker
	st.Discards = (&discards{work: &s.works, guard: &k.Guardrail, seen: map[string]gates.Discards{}}).of
	k.Guardrail.Protected = append(slices.Clip(k.Guardrail.Protected), st.Own...)
	p.book = rulebook.Open(st.Roots)
	k.Rules = p.book
	p.checker = &k
	var l links
	up = l.preload(in.Call, st.Cwd)
	for range maxRounds {
		st.Links = l.list
		ctx := k.Context(in.Call, st)
		if !l.observe(&ctx) {
			return &ctx, up, nil
		}
	}
	return nil, "", fmt.Errorf("the paths of this call lead through too many symbolic links")
}
