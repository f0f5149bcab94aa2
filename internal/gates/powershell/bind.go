package powershell

import "strings"

// bound are the arguments of a cmdlet by its parameters' names.
type bound struct {
	v    map[string]val
	n    map[string]node
	on   map[string]bool // parameters without a value
	rest []val           // of a parameter that takes all that are left
}

func (b *bound) has(name string) bool { _, ok := b.n[name]; return ok }

// spec is one parameter of a row.
type spec struct {
	name   string
	names  []string
	place  string
	alone  bool // has no value
	beyond bool // is not followed
}

func specs(row string) []spec {
	var out []spec
	for _, f := range strings.Fields(row + common) {
		s := spec{alone: strings.HasSuffix(f, "!"), beyond: strings.HasSuffix(f, "#")}
		f, s.place, _ = strings.Cut(strings.TrimRight(f, "!#"), "@")
		s.names = strings.Split(strings.ToLower(f), "|")
		s.name = s.names[0]
		out = append(out, s)
	}
	return out
}

// find is the parameter that a word means: its whole name, or one that begins so and no
// other (about_Parameters).
func find(list []spec, word string) (spec, bool) {
	var found []spec
	for _, s := range list {
		begins := false
		for _, n := range s.names {
			if n == word {
				return s, true
			}
			begins = begins || strings.HasPrefix(n, word)
		}
		if begins {
			found = append(found, s)
		}
	}
	if len(found) != 1 || word == "" {
		return spec{}, false
	}
	return found[0], true
}

// bind gives the arguments of a cmdlet to its parameters: those with names first, then the
// others by their places.
func (e *emitter) bind(cmdlet string, args []arg) *bound {
	b := &bound{v: map[string]val{}, n: map[string]node{}, on: map[string]bool{}}
	list := specs(params[cmdlet])
	var free []node
	for i := 0; i < len(args) && e.why == ""; i++ {
		a := args[i]
		if a.param == "" {
			free = append(free, a.value)
			continue
		}
		s, ok := find(list, strings.ToLower(a.param))
		switch {
		case !ok || s.beyond:
			e.fail(cmdlet + " -" + a.param)
		case s.alone:
			on := a.value == nil
			if !on {
				v := e.value(a.value)
				t, ok := v.text()
				if on = t == "True"; !ok {
					e.fail("a switch whose value is computed")
				}
			}
			b.on[s.name] = on
		case a.value == nil && (i+1 == len(args) || args[i+1].param != ""):
			e.fail(cmdlet + " -" + a.param + " without a value")
		default:
			if a.value == nil {
				i++
				a.value = args[i].value
			}
			b.n[s.name] = a.value
		}
	}
	e.places(b, list, free, cmdlet)
	return b
}

func (e *emitter) places(b *bound, list []spec, free []node, cmdlet string) {
	for _, place := range []string{"0", "1", "2", "*"} {
		for _, s := range list {
			if s.place != place || b.has(s.name) || len(free) == 0 {
				continue
			}
			if place == "*" {
				for _, n := range free {
					b.rest = append(b.rest, e.value(n))
				}
				free = nil
				continue
			}
			b.n[s.name], free = free[0], free[1:]
		}
	}
	if len(free) > 0 {
		e.fail(cmdlet + " with more than its parameters take")
	}
	for _, s := range list {
		name := s.name
		n, ok := b.n[name]
		if !ok {
			continue
		}
		if t, ok := n.(*text); ok && len(t.parts) == 1 {
			if l, ok := t.parts[0].(*lit); ok && t.plain && l.s == "--" {
				e.fail("--")
			}
		}
		if _, code := n.(*script); code && (cmdlet == "foreach-object" || cmdlet == "measure-command") {
			continue // its block runs
		}
		b.v[name] = e.value(n)
	}
}

// number is a parameter's value as a number, or another one.
func (b *bound) number(name, other string) string {
	v := b.v[name]
	if t, ok := v.text(); ok && t != "" && strings.Trim(t, "0123456789") == "" {
		return t
	}
	return other
}

// narrowed adds what -Filter, -Include and -Exclude say to a search. Their patterns do not
// look at the case of letters.
func narrowed(b *bound, dirs string) (tests string, ok bool) {
	for _, p := range [...]string{"filter", "include"} {
		v, given := b.v[p]
		if !given {
			continue
		}
		if !v.known || v.named() || len(v.consts) == 0 {
			return "", false
		}
		var names []string
		for _, c := range v.consts {
			if p == "filter" && (strings.HasSuffix(c, "?") || strings.HasSuffix(c, ".")) {
				return "", false // to Windows these match nothing as well
			}
			names = append(names, "-iname "+quoted(c))
		}
		if len(names) == 1 {
			tests += " " + names[0]
		} else {
			tests += ` \( ` + strings.Join(names, " -o ") + ` \)`
		}
	}
	return dirs + tests, true
}
