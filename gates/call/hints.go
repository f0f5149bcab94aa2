package call

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file says what an MCP server's annotations of a tool count for. A schema of
// the user's beats them. They beat the tool's name, which the same server chose:
// upwards always, downwards as far as the server's reach.
//
// Without a word of the user's about the server, readOnlyHint stands in for a name
// that says nothing, as a reading name would; its arguments are judged all the
// same. Only where the user has said what the server touches is it believed
// against a name that changes something. What is only generated changes nothing.

// Hints are MCP tool annotations (specification 2025-11-25, ToolAnnotations) that
// were given outright. Destructive and OpenWorld raise the risk; ReadOnly lowers it
// only as said above, and never beside Destructive.
type Hints struct {
	Destructive bool
	OpenWorld   bool
	ReadOnly    bool
}

// Touches is what a server may touch, by what the user says of it.
type Touches uint8

// What servers touch. The zero value is that nobody said.
const (
	TouchesAnything Touches = iota
	TouchesOwn              // a store of its own
	TouchesRoots            // files below the roots
	TouchesHosts            // hosts of the network
	TouchesMachine          // this machine: its shell is one of this machine's
	numTouches
)

var touchesNames = [numTouches]string{"anything", "own", "roots", "hosts", "machine"}

// String returns the name by which settings call it.
func (t Touches) String() string { return nameOf(touchesNames[:], int(t)) }

// ParseTouches returns what has a name; what nobody said has none.
func ParseTouches(name string) (Touches, bool) {
	i := nameIndex(touchesNames[1:], name)
	return Touches(i + 1), i >= 0
}

// TouchesNames are the names that ParseTouches reads.
func TouchesNames() []string { return append([]string(nil), touchesNames[1:]...) }

// bounded says whether less than a machine can be touched.
func (t Touches) bounded() bool { return t != TouchesAnything && t != TouchesMachine }

// Server is what the user says of an MCP server, by the name that its tools have
// it in: mcp__name__tool.
type Server struct {
	Name    string // lower case
	Touches Touches
	Hosts   []string // of TouchesHosts
}

// hinted lets the server's own words about a tool stand in for its name's.
func (b *builder) hinted() {
	if h := b.call.Hints; !h.ReadOnly || h.Destructive || b.schema != nil {
		return
	}
	c := &b.c.Class
	switch {
	case c.Family == FamilyUnknown:
		*c = b.readingClass()
	case c.Verb.Reads() || !b.touches().bounded() && !b.readsFirst() && !b.generates():
	case slices.Contains(runners[:], c.Family): // what they are given says what they do
	default:
		c.Verb, c.Basis = effect.VerbRead, BasisName
		c.High = High(c.Verb, c.Resource)
	}
}

// readsFirst says whether a name begins with a verb that reads and joins no other to
// it by a word: of get_block_children the hint says that block is a noun.
func (b *builder) readsFirst() bool {
	ws := wordsOf(Name(b.call.Tool), b.call.Tool)
	v, at := effect.VerbUnknown, -1
	for i, w := range ws {
		if conjunction(w) {
			return false
		}
		if f, ok := verbWord(w); ok && at < 0 {
			v, at = f, i
		}
	}
	return v == effect.VerbRead || v == effect.VerbSearch
}

// generates says whether a name only says that something is made of what the call
// holds: generate_chart. It can be an answer and nothing more, and the hint says that
// it is. What it makes is no file, message, account or key, which would stay somewhere.
func (b *builder) generates() bool {
	ws := wordsOf(Name(b.call.Tool), b.call.Tool)
	if fam, _ := nounOf(ws); fam != FamilyUnknown || len(ws) < 2 || ws[0] != "generate" {
		return false
	}
	return !slices.ContainsFunc(ws, conjunction) && !saysChange(ws[1:]) && !names.SecretTool(ws) && !names.SecretKey(ws)
}

// readingClass is the class of a tool whose name has no verb and that only reads:
// of what its nouns say. Code that is read is a record.
func (b *builder) readingClass() Class {
	fam, res := nounOf(wordsOf(Name(b.call.Tool), b.call.Tool))
	if fam == FamilyUnknown || fam == FamilyCode || fam == FamilyShell {
		fam, res = FamilyApp, ResourceRecord
	}
	return Class{Family: fam, Verb: effect.VerbRead, Resource: res, High: High(effect.VerbRead, res), Basis: BasisName}
}

// touches is what the user says that the tool's server touches. Not inlined, for the size of programs.
//
//go:noinline
func (b *builder) touches() Touches {
	if b.server == nil {
		return TouchesAnything
	}
	return b.server.Touches
}

// warned adds what annotations warn of and the arguments do not tell.
func (b *builder) warned() {
	h := b.call.Hints
	if h.Destructive && !b.told() && !b.operation {
		b.add(effect.Effect{Kind: effect.Delete, Op: effect.OpRemove, Zone: effect.ZoneRecord, Resource: b.call.Tool})
	}
	if !h.OpenWorld || b.told() || slices.ContainsFunc(b.c.Effects, func(e effect.Effect) bool { return e.Kind == effect.Network }) {
		return
	}
	e := effect.Effect{Kind: effect.Network, Op: effect.OpSend, Resource: b.call.Tool}
	if h.ReadOnly && b.c.Class.Verb.Reads() {
		// It fetches from where the user's own settings lead, by the name of the server.
		e.Op, e.Named = effect.OpFetch, true
	}
	b.add(e)
}

// told says whether the arguments tell all that a tool does: a command line, code,
// a statement, the paths of files, the address of a page. A warning about such a
// tool is about what it could do with other arguments.
func (b *builder) told() bool {
	if len(b.c.Effects) == 0 || slices.ContainsFunc(b.c.Effects, func(e effect.Effect) bool { return e.Kind == effect.Opaque }) {
		return false
	}
	switch b.c.Class.Family {
	case FamilyShell, FamilyCode, FamilySQL:
		return true
	case FamilyFile:
		return !slices.ContainsFunc(b.c.Effects, func(e effect.Effect) bool { return e.Zone == effect.ZoneRecord || e.Kind == effect.Network }) &&
			(b.c.Class.Verb.Reads() || !b.call.Hints.OpenWorld)
	case FamilyWeb:
		return b.c.Class.Verb == effect.VerbNavigate && (b.c.Class.Resource == ResourceUI || slices.ContainsFunc(b.c.Effects, func(e effect.Effect) bool { return e.Net != effect.Net{} }))
	}
	return false
}

// own moves what a server does to its records into the store that the user says
// is all it touches. A deletion there is still one.
func (b *builder) own() {
	if b.touches() != TouchesOwn || b.call.Hints.Destructive {
		return
	}
	for i := range b.c.Effects {
		if e := &b.c.Effects[i]; e.Kind == effect.Write && e.Zone == effect.ZoneRecord {
			e.Zone = effect.ZoneKept
		}
	}
}

// hosts gives what goes to the network without an address the hosts that the user
// says are all that the server reaches, so that egress rules can name them.
func (b *builder) hosts() {
	if b.touches() != TouchesHosts {
		return
	}
	n := len(b.c.Effects)
	for i := range n {
		e := b.c.Effects[i]
		if e.Kind != effect.Network || e.Net != (effect.Net{}) || e.Op == effect.OpListen {
			continue
		}
		for j, host := range b.server.Hosts {
			e.Net, _ = effect.ParseURL(host, "https")
			if j == 0 {
				b.c.Effects[i].Net = e.Net
				continue
			}
			b.c.Effects = append(b.c.Effects, e)
		}
	}
}
