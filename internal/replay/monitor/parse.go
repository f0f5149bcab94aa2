package monitor

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// The problem codes. They are stable.
const (
	CodeYAML    = "bad-yaml"
	CodeVersion = "unknown-version"
	CodeKey     = "unknown-key"
	CodeType    = "wrong-type"
	CodeWord    = "unknown-word" // a word that is none of a closed list
	CodeValue   = "bad-value"    // a pattern, expression, port or path that cannot be one
	CodeMissing = "missing-key"  // a rule without id
	CodeTwice   = "given-twice"  // two rules of one id
	CodeEmpty   = "empty-rule"   // a rule that every call would violate
	maxFile     = 1 << 20        // bytes of a file
	maxRules    = 1000           // rules of a file
	version     = "1"            // of the schema
)

// Parse reads a specification. All problems are reported, sorted by line, with
// the file named as given; a specification with a problem is not returned.
func Parse(file string, data []byte) (*Spec, []corpora.Problem) {
	r := &reader{file: file, spec: &Spec{}, ids: map[string]bool{}}
	if len(data) > maxFile {
		r.problem(nil, CodeValue, "the file has %d bytes, more than %d", len(data), maxFile)
		return nil, r.problems
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		r.yamlError(err)
		return nil, r.problems
	}
	if err := dec.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		r.problem(nil, CodeYAML, "the file holds more than one document")
	}
	if len(doc.Content) == 1 {
		r.document(doc.Content[0])
	} else {
		r.problem(nil, CodeVersion, "the file is empty: it needs version: 1")
	}
	if len(r.problems) > 0 {
		sort.SliceStable(r.problems, func(i, j int) bool { return r.problems[i].Line < r.problems[j].Line })
		return nil, r.problems
	}
	return r.spec, nil
}

// reader collects problems while it reads; nothing it returns counts once there
// is one.
type reader struct {
	file     string
	spec     *Spec
	ids      map[string]bool
	problems []corpora.Problem
}

func (r *reader) problem(n *yaml.Node, code, format string, args ...any) {
	p := corpora.Problem{Code: code, Sentence: fmt.Sprintf(format, args...)}
	p.File, p.Index = r.file, -1
	if n != nil {
		p.Line = n.Line
	}
	r.problems = append(r.problems, p)
}

// yamlError keeps the line that the YAML package puts into its message.
func (r *reader) yamlError(err error) {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	n := &yaml.Node{}
	if _, e := fmt.Sscanf(msg, "line %d:", &n.Line); e == nil {
		msg = strings.TrimSpace(msg[strings.Index(msg, ":")+1:])
	}
	r.problem(n, CodeYAML, "%s", msg)
}

// keys reads a mapping: one function a key, unknown keys and repeated ones are
// problems.
func (r *reader) keys(n *yaml.Node, known map[string]func(*yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.problem(n, CodeType, "here a mapping is needed, of the keys %s", list(known))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		f, ok := known[k.Value]
		switch {
		case !ok:
			r.problem(k, CodeKey, "%q is no key here: there are %s", k.Value, list(known))
		case seen[k.Value]:
			r.problem(k, CodeTwice, "%q is given twice", k.Value)
		default:
			seen[k.Value] = true
			f(v)
		}
	}
}

func list(known map[string]func(*yaml.Node)) string {
	names := make([]string, 0, len(known))
	for k := range known {
		names = append(names, k)
	}
	sort.Strings(names)
	return strings.Join(names, ", ")
}

func (r *reader) items(n *yaml.Node, f func(*yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		r.problem(n, CodeType, "here a list is needed")
		return
	}
	for _, c := range n.Content {
		f(c)
	}
}

// text reads a scalar. Aliases and tags are refused: what a rule says must
// stand where it is read.
func (r *reader) text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		r.problem(n, CodeType, "here a text is needed")
		return ""
	}
	return n.Value
}

func (r *reader) flag(n *yaml.Node) bool {
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
		r.problem(n, CodeType, "here true or false is needed")
		return false
	}
	return n.Value == "true"
}

func (r *reader) texts(n *yaml.Node) []string {
	out := []string{}
	r.items(n, func(c *yaml.Node) { out = append(out, r.text(c)) })
	return out
}

// words reads a list of words out of a closed set.
func (r *reader) words(n *yaml.Node, known []string) []string {
	out := []string{}
	r.items(n, func(c *yaml.Node) { out = append(out, r.word(c, known)) })
	return out
}

func (r *reader) word(n *yaml.Node, known []string) string {
	w := r.text(n)
	if !oneOf(known, w) {
		r.problem(n, CodeWord, "%q is unknown here: there are %s", w, strings.Join(known, ", "))
	}
	return w
}

// patterns reads a list of patterns as of package path, in lower case.
func (r *reader) patterns(n *yaml.Node) []string {
	out := []string{}
	r.items(n, func(c *yaml.Node) {
		p := strings.ToLower(r.text(c))
		if _, err := path.Match(p, ""); err != nil || p == "" {
			r.problem(c, CodeValue, "%q is no pattern: * stands for any text, ? for one character, [ab] for one of these", p)
		}
		out = append(out, p)
	})
	return out
}

// paths reads a list of absolute paths.
func (r *reader) paths(n *yaml.Node) []string {
	out := []string{}
	r.items(n, func(c *yaml.Node) {
		p := r.text(c)
		if !strings.HasPrefix(p, "/") || mark.Has(p) {
			r.problem(c, CodeValue, "%q is no absolute path", p)
		}
		out = append(out, mark.Clean(p))
	})
	return out
}

// domains reads a list of host names or addresses.
func (r *reader) domains(n *yaml.Node) []string {
	out := []string{}
	r.items(n, func(c *yaml.Node) {
		net, ok := effect.ParseURL(r.text(c), "https")
		host := net.Domain
		if host == "" {
			host = net.IP
		}
		if !ok || host == "" || strings.ContainsAny(c.Value, "/*@ ") {
			r.problem(c, CodeValue, "%q is no host name or address; a name stands for itself and all names below it", c.Value)
		}
		out = append(out, host)
	})
	return out
}
