package gates

import (
	"path"
	"slices"
	"strings"
	"testing"
)

func TestWalk(t *testing.T) {
	tree := map[string][]string{
		"/w":     {"a/", "b", "c/", "d"},
		"/w/a":   {"e", "f/"},
		"/w/a/f": {"g"},
		"/w/c":   {"h"}, // which the visitor does not go into
	}
	for _, test := range []struct {
		name        string
		left        int
		whole, past bool
		stop        string
		seen        string
		hit, over   bool
	}{
		{name: "what a directory holds comes right behind its name", left: 100, seen: "a a/e a/f a/f/g b c d"},
		{name: "a bound that is just enough", left: 7, seen: "a a/e a/f a/f/g b c d"},
		{name: "the first names are looked at before the bound", left: 5, seen: "a a/e a/f a/f/g b", over: true},
		{name: "the bound holds in all directories", left: 3, seen: "a a/e a/f", over: true},
		{name: "nothing is looked at", left: 0, over: true},
		{name: "whole directories count before their names are looked at", left: 5, whole: true, seen: "a", over: true},
		{name: "whole directories that are just enough", left: 7, whole: true, seen: "a a/e a/f a/f/g b c d"},
		{name: "a visitor that goes past the bound", left: 1, whole: true, past: true, seen: "a a/e a/f a/f/g b c d"},
		{name: "a visitor that found something", left: 100, stop: "a/f", seen: "a a/e a/f", hit: true},
		{name: "what is found below ends the whole walk", left: 100, stop: "a/f/g", seen: "a a/e a/f a/f/g", hit: true},
		{name: "what is found before the bound counts", left: 2, stop: "a/e", seen: "a a/e", hit: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var seen []string
			left := test.left
			w := walk{list: func(dir string) []string { return tree[dir] }, left: &left, whole: test.whole, past: test.past, visit: func(dir, base string, deep bool) course {
				rel := strings.TrimPrefix(path.Join(dir, base), "/w/")
				if deep != slices.Contains(tree[dir], base+"/") {
					t.Errorf("%s: deep %v", rel, deep)
				}
				switch seen = append(seen, rel); {
				case rel == test.stop:
					return found
				case deep && base != "c":
					return into
				}
				return next
			}}
			hit, over := w.below("/w")
			if got := strings.Join(seen, " "); got != test.seen || hit != test.hit || over != test.over {
				t.Errorf("saw %q, hit %v, over %v; want %q, %v, %v", got, hit, over, test.seen, test.hit, test.over)
			}
		})
	}
}
