package distill

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/gates/library"
)

// LibraryConfig is the key library of gbt.yaml: the names of the gates of the
// library that are on, whatever the logs hold, and with a minus sign before them of
// those that are off all the same. A gate that goes with another one is on with it
// unless it is named off. Left out, each gate is on where the logs show harm that it
// stops, within the budget of questions; an empty list turns all off.
type LibraryConfig []string

// minus begins a name that is off.
const minus = "-"

// IsZero says whether the key was left out.
func (c LibraryConfig) IsZero() bool { return c == nil }

func (c LibraryConfig) check() error {
	seen := map[string]bool{}
	for i, entry := range c {
		name := strings.TrimPrefix(entry, minus)
		if _, ok := library.Find(name); !ok {
			return faultAt([]any{"library", i}, "no gate of the library is called %q; give some of %s", name, strings.Join(library.Names(), ", "))
		}
		if seen[name] {
			return faultAt([]any{"library", i}, "%s is given twice", name)
		}
		seen[name] = true
	}
	return nil
}

// on are the names of the gates that are on; nil if that is left to the logs.
func (c LibraryConfig) on() []string {
	if c == nil {
		return nil
	}
	out := []string{}
	for _, g := range library.All() {
		with := g.With != "" && slices.Contains(c, g.With) && !slices.Contains(c, minus+g.Name)
		if with || slices.Contains(c, g.Name) {
			out = append(out, g.Name)
		}
	}
	return out
}

// gates are the gates that are on by name, without exemptions.
func (c LibraryConfig) gates() ([]artifacts.Gate, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	var out []artifacts.Gate
	for _, name := range c.on() {
		g, _ := library.Find(name)
		made, err := (&GateConfig{Expr: g.Expr, Disposition: g.Disposition, Message: g.Sealed(0)}).sealed([]any{"library"})
		if err != nil {
			return nil, err
		}
		out = append(out, made)
	}
	return out, nil
}

// LibraryOf returns the label, name@version, of a gate of the library, and "" for
// any other gate.
func LibraryOf(g *artifacts.Gate) string { return library.LabelOf(g.Message) }
