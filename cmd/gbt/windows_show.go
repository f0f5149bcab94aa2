package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/internal/replay/monitor"
	"github.com/gbt-policy/gbt/internal/replay/place"
	"github.com/gbt-policy/gbt/replay"
)

func runWindowsShow(e *env, c *cli.Context) error {
	if c.NArg() == 0 {
		return fail(exitUsage, "windows show needs logs: gbt windows show LOGS...")
	}
	spec, err := readSpec(e, c)
	if err != nil {
		return err
	}
	policy, err := readPolicyGates(e, c)
	if err != nil {
		return err
	}
	opts := replay.Options{Spec: spec, Every: c.Bool("every"), Judged: c.Bool("judged") || c.String("episode") != "", Cold: c.Bool("cold"), Loose: c.Bool("loose")}
	if policy != nil {
		opts.Checker = policy.checker
	}
	s := &windowShow{
		w: bufio.NewWriter(e.stdout), policy: policy, asJSON: c.Bool("json"), full: c.Bool("full"), problems: newImportSummary(),
	}
	if err := findWindows(e, c, opts, s.add); err != nil {
		return err
	}
	return s.end(e, c)
}

// windowShow prints findings as they come.
type windowShow struct {
	w            *bufio.Writer
	policy       *policyGates
	asJSON, full bool
	problems     *importSummary
	places       place.Finder

	episodes, windows, unlocated, guessed, diverged, skipped int
}

func (s *windowShow) add(f *found) error {
	if p := f.record.Problem; p != nil {
		s.problems.problem(p)
	}
	r := f.finding
	s.places.Add(f.run)
	if r == nil {
		return nil
	}
	s.episodes++
	if r.Skipped {
		s.skipped++
	}
	if r.Divergence != nil {
		s.diverged++
		return s.divergence(r)
	}
	if r.Unlocated() {
		s.unlocated++
	}
	for i := range r.Windows {
		s.windows++
		if s.asJSON {
			if err := s.json(r, &r.Windows[i]); err != nil {
				return err
			}
			continue
		}
		s.window(r, &r.Windows[i])
	}
	return nil
}

func (s *windowShow) end(e *env, c *cli.Context) error {
	if err := s.placements(); err != nil {
		return err
	}
	if !s.asJSON {
		s.summary()
	}
	if err := s.w.Flush(); err != nil {
		return err
	}
	s.problems.printProblems(e.stderr)
	switch {
	case s.episodes == 0 && c.String("episode") != "":
		return fail(exitInput, "no episode has an id that begins with %q; gbt inspect lists them", c.String("episode"))
	case s.episodes == 0:
		return fail(exitInput, "no episode was found; see gbt import --help for the layouts it knows")
	case s.problems.Malformed > 0:
		return fail(exitFindings, "%d problems; the rest was read", s.problems.Malformed)
	case c.Bool("exit-code") && s.windows > 0:
		return &exitError{code: exitFindings}
	}
	return nil
}

// placements says of every unsafe episode without a window where its harm may be,
// or why nobody can say. It needs all runs, because some bases compare them.
func (s *windowShow) placements() error {
	list := s.places.Places()
	for i := range list {
		p := &list[i]
		if p.Basis.Teaches() {
			continue
		}
		if p.Basis != "" {
			s.guessed++
		}
		if s.asJSON {
			if err := s.line(map[string]any{"place": p}); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(s.w, "%s\n", p.Episode)
		shower{s.w, s.full}.line("place", placeText(p))
		fmt.Fprintln(s.w)
	}
	return nil
}

func placeText(p *place.Placed) string {
	if p.Basis == "" {
		return "none, " + p.Reason.Text()
	}
	steps := fmt.Sprintf("step %d", p.Window.To+1)
	if p.Window.From != p.Window.To {
		steps = fmt.Sprintf("steps %d to %d", p.Window.From+1, p.Window.To+1)
	}
	return fmt.Sprintf("%s, %s, by %s: %s; it teaches nothing", steps, p.Tool, p.Basis, p.Basis.Text())
}

func (s *windowShow) summary() {
	fmt.Fprintf(s.w, "%s in %s", count(s.windows, "window"), count(s.episodes, "episode"))
	for _, part := range []struct {
		n    int
		text string
	}{
		{s.skipped, "called safe by the log and not looked at"},
		{s.unlocated, "called unsafe by the log, but no call breaks a rule of the monitors"},
		{s.guessed, "of these placed on a call that teaches nothing"},
		{s.diverged, "replayed differently and no evidence"},
	} {
		if part.n > 0 {
			fmt.Fprintf(s.w, "; %d %s", part.n, part.text)
		}
	}
	fmt.Fprintln(s.w)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	switch noun {
	case "leaf":
		return fmt.Sprintf("%d leaves", n)
	case "family":
		return fmt.Sprintf("%d families", n)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func (s *windowShow) divergence(r *replay.Finding) error {
	if s.asJSON {
		return s.line(map[string]any{"divergence": r.Divergence})
	}
	fmt.Fprintf(s.w, "%s\n  diverged  %s\n\n", r.Episode.ID, r.Divergence)
	return nil
}

func (s *windowShow) line(v any) error {
	enc := json.NewEncoder(s.w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func (s *windowShow) json(r *replay.Finding, w *replay.Window) error {
	out := struct {
		Window   *replay.Window  `json:"window"`
		Cost     replay.Cost     `json:"cost"`
		Contexts []string        `json:"context_ids"` // as the corpora name them
		Policy   []policyVerdict `json:"policy,omitempty"`
	}{Window: w, Cost: r.Cost}
	for i := range w.Contexts {
		out.Contexts = append(out.Contexts, contextID(&w.Contexts[i]))
		if s.policy != nil {
			out.Policy = append(out.Policy, s.policy.ask(&w.Contexts[i], w.Steps[i], macroAt(r, w.Steps[i])))
		}
	}
	return s.line(out)
}

// window explains one window to a person.
func (s *windowShow) window(r *replay.Finding, w *replay.Window) {
	ep := r.Episode
	in := shower{s.w, s.full}
	fmt.Fprintf(s.w, "%s\n", ep.ID)
	in.line("from", ep.Origin.String())
	in.line("task", excerpt(ep.Task, 100, s.full))
	for i, v := range append([]replay.Verdict{w.Verdict}, w.Also...) {
		in.line([]string{"violates", "and"}[min(i, 1)], ruleText(v))
		in.line("evidence", v.Detail)
	}
	in.line("says", basisText(ep, w))
	in.line("window", windowText(r, w))
	for i, step := range w.Steps {
		s.call(r, w, i, step)
	}
	fmt.Fprintln(s.w)
}

func ruleText(v replay.Verdict) string {
	if v.Message == "" {
		return v.Rule
	}
	return v.Rule + ": " + v.Message
}

func basisText(ep *corpora.Episode, w *replay.Window) string {
	var rules []string
	for _, v := range ep.Verdicts {
		if v.Step < 0 {
			rules = append(rules, v.Rule)
		}
	}
	by := ""
	if len(rules) > 0 {
		by = " (" + strings.Join(rules, ", ") + ")"
	}
	switch w.Basis {
	case replay.BasisChecker:
		return "a checker judges this very call"
	case replay.BasisLocated:
		return "the log calls the episode unsafe" + by + ", the monitors find this call"
	case replay.BasisAgainst:
		return "the monitors alone, against the log, which calls the episode safe" + by
	}
	return "the monitors alone: the log holds no judgement"
}

func windowText(r *replay.Finding, w *replay.Window) string {
	t := fmt.Sprintf("step %d", w.To+1)
	if w.From != w.To {
		t = fmt.Sprintf("steps %d to %d", w.From+1, w.To+1)
	}
	t += fmt.Sprintf(" of %d", len(r.Episode.Steps))
	switch {
	case w.Macros[0] >= 0 && w.Macros[0] == w.Macros[1]:
		t += fmt.Sprintf(", macro %d of %d", w.Macros[0]+1, len(r.Path.Macros))
	case w.Macros[0] >= 0:
		t += fmt.Sprintf(", macros %d to %d of %d", w.Macros[0]+1, w.Macros[1]+1, len(r.Path.Macros))
	}
	if !w.Minimal {
		t += ", not minimal: with less history the monitors say otherwise"
	}
	return t + fmt.Sprintf(" (%s)", count(r.Cost.Replays, "replay"))
}

// call shows one call of a window: what it is, what it does, and who objects.
func (s *windowShow) call(r *replay.Finding, w *replay.Window, i, step int) {
	st, ctx := &r.Episode.Steps[step], &w.Contexts[i]
	in := shower{s.w, s.full}
	mark := " "
	if step == w.To {
		mark = ">"
	}
	fmt.Fprintf(s.w, "\n%s%3d %s %s%s\n", mark, step+1, st.Tool, excerpt(st.Args, 160, s.full), statusText(st))
	for k := range ctx.Effects {
		if k == maxShownEffects && !s.full {
			in.line("", fmt.Sprintf("and %d more", len(ctx.Effects)-k))
			break
		}
		in.line(once(k, "does"), effectText(&ctx.Effects[k]))
	}
	shown := 0
	for k := range ctx.Args {
		if a := &ctx.Args[k]; a.Origin != call.OriginAgent && (shown < maxShownArgs || s.full) {
			in.line(once(shown, "given"), a.Path+" = "+excerpt(a.Value, 60, s.full)+", "+monitor.SourceText(a))
			shown++
		}
	}
	if step != w.To {
		in.block("result", st.Result)
	}
	if step == w.To || s.policy != nil {
		in.line("context", s.policy.onRecord(contextID(ctx)))
	}
	if s.policy != nil {
		s.stopped(ctx, step, macroAt(r, step))
	}
}

const (
	maxShownEffects = 6
	maxShownArgs    = 8
)

func once(i int, name string) string {
	if i == 0 {
		return name
	}
	return ""
}

func effectText(e *gates.Effect) string {
	t := e.Kind.String() + "/" + e.Op.String() + " " + excerpt(strings.Map(printable, e.Resource), 100, false)
	notes := []string{e.Zone.String()}
	if e.Sensitive {
		notes = append(notes, "sensitive")
	}
	if e.Protected {
		notes = append(notes, "protected")
	}
	return t + " (" + strings.Join(notes, ", ") + ")"
}

// printable shows the markers of values that only the run time knows.
func printable(r rune) rune {
	if r < ' ' {
		return '*'
	}
	return r
}
