package shell

import (
	"regexp"
	"slices"
	"strings"
)

// This file judges the texts that pandas evaluates as expressions of Python: they reach what the
// code around them has by an @ before its name (pandas, DataFrame.query).

// tableModules are the packages whose tables evaluate such texts.
const tableModules = " pandas geopandas dask modin "

var (
	// queryReaches is a name of the code around with something taken from it.
	queryReaches = regexp.MustCompile(`(?:^|[^\w])@\s*\w+\s*[.(\[]`)
	queryCalls   = regexp.MustCompile(`(\w+)\s*\(`)
)

// queryFunctions are what such a text may call: words that stand before a bracket, functions of
// numexpr, and methods of a column that make another one of it (pandas, Series, Series.str, Series.dt).
const queryFunctions = "and or not in if else sin cos tan arcsin arccos arctan arctan2 sinh cosh tanh exp log log10 expm1 log1p sqrt abs floor ceil " +
	"contains startswith endswith match fullmatch lower upper strip len isin isnull isna notnull notna between round astype eq ne lt le gt ge isalpha isdigit isnumeric get split " +
	"day_name month_name isocalendar mean median min max sum std var count quantile rank shift diff duplicated fillna clip"

// query judges the text that a table is asked by, whose call's bracket stands before token i.
func (p *pythonCode) query(i int) {
	if p.is(i+1, "=") && i < len(p.toks) && p.toks[i].kind == 'n' {
		i += 2
	}
	if i+1 < len(p.toks) && p.toks[i+1].kind == 's' && hasWord("f F r R fr rf u", p.toks[i].text) {
		i++ // what a text is marked with
	}
	switch {
	case i >= len(p.toks):
	case p.toks[i].kind == 's':
		for ; i < len(p.toks) && !p.is(i, ",") && !p.is(i, ")"); i++ {
			if p.toks[i].kind == 's' {
				p.queryText(p.toks[i].text)
			}
		}
	case p.toks[i].kind == 'n' && p.isText(p.toks[i].text):
	case p.toks[i].kind == 'n' && p.is(i-1, "(") && !p.m.cell:
		p.ask("query with a text that is put together")
	}
}

// isText says whether all that a name is given in the code is a text that stands there, and judges
// those.
func (p *pythonCode) isText(name string) bool {
	some := false
	for i := range p.toks {
		if p.toks[i].kind != 'n' || p.toks[i].text != name || p.is(i-1, ".") || !p.is(i+1, "=") || p.is(i+2, "=") {
			continue
		}
		if i+2 >= len(p.toks) || p.toks[i+2].kind != 's' {
			return false
		}
		some = true
		p.queryText(p.toks[i+2].text)
	}
	return some
}

func (p *pythonCode) queryText(text string) {
	if queryReaches.MatchString(text) {
		p.ask("query with @")
		return
	}
	for _, m := range queryCalls.FindAllStringSubmatch(text, -1) {
		if !hasWord(queryFunctions, m[1]) {
			p.ask("query with " + m[1])
			return
		}
	}
}

// tables says whether a package of such tables is in use.
func (p *pythonCode) tables() bool {
	for _, a := range p.modules {
		if top, _, _ := cutAt(a.module, "."); strings.Contains(tableModules, " "+top+" ") {
			return true
		}
	}
	return false
}

// evaluates judges an attribute that runs a text: a query, and what takes the types of a function by its
// annotations (docs.python.org/3/library/functools.html, singledispatch).
func (p *pythonCode) evaluates(i int) {
	switch name := p.toks[i].text; {
	case name == "query" && p.is(i+1, "(") && p.tables():
		p.query(i + 2)
	case name == "register" && slices.ContainsFunc(p.toks, func(t token) bool { return t.kind == 'n' && strings.HasPrefix(t.text, "singledispatch") }):
		if !(p.is(i+1, "(") && p.is(i+3, ")") && hasWord("bool bytes dict float int list set str tuple", p.toks[i+2].text)) {
			p.ask(".register")
		}
	}
}
