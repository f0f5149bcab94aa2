package cover

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// units are those that a check can write in another size: by kind, in the smallest one.
// A name that stands twice (m) is none.
var units = map[string]struct {
	kind  string
	sizes [2]float64 // zero for none
}{
	"ns": {"time", [2]float64{1e-9}}, "us": {"time", [2]float64{1e-6}}, "µs": {"time", [2]float64{1e-6}}, "microsecond": {"time", [2]float64{1e-6}},
	"ms": {"time", [2]float64{1e-3}}, "millisecond": {"time", [2]float64{1e-3}}, "s": {"time", [2]float64{1}}, "sec": {"time", [2]float64{1}}, "second": {"time", [2]float64{1}},
	"min": {"time", [2]float64{60}}, "minute": {"time", [2]float64{60}}, "h": {"time", [2]float64{3600}}, "hour": {"time", [2]float64{3600}}, "day": {"time", [2]float64{86400}}, "week": {"time", [2]float64{604800}},
	"byte": {"size", [2]float64{1}}, "b": {"size", [2]float64{1}}, "kb": {"size", [2]float64{1000, 1024}}, "kib": {"size", [2]float64{1024}}, "mb": {"size", [2]float64{1e6, 1 << 20}}, "mib": {"size", [2]float64{1 << 20}},
	"gb": {"size", [2]float64{1e9, 1 << 30}}, "gib": {"size", [2]float64{1 << 30}}, "tb": {"size", [2]float64{1e12, 1 << 40}},
	"%": {"share", [2]float64{0.01}}, "percent": {"share", [2]float64{0.01}},
	"€": {"money", [2]float64{1}}, "$": {"money", [2]float64{1}}, "£": {"money", [2]float64{1}}, "eur": {"money", [2]float64{1}}, "euro": {"money", [2]float64{1}}, "usd": {"money", [2]float64{1}}, "dollar": {"money", [2]float64{1}}, "cent": {"money", [2]float64{0.01}}, "money": {"money", [2]float64{1}},
	"km": {"length", [2]float64{1000}}, "cm": {"length", [2]float64{0.01}}, "mm": {"length", [2]float64{0.001}}, "meter": {"length", [2]float64{1}}, "metre": {"length", [2]float64{1}},
	"kg": {"mass", [2]float64{1000}}, "g": {"mass", [2]float64{1}}, "mg": {"mass", [2]float64{0.001}},
	"px": {"pixel", [2]float64{1}}, "pixel": {"pixel", [2]float64{1}},
}

// unitOf is the name of the unit that a word is, in the singular; empty if it is none.
func unitOf(word string) string {
	word = strings.TrimSpace(word)
	for _, w := range []string{word, strings.ToLower(word), strings.TrimSuffix(strings.ToLower(word), "s")} {
		if _, ok := units[w]; ok && w != "" {
			return w
		}
	}
	return ""
}

// quantity is a number in a check, with the unit behind it.
type quantity struct {
	text, unit string
	value      float64
}

var quantityRE = regexp.MustCompile(`-?\d[\d_]*(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?`)

// quantities are the numbers of a text that are no parts of words.
func quantities(text string) []quantity {
	var out []quantity
	for _, m := range quantityRE.FindAllStringIndex(text, -1) {
		word := text[m[1]:]
		end := strings.IndexFunc(word, func(r rune) bool {
			return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZµ%", r)
		})
		if end < 0 {
			end = len(word)
		}
		u := unitOf(word[:end])
		if end > 0 && u == "" && word[0] != ' ' || m[0] > 0 && (isWord(text[m[0]-1]) || text[m[0]] == '-' && isWord(text[m[0]-1])) {
			if text[m[0]] != '-' {
				continue // a part of a word
			}
		}
		s := plain(text[m[0]:m[1]])
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			continue
		}
		if u == "" && strings.HasPrefix(word, " ") {
			next, _, _ := strings.Cut(word[1:], " ")
			u = unitOf(strings.Trim(next, `"');,`))
		}
		out = append(out, quantity{s, u, v})
	}
	return out
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// has says whether one of a check's numbers is the one named, in its own unit, in none,
// or in another size of it. slack also takes the whole number beside it, by which an end
// of a range is tried from outside.
func has(all []quantity, number, unit string, slack bool) bool {
	want, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(all, func(q quantity) bool {
		near := func(a, b float64) bool { return a == b || slack && (a == b+1 || a == b-1) }
		if near(q.value, want) || near(-q.value, want) && strings.HasPrefix(q.text, "-") {
			return q.unit == "" || unit == "" || q.unit == unit || units[q.unit].kind == units[unit].kind && sameSize(q.unit, unit)
		}
		return unit != "" && converted(q, want, unit)
	})
}

func sameSize(a, b string) bool {
	at, bt := units[a].sizes, units[b].sizes
	return slices.ContainsFunc(at[:], func(x float64) bool { return x != 0 && slices.Contains(bt[:], x) })
}

// converted says whether a number without a unit, or with another one of the same kind,
// is the one named.
func converted(q quantity, want float64, unit string) bool {
	for _, size := range units[unit].sizes {
		others := []float64{1, 1e-3, 1e-6, 1e-9, 1000, 1024, 1e6, 1 << 20}
		if q.unit != "" {
			if units[q.unit].kind != units[unit].kind {
				continue
			}
			of := units[q.unit].sizes
			others = of[:]
		}
		for _, other := range others {
			if a, b := want*size, q.value*other; a != 0 && a-b < 1e-9*a && b-a < 1e-9*a {
				return true
			}
		}
	}
	return false
}
