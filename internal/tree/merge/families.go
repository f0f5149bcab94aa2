package merge

import (
	"cmp"
	"math"
	"path"
	"slices"
)

// FamilySpec is a task family given by hand in gbt.yaml.
type FamilySpec struct {
	Name       string
	Groups     []string // glob patterns of episode groups (suite, repository, site)
	Prototypes []string // task texts that stand for it; learned if empty
}

// sameFamily is the cosine of tool usage from which two groups are one family.
// On the shared corpora groups of one kind (repositories, office tasks) are
// above 0.6 and different suites below 0.4; families do not change in between.
const sameFamily = 0.5

// maxGroups bounds the groups that families are learned from; episodes of
// further groups join the family whose tools they use.
const maxGroups = 2048

// maxFamilies bounds the first layer; 003 §D.1 uses 21.
const maxFamilies = 48

// group is one structural unit of the logs: how often its episodes use which
// tool.
type group struct {
	name     string
	format   string
	profile  map[string]float64
	episodes int
}

// groups collects the groups of a stream of traces in bounded memory.
type groups struct {
	found sample[*group]
}

func newGroups() *groups { return &groups{found: sample[*group]{k: maxGroups}} }

func groupName(t *Trace) string {
	if t.Group != "" {
		return t.Group
	}
	return t.Format
}

// add counts one episode. Every episode weighs the same, however long it is,
// and so does every tool it uses.
func (g *groups) add(t *Trace) {
	one := &group{name: groupName(t), format: t.Format, episodes: 1, profile: profileOf(t)}
	g.found.add(hash64(one.name), one, joinGroup)
}

func joinGroup(old **group, g *group) {
	o := *old
	o.episodes += g.episodes
	o.format = min(o.format, g.format)
	for _, tool := range sortedKeys(g.profile) {
		o.profile[tool] += g.profile[tool]
	}
}

func profileOf(t *Trace) map[string]float64 {
	p := map[string]float64{}
	for i := range t.Macros {
		for _, tool := range t.Macros[i].Tools {
			p[tool] = 1
		}
	}
	return p
}

// Router of training: which family an episode of the logs belongs to. It sees
// the group and the tools used; the policy's own router sees the task alone.
type assigner struct {
	names    []string
	byGroup  map[string]int
	profiles []map[string]float64
	specs    []FamilySpec
}

// families learns the families: groups with alike tools are one. Leader
// clustering from the largest group on: deterministic, one pass, and the
// number of families needs no choosing.
func (g *groups) families(specs []FamilySpec, keepText bool) *assigner {
	a := &assigner{byGroup: map[string]int{}, specs: specs}
	if len(specs) > 0 {
		for _, s := range specs {
			a.names = append(a.names, s.Name)
		}
		return a
	}
	var all []*group
	for _, e := range g.found.items {
		all = append(all, e.item)
	}
	slices.SortFunc(all, func(x, y *group) int {
		return cmp.Or(cmp.Compare(y.episodes, x.episodes), cmp.Compare(x.name, y.name))
	})
	members := [][]*group{}
	for _, gr := range all {
		at := a.nearest(gr.profile)
		if at < 0 || len(a.profiles) < maxFamilies && cosine(a.profiles[at], gr.profile) < sameFamily {
			at = len(a.profiles)
			a.profiles = append(a.profiles, map[string]float64{})
			members = append(members, nil)
		}
		members[at] = append(members[at], gr)
		a.byGroup[gr.name] = at
		for _, tool := range sortedKeys(gr.profile) {
			a.profiles[at][tool] += gr.profile[tool]
		}
	}
	a.name(members, keepText)
	a.gatherSmall(members)
	return a
}

// smallFamily is the number of episodes below which groups that are alike to
// nothing else make no family of their own: nothing can be held out of them.
const smallFamily = 5

// otherFamily is the name of the family of all small ones.
const otherFamily = "other"

// gatherSmall joins the small families.
func (a *assigner) gatherSmall(members [][]*group) {
	small := -1
	for i, m := range members {
		episodes := 0
		for _, g := range m {
			episodes += g.episodes
		}
		if episodes >= smallFamily || len(members) == 1 {
			continue
		}
		if small < 0 {
			small = i
			a.names[i] = otherFamily
			continue
		}
		for _, g := range m {
			a.byGroup[g.name] = small
		}
		a.profiles[i] = nil // no further group joins it
	}
}

func (a *assigner) nearest(profile map[string]float64) int {
	best, at := -1, -1.0
	for i, p := range a.profiles {
		if c := cosine(p, profile); p != nil && c > at {
			best, at = i, c
		}
	}
	return best
}

// of returns the family of an episode, "" if it belongs to none.
func (a *assigner) of(t *Trace) string {
	for _, s := range a.specs {
		for _, pattern := range s.Groups {
			if ok, _ := path.Match(pattern, groupName(t)); ok {
				return s.Name
			}
		}
	}
	if len(a.specs) > 0 {
		return ""
	}
	at, ok := a.byGroup[groupName(t)]
	if !ok {
		at = a.nearest(profileOf(t))
	}
	if at < 0 {
		return ""
	}
	return a.names[at]
}

// cosine sums in key order, so that the last bit does not depend on map order.
func cosine(a, b map[string]float64) float64 {
	var dot, na, nb float64
	for _, k := range sortedKeys(a) {
		na += float64(a[k] * a[k])
		dot += float64(a[k] * b[k])
	}
	for _, k := range sortedKeys(b) {
		nb += float64(b[k] * b[k])
	}
	if na == 0 || nb == 0 {
		return 0
	}
	return dot / math.Sqrt(float64(na*nb))
}
