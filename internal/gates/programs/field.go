package programs

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// field is one key of a mapping.
type field struct {
	key   string
	value *yaml.Node
	line  int
}

// fields returns the keys of a mapping in their order. what names the mapping
// for errors.
func (r *reader) fields(n *yaml.Node, what string) (list []field) {
	if n.Kind != yaml.MappingNode {
		r.wrong(n.Line, "%s: write keys and values", what)
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		f := field{n.Content[i].Value, n.Content[i+1], n.Content[i].Line}
		if slices.ContainsFunc(list, func(g field) bool { return g.key == f.key }) {
			r.wrong(f.line, "%s stands twice in %s: keep one", f.key, what)
			continue
		}
		list = append(list, f)
	}
	return list
}

func (r *reader) unknown(f field, known string) {
	r.wrong(f.line, "unknown key %s: the keys here are %s", f.key, known)
}

func (r *reader) text(f field) string {
	if f.value.Kind != yaml.ScalarNode {
		r.wrong(f.line, "%s: write one text", f.key)
		return ""
	}
	return f.value.Value
}

func (r *reader) items(f field) []*yaml.Node {
	if f.value.Kind != yaml.SequenceNode {
		r.wrong(f.line, "%s: write a list", f.key)
		return nil
	}
	return f.value.Content
}

func (r *reader) texts(f field) (list []string) {
	for _, n := range r.items(f) {
		list = append(list, r.text(field{f.key, n, n.Line}))
	}
	return list
}

func (r *reader) oneOf(f field, words []string) string {
	s := r.text(f)
	if !slices.Contains(words, s) {
		r.wrong(f.line, "%s: %s is none of %s", f.key, s, strings.Join(words, ", "))
		return ""
	}
	return s
}

func texts(words []word) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = w.text
	}
	return list
}
