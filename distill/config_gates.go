package distill

import (
	"errors"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/gates/library"
)

// GateConfig is one entry of the key gates of gbt.yaml: a rule that the user
// wrote. gates/PROGRAM.md has the language.
type GateConfig struct {
	Expr        string `yaml:"expr"`        // what must hold for a call to pass
	Scope       string `yaml:"scope"`       // global, also if empty
	Disposition string `yaml:"disposition"` // rejected if empty
	Message     string `yaml:"message"`     // what to do instead
}

// defaultMessage is said by a gate whose author wrote none.
const defaultMessage = "a rule of this project stops the call: do it another way or ask"

// SealedGates compiles the configuration's gates, its own and those of the library
// that it names, sorted by id as policies have them.
func (c *Config) SealedGates() ([]artifacts.Gate, error) {
	if len(c.Gates) > artifacts.MaxGates {
		return nil, faultAt([]any{"gates"}, "%d gates, at most %d", len(c.Gates), artifacts.MaxGates)
	}
	out, err := c.Library.gates()
	if err != nil {
		return nil, err
	}
	slices.SortFunc(out, func(a, b artifacts.Gate) int { return strings.Compare(a.ID, b.ID) })
	for i := range c.Gates {
		if library.LabelOf(c.Gates[i].Message) != "" {
			return nil, faultAt([]any{"gates", i, "message"}, "begins like that of a gate of the library: name those under library")
		}
		g, err := c.Gates[i].sealed([]any{"gates", i})
		if err != nil {
			return nil, err
		}
		at, found := slices.BinarySearchFunc(out, g.ID, func(a artifacts.Gate, id string) int { return strings.Compare(a.ID, id) })
		if found {
			return nil, faultAt([]any{"gates", i, "expr"}, "this gate is given twice: both are %s", g.Expr)
		}
		out = slices.Insert(out, at, g)
	}
	return out, nil
}

func (g *GateConfig) sealed(at []any) (artifacts.Gate, error) {
	in := func(key string) []any { return append(slices.Clone(at), key) }
	out := artifacts.Gate{Scope: artifacts.ScopeGlobal, Disposition: g.Disposition, Message: g.Message}
	if g.Scope != "" && g.Scope != artifacts.ScopeGlobal {
		return out, faultAt(in("scope"), "%q: a gate of gbt.yaml is global, those of nodes are learned", g.Scope)
	}
	switch g.Disposition {
	case "":
		out.Disposition = artifacts.DispositionReject
	case artifacts.DispositionReject, artifacts.DispositionRevise, artifacts.DispositionConsent:
	default:
		return out, faultAt(in("disposition"), "%q: give %s, %s or %s", g.Disposition,
			artifacts.DispositionReject, artifacts.DispositionRevise, artifacts.DispositionConsent)
	}
	if out.Message == "" {
		out.Message = defaultMessage
	}
	if len(out.Message) > artifacts.MaxText {
		return out, faultAt(in("message"), "%d bytes, at most %d", len(out.Message), artifacts.MaxText)
	}
	canonical, prog, err := lang.Compile(g.Expr)
	var e *lang.Error
	switch {
	case errors.As(err, &e):
		return out, faultAt(in("expr"), "gate, at %v", e)
	case err != nil:
		return out, err
	}
	out.Expr, out.Program = canonical, prog
	out.ID = artifacts.GateID(out.Scope, out.Disposition, out.Expr)
	return out, nil
}

// library is the configuration's gates for checking calls without a policy; nil
// if there are none.
func (c *Config) library() (*gates.Library, error) {
	sealed, err := c.SealedGates()
	if err != nil || len(sealed) == 0 {
		return nil, err
	}
	p := artifacts.Policy{Gates: sealed}
	return p.Library()
}
