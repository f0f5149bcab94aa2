package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/hosts"
	"github.com/gbt-policy/gbt/internal/hosts/permissions"
)

// A host that is about to ask its own user about a call tells its hook so (Prompts.Event),
// after the event at which the call was decided. With -approve, the question is answered
// with yes where that decision approved the call. It is not decided a second time: the
// call counts as run already, and a second look would see what it is believed to have
// done. So the decision on both is one, and the session's memory changes once.

// seen is a call that was decided on and of which nobody has said yet whether it ran.
type seen struct {
	Key   string // as the memory calls it
	About string // a digest of what the host's question is about
	Agent string `json:",omitempty"`
	Left  string `json:",omitempty"` // why the question is left to the user; empty where it is not
}

// maxSeen bounds them. A question about an older one is the user's.
const maxSeen = 64

// seeing notes a decision for the host's own question about the same call.
func (c *config) seeing(s *session, in *hosts.Input, ctx *gates.Context, d *gates.Decision) {
	if !c.approve || s.file == "" || in.Event == c.host.Prompts.Event || !c.mayRun(in, d) {
		return
	}
	s.seen = append(s.seen, seen{callKey(in), digest(in.PromptKey()), in.Agent, c.host.Leaves(in, ctx, d)})
	s.seen = s.seen[max(0, len(s.seen)-maxSeen):]
}

// settled drops what there is word of.
func (s *session) settled(done func(*seen) bool) {
	s.seen = slices.DeleteFunc(s.seen, func(x seen) bool { return done(&x) })
}

// prompted answers a question of the host's own about a call that was decided on before;
// done is false for everything else. Of two equal calls that both wait, nobody knows which
// one is asked about: both must have been approved.
func (c *config) prompted(s *session, in *hosts.Input) (out hosts.Output, done bool) {
	if !c.approve || in.Event != c.host.Prompts.Event {
		return hosts.Output{}, false
	}
	about, yes, n := digest(in.PromptKey()), true, 0
	for i := range s.seen {
		if s.seen[i].About == about {
			n++
			flow := s.past.Beside(s.seen[i].Key) // by now another call may have tainted the session
			yes = yes && s.seen[i].Left == "" && !flow.Tainted()
		}
	}
	if n == 0 {
		return hosts.Output{}, false // decided as any call is, and never with yes
	}
	if !yes || c.chosen(in) {
		return c.host.Pass(in), true
	}
	return c.host.Approve(in), true
}

// chosen says whether the user's own rules in the host's settings may want this question
// asked. A file that is there and can't be read may hold anything.
func (c *config) chosen(in *hosts.Input) bool {
	for _, name := range c.choiceFiles(in) {
		data, err := readSmall(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		var rules []permissions.Rule
		if err == nil {
			rules, err = permissions.Parse(name, data)
		}
		if err != nil {
			return true
		}
		if slices.ContainsFunc(rules, func(r permissions.Rule) bool {
			return r.Behavior == permissions.Ask && r.MayMatch(in.Call.Tool, in.Call.Args) // deny holds whatever a hook says
		}) {
			return true
		}
	}
	return false
}

// maxAbove bounds how many directories above a call's are looked at.
const maxAbove = 64

// choiceFiles are the settings that may hold for a call: the user's, an administrator's,
// and those of the project's directory and the call's, and of all above them up to the
// home. One too many costs a question.
func (c *config) choiceFiles(in *hosts.Input) []string {
	home, _ := os.UserHomeDir()
	list := &c.host.Prompts.Choices
	out := list.UserFiles(home, os.Getenv(list.HomeEnv))
	for _, p := range list.ManagedPatterns(runtime.GOOS) {
		found, _ := filepath.Glob(p) // the pattern is ours
		out = append(out, found...)
	}
	var dirs []string
	for _, dir := range []string{c.projectDir(), in.State.Cwd} {
		for n := 0; filepath.IsAbs(dir) && n < maxAbove; n++ {
			if !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
			if dir == home || filepath.Dir(dir) == dir {
				break
			}
			dir = filepath.Dir(dir)
		}
	}
	roots, kept := treesOf(dirs, home, func(...string) bool { return false })
	for _, k := range kept {
		roots = append(roots, k.Dir)
	}
	for _, dir := range append(dirs, roots...) {
		out = append(out, list.ProjectFiles(dir)...)
	}
	return out
}

// readSmall reads a file of at most permissions.MaxSize and one byte: one that is larger
// is told as such by who parses it.
func readSmall(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, permissions.MaxSize+1))
}

// checkApprove refuses -approve where it can't hold: at a host whose questions are not
// answered, and without a memory, in which a session is never known to be tainted.
func (c *config) checkApprove() error {
	switch {
	case !c.approve:
		return nil
	case c.host.Prompts == nil:
		return fmt.Errorf("the hook's command line: -approve: %s", c.host.NotAnswered())
	case c.state == "" || c.state == "none":
		return errors.New("the hook's command line: -approve needs -state: without it nobody knows what the session has read")
	}
	return nil
}
