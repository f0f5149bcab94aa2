package traverse

import (
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/traverse/constraint"
)

// Constraint is a rule over calls that a task brings along. It only tightens.
type Constraint = constraint.Rule

// Constraints turns what a text forbids or bounds into rules, for Task.Constraints, and
// returns the sentences that bound something and of which no rule was made: show them to
// whoever wrote the text. No model is asked.
func Constraints(text string) (rules []Constraint, unread []string) { return constraint.Compile(text) }

// constrain adds what the task's constraints say of a call. They look at what the call
// does, as gates do, and take no permission back that a gate withholds.
func (s *Session) constrain(a *Answer) {
	for i := range s.task.Constraints {
		r := &s.task.Constraints[i]
		at, verdict := s.breaks(r, &a.Context)
		if verdict >= a.Disposition && verdict >= gates.ApprovedWithConstraints || verdict == gates.Approved {
			continue
		}
		a.Reasons = append(a.Reasons, gates.Reason{Rule: "task/" + r.Does, Disposition: verdict, Effect: at, Message: "The task says: " + clip(r.Text, macroTokens) + "." + readBy(r)})
		a.Disposition, a.Would = min(a.Disposition, verdict), min(a.Would, verdict)
	}
	if len(s.task.Constraints) > 0 { // the worst first
		sort.SliceStable(a.Reasons, func(i, j int) bool { return a.Reasons[i].Disposition < a.Reasons[j].Disposition })
	}
}

// readBy tells that a model read the rule in the task's words.
func readBy(r *Constraint) string {
	if r.By == "" {
		return ""
	}
	return " That it means this call is what the model " + clip(r.By, macroTokens) + " says."
}

// breaks says what a rule makes of a call, and which effect is why.
func (s *Session) breaks(r *Constraint, c *gates.Context) (at int, verdict gates.Disposition) {
	hard := gates.Rejected
	if r.Asks {
		hard = gates.ApprovedWithConstraints
	}
	if r.Does == "spend" {
		return -1, spends(r, c, hard)
	}
	at, verdict = -1, gates.Approved
	for i := range c.Effects {
		e := &c.Effects[i]
		switch {
		case s.about(r, e):
			return i, hard
		case e.Kind == effect.Opaque, r.Path != "" && changes(e) && e.Zone == effect.ZoneUnknown: // it may be what the rule is about
			at, verdict = i, gates.ApprovedWithConstraints
		}
	}
	return at, verdict
}

// about says whether an effect is what a rule is about.
func (s *Session) about(r *Constraint, e *effect.Effect) bool {
	switch r.Does {
	case "delete":
		return e.Kind == effect.Delete && s.within(r, e)
	case "change":
		return (e.Kind == effect.Write || e.Kind == effect.Delete || e.Kind == effect.Setting && r.Path == "") && s.within(r, e)
	case "send":
		return e.Kind == effect.Network && (e.Op == effect.OpSend || e.Deed != "" || e.Op == effect.OpConnect) && !local(e)
	case "network":
		return e.Kind == effect.Network && !local(e)
	case "install":
		return e.Op == effect.OpInstall || e.Kind == effect.Spawn && slices.ContainsFunc(strings.Fields(e.Argv), func(w string) bool { return w == "install" || w == "add" && slices.Contains(adders, e.Program) })
	case "push":
		return e.Deed == "push" || e.Kind == effect.Spawn && e.Program == "git" && slices.Contains(strings.Fields(e.Argv), "push")
	case "commit":
		return e.Kind == effect.Spawn && slices.Contains([]string{"git", "hg", "jj", "svn"}, e.Program) && slices.Contains(strings.Fields(e.Argv), "commit")
	case "run":
		return e.Kind == effect.Spawn && e.Op != effect.OpRun
	}
	return true // a rule of a kind that this does not know is about everything
}

// adders are package managers that install with add.
var adders = []string{"apk", "bun", "bundle", "cargo", "dotnet", "go", "npm", "pdm", "pnpm", "poetry", "uv", "yarn"}

func local(e *effect.Effect) bool {
	return e.Net.Domain == "localhost" || e.Net.IP == "127.0.0.1" || e.Net.IP == "::1"
}

// within says whether an effect on a resource is in the bounds of a rule: at its path, in
// it, or around it, or, with Only, anywhere else.
func (s *Session) within(r *Constraint, e *effect.Effect) bool {
	if e.Zone == effect.ZoneStream {
		return false
	}
	if r.Path == "" {
		return true
	}
	want := r.Path
	if !path.IsAbs(want) {
		want = path.Join(s.base(), want)
	}
	at := e.Resource
	if !path.IsAbs(at) {
		at = path.Join(s.base(), at)
	}
	if e.Glob && !r.Only {
		return fitsGlob(at, want)
	}
	inside := at == want || strings.HasPrefix(at, want+"/") || strings.HasSuffix(at, "/"+r.Path)
	if r.Only {
		return !inside && e.Zone != effect.ZoneTemp
	}
	around := strings.HasPrefix(want, strings.TrimSuffix(at, "/")+"/") && e.Kind == effect.Delete
	return inside || around
}

func changes(e *effect.Effect) bool { return e.Kind == effect.Write || e.Kind == effect.Delete }

// fitsGlob says whether a pattern can stand for a path or for a folder that it is in. One
// that path.Match does not read as a shell does can.
func fitsGlob(pattern, name string) bool {
	if strings.Contains(pattern, "**") || strings.ContainsAny(pattern, "{}()\\") {
		return true
	}
	for ; name != "/" && name != "."; name = path.Dir(name) {
		if ok, err := path.Match(pattern, name); ok || err != nil {
			return true
		}
	}
	return false
}

// base is where relative paths of a task start.
func (s *Session) base() string {
	if len(s.env.Roots) > 0 {
		return s.env.Roots[0]
	}
	return s.env.Cwd
}

// spends compares the amounts of a call with the most that may be spent. One that is no
// number may be more.
func spends(r *Constraint, c *gates.Context, hard gates.Disposition) gates.Disposition {
	most, err := strconv.ParseFloat(r.Most, 64)
	verdict := gates.Approved
	for i := range c.Args {
		a := &c.Args[i]
		if a.Role != effect.RoleAmount.String() {
			continue
		}
		n, bad := strconv.ParseFloat(strings.TrimLeft(strings.ReplaceAll(a.Value, ",", ""), "€$£ "), 64)
		switch {
		case r.Most == "" || err != nil || bad == nil && !(n <= most):
			return hard
		case bad != nil:
			verdict = gates.ApprovedWithConstraints
		}
	}
	return verdict
}
