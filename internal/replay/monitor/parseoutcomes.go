package monitor

import (
	_ "embed" // the ready sets
	"fmt"
	"sort"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"

	"go.yaml.in/yaml/v3"

	"github.com/gbt-policy/gbt/corpora"
)

// CodingYAML is the ready set for sessions of coding agents.
//
//go:embed coding.yaml
var CodingYAML []byte

// readySets are the sets that are chosen by name.
func readySets() map[string][]byte { return map[string][]byte{"coding": CodingYAML} }

// ownRules is the section of the rules that stand in the user's own file.
const ownRules = "outcome"

// ParseOutcomes reads rules for outcomes: the name of a ready set, or a list of
// rules in which "use: NAME" stands for the rules of one. It returns nil for a list
// without rules. All problems are reported, sorted by line.
func ParseOutcomes(file string, n *yaml.Node) (*Outcomes, []corpora.Problem) {
	r := &reader{file: file, spec: &Spec{}, ids: map[string]bool{}}
	o := &Outcomes{}
	if n.Kind == yaml.ScalarNode && n.Tag != "!!null" {
		o.rules = r.readySet(n)
	} else if n.Tag != "!!null" {
		r.items(n, func(c *yaml.Node) { o.rules = append(o.rules, r.outcomes(c, ownRules)...) })
	}
	if len(o.rules) > maxRules {
		r.problem(n, CodeValue, "%d rules are more than %d", len(o.rules), maxRules)
	}
	if len(r.problems) > 0 {
		sort.SliceStable(r.problems, func(i, j int) bool { return r.problems[i].Line < r.problems[j].Line })
		return nil, r.problems
	}
	if len(o.rules) == 0 {
		return nil, nil
	}
	return o, nil
}

// outcomes reads one entry of the list: a rule, or the name of a ready set.
func (r *reader) outcomes(n *yaml.Node, section string) []outcomeRule {
	if n.Kind == yaml.MappingNode && len(n.Content) == 2 && n.Content[0].Value == "use" {
		return r.readySet(n.Content[1])
	}
	return []outcomeRule{r.outcome(n, section)}
}

func (r *reader) readySet(n *yaml.Node) []outcomeRule {
	sets := readySets()
	names := make([]string, 0, len(sets))
	for name := range sets {
		names = append(names, name)
	}
	sort.Strings(names)
	name := r.word(n, names)
	data, ok := sets[name]
	if !ok {
		return nil
	}
	var list yaml.Node
	if err := yaml.Unmarshal(data, &list); err != nil {
		panic("gbt: internal error: " + name + ".yaml: " + err.Error())
	}
	own := &reader{file: name + ".yaml", spec: &Spec{}, ids: map[string]bool{}}
	var out []outcomeRule
	own.items(list.Content[0], func(c *yaml.Node) { out = append(out, own.outcome(c, name)) })
	if len(own.problems) > 0 {
		panic(fmt.Sprintf("gbt: internal error: %v", own.problems[0]))
	}
	for i := range out {
		if r.ids[out[i].id] {
			r.problem(n, CodeTwice, "the rules of %q are used twice", name)
			break
		}
		r.ids[out[i].id] = true
	}
	return out
}

// outcome reads one rule.
func (r *reader) outcome(n *yaml.Node, section string) outcomeRule {
	var u outcomeRule
	labelled := false
	r.keys(n, keys{
		"id":      func(v *yaml.Node) { u.id = r.id(v, section) },
		"message": func(v *yaml.Node) { u.message = r.text(v) },
		"label":   func(v *yaml.Node) { u.label, labelled = r.label(v), true },
		"stopped": func(v *yaml.Node) { u.stopped = r.flag(v) },
		"last":    func(v *yaml.Node) { u.last = r.deed(v) },
		"after":   func(v *yaml.Node) { u.after = r.deed(v) },
		"unless":  func(v *yaml.Node) { u.unless = r.deed(v) },
		"later":   func(v *yaml.Node) { u.later = r.flag(v) },
		"ended":   func(v *yaml.Node) { u.ended = r.ending(v) },
		"printed": func(v *yaml.Node) { u.said = r.ending(v) },
		"check":   func(v *yaml.Node) { u.check = r.check(v) },
	})
	switch {
	case u.id == "":
		r.problem(n, CodeMissing, "a rule for outcomes needs an id")
	case !labelled:
		r.problem(n, CodeMissing, "a rule for outcomes needs a label: success, failure or unknown")
	case !u.stopped && u.last == nil && u.check == nil:
		r.problem(n, CodeEmpty, "this rule asks for no fact: give stopped: true, last or check")
	case u.last == nil && (u.unless != nil || u.ended != endedUnknown || u.said != endedUnknown):
		r.problem(n, CodeMissing, "ended, printed and unless are about the call that last names")
	case u.later && u.after == nil:
		r.problem(n, CodeMissing, "later counts up to the next call that after names: give after")
	}
	if u.check != nil {
		u.check.Rule = u.id
	}
	return u
}

func (r *reader) label(n *yaml.Node) corpora.Outcome {
	switch r.word(n, []string{"success", "failure", "unknown"}) {
	case "success":
		return corpora.OutcomeSuccess
	case "failure":
		return corpora.OutcomeFailure
	}
	return corpora.OutcomeUnknown
}

func (r *reader) ending(n *yaml.Node) ending {
	if r.word(n, []string{"passed", "failed"}) == "passed" {
		return endedWell
	}
	return endedBad
}

// deed reads a condition on a call: the conditions of the monitors' rules, and
// what the call does in the words of package command.
func (r *reader) deed(n *yaml.Node) *deedCond {
	k := &deedCond{}
	r.keys(n, keys{
		"does": func(v *yaml.Node) {
			k.does = r.words(v, []string{deedTest, deedBuild, deedLint, deedCommit, deedUndo, deedChange})
		},
		"call":   func(v *yaml.Node) { k.call = r.call(v) },
		"effect": func(v *yaml.Node) { k.effect = r.effect(v) },
	})
	if k.does == nil && !k.call.given() && k.effect == nil {
		r.problem(n, CodeEmpty, "this condition holds for every call: give does, call or effect")
	}
	return k
}

func (r *reader) check(n *yaml.Node) *Check {
	c := &Check{}
	r.keys(n, keys{
		"run": func(v *yaml.Node) { c.Run = r.texts(v) },
		"in": func(v *yaml.Node) {
			if c.Dir = r.text(v); !strings.HasPrefix(c.Dir, "/") {
				r.problem(v, CodeValue, "%q is no absolute path", c.Dir)
			}
			c.Dir = mark.Clean(c.Dir)
		},
	})
	if len(c.Run) == 0 || c.Run[0] == "" || c.Dir == "" {
		r.problem(n, CodeMissing, "a check needs run, a list of a program and its arguments, and in, the directory")
	}
	return c
}
