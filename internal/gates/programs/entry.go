package programs

import (
	"slices"
	"strings"
)

const entryKeys = "does, operands, last, stdin, options, letters, unlisted, output, traits, subcommands, alone"

// entryKey reads a key that programs and subcommands have.
func (r *reader) entryKey(e *Entry, f field) {
	e.set[f.key] = true
	switch f.key {
	case "does":
		e.Does = r.oneOf(f, texts(doesWords))
	case "operands":
		e.Operands = r.roles(f)
	case "last":
		e.Last = r.oneOf(f, texts(roleWords))
	case "stdin":
		e.Stdin = r.oneOf(f, []string{"program"})
	case "options":
		e.Options = r.options(f)
	case "letters":
		e.Letters = r.oneOf(f, []string{"together", "apart"})
	case "unlisted":
		e.Unlisted = r.oneOf(f, []string{"ask", "flag", "others"})
	case "output":
		e.Output = r.oneOf(f, texts(outputWords))
	case "traits":
		e.Traits = r.traits(f)
	case "subcommands":
		e.group = true
		e.Subs = r.subs(f)
	case "alone":
		alone := r.entry(f)
		e.Alone = &alone
	default:
		r.unknown(f, entryKeys)
	}
}

func (r *reader) entry(f field) Entry {
	e := Entry{set: map[string]bool{}, line: f.line}
	for _, g := range r.fields(f.value, f.key) {
		switch g.key {
		case "like":
			e.like = r.text(g)
		case "also":
			e.Also = r.texts(g)
		default:
			r.entryKey(&e, g)
		}
	}
	return e
}

func (r *reader) subs(f field) (list []Sub) {
	for _, g := range r.fields(f.value, "subcommands") {
		if g.key == "" || strings.ContainsAny(g.key, " \t") {
			r.wrong(g.line, "subcommand %q: one word; subcommands of it stand below its own subcommands:", g.key)
			continue
		}
		list = append(list, Sub{g.key, r.entry(g)})
	}
	return list
}

func (r *reader) roles(f field) []string {
	list := r.texts(f)
	for _, role := range list {
		if _, ok := letterOf(roleWords, role); !ok {
			r.wrong(f.line, "%s: unknown role %s: FORMAT.md lists the roles", f.key, role)
		}
	}
	return list
}

func (r *reader) traits(f field) []string {
	list := r.texts(f)
	for _, t := range list {
		if !slices.ContainsFunc(traitWords, func(w trait) bool { return w.text == t }) {
			r.wrong(f.line, "unknown trait %s: traits.go lists them", t)
		}
	}
	return list
}

// options reads names of options and what each is: "-o, --output: value creates".
func (r *reader) options(f field) (list []Option) {
	for _, g := range r.fields(f.value, "options") {
		o := Option{line: g.line}
		for n := range strings.SplitSeq(g.key, ",") {
			n = strings.TrimSpace(n)
			if len(n) < 2 || n[0] != '-' || n == "--" || strings.ContainsAny(n, " =!?") && len(n) > 2 {
				r.wrong(g.line, "option %q: names as they are typed, separated by commas, without values", n)
				continue
			}
			o.Names = append(o.Names, n)
		}
		r.optionKind(&o, g)
		list = append(list, o)
	}
	return list
}

func (r *reader) optionKind(o *Option, f field) {
	kind, rest, _ := strings.Cut(r.text(f), " ")
	o.Word = strings.TrimSpace(rest)
	words := roleWords
	switch kind {
	case "flag":
		o.Kind, words = '!', append(slices.Clip(flagWords), doesWords...)
	case "value":
		o.Kind = ':'
	case "maybe":
		o.Kind = '?'
	case "optional":
		o.Kind = '~'
	case "pair":
		o.Kind = '&'
	default:
		r.wrong(f.line, "option %s: %q is none of flag, value, maybe, optional, pair", f.key, kind)
		return
	}
	if _, ok := letterOf(words, o.Word); !ok && o.Word != "" {
		r.wrong(f.line, "option %s: a %s has no word %q: FORMAT.md lists them", f.key, kind, o.Word)
	}
}

// inherit gives entries that are like another one of the file what that one has.
func (r *reader) inherit(p *Program) {
	var walk func(e *Entry)
	walk = func(e *Entry) {
		for i := range e.Subs {
			s := &e.Subs[i].Entry
			if s.like != "" {
				r.takeFrom(p, e, s)
			}
			walk(s)
		}
	}
	walk(&p.Entry)
}

func (r *reader) takeFrom(p *Program, parent, s *Entry) {
	words := strings.Fields(s.like)
	from := find(parent, words)
	if from == nil {
		from = find(&p.Entry, words)
	}
	switch {
	case from == nil:
		r.wrong(s.line, "like: %s: no such subcommand in this file", s.like)
		return
	case from.like != "" || from.group:
		r.wrong(s.line, "like: %s: name an entry without like: and without subcommands", s.like)
		return
	}
	own := *s
	*s = *from
	s.Also, s.line, s.like, s.set = own.Also, own.line, own.like, own.set
	over := map[string]func(){
		"does": func() { s.Does = own.Does }, "operands": func() { s.Operands = own.Operands }, "last": func() { s.Last = own.Last },
		"stdin": func() { s.Stdin = own.Stdin }, "output": func() { s.Output = own.Output }, "letters": func() { s.Letters = own.Letters },
		"unlisted": func() { s.Unlisted = own.Unlisted }, "traits": func() { s.Traits = own.Traits },
		"options": func() { s.Options = override(from.Options, own.Options) },
	}
	for key := range own.set {
		if f, ok := over[key]; ok {
			f()
		}
	}
}

// override puts own options in front of those of the entry that it is like, and
// drops what they replace.
func override(base, own []Option) []Option {
	list := slices.Clone(own)
	for _, o := range base {
		if !slices.ContainsFunc(own, func(p Option) bool {
			return slices.ContainsFunc(p.Names, func(n string) bool { return slices.Contains(o.Names, n) })
		}) {
			list = append(list, o)
		}
	}
	return list
}

func find(e *Entry, words []string) *Entry {
	for _, w := range words {
		i := slices.IndexFunc(e.Subs, func(s Sub) bool { return s.Name == w })
		if i < 0 {
			return nil
		}
		e = &e.Subs[i].Entry
	}
	return e
}

// checkEntry finds what contradicts itself in an entry and in those below it.
func (r *reader) checkEntry(e *Entry, name string) {
	seen := map[string]bool{}
	for _, o := range e.Options {
		for _, n := range o.Names {
			if seen[n] {
				r.wrong(o.line, "option %s of %s stands twice: keep one", n, name)
			}
			seen[n] = true
		}
		if (o.Word == "in-place" || o.Word == "removes-operands") && o.Kind == '!' && !slices.Contains(e.Operands, "reads") && !slices.Contains(e.Operands, "yq") {
			r.wrong(o.line, "option %s of %s changes operands of the role reads, and there is none", o.Names[0], name)
		}
	}
	r.checkShape(e, name)
	subs := map[string]bool{}
	for i := range e.Subs {
		s := &e.Subs[i]
		for _, n := range append([]string{s.Name}, s.Also...) {
			if subs[n] {
				r.wrong(s.line, "subcommand %s of %s stands twice: keep one", n, name)
			}
			subs[n] = true
		}
		r.checkEntry(&s.Entry, name+" "+s.Name)
	}
	if e.Alone != nil {
		r.checkEntry(e.Alone, name)
	}
}

// askedWords are what a run does that asks whatever its options are. Sorted.
var askedWords = []string{"accounts", "containers", "mounts", "privilege", "review", "schedules", "sends", "services", "signals", "system", "updates"}

// checkUnlisted finds entries that take any option for a flag although a run may
// run, load, send or write something, so that an option may say what. One that asks
// in any case needs no second question.
func (r *reader) checkUnlisted(e *Entry, name string) {
	if e.Unlisted == "flag" && e.acts() && !slices.Contains(askedWords, e.Does) {
		r.wrong(e.line, "%s can run, load, send or write, and has unlisted: flag: list its options from the manual instead", name)
	}
	for i := range e.Subs {
		r.checkUnlisted(&e.Subs[i].Entry, name+" "+e.Subs[i].Name)
	}
	if e.Alone != nil {
		r.checkUnlisted(e.Alone, name)
	}
}

// checkShape finds keys that do not go together.
func (r *reader) checkShape(e *Entry, name string) {
	if e.group && (len(e.Operands) > 0 || e.Does != "" || e.Output != "" || e.Stdin != "") {
		r.wrong(e.line, "%s has subcommands: what it does without one stands below alone:", name)
	}
	if e.Alone != nil && !e.group {
		r.wrong(e.line, "%s has alone: and no subcommands: write its keys beside name:", name)
	}
	if e.Last != "" && len(e.Operands) == 0 {
		r.wrong(e.line, "%s has last: and no operands: add operands, the role of those before", name)
	}
}
