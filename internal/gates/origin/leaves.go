package origin

import (
	"strings"
	"unicode"
)

// leavesOf splits a result of a tool into its fields. A result that is not
// structured from end to end is one leaf of text, and so is all that somebody
// else may have written: see document and records.
func leavesOf(tool, s string) []pending {
	trimmed := strings.TrimSpace(s)
	if trimmed == "" {
		return nil
	}
	// Hosts that mark untrusted text put it between these delimiters
	// (Spotlighting, Hines et al. 2024, section 3.1).
	if in, ok := strings.CutPrefix(trimmed, "<<"); ok && strings.HasSuffix(in, ">>") {
		if trimmed = strings.TrimSpace(strings.TrimSuffix(in, ">>")); trimmed == "" {
			return nil
		}
	}
	if document(tool) {
		return []pending{{value: trimmed, free: true}}
	}
	if out, ok := literalLeaves(trimmed); ok {
		return out
	}
	if records(tool) {
		if out, ok := yamlLeaves(trimmed); ok {
			return out
		}
	}
	return []pending{{value: s, free: true}}
}

// Bounds of the parsers. What exceeds them is text.
const (
	maxDepth  = 64
	maxLeaves = 20000
)

// place is where a parser stands: the path to it.
type place struct {
	path   string
	depth  int
	prose  bool   // below a key of prose
	name   string // the last key, unless it is data
	record int    // 0 for the one around all others
	begins bool   // an object here is a record of its own: an item of a list, or below a key that is data
}

func (p place) item() place {
	p.path, p.depth, p.begins = p.path+"[]", p.depth+1, true
	return p
}

// key descends into a field. Keys that are data rather than names (a hotel's
// name, a date) are one key, so that a path says the same in every result.
func (p place) key(k string) place {
	p.prose, p.name, p.begins = p.prose || isProse(k), k, false
	if !isName(k) {
		k, p.name, p.begins = "*", "", true
	}
	if p.path != "" {
		k = p.path + "." + k
	}
	p.path, p.depth = k, p.depth+1
	return p
}

func isName(k string) bool {
	if k == "" || len(k) > 40 {
		return false
	}
	for i, r := range k {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r) && r != '-') {
			return false
		}
	}
	return true
}

// leafList gathers leaves up to the bound.
type leafList struct {
	out     []pending
	bad     bool
	records int
}

// object enters an object, which may be a record of its own.
func (l *leafList) object(p place) place {
	if p.begins {
		l.records++
		p.record, p.begins = l.records, false
	}
	return p
}

func (l *leafList) add(p place, value string) {
	if len(l.out) >= maxLeaves || p.depth > maxDepth {
		l.bad = true
		return
	}
	text := p.prose || mistyped(p.name, value)
	l.out = append(l.out, pending{path: p.path, value: value, free: text, prose: text, record: p.record})
}

// addKey notes a key that is data.
func (l *leafList) addKey(p place, k string) {
	if !isName(k) {
		l.add(place{path: p.path + "*key", depth: p.depth, prose: p.prose, record: p.record}, k)
	}
}
