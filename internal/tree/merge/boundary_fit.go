package merge

import (
	"math"
	"slices"

	"github.com/gbt-policy/gbt/tree"
)

// maxScored bounds the tasks that the boundary's limits rest on, shared evenly
// among the families.
const maxScored = 4096

// scored is a training task as the boundary sees it without its unit, and without
// its family: as an unseen task of a known family, and as a foreign one.
type scored struct {
	family               int
	near, offered, known tree.Milli
	far, farOffered      tree.Milli
}

// Boundary is what is known of a policy's claim boundary.
type Boundary struct {
	Tasks    int              `json:"tasks"` // its limits rest on
	Lost     float64          `json:"lost"`  // share of known tasks that it may cost
	Limits   Limits           `json:"limits"`
	Curve    []BoundaryPoint  `json:"curve,omitempty"`
	Families []BoundaryFamily `json:"families,omitempty"`
}

// Limits are the limits of a boundary, in thousandths.
type Limits struct {
	Near    tree.Milli `json:"near"`
	Offered tree.Milli `json:"offered"`
	Words   tree.Milli `json:"words"`
	// Tasks from here on, and below the others, are claimed by their first macros.
	// Each is at least 1, as 0 is for none.
	Late        tree.Milli `json:"late"`
	LateOffered tree.Milli `json:"late_offered"`
}

// BoundaryPoint is a point of the risk-coverage curve: limits that cost a share of
// the known tasks, each judged without its own unit, and what they catch of the
// tasks of families held out in turn.
type BoundaryPoint struct {
	Lost          float64 `json:"lost"`
	Caught        float64 `json:"caught"`         // by text alone
	CaughtOffered float64 `json:"caught_offered"` // where tools are declared
}

// BoundaryFamily is one family at the sealed limits.
type BoundaryFamily struct {
	Name          string  `json:"name"`
	Tasks         int     `json:"tasks"`
	Lost          float64 `json:"lost"`           // its tasks, judged without their own unit
	Caught        float64 `json:"caught"`         // the same, judged without the family
	CaughtOffered float64 `json:"caught_offered"` // where tools are declared
}

// score judges the family's tasks without what they share a unit with.
func (b *builder) score() []scored {
	var out []scored
	most := max(1, maxScored/max(1, len(b.tasks)))
	for f, tasks := range b.tasks {
		for i := range tasks[:min(len(tasks), most)] {
			if t := &tasks[i]; len(b.vecs.of(t.words)) > 0 {
				out = append(out, b.scoreOne(f, t))
			}
		}
	}
	return out
}

func (b *builder) scoreOne(family int, t *taskText) scored {
	s := scored{family: family, known: b.vecs.enc.Known(t.words)}
	vec, at := b.vecs.of(t.words), 0
	for f := range b.t.Families {
		near := tree.Milli(0)
		for _, x := range b.t.Families[f].Exemplars {
			if b.units[at] != t.unit {
				near = max(near, tree.Milli(math.Round(1000*tree.Cos(x, vec))))
			}
			at++
		}
		both := tree.Milli(0)
		if o := tree.Overlap(t.tools, b.toolsWithout(f, t.unit)); o > 0 {
			both = near + o
		}
		s.near, s.offered = max(s.near, near), max(s.offered, both)
		if f != family {
			s.far, s.farOffered = max(s.far, near), max(s.farOffered, both)
		}
	}
	return s
}

// soleUnits tells for each family the tools that only one unit of tasks has.
func (b *builder) soleUnits() {
	b.sole = make([]map[string]uint64, len(b.tasks))
	for f, tasks := range b.tasks {
		first, sole := map[string]uint64{}, map[string]uint64{}
		for i := range tasks {
			for _, tool := range tasks[i].tools {
				if u, ok := first[tool]; !ok {
					first[tool], sole[tool] = tasks[i].unit, tasks[i].unit
				} else if u != tasks[i].unit {
					delete(sole, tool)
				}
			}
		}
		b.sole[f] = sole
	}
}

// toolsWithout are the tools of a family less those that only a unit has.
func (b *builder) toolsWithout(f int, unit uint64) []string {
	mine := func(tool string) bool {
		u, ok := b.sole[f][tool]
		return ok && u == unit
	}
	tools := b.t.Families[f].Tools
	if !slices.ContainsFunc(tools, mine) {
		return tools
	}
	return slices.DeleteFunc(slices.Clone(tools), mine)
}

// limits are the quantiles of the known tasks' scores at a share lost, and at the
// share that first macros cannot win back.
func limits(all []scored, lost, late tree.Milli) Limits {
	column := func(of func(*scored) tree.Milli) []tree.Milli {
		out := make([]tree.Milli, len(all))
		for i := range all {
			out[i] = of(&all[i])
		}
		slices.Sort(out)
		return out
	}
	near := column(func(s *scored) tree.Milli { return s.near })
	offered := column(func(s *scored) tree.Milli { return s.offered })
	return Limits{
		Near:        quantile(near, lost),
		Offered:     quantile(offered, lost),
		Late:        max(quantile(near, late), 1),
		LateOffered: max(quantile(offered, late), 1),
		// Half of it: nonsense has next to no words that are known, and logs in plain
		// words must not abstain from a task for the name that it mentions.
		Words: quantile(column(func(s *scored) tree.Milli { return s.known }), lost) / 2,
	}
}

// quantile is the value below which a new score falls with at most a share of
// chances, if all come from one distribution: that of rank share * (n + 1) of n
// sorted scores. Between ranks, and between nothing and the first of them, it is
// interpolated and rounded down: a few tasks draw no sharp boundary.
func quantile(sorted []tree.Milli, share tree.Milli) tree.Milli {
	rank := int64(share) * int64(len(sorted)+1)
	i, part := int(rank/1000), rank%1000
	low := int64(0)
	if i > 0 && len(sorted) > 0 {
		low = int64(sorted[min(i, len(sorted))-1])
	}
	if i >= len(sorted) {
		return tree.Milli(low)
	}
	return tree.Milli(low + (int64(sorted[i])-low)*part/1000)
}

// bound draws the claim boundary of the tree under work.
func (b *builder) bound(lost, late tree.Milli) []scored {
	b.exemplars()
	b.soleUnits()
	all := b.score()
	b.limits = limits(all, lost, late)
	return all
}

// put sets the limits of a policy.
func (l *Limits) put(p *tree.Params) {
	p.RouteNear, p.RouteOffered, p.RouteWords = l.Near, l.Offered, l.Words
	p.RouteLate, p.RouteLateOffered = l.Late, l.LateOffered
}

// curveShares are the points of the risk-coverage curve, in thousandths.
var curveShares = []tree.Milli{0, 10, 20, 30, 40, 50, 60, 70, 80, 100, 150, 200, 300}

// report says what the boundary costs and catches when families are held out.
func report(t *tree.Tree, all []scored, at Limits, lost tree.Milli) Boundary {
	out := Boundary{Tasks: len(all), Lost: lost.Float(), Limits: at}
	for i := range t.Families {
		mine := slices.DeleteFunc(slices.Clone(all), func(s scored) bool { return s.family != i })
		p := pointAt(mine, at)
		out.Families = append(out.Families, BoundaryFamily{t.Families[i].Name, len(mine), p.Lost, p.Caught, p.CaughtOffered})
	}
	for _, share := range curveShares {
		out.Curve = append(out.Curve, pointAt(all, limits(all, share, share)))
	}
	return out
}

func pointAt(all []scored, at Limits) BoundaryPoint {
	var lost, caught, offered int
	for i := range all {
		s := &all[i]
		tally(&lost, s.near < at.Near || s.known < at.Words)
		tally(&caught, s.far < at.Near || s.known < at.Words)
		tally(&offered, s.farOffered < at.Offered || s.known < at.Words)
	}
	n := float64(max(1, len(all)))
	return BoundaryPoint{float64(lost) / n, float64(caught) / n, float64(offered) / n}
}
