package undo

import (
	"fmt"
	"strings"
)

// Plan is what an undo would do.
type Plan struct {
	Steps   []Step
	Changes []Change // what stands there now, and what would
	Left    []Left   // what would stay as it is
	Outside []string // what of the steps no undo can take back
	now     manifest
}

// Left is a name that an undo does not give back.
type Left struct {
	Path string
	Why  string
	Lost bool // nothing that a person could say would give it back
}

// past is what the chosen steps did to one path: what was there before the first of
// them and after the last, and whether somebody else changed it after that.
type past struct {
	before, after Entry
	by            string // the step after the last chosen one that changed it too
}

// Plan looks at the workspace and says what taking back the steps would do. What
// somebody else changed since is left alone, unless force says that it need not be.
func (j *Journal) Plan(steps []Step, force bool) (*Plan, error) {
	if _, err := j.settle(j.latest(false)); err != nil { // what changed since belongs to others, and is kept
		return nil, fmt.Errorf("undo: %w", err)
	}
	all, err := j.Steps()
	if err != nil {
		return nil, err
	}
	p := &Plan{now: j.state.all()}
	chosen := map[string]bool{}
	for i := range steps {
		chosen[steps[i].ID] = true
	}
	pasts := p.collect(all, chosen)
	for _, path := range keys(pasts) {
		p.add(path, pasts[path], force)
	}
	p.parents()
	return p, nil
}

// collect goes through all steps in the order in which their changes were told.
func (p *Plan) collect(all []Step, chosen map[string]bool) map[string]*past {
	pasts := map[string]*past{}
	for _, t := range told(all) {
		s, c := t.step, t.change
		x := pasts[c.Path]
		switch {
		case !chosen[s.ID]:
			if x != nil {
				x.by = s.label()
			}
		case x == nil:
			pasts[c.Path] = &past{before: c.Before, after: c.After}
		default:
			x.after = c.After
			if x.by != "" && x.before.same(c.After) {
				x.by = ""
			}
		}
	}
	for i := range all {
		s := &all[i]
		if !chosen[s.ID] {
			continue
		}
		p.Steps = append(p.Steps, *s)
		for _, o := range s.Outside {
			p.Outside = append(p.Outside, s.ID+": "+o)
		}
	}
	return pasts
}

func (s *Step) label() string {
	if s.Other {
		return "somebody else"
	}
	return strings.TrimSpace(s.Agent + " " + s.ID)
}

func (p *Plan) add(path string, x *past, force bool) {
	now := p.now[path]
	switch {
	case now.same(x.before):
		return // it is as it was
	case x.by != "" && !force:
		p.left(path, "changed again by "+x.by)
	case !now.same(x.after) && !force:
		p.left(path, "changed since")
	case x.before.Kind == File && x.before.Ref == "":
		p.Left = append(p.Left, Left{path, "its content was not kept: too large, or there was no time; irrecoverable", true})
	case x.before.Kind == Other:
		p.Left = append(p.Left, Left{path, "was a special file", true})
	default:
		p.Changes = append(p.Changes, Change{Path: path, Before: now, After: x.before})
	}
}

func (p *Plan) left(path, why string) { p.Left = append(p.Left, Left{Path: path, Why: why}) }
