package merge

import (
	"context"

	"github.com/gbt-policy/gbt/tree"
)

// Summary is coverage summed over episodes.
type Summary struct {
	Episodes, Routed, RightFamily  int
	Full, FullGeneric, Right, Sure int // episodes: covered, with generic steps, covered and right, confident
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
	c.Children += o.Children
	c.Share += o.Share
	c.GenericChild += o.GenericChild
	c.Sim += o.Sim
	c.Margin += o.Margin
	c.Posterior += o.Posterior
	c.Matched += o.Matched
	c.Fragile += o.Fragile
	c.Ambiguous += o.Ambiguous
	c.Explore += o.Explore
	for i := range c.DepthSteps {
		c.DepthSteps[i] += o.DepthSteps[i]
		c.DepthCovered[i] += o.DepthCovered[i]
	}
}

// validate builds a tree without each fold in turn and walks the held-out
// episodes down it: first to fit the router's temperature and the posterior,
// then to report what the fitted policy covers. The five parameters are fitted
// on the same held-out matches that the posterior's rates are reported on;
// coverage itself does not depend on them.
func (m *merger) validate(ctx context.Context) error {
	m.res.Params = m.opt.Params
	trees := make([]*tree.Tree, Folds)
	for f := range trees {
		if err := ctx.Err(); err != nil {
			return err
		}
		t, err := m.treeOf(Without(f))
		if err != nil {
			return err
		}
		trees[f] = t
	}
	if m.opt.Params.Profile != tree.ReferenceProfile {
		m.fit(trees)
	}
	m.each(trees, func(t *tree.Tree, h heldOut) {
		c := Cover(t, &m.res.Params, m.vecs, h.trace)
		m.res.CV.Add(&c, familyIndex(t, h.family))
	})
	return nil
}

func (m *merger) fit(trees []*tree.Tree) {
	var points []point
	var tasks []routing
	m.each(trees, func(t *tree.Tree, h heldOut) {
		task := m.vecs.of(h.trace.Task)
		tasks = append(tasks, routing{want: familyIndex(t, h.family), route: func(temp tree.Milli) tree.Route {
			p := m.opt.Params
			p.RouteTemperature = temp
			return t.Route(task, h.trace.Offered, &p)
		}})
		cover(t, &m.opt.Params, m.vecs, h.trace, func(ms *tree.Matches, right bool) {
			points = append(points, newPoint(ms, right))
		})
	})
	m.res.Params.RouteTemperature = fitTemperature(tasks)
	// A posterior that cannot be fitted is no reason to fail: the cautious
	// default stays, and the report says that it is not calibrated.
	m.res.Params.Posterior, _ = fitPosterior(points)
}

// each visits the held-out episodes in order of their digests, each with the
// tree that has not seen its task.
func (m *merger) each(trees []*tree.Tree, fn func(*tree.Tree, heldOut)) {
	for _, e := range m.held.items {
		if t := trees[e.item.trace.Fold()]; len(t.Families) > 0 {
			fn(t, e.item)
		}
	}
}

func familyIndex(t *tree.Tree, name string) int32 {
	for i := range t.Families {
		if t.Families[i].Name == name {
			return int32(i)
		}
	}
	return -1
}
