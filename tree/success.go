package tree

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// ClusterKey names the cluster of a state (003 §F.3): what kind of thing it
// touches, its risk level and its signature. Keys are comparable across
// families, which is what lets evidence from one family inform another.
func ClusterKey(s *State) string {
	object := s.Action()
	if i := strings.IndexByte(object, ':'); i >= 0 {
		object = object[i+1:]
	}
	return s.Delta.String() + "/" + strconv.Itoa(int(s.Risk)) + "/" + object
}

// likeWeight is how many episodes the rate of what is alike counts for: as many
// as add-one smoothing gives to one half (Laplace's rule of succession).
const likeWeight = 2

// rate is the success rate of what was counted, drawn towards the rate of what is
// like it: the less was counted, the more.
func (c Count) rate(like float64) float64 {
	return (float64(c.Success) + float64(likeWeight*like)) / float64(uint64(c.Success)+uint64(c.Failure)+likeWeight)
}

// clusterRate is the success rate of a state's cluster, one half if it has none.
func (t *Tree) clusterRate(s *State) float64 {
	i, ok := slices.BinarySearchFunc(t.Clusters, ClusterKey(s), func(c Cluster, key string) int { return cmp.Compare(c.Key, key) })
	if !ok {
		return 0.5
	}
	return t.Clusters[i].Count.rate(0.5)
}

// rate is success_rate(u; cluster) of eq. (1) of 003: how the episodes ended that
// took a step from here, drawn towards those that took the macro anywhere in the
// family, and these towards the macro's cluster. In the reference profile a state
// is one node, so that the first two are one.
func (t *View) rate(c *Child, p *Params) Milli {
	rate := t.rates[c.State]
	if p.Profile != ReferenceProfile {
		rate = c.Count.rate(rate)
	}
	return Milli(math.Round(rate * 1000))
}
