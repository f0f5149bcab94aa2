package gates

import (
	"bytes"
	"errors"
	"fmt"
	"sort"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// The canonical form of a context is one JSON object without white space, keys
// in the order below, every key always present. It holds what a gate may read
// and nothing else, so two contexts with the same bytes get the same decision
// from every gate. In strings `"`, `\` and control characters below 0x20 are
// escaped (`\"`, `\\`, `\u00XX`), a byte that is not UTF-8 is `\udcXX` (as in
// PEP 383), all else stands as it is.
//
//	{"tool","family","verb","resource","high","tier","cwd","roots","uid","gid","types",
//	 "args":[{"path","value","origin","source","form","role","size"}],
//	 "effects":[{"type","op","zone","resource","program","argv","parent","scheme","domain","ip","port",
//	   "sensitive","protected","glob","deferred","payload":{"known","len","mime","hash"}}],
//	 "history":[{"type","op","resource","time"}],
//	 "flow":{"sensitive_read","derived","unvetted"}}

// maxCanonical bounds what ParseContext reads: eight times the largest
// arguments that a context may have, room for every escape of real text.
const maxCanonical = 8 * call.MaxArgBytes

// ErrNotCanonical is what ParseContext returns for bytes that AppendCanonical
// would not have written.
var ErrNotCanonical = errors.New("not a canonical context")

// AppendCanonical appends the canonical form of c to dst.
func (c *Context) AppendCanonical(dst []byte) []byte {
	w := wire{out: dst}
	w.context(c)
	return w.out
}

// ParseContext is the inverse of AppendCanonical: it returns the context that
// has this canonical form. It refuses everything else, down to a space. What
// only explains a call (Context.Command, Context.Home, Class.Basis) is not in
// the form and stays empty.
func ParseContext(data []byte) (Context, error) {
	if len(data) > maxCanonical {
		return Context{}, fmt.Errorf("context of %d bytes, at most %d: %w", len(data), maxCanonical, ErrNotCanonical)
	}
	var c Context
	w := wire{in: data, reading: true}
	w.context(&c)
	if w.failed {
		return Context{}, fmt.Errorf("byte %d: %w", w.pos, ErrNotCanonical)
	}
	// One comparison settles the order of keys, the form of numbers and
	// escapes, and whether derived fields are those of the rest.
	if !bytes.Equal(c.AppendCanonical(make([]byte, 0, len(data))), data) {
		return Context{}, fmt.Errorf("does not encode back to the same bytes: %w", ErrNotCanonical)
	}
	return c, nil
}

// ToolName is the tool's name as gates see it: lower case, without namespaces.
func (c *Context) ToolName() string { return call.Name(c.Tool) }

// Types returns the kinds of the effects, sorted by name, each once.
func (c *Context) Types() []string {
	var seen [effect.NumKinds]bool
	var out []string
	for i := range c.Effects {
		if k := c.Effects[i].Kind; k < effect.NumKinds && !seen[k] {
			seen[k] = true
			out = append(out, k.String())
		}
	}
	sort.Strings(out)
	return out
}

func (w *wire) context(c *Context) {
	tool := c.ToolName()
	w.lit(`{"tool":`)
	w.str(&tool)
	if w.reading {
		c.Tool = tool
	}
	w.class(c)
	w.lit(`,"cwd":`)
	w.str(&c.Cwd)
	w.lit(`,"roots":`)
	wireList(w, &c.Roots, (*wire).str)
	w.lit(`,"uid":`)
	wireInt(w, &c.UID)
	w.lit(`,"gid":`)
	wireInt(w, &c.GID)
	w.lit(`,"types":`)
	types := c.derivedTypes(w.reading)
	wireList(w, &types, (*wire).str)
	w.lit(`,"args":`)
	wireList(w, &c.Args, (*wire).arg)
	w.lit(`,"effects":`)
	wireList(w, &c.Effects, (*wire).effect)
	w.lit(`,"history":`)
	wireList(w, &c.History, (*wire).record)
	w.lit(`,"flow":{"sensitive_read":`)
	w.bool(&c.Flow.SensitiveRead)
	w.lit(`,"derived":`)
	wireList(w, &c.Flow.Derived, (*wire).str)
	w.lit(`,"unvetted":`)
	wireList(w, &c.Flow.Unvetted, (*wire).str)
	w.lit("}}")
	if w.reading && w.pos != len(w.in) {
		w.failed = true
	}
}

// derivedTypes are the types to write; reading takes what stands there and
// leaves the judgement to the comparison in ParseContext.
func (c *Context) derivedTypes(reading bool) []string {
	if reading {
		return nil
	}
	return c.Types()
}

func (w *wire) class(c *Context) {
	w.lit(`,"family":`)
	wireEnum(w, &c.Class.Family, call.NumFamilies)
	w.lit(`,"verb":`)
	wireEnum(w, &c.Class.Verb, effect.NumVerbs)
	w.lit(`,"resource":`)
	wireEnum(w, &c.Class.Resource, call.NumResources)
	isHigh, tier := !w.reading && c.High(), effect.TierIrreversible
	if !w.reading {
		tier = c.Tier()
	}
	w.lit(`,"high":`)
	w.bool(&isHigh)
	w.lit(`,"tier":`)
	wireEnum(w, &tier, effect.TierReversible+1)
	if w.reading {
		c.Class.High = c.Class.Family == call.FamilyUnknown || call.High(c.Class.Verb, c.Class.Resource)
	}
}

func (w *wire) arg(a *Arg) {
	w.lit(`{"path":`)
	w.str(&a.Path)
	w.lit(`,"value":`)
	w.str(&a.Value)
	w.lit(`,"origin":`)
	wireEnum(w, &a.Origin, call.NumOrigins)
	w.lit(`,"source":`)
	w.str(&a.Source)
	w.lit(`,"form":`)
	w.str(&a.Form)
	w.lit(`,"role":`)
	w.str(&a.Role)
	size := len(a.Value)
	w.lit(`,"size":`)
	wireInt(w, &size)
	w.lit("}")
}

func (w *wire) effect(e *Effect) {
	w.lit(`{"type":`)
	wireEnum(w, &e.Kind, effect.NumKinds)
	w.lit(`,"op":`)
	wireEnum(w, &e.Op, effect.NumOps)
	w.lit(`,"zone":`)
	wireEnum(w, &e.Zone, effect.NumZones)
	w.lit(`,"resource":`)
	w.str(&e.Resource)
	w.lit(`,"program":`)
	w.str(&e.Program)
	w.lit(`,"argv":`)
	w.str(&e.Argv)
	w.lit(`,"parent":`)
	w.str(&e.Parent)
	w.lit(`,"scheme":`)
	w.str(&e.Net.Scheme)
	w.lit(`,"domain":`)
	w.str(&e.Net.Domain)
	w.lit(`,"ip":`)
	w.str(&e.Net.IP)
	w.lit(`,"port":`)
	wireInt(w, &e.Net.Port)
	w.lit(`,"sensitive":`)
	w.bool(&e.Sensitive)
	w.lit(`,"protected":`)
	w.bool(&e.Protected)
	w.lit(`,"glob":`)
	w.bool(&e.Glob)
	w.lit(`,"deferred":`)
	w.bool(&e.Deferred)
	w.payload(&e.Payload)
}

func (w *wire) payload(p *effect.Payload) {
	w.lit(`,"payload":{"known":`)
	w.bool(&p.Known)
	w.lit(`,"len":`)
	wireInt(w, &p.Len)
	w.lit(`,"mime":`)
	w.str(&p.MIME)
	w.lit(`,"hash":`)
	w.str(&p.Hash)
	w.lit("}}")
}

func (w *wire) record(r *Record) {
	w.lit(`{"type":`)
	wireEnum(w, &r.Kind, effect.NumKinds)
	w.lit(`,"op":`)
	wireEnum(w, &r.Op, effect.NumOps)
	w.lit(`,"resource":`)
	w.str(&r.Resource)
	w.lit(`,"time":`)
	wireInt(w, &r.Time)
	w.lit("}")
}
