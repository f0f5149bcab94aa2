package gates

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/program"
)

// The canonical form of a context is one JSON object without white space: the
// fields that fieldTable writes, in its order, and what has a dot in its name
// below an object of its own. Every key is always present, but for those of
// fields that came later, where they say nothing. Two contexts with the
// same bytes get the same decision from every gate: what is left out follows
// from the rest. In strings `"`, `\` and control characters below 0x20 are
// escaped (`\"`, `\\`, `\u00XX`), a byte that is not UTF-8 is `\udcXX` (as in
// PEP 383), all else stands as it is.

// maxCanonical bounds what ParseContext reads: eight times the largest
// arguments that a context may have, room for every escape of real text.
const maxCanonical = 8 * call.MaxArgBytes

// errNotCanonical is what ParseContext returns for bytes that AppendCanonical
// would not have written.
var errNotCanonical = errors.New("not a canonical context")

// AppendCanonical appends the canonical form of c to dst.
func (c *Context) AppendCanonical(dst []byte) []byte {
	return appendContext(dst, c, &ready().forms)
}

func appendContext(dst []byte, c *Context, forms *forms) []byte {
	v := view{forms: forms}
	v.load(c, c.ToolName())
	return forms[ofContext].append(dst, &v, 0)
}

// ParseContext is the inverse of AppendCanonical: it returns the context that
// has this canonical form. It refuses everything else, down to a space. What
// only explains a call (Context.Command, Context.Home, Class.Basis) is not in
// the form and stays empty.
func ParseContext(data []byte) (Context, error) { return parseContext(data, &ready().forms) }

func parseContext(data []byte, forms *forms) (Context, error) {
	if len(data) > maxCanonical {
		return Context{}, fmt.Errorf("context of %d bytes, at most %d: %w", len(data), maxCanonical, errNotCanonical)
	}
	var c Context
	w := wire{in: data, reading: true}
	v := view{Context: &c, forms: forms}
	forms[ofContext].back(&w, &v, 0)
	c.Tool = v.tool
	c.Class.High = c.Class.Family == call.FamilyUnknown || call.High(c.Class.Verb, c.Class.Resource)
	if w.failed || w.pos != len(data) {
		return Context{}, fmt.Errorf("byte %d: %w", w.pos, errNotCanonical)
	}
	// One comparison settles the order of keys, the form of numbers and
	// escapes, and whether derived fields are those of the rest.
	if !bytes.Equal(appendContext(make([]byte, 0, len(data)), &c, forms), data) {
		return Context{}, fmt.Errorf("does not encode back to the same bytes: %w", errNotCanonical)
	}
	return c, nil
}

// ToolName is the tool's name as gates see it: lower case, without namespaces. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) ToolName() string { return call.Name(c.Tool) }

// Types returns the kinds of the effects, sorted by name, each once. Not inlined, for the size of programs.
//
//go:noinline
func (c *Context) Types() []string { return appendTypes(nil, c.Effects) }

func appendTypes(dst []string, effects []Effect) []string {
	var seen [effect.NumKinds]bool
	for i := range effects {
		if k := effects[i].Kind; k < effect.NumKinds && !seen[k] {
			seen[k] = true
			dst = append(dst, k.String())
		}
	}
	slices.Sort(dst)
	return dst
}

// append writes the i-th element of an object's list.
func (o *form) append(dst []byte, v *view, i int) []byte {
	for k := range o.fields {
		f := &o.fields[k]
		dst = append(dst, f.lead...)
		if f.at != nil {
			if s := *f.at(v, i); s != "" {
				dst = appendString(dst, s)
			} else { // most of an effect's
				dst = append(dst, '"', '"')
			}
			continue
		}
		switch f.typ {
		case program.String: // a name, with nothing to escape
			dst = append(append(append(dst, '"'), f.text(v, i)...), '"')
		case program.Bool:
			dst = strconv.AppendBool(dst, f.holds(v, i))
		case program.Int:
			dst = strconv.AppendInt(dst, f.num(v, i), 10)
		case program.Strings:
			dst = appendList(dst, f.list(v, i))
		case program.Objects:
			dst = appendObjects(dst, f, v)
		default:
			if f.says(v, i) {
				dst = f.late.append(dst, v, i)
			}
		}
	}
	return append(dst, o.end...)
}

func appendObjects(dst []byte, f *written, v *view) []byte {
	dst = append(dst, '[')
	for k := range f.size(v) {
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = v.forms[f.elem].append(dst, v, k)
	}
	return append(dst, ']')
}

func appendList(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for k := range list {
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, list[k])
	}
	return append(dst, ']')
}

// back is the inverse of append: it reads an element that stands in its list
// already.
func (o *form) back(w *wire, v *view, i int) {
	for k := range o.fields {
		f := &o.fields[k]
		if f.late == nil {
			w.lit(f.lead)
			f.back(w, v, i)
		} else if bytes.HasPrefix(w.in[w.pos:], []byte(f.late.fields[0].lead)) {
			f.late.back(w, v, i)
		}
	}
	w.lit(o.end)
}
