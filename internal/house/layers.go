package main

import (
	"fmt"
	"slices"
	"strings"
)

// layers are the rooms from low to high, without "internal"; what stands below
// a room has its layer unless it is named itself. An import is upward if it leads
// to a higher layer than its own. Replay stands below distill, which takes its
// windows as evidence.
var layers = [][]string{
	{"gates/mark"},
	{"gates/names"},
	{"gates/effect"},
	{"gates/call", "gates/shell", "gates/class", "gates/action"},
	{"gates/origin", "gates/flow"},
	{"gates"},
	{"gates/episode"},
	{"gates/lang", "gates/content", "gates/reply", "tree", "lang", "content", "reply", "redact"},
	{"artifacts/field"},
	{"artifacts"},
	{"traverse"},
	{"corpora"},
	{"segment"},
	{"tree/merge", "merge", "gates/learn", "learn"},
	{"replay"},
	{"distill"},
	{"evolve"},
	{"docs"},
	{"protocol"},
	{"hosts", "serve", "mcpproxy", "runner", "stores"},
	{"cmd", "examples", "integrations"},
}

// layerOf returns the layer of a room by its longest row.
func layerOf(name string) (layer int, ok bool) {
	longest := -1
	name = plain(name)
	for i, rooms := range layers {
		for _, r := range rooms {
			if covers(r+"/...", name) && len(r) > longest {
				layer, longest = i, len(r)
			}
		}
	}
	return layer, longest >= 0
}

// upward is an import against the order of layers.
type upward struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Files int    `json:"files"`
}

func (u upward) String() string { return fmt.Sprintf("%s -> %s (%d files)", u.From, u.To, u.Files) }

// upwardImports lists the pairs of rooms that import upward, and the rooms that
// no layer names: their imports are not judged.
func upwardImports(s *source) (out []upward, unranked []string) {
	for i := range s.files {
		f := &s.files[i]
		from, ok := layerOf(f.room)
		if !ok {
			unranked = append(unranked, f.room)
			continue
		}
		for _, to := range s.imports(f) {
			if layer, ok := layerOf(to); ok && layer > from {
				out = note(out, f.room, to)
			}
		}
	}
	slices.SortFunc(out, func(a, b upward) int { return strings.Compare(a.From+" "+a.To, b.From+" "+b.To) })
	slices.Sort(unranked)
	return out, slices.Compact(unranked)
}

func note(list []upward, from, to string) []upward {
	i := slices.IndexFunc(list, func(u upward) bool { return u.From == from && u.To == to })
	if i < 0 {
		i, list = len(list), append(list, upward{From: from, To: to})
	}
	list[i].Files++
	return list
}
