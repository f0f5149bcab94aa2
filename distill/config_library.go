package distill

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/gates/library"
)

// LibraryConfig is the key library of gbt.yaml: the names of the gates of the
// library that are on, whatever the logs hold. Left out, each gate is on where
// the logs show harm that it stops, within the budget of questions; an empty
// list turns all off.
type LibraryConfig []string

// IsZero says whether the key was left out.
func (c LibraryConfig) IsZero() bool { return c == nil }

func (c LibraryConfig) check() error {
	for i, name := range c {
		if _, ok := library.Find(name); !ok {
			return faultAt([]any{"library", i}, "no gate of the library is called %q; give some of %s", name, strings.Join(library.Names(), ", "))
		}
		if slices.Index(c, name) < i {
			return faultAt([]any{"library", i}, "%s is given twice", name)
		}
	}
	return nil
}

// gates are the gates that are on by name, without exemptions.
func (c LibraryConfig) gates() ([]artifacts.Gate, error) {
	var out []artifacts.Gate
	for i, name := range c {
		g, ok := library.Find(name)
		if !ok {
			return nil, c.check()
		}
		made, err := (&GateConfig{Expr: g.Expr, Disposition: g.Disposition, Message: g.Sealed(0)}).sealed([]any{"library", i})
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
