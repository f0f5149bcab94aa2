package call

import (
	"slices"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file reads names whose words say nothing but that something is told: names
// without a verb that end with what is known of a thing (build_status,
// symbol_references), names that look up what another name stands for
// (resolve-package-id), and names of what one does to a window and not to what it
// shows (browser_resize).

// told are nouns of information. A name that ends with one and has no verb is
// that of a tool which tells it: nothing else can be done with a status but to be
// told it. Nouns for things that are also made (report, snapshot, message, note)
// are none of them. Without a plural s. Sorted.
var told = [...]string{
	"availability", "changelog", "count", "definition", "dependency", "description", "detail", "diagnostic", "documentation", "elevation", "error", "forecast", "hierarchy", "history", "hover", "info",
	"information", "log", "metadata", "metric", "outline", "overview", "problem", "progres", "reference", "schema", "signature", "stat", "statistic", "statu", "structure", "summary",
	"symbol", "trend", "usage", "version", "warning", "weather", "whoami",
}

// informs says whether a name has no verb, joins nothing, and ends with a noun of
// information, or has one before the first preposition.
func informs(ws []string) bool {
	end := len(ws)
	if i := slices.IndexFunc(ws, preposition); i > 0 {
		end = i
	}
	if end == 0 || slices.ContainsFunc(ws, conjunction) {
		return false
	}
	if _, at := verbOf(ws); at >= 0 {
		return false
	}
	last := ws[end-1]
	return hasNoun(ws[end-1:end], told[:]) || last == "dependencies" || last == "hierarchies"
}

// resolved are what a name is resolved to or from. Everything else that is resolved, an
// issue or a thread, is changed by it, and who resolves a host tells its name to whoever
// answers for it. Sorted.
var resolved = [...]string{"alia", "id", "identifier", "path", "reference", "symbol"}

// resolves says whether a name looks up what another name stands for.
func resolves(ws []string) bool {
	if len(ws) < 2 || ws[0] != "resolve" || !hasNoun(ws[len(ws)-1:], resolved[:]) {
		return false
	}
	_, at := verbOf(ws[1:])
	return at < 0 && !slices.ContainsFunc(ws, conjunction)
}

// informing is the class of a name that tells something: what is known of code is
// a record.
func informing(ws []string) Class {
	fam, res := nounOf(ws)
	if fam == FamilyUnknown || fam == FamilyCode || fam == FamilyShell {
		fam, res = FamilyApp, ResourceRecord
	}
	return Class{Family: fam, Verb: effect.VerbRead, Resource: res, High: High(effect.VerbRead, res), Basis: BasisName}
}

// windows are what a browser shows pages in. Sorted.
var windows = [...]string{"browser", "page", "tab", "viewport", "window"}

// tends says whether a name only waits, closes or resizes, and that a window: of
// anything else, to close or resize it changes it.
func tends(ws []string) bool {
	acts := 0
	for i, w := range ws {
		switch {
		case w == "close", w == "resize", w == "wait":
			acts++
		case hasNoun(ws[i:i+1], windows[:]), w == "for" && acts > 0:
		default:
			return false
		}
	}
	return acts == 1 && (len(ws) > 1)
}

// ends says whether a name's deletion only ends what runs: a session, a window. What
// is deleted, removed or cleared is something that somebody keeps.
func (b *builder) ends() bool {
	for _, w := range wordsOf(Name(b.call.Tool), b.call.Tool) {
		if v, ok := verbWord(w); ok && v == effect.VerbDelete {
			return w == "cancel" || w == "kill" || w == "stop" || w == "terminate"
		}
	}
	return false
}
