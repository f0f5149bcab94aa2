package replay

import (
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/segment"
)

// Walk visits the calls of an episode that nothing is known to have stopped, each
// in the context in which a host would have checked it; known says where values
// came from then. A replay runs only calls that are known to have run. Many logs
// end with the call that did the harm and show no result of it, so whoever looks
// for that call has to look at these too.
func Walk(ep *corpora.Episode, opts *Options, each func(step int, c *gates.Context, known gates.Sources)) {
	spec := opts.spec()
	path := segment.Segment(ep, opts.Profile)
	t := newTracker(ep, opts.checker(), gates.State{UID: -1, GID: -1, Roots: spec.Roots, Home: spec.Home}, nil, path.Of)
	for i := range ep.Steps {
		if ep.Steps[i].Status == corpora.StatusBlocked {
			continue
		}
		c := t.context(i)
		each(i, &c, t.past.Sources())
		res := logged(&ep.Steps[i])
		t.ran(i, &c, &res)
	}
}
