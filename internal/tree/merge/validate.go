package merge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/gbt-policy/gbt/tree"
)

// Summary is coverage summed over episodes.
type Summary struct {
	Episodes, Routed, RightFamily  int
	Full, FullGeneric, Right, Sure int // episodes: covered, with generic steps, covered and right, confident
	Late                           int // covered, and claimed by their first macros
	RightGeneric                   int // covered with generic steps, and right
	Explored                       int // episodes with a step below the fragile band
	Coverage                           // sums over the episodes
}

// Add counts one episode. want is its family in the logs, -1 if unknown.
func (s *Summary) Add(c *Coverage, want int32) {
	s.Episodes++
	tally(&s.Routed, c.Routed)
	tally(&s.RightFamily, c.Routed && c.Family == want)
	tally(&s.Full, c.Full())
	tally(&s.Late, c.Full() && c.Late)
	tally(&s.FullGeneric, c.FullGeneric())
	tally(&s.Right, c.Right())
	tally(&s.RightGeneric, c.RightGeneric())
	tally(&s.Sure, c.Confident())
	tally(&s.Explored, c.Explore > 0)
	s.Coverage.add(c)
}

func tally(n *int, yes bool) {
	if yes {
		*n++
	}
}

func (c *Coverage) add(o *Coverage) {
	c.Steps += o.Steps
	c.Covered += o.Covered
	c.Generic += o.Generic
	c.WithText += o.WithText
	c.Top1 += o.Top1
	c.GenericText += o.GenericText
	c.GenericTop1 += o.GenericTop1
	c.Children += o.Children
	c.Share += o.Share
	c.GenericChild += o.GenericChild
	c.Sim += o.Sim
	c.Margin += o.Margin
	c.Posterior += o.Posterior
	c.Fragile += o.Fragile
	c.Ambiguous += o.Ambiguous
	c.Explore += o.Explore
	for i := range c.DepthSteps {
		c.DepthSteps[i] += o.DepthSteps[i]
		c.DepthCovered[i] += o.DepthCovered[i]
	}
}

// validate builds a tree without each fold in turn and walks the held-out
// episodes down it: to fit the router's temperature and the posterior, and to
// report what the fitted policy covers. The five parameters are fitted on the
// same held-out matches that the posterior's rates are reported on; coverage
// itself does not depend on them.
func (m *merger) validate(ctx context.Context) error {
	m.res.Params, m.res.CVFormats = m.opt.Params, map[string]Summary{}
	views, err := m.foldViews(ctx)
	if err != nil {
		return err
	}
	routes := m.routeAll(views)
	covers := m.walkAll(views, routes)
	if m.opt.Params.Profile != tree.ReferenceProfile {
		m.res.Params.Posterior = fitPosterior(covers)
	}
	m.baselines(covers)
	for i := range covers {
		h := &m.held.items[i].item
		v := views[h.trace.Fold()]
		if len(v.Families) == 0 {
			continue
		}
		covers[i].settle(&m.res.Params)
		want := familyIndex(v.View, h.family)
		m.res.CV.Add(&covers[i], want)
		s := m.res.CVFormats[h.trace.Format]
		s.Add(&covers[i], want)
		m.res.CVFormats[h.trace.Format] = s
	}
	return m.leaks()
}

// foldView is a tree that has not seen a fold, with the boundary drawn without it.
type foldView struct {
	*tree.View
	limits Limits
}

// foldViews builds the trees that have not seen a fold.
func (m *merger) foldViews(ctx context.Context) ([]foldView, error) {
	views := make([]foldView, m.opt.Folds)
	errs := make([]error, m.opt.Folds)
	m.spread(m.opt.Folds, func(f int) {
		if errs[f] = ctx.Err(); errs[f] == nil {
			var t built
			if t, errs[f] = m.treeOf(Without(f)); errs[f] == nil {
				views[f] = foldView{tree.NewView(t.tree), t.limits}
			}
		}
	})
	return views, errors.Join(errs...)
}

// settings are those of a fold: without the boundary of the whole policy.
func (m *merger) settings(v foldView) *tree.Params {
	p := m.res.Params
	v.limits.put(&p)
	return &p
}

// heldRoute is what the router makes of a held-out task, before its temperature.
type heldRoute struct {
	scores  []float64
	abstain string
	late    bool
}

// routeAll scores the families for every held-out task and fits the router's
// temperature. Episodes of one task share their scores.
func (m *merger) routeAll(views []foldView) []heldRoute {
	type place struct {
		fold    int
		task    string
		offered string
	}
	out := make([]heldRoute, len(m.held.items))
	known := map[place]heldRoute{}
	var tasks []routing
	for i, e := range m.held.items {
		t := e.item.trace
		v := views[t.Fold()]
		key := place{t.Fold(), t.Task, strings.Join(t.Offered, "\x00")}
		r, ok := known[key]
		if !ok {
			ask := askOf(m.vecs, t)
			r.scores = v.RouteScores(ask.Vec, ask.Offered, &m.opt.Params)
			r.abstain, r.late = v.Abstain(ask, m.settings(v))
			known[key] = r
		}
		out[i] = r
		tasks = append(tasks, routing{odds: r.scores, want: familyIndex(v.View, e.item.family)})
	}
	if m.opt.Params.Profile != tree.ReferenceProfile {
		m.res.Params.RouteTemperature = fitTemperature(tasks)
	}
	return out
}

// walkAll walks the held-out episodes on all workers.
func (m *merger) walkAll(views []foldView, routes []heldRoute) []Coverage {
	out := make([]Coverage, len(routes))
	m.spread(len(out), func(i int) {
		t := m.held.items[i].item.trace
		v := views[t.Fold()]
		r := v.Decide(routes[i].scores, &m.res.Params)
		r.Abstain, r.Late = routes[i].abstain, routes[i].late
		out[i] = walkFrom(v.View, m.settings(v), m.vecs, t, &r)
	})
	return out
}

// spread runs fn for 0 to n-1 on the workers. Results go by index.
func (m *merger) spread(n int, fn func(i int)) {
	var wg sync.WaitGroup
	for w := 0; w < m.opt.Workers; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := w; i < n; i += m.opt.Workers {
				fn(i)
			}
		}()
	}
	wg.Wait()
}

// leaks fails if a task stands in two folds, by its id or by its text: then its
// held-out runs were judged by a tree that had seen it (requirement E4). It also
// counts what was held out.
func (m *merger) leaks() error {
	fold := map[uint64]int{}
	units := map[uint64]bool{}
	for _, e := range m.held.items {
		t := e.item.trace
		units[t.FoldKey] = true
		for _, key := range []uint64{t.TaskKey, t.TextKey} {
			if f, ok := fold[key]; key != 0 && ok && f != t.Fold() {
				return fmt.Errorf("leak: task of group %q stands in folds %d and %d", t.Group, f, t.Fold())
			}
			fold[key] = t.Fold()
		}
	}
	m.res.CVUnits = len(units)
	return nil
}

func familyIndex(t *tree.View, name string) int32 {
	for i := range t.Families {
		if t.Families[i].Name == name {
			return int32(i)
		}
	}
	return -1
}
