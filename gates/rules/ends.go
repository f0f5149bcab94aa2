package rules

import (
	"errors"
	"strings"
)

// This file is about rules on ends: what must hold when an agent says that it is done
// (requirement V5). They are of one form, deny end when FACTS, and stop no call.

// endKind is what such a rule is about.
const endKind = "end"

// checkEnd refuses rules about ends that would say nothing, or always the same.
func (r *Rule) checkEnd() error {
	switch {
	case r.Verb != Deny:
		return errors.New("an end is not asked about and needs no permission: write deny end when FACTS")
	case len(r.facts) == 0:
		return errors.New("no end would do: say what must hold, as in deny end when not tests passed")
	}
	return nil
}

// AboutEnds says whether the rule is about the end of an agent's work, and about no call.
func (r *Rule) AboutEnds() bool { return r.kind == endKind }

// Lack is a rule that an end is held against, and what it lacks.
type Lack struct {
	Rule string // as Rule.String says it
	// Missing are the facts that deny the end, as they would read if they did not.
	Missing []string
	// Do says for each of them what changes it.
	Do []string
	// Unknown says that nobody can tell one of the facts, so that nothing that is done
	// would show.
	Unknown bool
}

// AsksEnds says whether there is a rule about ends.
func (s *Set) AsksEnds() bool {
	for i := range s.stops {
		if s.stops[i].kind == endKind {
			return true
		}
	}
	return false
}

// Ends holds an end against the rules about ends: fact tells what is known. A rule denies it
// where all its facts hold, and where one is not known and the others do.
func (s *Set) Ends(fact func(name string) (value string, known bool)) (out []Lack) {
	for i := range s.stops {
		if r := &s.stops[i]; r.kind == endKind {
			if l, denied := r.lack(fact); denied {
				out = append(out, l)
			}
		}
	}
	return out
}

// lack says whether a rule denies an end.
func (r *Rule) lack(fact func(string) (string, bool)) (l Lack, denied bool) {
	l.Rule = r.String()
	for i := range r.facts {
		f := &r.facts[i]
		value, known := fact(f.name)
		if known && !f.is(value) {
			return Lack{}, false
		}
		l.Unknown = l.Unknown || !known
		l.Missing = append(l.Missing, f.opposite().String())
		l.Do = append(l.Do, f.remedy())
	}
	return l, true
}

// opposite is what must hold so that the fact does not.
func (f *fact) opposite() *fact { return &fact{!f.not, f.name, f.value} }

// String is the fact as a rule has it.
func (f *fact) String() string {
	not := ""
	if f.not {
		not = "not "
	}
	switch line, ran := strings.CutPrefix(f.name, "ran "); {
	case ran:
		return not + `ran "` + line + `"`
	case f.name == "tests" || f.name == "tree":
		return not + f.name + " " + f.value
	}
	return not + f.name + " = " + f.value
}

// remedy says how an end comes to be without the fact.
func (f *fact) remedy() string {
	line, ran := strings.CutPrefix(f.name, "ran ")
	switch {
	case ran && f.not:
		return "Run " + line + " as a command of its own, with nothing before or behind it on the line, after the last change, until it ends well"
	case f.name == "tests" && f.not:
		return "Run the project's tests after the last change, with nothing behind them on the line that hides how they ended, until they pass"
	case f.name == "tree" && f.not:
		return "Commit what is to stay, and take back what is not"
	case f.not:
		return "Work where " + f.name + " is " + f.value
	case f.name == "branch" || f.name == "remote":
		return "Work where " + f.name + " is not " + f.value
	}
	return "See to it that this does not hold: " + f.String()
}
