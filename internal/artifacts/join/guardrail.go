package join

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/artifacts/review"
)

// guardrail has of each setting the stricter one.
func (j *joiner) guardrail() artifacts.Guardrail {
	a, b := &j.ours.Guardrail, &j.theirs.Guardrail
	return artifacts.Guardrail{
		Strict: a.Strict || b.Strict,
		Roots:  j.roots(a.Roots, b.Roots),
		Rules: gates.Guardrail{
			Profile:   review.Stricter(a.Rules.Profile, b.Rules.Profile),
			Protected: union(a.Rules.Protected, b.Rules.Protected),
			Sensitive: union(a.Rules.Sensitive, b.Rules.Sensitive),
			DenySpawn: union(a.Rules.DenySpawn, b.Rules.DenySpawn),
			Spawn:     both(a.Rules.Spawn, b.Rules.Spawn),
			Egress:    egress(a.Rules.Egress, b.Rules.Egress),
			Imports:   gates.NarrowImports(a.Rules.Imports, b.Rules.Imports),
		},
		Content: j.content(a.Content, b.Content),

		Conditions: conditions(a.Conditions, b.Conditions),
	}
}

// roots are those that lie in a workspace of both sides.
func (j *joiner) roots(a, b []string) []string {
	if slices.Equal(a, b) {
		return a
	}
	var out []string
	for _, r := range union(a, b) {
		if inside(r, a) && inside(r, b) {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		j.conflict("the workspace roots of the sides have nothing in common, and without roots the host's own hold")
	}
	return out
}

func inside(root string, list []string) bool {
	return slices.ContainsFunc(list, func(r string) bool {
		return root == r || strings.HasPrefix(root, strings.TrimSuffix(r, "/")+"/")
	})
}

// content is the content gate that one side has, or both.
func (j *joiner) content(a, b artifacts.Content) artifacts.Content {
	switch {
	case !a.Set():
		return b
	case b.Set() && !reflect.DeepEqual(a, b):
		j.conflict("the sides have two content gates")
	}
	return a
}

// conditions are those of both sides. One that both have stops calls if it does on a side,
// with the evidence of the side where it does.
func conditions(a, b []gates.Condition) []gates.Condition {
	out := slices.Concat(a, b)
	slices.SortStableFunc(out, func(x, y gates.Condition) int { // of equal ones, the one that stops calls first
		if n := gates.CompareConditions(&x, &y); n != 0 || x.Advice == y.Advice {
			return n
		}
		if y.Advice {
			return -1
		}
		return 1
	})
	return slices.CompactFunc(out, func(x, y gates.Condition) bool { return gates.CompareConditions(&x, &y) == 0 })
}

// egress lets be reached what both sides let be reached.
func egress(a, b []gates.Egress) []gates.Egress {
	var out []gates.Egress
	for _, x := range a {
		for _, y := range b {
			e, ok := meet(x, y)
			if ok && !slices.ContainsFunc(out, func(o gates.Egress) bool { return o.Domain == e.Domain }) {
				out = append(out, e)
			}
		}
	}
	slices.SortFunc(out, func(x, y gates.Egress) int { return strings.Compare(x.Domain, y.Domain) })
	return out
}

// meet is what two rules both let be reached.
func meet(a, b gates.Egress) (gates.Egress, bool) {
	out := gates.Egress{Domain: a.Domain, Send: a.Send && b.Send}
	switch {
	case a.Domain == b.Domain || strings.HasSuffix(a.Domain, "."+b.Domain):
	case strings.HasSuffix(b.Domain, "."+a.Domain):
		out.Domain = b.Domain
	default:
		return out, false
	}
	var schemes, ports bool
	out.Schemes, schemes = anyMeet(a.Schemes, b.Schemes)
	out.Ports, ports = anyMeet(a.Ports, b.Ports)
	return out, schemes && ports
}

// anyMeet is the intersection of lists of which none means any; false if nothing
// is left.
func anyMeet[T comparable](a, b []T) ([]T, bool) {
	switch {
	case len(a) == 0:
		return b, true
	case len(b) == 0:
		return a, true
	}
	out := both(a, b)
	return out, len(out) > 0
}

func both[T comparable](a, b []T) []T {
	var out []T
	for _, x := range a {
		if slices.Contains(b, x) {
			out = append(out, x)
		}
	}
	return out
}

// union is sorted, each text once.
func union(a, b []string) []string {
	all := map[string]bool{}
	for _, s := range slices.Concat(a, b) {
		all[s] = true
	}
	return sorted(all)
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
