package review

import (
	"reflect"
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/tree"
)

// This file finds families, macros and endings by which a policy claims to know more
// than before.

// moreLogs says whether a policy was made from more than another, or with other
// settings. Without that nothing can make a family know other tasks, or words mean
// other macros.
func moreLogs(old, new *artifacts.Policy) bool {
	added, _, _ := split(old.TaskDigests, new.TaskDigests, func(d []byte) string { return string(d) })
	a, b := &old.Provenance, &new.Provenance
	return len(added) > 0 || a.Inputs.Root != b.Inputs.Root || a.Config != b.Config
}

// claimedFamily finds what lets a family draw tasks that it did not draw. A task is
// near where it is like an exemplar and the shorter of two lists of tools, offered
// and the family's, stands in the other: so a family with fewer tools is nearer.
func (c *comparison) claimedFamily(old, new *tree.Family) {
	gone := func(was, is []string) bool {
		return slices.ContainsFunc(was, func(s string) bool { return !slices.Contains(is, s) })
	}
	same, name := !c.more, quote(new.Name)
	switch {
	case gone(old.Tools, new.Tools):
		c.weakens("claim/boundary", "family %s has fewer tools than before, so that fewer must be offered for a task to be near", name)
	case same && gone(new.Tools, old.Tools):
		c.weakens("claim/boundary", "family %s has more tools than before, though the policy was made from the same logs", name)
	}
	if same && !keepsOnly(old.Exemplars, new.Exemplars) {
		c.weakens("claim/boundary", "family %s knows tasks that it did not know, though the policy was made from the same logs", name)
	}
	if same && c.a.p.Encoder == c.b.p.Encoder &&
		!(slices.Equal(old.Centroid, new.Centroid) && sameFit(&old.Fit, &new.Fit) && reflect.DeepEqual(vecs(old.Prototypes), vecs(new.Prototypes))) {
		c.weakens("claim/words", "family %s is found by other words than before, though the policy was made from the same logs", name)
	}
}

// keepsOnly says whether no vector of a list is new.
func keepsOnly(old, new []tree.Vec) bool {
	return !slices.ContainsFunc(new, func(v tree.Vec) bool {
		return !slices.ContainsFunc(old, func(o tree.Vec) bool { return slices.Equal(o, v) })
	})
}

func sameFit(a, b *tree.Fit) bool {
	return slices.Equal(a.Vec, b.Vec) && a.Gain == b.Gain && a.Bias == b.Bias
}

// claimedState finds what makes a macro count as less risky, or lets it be
// entered earlier.
func (c *comparison) claimedState(i, j int32) {
	old, new := &c.a.p.Tree.States[i], &c.b.p.Tree.States[j]
	name := quote(new.Key) + " of " + quote(c.b.family(j).Name)
	switch {
	case new.Risk < old.Risk:
		c.weakens("claim/state", "step %s has risk %d, it had %d", name, new.Risk, old.Risk)
	case new.Delta.Risk() < old.Delta.Risk():
		c.weakens("claim/state", "step %s is said to do less than before: %s in place of %s", name, new.Delta, old.Delta)
	}
	for _, s := range c.a.keys(old.Pre.After) {
		if !slices.Contains(c.b.keys(new.Pre.After), s) {
			c.weakens("claim/state", "step %s no longer comes after %s", name, quote(s))
		}
	}
	c.needs(old, new, name)
	if new.Generic && !old.Generic {
		c.weakens("claim/state", "step %s is offered wherever nothing else matches", name)
	}
	if !c.more && c.a.p.Encoder == c.b.p.Encoder && old.Desc == new.Desc &&
		!(reflect.DeepEqual(old.Vecs, new.Vecs) && sameFit(&old.Fit, &new.Fit)) {
		c.weakens("claim/words", "step %s is meant by other words than before, though its description and the logs are the same", name)
	}
}

// needs compares the tools of which one must be offered for a macro to be a way
// out: with none any place will do, and one that the macro never used opens others.
func (c *comparison) needs(old, new *tree.State, name string) {
	if len(old.Pre.Tools) == 0 {
		return
	}
	if len(new.Pre.Tools) == 0 {
		c.weakens("claim/state", "step %s no longer needs a tool, such as %s", name, quote(old.Pre.Tools[0]))
	}
	used := toolsOf(new)
	for _, s := range new.Pre.Tools {
		if !slices.Contains(old.Pre.Tools, s) && !slices.Contains(used, s) {
			c.weakens("claim/state", "step %s can do with the tool %s, which it never used", name, quote(s))
		}
	}
}

// ending finds a node where runs count as done although none succeeded there, or
// nothing more is known of it than before, and an ending that holds for more environments than before. leaf is nil on
// a side that has none.
func (c *comparison) ending(j int32, old, new *tree.Leaf, was, is tree.Count) {
	if new == nil {
		return
	}
	ref := c.b.nodeRef(j)
	switch {
	case old == nil && is.Success <= was.Success && (is.Success == 0 || !c.more):
		c.weakens("claim/ending", "a run that ends at %s counts as done, though no more runs succeeded there than before (%s)", path(ref.Path), ref.ID)
	case old != nil && len(old.Env) > 0 && len(new.Env) == 0:
		c.weakens("claim/ending", "the ending at %s is a way out in every environment, before in one like those seen (%s)", path(ref.Path), ref.ID)
	case old != nil && is.Success <= was.Success && c.checksWeaker(j, old, new):
		c.weakens("claim/ending", "a run that ends at %s is DONE by other checks of the policy, though no more runs succeeded there than before (%s)", path(ref.Path), ref.ID)
	}
}

// checksWeaker says whether a run that ends at a node may be DONE by completion checks of
// the policy where it was not before: they decide now, or one of them is gone.
func (c *comparison) checksWeaker(j int32, old, new *tree.Leaf) bool {
	if len(new.Proofs) == 0 {
		return false
	}
	is := proofsOf(c.b, j, new)
	gone := slices.ContainsFunc(proofsOf(c.a, old.Node, old), func(p string) bool { return !slices.Contains(is, p) })
	return new.Decides && !old.Decides || gone
}

// proofsOf are the checks of a leaf in words.
func proofsOf(s *side, node int32, l *tree.Leaf) []string {
	f := s.family(s.p.Tree.Nodes[node].State)
	var out []string
	for _, i := range l.Proofs {
		out = append(out, f.Proofs[i].String())
	}
	return out
}
