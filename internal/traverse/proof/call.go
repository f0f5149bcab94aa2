package proof

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"github.com/gbt-policy/gbt/tree"
)

// Where the value of a check of the kind call stands.
const (
	Args   = "args."
	Result = "result."
)

// Call is a call that ran, and what came back.
type Call struct {
	Tool   string
	Args   []byte
	Output []byte
	Failed bool
	Reads  bool // it changes nothing, by its action

	fields map[string][]string // nil before they are read
}

// maxFields bounds the values of one call that are looked at, and maxBytes how long a
// result may be that is taken apart.
const (
	maxFields = 256
	maxBytes  = 256 << 10
)

// Fields are the values of a call by their places: args.to, result.items.price. Positions
// in lists are left out of a place, so that several values may stand at one.
func (c *Call) Fields() map[string][]string {
	if c.fields == nil {
		c.fields = map[string][]string{}
		n := maxFields
		flatten(c.fields, Args, c.Args, &n)
		flatten(c.fields, Result, c.Output, &n)
	}
	return c.fields
}

func flatten(into map[string][]string, in string, data []byte, left *int) {
	if len(data) > maxBytes {
		return
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return
	}
	switch x := v.(type) {
	case map[string]any, []any:
		collect(into, strings.TrimSuffix(in, "."), x, left)
	case string: // some hosts send an object as a text that holds it
		if strings.HasPrefix(strings.TrimSpace(x), "{") {
			flatten(into, in, []byte(x), left)
		}
	}
}

func collect(into map[string][]string, at string, v any, left *int) {
	if *left == 0 {
		return
	}
	switch x := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(x))
		for k := range x {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			if plainKey(k) {
				collect(into, at+"."+k, x[k], left)
			}
		}
	case []any:
		for _, y := range x {
			collect(into, at, y, left)
		}
	case string:
		*left--
		into[at] = append(into[at], x)
	case json.Number:
		*left--
		into[at] = append(into[at], x.String())
	case bool:
		*left--
		into[at] = append(into[at], map[bool]string{true: "true", false: "false"}[x])
	}
}

// plainKey says whether a name is one of a field, and not a value in its place.
func plainKey(k string) bool {
	return k != "" && len(k) <= 40 && !strings.ContainsFunc(k, func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r)
	})
}

// Failed reports whether a call failed: the host says so, or its result begins with it or
// is an object that does.
func Failed(fault string, output []byte) bool {
	if fault != "" {
		return true
	}
	text := strings.TrimSpace(string(output[:min(len(output), 200)]))
	lower := strings.ToLower(text)
	for _, w := range []string{"error", "exception", "traceback (most recent call last)", "failed"} {
		if rest, ok := strings.CutPrefix(lower, w); ok && (rest == "" || strings.ContainsAny(rest[:1], ":,. -\n")) {
			return true
		}
	}
	if !strings.HasPrefix(text, "{") || len(output) > maxBytes {
		return false
	}
	var in struct {
		Error json.RawMessage `json:"error"`
	}
	return json.Unmarshal(output, &in) == nil && len(in.Error) > 0 && !slices.Contains([]string{"null", `""`, "false", "{}", "[]"}, string(in.Error))
}

// Shows reports whether a call is what a check of the kind call asks for.
func (n *Names) Shows(p *tree.Proof, c *Call) bool {
	if p.Kind != tree.ProofCall || c.Failed || c.Tool != p.Subject {
		return false
	}
	if p.Place == "" {
		return true
	}
	values := c.Fields()[p.Place]
	if p.Value == Task {
		return slices.ContainsFunc(values, n.Named)
	}
	want, ok := n.Bind(p.Value)
	return ok && slices.Contains(values, want)
}

// Void reports whether a check asks for every value of a kind of which the task names
// none: there is nothing to ask for.
func (n *Names) Void(p *tree.Proof) bool {
	m := everyRE.FindStringSubmatch(p.Value)
	return m != nil && len(n.every(m[1])) == 0
}

// Binds reports whether the task has a value for every slot of a check.
func (n *Names) Binds(p *tree.Proof) bool {
	if p.Kind == tree.ProofCommand {
		_, ok := n.BindCommand(p.Subject)
		return ok
	}
	if m := everyRE.FindStringSubmatch(p.Value); m != nil {
		return len(n.every(m[1])) > 0
	}
	_, subject := n.Bind(p.Subject)
	_, value := n.Bind(p.Value)
	return (subject || p.Kind == tree.ProofCall) && (value || p.Value == Task)
}
