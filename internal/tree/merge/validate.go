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
	scores := m.routeAll(views)
	covers := m.walkAll(views, scores)
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
		want := familyIndex(v, h.family)
		m.res.CV.Add(&covers[i], want)
		s := m.res.CVFormats[h.trace.Format]
		s.Add(&covers[i], want)
		m.res.CVFormats[h.trace.Format] = s
	}
	return m.leaks()
}

// foldViews builds the trees that have not seen a fold.
func (m *merger) foldViews(ctx context.Context) ([]*tree.View, error) {
	views := make([]*tree.View, m.opt.Folds)
	errs := make([]error, m.opt.Folds)
	m.spread(m.opt.Folds, func(f int) {
		if errs[f] = ctx.Err(); errs[f] == nil {
			var t *tree.Tree
			if t, errs[f] = m.treeOf(Without(f)); errs[f] == nil {
				views[f] = tree.NewView(t)
			}
		}
	})
	return views, errors.Join(errs...)
}

// routeAll scores the families for every held-out task and fits the router's
// temperature. Episodes of one task share their scores.
func (m *merger) routeAll(views []*tree.View) [][]float64 {
	type place struct {
		fold    int
		task    string
		offered string
	}
	out := make([][]float64, len(m.held.items))
	known := map[place][]float64{}
	var tasks []routing
	for i, e := range m.held.items {
		t := e.item.trace
		v := views[t.Fold()]
		key := place{t.Fold(), t.Task, strings.Join(t.Offered, "\x00")}
		scores, ok := known[key]
		if !ok {
			scores = v.RouteScores(m.vecs.of(t.Task), t.Offered, &m.opt.Params)
			known[key] = scores
		}
		out[i] = scores
		tasks = append(tasks, routing{odds: scores, want: familyIndex(v, e.item.family)})
	}
	if m.opt.Params.Profile != tree.ReferenceProfile {
		m.res.Params.RouteTemperature = fitTemperature(tasks)
	}
	return out
}

// walkAll walks the held-out episodes on all workers.
func (m *merger) walkAll(views []*tree.View, scores [][]float64) []Coverage {
	out := make([]Coverage, len(scores))
	m.spread(len(out), func(i int) {
		t := m.held.items[i].item.trace
		v := views[t.Fold()]
		r := v.Decide(scores[i], &m.res.Params)
		out[i] = walkFrom(v, &m.res.Params, m.vecs, t, &r)
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
