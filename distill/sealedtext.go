package distill

import (
	"maps"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// SealedText is what of the logs' text stands in a policy: all of it, for people
// who must answer for what they hand out.
type SealedText struct {
	Kept     bool     `json:"kept"`     // texts of the logs were asked for
	Tasks    int      `json:"tasks"`    // texts of tasks, as prototypes or at success leaves
	Families []string `json:"families"` // after layouts and what tools handle, or by the configuration
	Words    []string `json:"words"`    // of descriptions, beside the actions' own
	Tools    []string `json:"tools"`    // names of tools, which are never left out
	Checks   []string `json:"checks"`   // completion checks: commands, paths, fields of calls
	Gates    []string `json:"gates"`    // what learned gates and conditions name: tools, arguments, fields, hosts, directories
}

// SealedText lists what of the logs stands in a result's policy.
func (r *Result) SealedText() SealedText {
	t := &r.Policy.Tree
	s := SealedText{Kept: r.Policy.LogText, Families: []string{}, Gates: []string{}}
	words, tools, checks := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range t.Families {
		f := &t.Families[i]
		s.Families = append(s.Families, f.Name)
		for k := range f.Proofs {
			checks[f.Proofs[k].String()] = true
		}
		for _, name := range f.Tools {
			tools[name] = true
		}
		for _, p := range f.Prototypes {
			s.Tasks += min(len(p.Text), 1)
		}
	}
	for i := range t.States {
		if _, said, ok := strings.Cut(t.States[i].Desc, ": "); ok {
			for _, w := range strings.FieldsFunc(said, func(r rune) bool { return r == ',' || r == ' ' }) {
				words[w] = true
			}
		}
	}
	s.Gates = r.gateText()
	for i := range t.Leaves {
		for _, x := range t.Leaves[i].Tasks {
			s.Tasks += min(len(x.Text), 1)
		}
	}
	s.Words, s.Tools, s.Checks = listed(words), listed(tools), listed(checks)
	return s
}

// gateText lists the names out of the logs in learned gates.
func (r *Result) gateText() []string {
	out := map[string]bool{}
	if r.Gates != nil {
		for i := range r.Gates.Accepted {
			for _, c := range r.Gates.Accepted[i].Names {
				out[c] = true
			}
		}
	}
	if r.Policy != nil {
		for _, c := range r.Policy.Guardrail.Conditions {
			out[c.Arg] = true
			for _, n := range c.Needs {
				out[n.Arg] = true
			}
		}
	}
	delete(out, "")
	delete(out, gates.FileArg)
	return listed(out)
}

func listed(set map[string]bool) []string {
	return append([]string{}, slices.Sorted(maps.Keys(set))...)
}
