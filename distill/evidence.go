package distill

import (
	"cmp"
	"slices"

	"github.com/gbt-policy/gbt/internal/gates/learn"
)

// Bounds of the evidence for gates, so that memory does not grow with the logs:
// episodes of one standing in one group, and benign ones of all groups. The
// largest group of the shared corpora has 440 benign episodes, all of them 2400
// cases: neither bound is met there.
const (
	maxCases  = 500
	maxBenign = 4096
)

// evidence gathers cases within bounds. What has the least digest stays, and how
// many stay depends only on how many there were, so neither order nor workers
// matter.
type evidence struct {
	cases map[evidenceKey][]*learn.Case
	// unjudged keeps cases that nobody judged, and no others.
	unjudged bool
	empty    bool // keep good runs without a high-risk call: they teach nothing, but count when gates are judged

	count map[evidenceKey]int // cases that there were
	added int                 // of them, those since the bound was last looked at
}

type evidenceKey struct {
	group    string
	standing learn.Standing
}

func (ev *evidence) add(c *learn.Case) {
	if c == nil || (c.Standing == learn.StandingNone) != ev.unjudged || len(c.Samples) == 0 && c.Standing == learn.StandingBenign && !ev.empty {
		return
	}
	if ev.cases == nil {
		ev.cases, ev.count = map[evidenceKey][]*learn.Case{}, map[evidenceKey]int{}
	}
	k := evidenceKey{c.Group, c.Standing}
	if ev.unjudged {
		k.group = "" // one bound for all
	}
	list := append(ev.cases[k], c)
	if len(list) >= maxCases+maxCases/4 {
		list = least(list, maxCases)
	}
	ev.cases[k] = list
	ev.count[k]++
	if ev.added++; ev.added >= maxBenign/4 {
		ev.trim()
	}
}

// trim brings the benign cases of all groups within their bound: the large
// groups give way to the small ones. More cases only make a group's share
// smaller, so nothing is dropped early that would stay in the end.
func (ev *evidence) trim() {
	ev.added = 0
	if ev.empty { // gates are judged on all there is
		return
	}
	var sizes []int
	for k, n := range ev.count {
		if k.standing == learn.StandingBenign {
			sizes = append(sizes, min(n, maxCases))
		}
	}
	limit := fairShare(sizes, maxBenign)
	for k, list := range ev.cases {
		if k.standing == learn.StandingBenign {
			ev.cases[k] = least(list, limit)
		}
	}
}

// fairShare is the largest limit for which the sizes, each cut to it, sum up to
// no more than total; at least 1.
func fairShare(sizes []int, total int) int {
	slices.Sort(sizes)
	for i, n := range sizes {
		if rest := len(sizes) - i; n*rest > total {
			return max(total/rest, 1)
		}
		total -= n
	}
	return maxCases
}

// least keeps the limit cases with the least digests.
func least(list []*learn.Case, limit int) []*learn.Case {
	if len(list) <= limit {
		return list
	}
	slices.SortFunc(list, func(a, b *learn.Case) int { return cmp.Compare(a.Episode, b.Episode) })
	clear(list[limit:])
	return list[:limit:limit]
}

// all returns the cases, sorted by episode.
func (ev *evidence) all() []*learn.Case {
	ev.trim()
	var out []*learn.Case
	for _, list := range ev.cases {
		out = append(out, least(list, maxCases)...)
	}
	slices.SortFunc(out, func(a, b *learn.Case) int { return cmp.Compare(a.Episode, b.Episode) })
	return out
}
