package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about tools that build tables of a warehouse for an environment that their
// settings list: which one they are told, and SQL with templates in it.

// environment judges the name of an environment. One with a word that developers use for
// theirs passes; which others there are only the settings say.
func (r *toolRun) environment(word string) {
	if mark.Has(word) || !slices.ContainsFunc(strings.FieldsFunc(word, separates), developing) {
		r.m.escape(r.t.name + " on another environment")
		return
	}
	r.develops = true
}

// developsHere says whether the variable for dbt's target names one of those (docs.getdbt.com,
// Flags; dbt/cli/params.py: the newer name goes before the older one).
func (m *machine) developsHere() bool {
	b, ok := m.lookup("DBT_ENGINE_TARGET")
	if !ok {
		b, ok = m.lookup("DBT_TARGET")
	}
	return ok && !mark.Has(b.value) && slices.ContainsFunc(strings.FieldsFunc(b.value, separates), developing)
}

// templateReads says whether SQL in which Jinja names relations and values only reads:
// ref, source and var with constants, and this (docs.getdbt.com, dbt Jinja functions).
// Anything else in Jinja may be a macro that runs statements of its own.
func templateReads(text string) bool {
	var sql strings.Builder
	for {
		before, rest, found := cutAt(text, "{")
		sql.WriteString(before)
		if !found {
			return SQLReads(strings.TrimSpace(sql.String()))
		}
		inner, after, closed := cutAt(trimPrefix(rest, "{"), "}}")
		if !closed || rest[0] != '{' || !namesRelation(inner) {
			return false
		}
		sql.WriteString("relation")
		text = after
	}
}

// namesRelation says whether an expression of Jinja is a call of one of those functions
// with constants as its arguments.
func namesRelation(text string) bool {
	text = strings.TrimSpace(text)
	if text == "this" {
		return true
	}
	name, arguments, _ := cutAt(text, "(")
	arguments, closed := cutSuffix(arguments, ")")
	if !closed || name != "ref" && name != "source" && name != "var" {
		return false
	}
	for part := range strings.SplitSeq(arguments, ",") {
		part = strings.TrimSpace(part)
		if name, value, ok := cutAt(part, "="); ok && (name == "v" || name == "version") {
			part = value
		}
		if number(part) < 0 && (len(part) < 2 || part[0] != '\'' && part[0] != '"' || part[len(part)-1] != part[0] || !plainName(part[1:len(part)-1])) {
			return false
		}
	}
	return true
}
