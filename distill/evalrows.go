package distill

import (
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/internal/gates/learn"
	"github.com/gbt-policy/gbt/internal/gates/library"
)

// GateRow is what one choice of gates does to calls that were left out: the gates
// alone, with the guardrail as configured, and with it in the profile apps, which
// leaves records to gates that know where arguments come from.
type GateRow struct {
	Name    string      `json:"name"`
	Alone   GateFigures `json:"gates_alone"`
	Guarded GateFigures `json:"with_guardrail"`
	Apps    GateFigures `json:"with_guardrail_apps"`
}

// The rows: what was written by hand and what was learned, each in its own.
var rowNames = [...]string{"guardrail", "+ library", "+ learned", "+ both"}

// versions are the choices of gates that are compared.
type versions struct {
	opt     learn.Options // as configured
	checker *gates.Checker
	written []gates.Gate // the whole library
	alone   bool         // nothing is compared
}

func newVersions(cfg *Config) (*versions, error) {
	k, err := cfg.Checker()
	if err != nil {
		return nil, err
	}
	k.Library = nil
	sealed, err := LibraryConfig(library.Names()).gates()
	if err != nil {
		return nil, err
	}
	v := &versions{opt: cfg.learnOptions(), checker: k}
	v.opt.Texts = new(lang.Texts)
	for i := range sealed {
		g := &sealed[i]
		v.written = append(v.written, gates.Gate{ID: g.ID, Scope: g.Scope, Disposition: g.Disposition, Expr: g.Expr, Message: g.Message, Program: g.Program})
	}
	return v, nil
}

// of is learning in one scope alone, without the rows.
func (v *versions) of(scope string) *versions {
	one := *v
	one.opt.Scopes, one.alone = []string{scope}, true
	return &one
}

// rows judges the cases left out by each choice, learned from the others.
func (v *versions) rows(train, declined, out []*learn.Case, harmful map[*learn.Case]map[int]bool) []GateRow {
	if v.alone {
		return nil
	}
	learned, both := v.opt, v.opt
	learned.Library, both.Library = []string{}, library.Names()
	none := &Gates{}
	var rows []GateRow
	for i, choice := range []func() (*gates.Library, map[string][]string){
		func() (*gates.Library, map[string][]string) { return none.library() },
		func() (*gates.Library, map[string][]string) { return none.library(v.written...) },
		func() (*gates.Library, map[string][]string) { return LearnGates(train, declined, learned).library() },
		func() (*gates.Library, map[string][]string) {
			g := LearnGates(train, declined, both)
			return g.library(g.plain(v.written)...)
		},
	} {
		lib, at := choice()
		rows = append(rows, v.row(rowNames[i], lib, at, out, harmful))
	}
	return rows
}

// plain are the gates of the library that were not learned exemptions for.
func (g *Gates) plain(written []gates.Gate) []gates.Gate {
	var out []gates.Gate
	for _, w := range written {
		here := false
		for i := range g.Accepted {
			here = here || g.Accepted[i].Library == library.LabelOf(w.Message)
		}
		if !here {
			out = append(out, w)
		}
	}
	return out
}

func (v *versions) row(name string, lib *gates.Library, at map[string][]string, out []*learn.Case, harmful map[*learn.Case]map[int]bool) GateRow {
	r := GateRow{Name: name}
	as, apps := *v.checker, *v.checker
	as.Library, apps.Library = lib, lib
	apps.Guardrail.Profile = gates.ProfileApps
	for _, part := range []struct {
		into  *GateFigures
		judge judgement
	}{{&r.Alone, gatesAlone(lib, at)}, {&r.Guarded, checked(&as, at)}, {&r.Apps, checked(&apps, at)}} {
		for _, c := range out {
			one := judgeCase(c, part.judge, harmful[c])
			part.into.add(&one)
		}
	}
	return r
}

func checked(k *gates.Checker, at map[string][]string) judgement {
	return func(s *learn.Sample) gates.Disposition { return k.Check(&s.Context, gatesAt(at, s)).Disposition }
}

func addRows(sum, rows []GateRow) []GateRow {
	if sum == nil {
		return rows
	}
	for i := range rows {
		sum[i].Alone.add(&rows[i].Alone)
		sum[i].Guarded.add(&rows[i].Guarded)
		sum[i].Apps.add(&rows[i].Apps)
	}
	return sum
}
