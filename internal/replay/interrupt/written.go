package interrupt

import (
	"slices"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/rules"
)

// Written walks sessions in the order in which they were lived, as if people had answered
// each yes with "and from now on": the rules that gbt proposes for a call hold for the
// later calls of the sessions of that project, linked work trees with it. A yes to a call
// for which no rule is proposed holds for the session alone, as in Walk.
//
// files are the rules that people have already, in place of the checker's; they stop what
// they stop.
//
// It costs one walk of each session, on one worker: what is asked in one session depends on
// those before it.
func (g *Guard) Written(sessions []*corpora.Episode, files []*rules.File) []*Session {
	projects := map[string]*written{}
	out := make([]*Session, len(sessions))
	for i, e := range sessions {
		dir := mainTree(firstDir(e))
		if projects[dir] == nil {
			projects[dir] = &written{files: append(slices.Clone(files), &rules.File{}), seen: map[string]bool{}}
			projects[dir].Set = rules.NewSet(files...)
		}
		out[i] = g.writing(e, projects[dir])
	}
	return out
}

// writing walks one session under the rules of its project, and adds to them.
func (g *Guard) writing(e *corpora.Episode, w *written) *Session {
	checker := *g.Checker
	checker.Rules = w
	h := *g
	h.Checker = &checker
	h.Each = func(s *corpora.Step, c *gates.Context, d *gates.Decision) {
		if g.Each != nil {
			g.Each(s, c, d)
		}
		if d.Disposition == gates.ApprovedWithConstraints && !s.Declined() {
			w.add(rules.Propose(c, d))
		}
	}
	return h.Walk(e)
}

// written are the rules of one project.
type written struct {
	*rules.Set
	files []*rules.File // the last one is what is written
	seen  map[string]bool
}

// add takes rules into the project's.
func (w *written) add(texts []string) {
	own := w.files[len(w.files)-1]
	for _, text := range texts {
		r, err := rules.ParseRule(text)
		if err != nil || w.seen[text] {
			continue
		}
		w.seen[text] = true
		own.Rules = append(own.Rules, *r)
		w.Set = rules.NewSet(w.files...)
	}
}
