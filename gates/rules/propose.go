package rules

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/gates/scope"
)

// Propose returns the narrowest rules that answer all questions of a decision, as people
// write them; nil where none can. Each was tried on the call itself.
func Propose(c *gates.Context, d *gates.Decision) []string {
	if !d.Answerable() || len(d.Gates) > 0 {
		return nil
	}
	var out []string
	for i := range d.Reasons {
		text := propose(c, d, &d.Reasons[i])
		if text == "" {
			return nil
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	if !answers(c, d, out) {
		return nil
	}
	return out
}

// answers says whether rules answer every question, and nothing is left.
func answers(c *gates.Context, d *gates.Decision, texts []string) bool {
	var f File
	for _, text := range texts {
		r, err := ParseRule(text)
		if err != nil {
			return false
		}
		f.Rules = append(f.Rules, *r)
	}
	tried := *d
	tried.Reasons, tried.Answered = slices.Clone(d.Reasons), nil
	NewSet(&f).Judge(c, &tried)
	return tried.Disposition == gates.Approved
}

func propose(c *gates.Context, d *gates.Decision, reason *gates.Reason) string {
	if reason.Effect < 0 || reason.Effect >= len(d.Effects) {
		return ""
	}
	for _, what := range candidates(c, &d.Effects[reason.Effect], reason.Effect) {
		r, err := ParseRule("allow " + what)
		if err == nil && !strings.Contains(what, " when ") && r.covers(c, d, reason) {
			return r.Text
		}
	}
	return ""
}

// candidates are what a rule could be about to cover an effect, the narrowest first.
func candidates(c *gates.Context, e *gates.Effect, i int) []string {
	var out []string
	if run := runWith(c, i); run != nil && e.Kind != effect.Read && e.Kind != effect.List && e.Kind != effect.Write && e.Kind != effect.Delete {
		out = append(out, starred(run), scope.Quote(run.Words))
	}
	if up := upwards(c, e); up != "" {
		return append(out, up)
	}
	switch e.Kind {
	case effect.Network:
		host := hostOf(e)
		if host != "" && !e.Net.UsualPort() {
			host += ":" + strconv.Itoa(int(e.Net.Port))
		}
		if e.Op == effect.OpFetch {
			out = append(out, "fetch "+host)
		} else {
			out = append(out, "send "+strings.ToLower(e.Resource), "send "+host)
		}
	case effect.Read, effect.List:
		out = append(out, "read "+dirOf(c, e)+"/**", "read "+placed(e.Resource))
	case effect.Write:
		if !guarded(c, e.Resource) { // its directory holds what is loaded unasked
			out = append(out, "write "+dirOf(c, e)+"/*")
		}
		out = append(out, "write "+placed(e.Resource))
	case effect.Delete:
		out = append(out, "delete "+placed(e.Resource), "delete "+placed(e.Resource)+"/**")
	}
	if server, tool, ok := strings.Cut(strings.TrimPrefix(c.Tool, "mcp__"), "__"); ok && c.Command == "" {
		out = append(out, "tool "+server+"/"+tool)
	}
	if c.Command == "" && c.Tool != "" {
		out = append(out, "tool "+c.Tool)
	}
	return out
}

// upwards is what a rule says of one file that a line names from above a workspace whose place nobody
// told: which directory lies beside it there is not known, so that nothing but the file itself is
// proposed, by its way up where the line goes nowhere else. It is empty for any other effect.
func upwards(c *gates.Context, e *gates.Effect) string {
	verb := ""
	switch e.Kind {
	case effect.Read, effect.List:
		verb = "read "
	case effect.Write:
		verb = "write "
	case effect.Delete:
		verb = "delete "
	}
	if verb == "" || !slices.Contains(c.Roots, effect.UnknownRoot) || !strings.HasPrefix(e.Resource, "/") {
		return ""
	}
	at := strings.Index(c.Command, ".."+e.Resource)
	if at < 0 {
		return ""
	}
	if strings.Contains(c.Command, "cd ") || strings.Contains(c.Command, "pushd ") {
		return verb + placed(e.Resource)
	}
	word := ".." + e.Resource
	for strings.HasSuffix(c.Command[:at], "../") {
		at, word = at-3, "../"+word
	}
	return verb + word
}

func runWith(c *gates.Context, i int) *effect.Run {
	list := c.Runs()
	for k := range list {
		if slices.Contains(list[k].Effects, i) {
			return &list[k]
		}
	}
	return nil
}

// starred is the line of a run whose last name may vary: the branch of a push, the page
// of a fetch. Options stay out, since a rule need not name those that change nothing.
func starred(run *effect.Run) string {
	if run.Tool == "" || len(run.Names) == 0 {
		return scope.Quote(append(strings.Fields(run.Tool), run.Names...))
	}
	words := append(strings.Fields(run.Tool), run.Names...)
	last := words[len(words)-1]
	if scheme, rest, ok := strings.Cut(last, "://"); ok {
		host, _, _ := strings.Cut(rest, "/")
		last = scheme + "://" + host + "/*"
	} else {
		last = "*"
	}
	return scope.Quote(words[:len(words)-1]) + " " + last
}

// dirOf is the directory of a file, or the directory that is listed, with ~ for the home.
func dirOf(c *gates.Context, e *gates.Effect) string {
	dir := path.Dir(e.Resource)
	if e.Kind == effect.List && !e.Glob {
		dir = e.Resource
	}
	if rest, ok := strings.CutPrefix(dir, c.Home+"/"); ok && c.Home != "" {
		return "~/" + rest
	}
	return placed(dir)
}

// placed is a path as a rule has it. Where nobody told where the call would run, the names that stand for
// its workspace and its home mean nothing to anybody else: the rule is read where it stands.
func placed(p string) string {
	if rest, ok := strings.CutPrefix(p, effect.UnknownHome+"/"); ok {
		return "~/" + rest
	}
	if rest, ok := strings.CutPrefix(p+"/", effect.UnknownRoot+"/"); ok {
		return cmp.Or(strings.TrimSuffix(rest, "/"), ".")
	}
	return p
}
