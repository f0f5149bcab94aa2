package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/segment"
)

// What a policy says of a state in words. The logs' own sentences hold names,
// addresses and secrets, and no filter finds them all; so a description has only
// words that segment.Plain knows, a list of this program's own, and of these only
// the ones that several independent tasks share. The first holds whatever the
// logs say, the second keeps out what is one user's business.

// maxShared bounds the words of one description, so that it stays a line.
const maxShared = 6

// plainOf returns the plain words of a text, each once, in their base form. What
// is part of something longer (a path, an address, a word with a capital) is none.
func plainOf(text string) []string {
	var out []string
	for _, w := range strings.Fields(text) {
		w = strings.Trim(w, ".,;:!?()\"'`*")
		if base, ok := segment.Plain(w); ok && !slices.Contains(out, base) {
			out = append(out, base)
		}
	}
	return out
}

// shared counts the tasks of each plain word of a state's texts, as far as at
// least segment.MinShared have it.
func (s *state) shared() map[string]int {
	tasks := map[string]map[uint64]bool{}
	for i := range s.texts.items {
		e := &s.texts.items[i].item
		for _, w := range plainOf(e.words) {
			if tasks[w] == nil {
				tasks[w] = map[uint64]bool{}
			}
			for _, t := range e.tasks.items {
				tasks[w][t.hash] = true
			}
		}
	}
	out := map[string]int{}
	for w, t := range tasks {
		if len(t) >= segment.MinShared {
			out[w] = len(t)
		}
	}
	return out
}

// telling are a family's shared words by state, and in how many of its states each
// is shared.
type telling struct {
	of     map[string]map[string]int
	states map[string]int
}

func newTelling(f *family) telling {
	t := telling{of: map[string]map[string]int{}, states: map[string]int{}}
	for key, s := range f.states {
		t.of[key] = s.shared()
		for w := range t.of[key] {
			t.states[w]++
		}
	}
	return t
}

// words are those of a state that say most: shared by many of its tasks and by few
// other states, and not said by its name.
func (t *telling) words(key string) []string {
	said := plainOf(call.Phrase(key))
	mine := t.of[key]
	list := slices.DeleteFunc(sortedKeys(mine), func(w string) bool { return slices.Contains(said, w) })
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(mine[b]*t.states[a], mine[a]*t.states[b]) })
	return list[:min(len(list), maxShared)]
}
