package lang

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

// Phrase names the calls that a gate stops in a few words, as the object of a
// sentence that begins "asks before": "a call of send_money whose recipient
// comes out of text that a tool returned". It says what people ask first and
// counts the rest; Reading says more, and Pretty all. It is a function of the
// expression's syntax tree alone.
func Phrase(text string) (string, error) {
	e, err := parse(text)
	if err != nil {
		return "", err
	}
	e = normal(e, true)
	switch {
	case e.op == program.False:
		return "no call at all", nil
	case e.op == program.Or && len(e.kids) > maxKinds:
		return fmt.Sprintf("%d kinds of calls", len(e.kids)), nil
	case e.op == program.Or:
		var kinds []string
		for _, k := range e.kids {
			kinds = append(kinds, phraseOf(k))
		}
		return strings.Join(kinds, ", or "), nil
	}
	return phraseOf(e), nil
}

// maxKinds is how many kinds of calls one sentence describes; chosen by reading.
const maxKinds = 2

// phrase gathers what is said of a call, by where it stands in the sentence.
type phrase struct {
	tools, does []string // "of send_money", "that removes something"
	where       []string
	high        bool
	more        int // conditions that are counted only
}

func phraseOf(e *expr) string {
	var p phrase
	for _, k := range conjunctsOf(e) {
		p.add(k)
	}
	return p.String()
}

func conjunctsOf(e *expr) []*expr {
	if e.op == program.And {
		return e.kids
	}
	return []*expr{e}
}

func (p *phrase) String() string {
	out := "a call"
	if p.high && len(p.tools)+len(p.does)+len(p.where) == 0 {
		out = "any high-risk call"
	}
	if len(p.tools) > 0 {
		out += " of " + enumerate(shorten(p.tools), "or")
	}
	if len(p.does) > 0 {
		out += " that " + enumerate(p.does, "and")
	}
	if len(p.where) > 0 {
		out += " " + enumerate(p.where, "and")
	}
	switch {
	case p.more == 1:
		out += ", under one more condition"
	case p.more > 1:
		out += fmt.Sprintf(", under %d more conditions", p.more)
	}
	return out
}

// add says one condition of a call.
func (p *phrase) add(e *expr) {
	positive, negate := e, false
	if e.op == program.Not {
		positive, negate = e.kids[0], true
	}
	x, values, _, member := membership(positive)
	switch {
	case isField(positive.field, program.Context, "high") && positive.op == program.Get && !negate:
		p.high = true
	case member && !negate && isField(x.field, program.Context, "tool"):
		p.tools = append(p.tools, values...)
	case member && !negate && isField(x.field, program.Context, "verb"):
		p.does = append(p.does, enumerate(wordsOf(values, verbWords), "or"))
	case member && isField(x.field, program.Context, "family"):
		p.where = append(p.where, map[bool]string{false: "in tools for ", true: "outside tools for "}[negate]+enumerate(shorten(values), "or"))
	case e.op == program.Exists && fields.Info(e.field).Elem == program.Arg:
		p.argument(e.kids[0])
	case e.op == program.Exists && fields.Info(e.field).Elem == program.Effect:
		p.effect(e.kids[0])
	case e.op == program.Exists && fields.Info(e.field).Elem == program.Record:
		p.earlier(e.kids[0])
	default:
		p.rest(e)
	}
}

// maxSpelled is the length up to which a condition is read out in full.
const maxSpelled = 60

// rest reads a condition out if that is short, and counts it if not.
func (p *phrase) rest(e *expr) {
	var r reader
	if said := r.condition(e); len(said) <= maxSpelled && e.op != program.Or {
		p.where = append(p.where, "where "+said)
		return
	}
	p.more++
}

// argument says what is asked of an argument: which it is, and where its value
// came from.
func (p *phrase) argument(body *expr) {
	a := argument{names: map[string]bool{}}
	for _, k := range conjunctsOf(body) {
		if !a.add(k) {
			p.more++
		}
	}
	p.where = append(p.where, a.String())
}

type argument struct {
	names           map[string]bool
	untrusted, text bool
	task            bool
	sources, values []string
}

func (a *argument) add(e *expr) bool {
	if named := argumentNames(e); named != nil {
		for _, n := range named {
			a.names[n] = true
		}
		return true
	}
	x, values, _, member := membership(e)
	switch {
	case member && isField(x.field, program.Arg, "origin") && slices.Equal(values, []string{"untrusted"}):
		a.untrusted = true
	case member && isField(x.field, program.Arg, "origin") && slices.Equal(values, []string{"task"}):
		a.task = true
	case member && isField(x.field, program.Arg, "source"):
		a.sources = append(a.sources, values...)
	case member && isField(x.field, program.Arg, "value"):
		a.values = append(a.values, quoteOdd(values)...)
	case e.op == program.Contains && e.kids[1].str == "~" && isField(e.kids[0].field, program.Arg, "form"):
		a.text = true
	default:
		return false
	}
	return true
}

// argumentNames are those of a condition that does nothing but name arguments, by
// path or by role: a.path == "to" || a.path.startsWith("to."), as the learner
// writes it.
func argumentNames(e *expr) []string {
	if e.op == program.Or {
		var out []string
		for _, k := range e.kids {
			names := argumentNames(k)
			if names == nil {
				return nil
			}
			out = append(out, names...)
		}
		return out
	}
	if x, values, _, ok := membership(e); ok && (isField(x.field, program.Arg, "path") || isField(x.field, program.Arg, "role")) {
		return values
	}
	if e.op == program.HasPrefix && isField(e.kids[0].field, program.Arg, "path") && e.kids[1].op == program.Const {
		return []string{strings.TrimSuffix(e.kids[1].str, ".")}
	}
	return nil
}

func (a *argument) String() string {
	out := "with an argument that"
	if len(a.names) > 0 {
		out = "whose " + enumerate(shorten(slices.Sorted(maps.Keys(a.names))), "or")
	}
	if len(a.values) > 0 {
		out += " is " + enumerate(shorten(a.values), "or")
	}
	from := "a tool's result"
	switch {
	case len(a.sources) > 0 && a.text:
		from = "text that " + enumerate(shorten(a.sources), "or") + " returned"
	case len(a.sources) > 0:
		from = "what " + enumerate(shorten(a.sources), "or") + " returned"
	case a.text:
		from = "text that a tool returned"
	}
	switch {
	case a.untrusted || a.text || len(a.sources) > 0:
		out += " comes out of " + from
	case a.task:
		out += " is named by the task"
	case len(a.values) == 0 && len(a.names) > 0:
		return "with " + strings.TrimPrefix(out, "whose ")
	case len(a.values) == 0:
		return "with certain arguments"
	}
	return out
}

// What verbs, operations, types and zones are called in a sentence. What is not
// here goes by its own name.
var (
	verbWords = map[string]string{"send": "sends", "write": "writes", "create": "creates", "delete": "deletes", "read": "reads", "execute": "runs something", "navigate": "opens a page"}
	opWords   = map[string]string{
		"read": "reads", "list": "lists", "search": "searches", "stat": "looks at", "create": "creates", "modify": "changes", "chmod": "changes the rights of", "chown": "changes the owner of",
		"link": "links", "move": "moves", "remove": "removes", "remove_tree": "removes", "wipe": "wipes", "run": "runs", "build": "builds", "fetch": "fetches from",
		"send": "sends to", "listen": "listens at", "connect": "connects to", "probe": "probes", "mount": "mounts", "install": "installs", "kill": "ends",
	}
	// Those that need no object.
	opPhrases = map[string]string{
		"env": "reads the environment", "run_code": "runs inline code", "run_file": "runs a file as a program", "run_unknown": "runs a program that nobody knows", "interactive": "waits for input", "escape": "runs something through another tool",
		"privilege": "raises its rights", "account": "changes an account", "service": "changes a service", "schedule": "schedules something", "persist": "makes something start by itself", "system": "changes the machine", "container": "runs a container",
		"unparsed": "nobody can read", "computed": "does what only its run shows",
	}
	kindWords   = map[string]string{"write": "changes", "delete": "removes", "spawn": "runs", "network": "connects to", "read": "reads", "list": "lists", "signal": "ends"}
	kindPhrases = map[string]string{"setting": "changes the machine or an account", "opaque": "does what only its run shows"}
	zoneWords   = map[string]string{"outside": "outside the workspace", "workspace": "in the workspace", "temp": "in a directory for temporary files", "home": "in the home directory"}
)

func wordsOf(values []string, words map[string]string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		if out[i] = words[v]; out[i] == "" {
			out[i] = "does " + v
		}
	}
	return shorten(out)
}

// deed gathers what is said of an effect: what it does, to what, and how.
type deed struct {
	does, what, how []string
	whole           bool // does needs no object
	more            int
}

// effect says what a call does, and to what.
func (p *phrase) effect(body *expr) {
	d := deedOf(body)
	p.more += d.more
	p.does = append(p.does, d.String())
}

// earlier says what an earlier call of the same macro did.
func (p *phrase) earlier(body *expr) {
	d := deedOf(body)
	p.more += d.more
	p.where = append(p.where, "after a call that "+d.String())
}

func deedOf(body *expr) *deed {
	d := &deed{}
	for _, k := range conjunctsOf(body) {
		if !d.add(k) {
			d.more++
		}
	}
	return d
}

func (d *deed) add(e *expr) bool {
	x, values, _, member := membership(e)
	field := ""
	if member && x.op == program.Get {
		field = fields.Info(x.field).Name
	}
	switch {
	case field == "op":
		d.verb(values, opWords, opPhrases)
	case field == "type":
		if len(d.does) == 0 {
			d.verb(values, kindWords, kindPhrases)
		}
	case field == "zone":
		for _, v := range values {
			if zoneWords[v] == "" {
				return false
			}
			d.how = append(d.how, zoneWords[v])
		}
	case field == "program":
		named := enumerate(shorten(values), "or")
		if slices.Equal(d.does, []string{"runs"}) { // op sorts before program
			d.what = append(d.what, named)
		} else {
			d.how = append(d.how, "with "+named)
		}
	case e.op == program.Get && isField(e.field, program.Effect, "glob"):
		d.how = append(d.how, "by a pattern")
	default:
		thing := thingOf(e)
		if thing == "" {
			return false
		}
		d.what = append(d.what, thing)
	}
	return true
}

func (d *deed) verb(values []string, words, phrases map[string]string) {
	d.does, d.whole = nil, true
	for _, v := range values {
		word := phrases[v]
		if word == "" {
			word, d.whole = wordsOf([]string{v}, words)[0], false
		}
		if !slices.Contains(d.does, word) {
			d.does = append(d.does, word)
		}
	}
}

func (d *deed) String() string {
	parts := []string{"touches"}
	if len(d.does) > 0 {
		parts = []string{enumerate(shorten(d.does), "or")}
	}
	if len(d.what) > 0 {
		parts = append(parts, enumerate(d.what, "and"))
	} else if !d.whole {
		parts = append(parts, "something")
	}
	return strings.Join(append(parts, d.how...), " ")
}

// thingOf says to what an effect happens; empty where a condition says something
// else.
func thingOf(e *expr) string {
	positive, negate := e, e.op == program.Not
	if negate {
		positive = e.kids[0]
	}
	x, values, _, member := membership(positive)
	switch {
	case e.op == program.Or:
		return eitherThing(e.kids)
	case positive.op == program.Get && !negate && isField(positive.field, program.Effect, "sensitive"):
		return "something secret"
	case positive.op == program.Get && !negate && isField(positive.field, program.Effect, "protected"):
		return "something protected"
	case positive.op == program.Under && positive.kids[1].op == program.Const:
		return map[bool]string{false: "what lies in ", true: "what lies outside "}[negate] + positive.kids[1].str
	case positive.op == program.DomainUnder && positive.kids[1].op == program.Const:
		return map[bool]string{false: "a host of ", true: "a host outside "}[negate] + positive.kids[1].str
	case member && isField(x.field, program.Effect, "domain"):
		return map[bool]string{false: "", true: "a host other than "}[negate] + enumerate(shorten(values), "or")
	case member && !negate && isField(x.field, program.Effect, "resource"):
		return enumerate(shorten(quoteOdd(values)), "or")
	}
	return ""
}

// eitherThing names what is named before what is left over: "outside a or b" would
// say something else than "b or outside a".
func eitherThing(kids []*expr) string {
	var out, outside []string
	for _, k := range kids {
		thing := thingOf(k)
		if thing == "" {
			return ""
		}
		if k.op == program.Not {
			outside = append(outside, thing)
		} else {
			out = append(out, thing)
		}
	}
	return enumerate(slices.Concat(out, outside), "or")
}
