package library

import (
	"bytes"
	_ "embed" // the gates
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Gate is a gate that somebody wrote.
type Gate struct {
	Name        string `yaml:"name"`
	Version     int    `yaml:"version"` // rises with every change of Expr
	Says        string `yaml:"says"`    // the calls it stops, as the object of a sentence
	Disposition string `yaml:"disposition"`
	Expr        string `yaml:"expr"` // what must hold for a call to pass
	Message     string `yaml:"message"`
	Source      string `yaml:"source"` // of the idea
	With        string `yaml:"with"`   // name of the gate that it goes with; empty for one of its own
}

// Untrusted is the name of the gate over values that come out of untrusted text.
const Untrusted = "untrusted-flow"

//go:embed library.yaml
var data []byte

var all = sync.OnceValue(func() []Gate {
	var out []Gate
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&out); err != nil {
		panic("gbt: internal error: library.yaml: " + err.Error())
	}
	return out
})

// All returns the gates, sorted by name.
func All() []Gate { return slices.Clone(all()) }

// Names are the names of all gates, sorted.
func Names() []string {
	var out []string
	for _, g := range all() {
		out = append(out, g.Name)
	}
	return out
}

// Find returns the gate of a name.
func Find(name string) (Gate, bool) {
	for _, g := range all() {
		if g.Name == name {
			return g, true
		}
	}
	return Gate{}, false
}

// Label names a gate with its version: "untrusted-flow@1".
func (g Gate) Label() string { return fmt.Sprintf("%s@%d", g.Name, g.Version) }

// mark begins the message of a library gate, and of no other: gbt.yaml and the
// proposals of others may not use it.
const mark = "library "

// Sealed is the message that a policy holds: the label, how many exemptions were
// learned, and what to do instead.
func (g Gate) Sealed(exempt int) string {
	switch exempt {
	case 0:
		return mark + g.Label() + ": " + g.Message
	case 1:
		return mark + g.Label() + ", 1 learned exemption: " + g.Message
	}
	return fmt.Sprintf("%s%s, %d learned exemptions: %s", mark, g.Label(), exempt, g.Message)
}

// LabelOf returns the label that a sealed message begins with, and "" for one of
// a gate that is not of the library.
func LabelOf(message string) string {
	rest, ok := strings.CutPrefix(message, mark)
	if !ok {
		return ""
	}
	label, _, _ := strings.Cut(rest, ":")
	label, _, _ = strings.Cut(label, ",")
	if !strings.Contains(label, "@") || strings.Contains(label, " ") {
		return ""
	}
	return label
}
