package gates

import (
	"bytes"
	"encoding/json"
	"unicode"
)

// Ambiguous says why two readers could take arguments for different ones, or
// nothing: an object, at any depth, has a name twice (RFC 8259, section 4, leaves
// open which one counts), or two names that differ only in letter case, which
// readers such as encoding/json take for one. What is judged and what runs could
// then be two calls, so such arguments are never approved. Arguments may be an
// object in a string, as a Call takes them. What is no JSON is not ambiguous.
func Ambiguous(args []byte) string {
	var s string
	if t := bytes.TrimSpace(args); len(t) > 0 && t[0] == '"' && json.Unmarshal(t, &s) == nil {
		args = []byte(s)
	}
	d := json.NewDecoder(bytes.NewReader(args))
	d.UseNumber()
	var open []object
	for {
		tok, err := d.Token()
		if err != nil {
			return ""
		}
		switch tok {
		case json.Delim('{'), json.Delim('['):
			open = append(open, object{names: tok == json.Delim('{')})
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		default:
			if name, ok := tok.(string); ok && len(open) > 0 && open[len(open)-1].named() {
				if why := open[len(open)-1].add(name); why != "" {
					return why
				}
				continue
			}
		}
		if len(open) == 0 {
			return ""
		}
		open[len(open)-1].value = false
	}
}

// object is an object, or a list, that has been opened.
type object struct {
	names, value bool // it has names; a value is what comes next
	seen         map[string]string
}

// named says that a name is what comes next.
func (o *object) named() bool { return o.names && !o.value }

func (o *object) add(name string) string {
	if o.seen == nil {
		o.seen = map[string]string{}
	}
	o.value = true
	folded := foldName(name)
	was, there := o.seen[folded]
	o.seen[folded] = name
	switch {
	case !there:
		return ""
	case was == name:
		return "the arguments have a name twice"
	}
	return "the arguments have two names that differ only in letter case"
}

// foldName is one spelling for all that differ in letter case only, by Unicode's
// simple case folding: the smallest of each letter's forms.
func foldName(name string) string {
	out := []rune(name)
	for i, r := range out {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		out[i] = least
	}
	return string(out)
}
