package learn

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// pool is what values are drawn from that no recorded context has: the literals
// of both policies' gates, whatever they are compared with, and values around
// them. Two gates that differ in one comparison differ at its literal.
type pool struct {
	texts []string
	nums  []int // around those of the gates
	plain []int
	runes []rune // of the texts: the characters that patterns tell apart
}

// plainNums are numbers that gates are likely to name: small counts, users,
// ports that have a name (RFC 6335), sizes.
func plainNums() []int {
	return []int{-1, 0, 1, 2, 3, 4, 5, 8, 10, 12, 16, 22, 25, 53, 80, 100, 443, 500, 587, 1000, 1024, 3306, 5432, 8080, 65535}
}

// literals finds the texts and numbers that an expression names.
func literals(expr string) (texts []string, nums []int) {
	quoted := regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	for _, q := range quoted.FindAllString(expr, -1) {
		if text, err := strconv.Unquote(q); err == nil {
			texts = append(texts, text)
		}
	}
	for _, s := range regexp.MustCompile(`-?\b[0-9]+\b`).FindAllString(quoted.ReplaceAllString(expr, ""), -1) {
		if n, err := strconv.Atoi(s); err == nil {
			nums = append(nums, n-1, n, n+1)
		}
	}
	return texts, nums
}

func newPool(sides []Side) *pool {
	p := &pool{plain: plainNums(), runes: []rune("az09AZ._-/@:+%~# ")}
	for _, s := range sides {
		for i := range s.Gates {
			texts, nums := literals(s.Gates[i].Expr)
			p.texts, p.nums = append(p.texts, texts...), append(p.nums, nums...)
		}
	}
	for _, t := range p.texts {
		p.runes = append(p.runes, []rune(t)...)
	}
	slices.Sort(p.texts)
	p.texts = slices.Compact(p.texts)
	slices.Sort(p.nums)
	p.nums = slices.Compact(p.nums)
	slices.Sort(p.runes)
	p.runes = slices.Compact(p.runes)
	return p
}

func (p *pool) num(rng *rand.Rand) int {
	switch draw := rng.IntN(4); {
	case draw == 0:
		return rng.IntN(1 << rng.IntN(17))
	case draw == 1 || len(p.nums) == 0:
		return p.plain[rng.IntN(len(p.plain))]
	}
	return p.nums[rng.IntN(len(p.nums))]
}

// count draws a length of a list: long enough for any gate that names one, and
// bounded, because a context is copied and encoded for each mutation.
func (p *pool) count(rng *rand.Rand, limit int) int {
	return max(0, min(p.num(rng), limit))
}

// charClasses are what patterns tell apart; each value is of one or two.
func charClasses() []string {
	return []string{"abcxyz", "ABCXYZ", "0123456789", "@", ".", "/", ":", "-", "_", " ", "+%#~", "!?&$*()[]{}<>'\"\\|^`,;=", "äßπ語"}
}

// word draws a text: a literal, one beside it, or one of few classes of
// characters.
func (p *pool) word(rng *rand.Rand) string {
	if len(p.texts) > 0 && rng.IntN(2) == 0 {
		return beside(p.texts[rng.IntN(len(p.texts))], rng)
	}
	var class []rune
	classes := charClasses()
	for range 1 + rng.IntN(2) {
		class = append(class, []rune(classes[rng.IntN(len(classes))])...)
	}
	if rng.IntN(8) == 0 {
		class = []rune{p.runes[rng.IntN(len(p.runes))]}
	}
	n := 1 + rng.IntN(8)
	if rng.IntN(8) == 0 {
		n = p.count(rng, maxWord)
	}
	var b strings.Builder
	for range n {
		b.WriteRune(class[rng.IntN(len(class))])
	}
	return b.String()
}

// maxWord bounds a drawn text, for speed.
const maxWord = 300

func beside(s string, rng *rand.Rand) string {
	switch rng.IntN(10) {
	case 0:
		return s + "x"
	case 1:
		return "x" + s
	case 2:
		return s + "/x"
	case 3:
		return "x." + s
	case 4:
		return strings.ToUpper(s)
	case 5:
		return s[:rng.IntN(len(s)+1)]
	}
	return s
}

func resize[T any](list []T, n int, one func() T) []T {
	if n < len(list) {
		return list[:n]
	}
	list = slices.Grow(list, n-len(list))
	for len(list) < n {
		list = append(list, one())
	}
	return list
}

// Bounds of the lists of a mutated context.
const (
	maxListed  = 40
	maxEffects = 12
)

// sizes gives a list of the context another length.
func (m *mutator) sizes(c *gates.Context, rng *rand.Rand) {
	text := func() string { return m.pool.word(rng) }
	switch rng.IntN(6) {
	case 0:
		c.Args = resize(c.Args, m.pool.count(rng, maxListed), func() gates.Arg {
			return gates.Arg{Path: m.text(fieldArgPath, rng), Value: m.text(fieldArgValue, rng), Role: m.text(fieldRole, rng)}
		})
	case 1:
		c.Effects = resize(c.Effects, m.pool.count(rng, maxEffects), func() gates.Effect {
			if len(c.Effects) == 0 {
				return gates.Effect{Kind: effect.Kind(rng.IntN(int(effect.NumKinds))), Resource: m.text(fieldResource, rng)}
			}
			return c.Effects[rng.IntN(len(c.Effects))]
		})
	case 2:
		c.History = resize(c.History, rng.IntN(gates.HistoryLimit+1), func() gates.Record { return m.record(rng) })
	case 3:
		c.Roots = resize(slices.Clone(c.Roots), m.pool.count(rng, maxListed), text)
	case 4:
		c.Flow.Derived = resize(slices.Clone(c.Flow.Derived), m.pool.count(rng, maxListed), text)
	default:
		c.Flow.Unvetted = resize(slices.Clone(c.Flow.Unvetted), m.pool.count(rng, maxListed), text)
	}
}

func (m *mutator) record(rng *rand.Rand) gates.Record {
	return gates.Record{
		Kind: effect.Kind(rng.IntN(int(effect.NumKinds))), Op: effect.Op(rng.IntN(int(effect.NumOps))),
		Resource: m.text(fieldResource, rng), Time: int64(m.pool.num(rng)),
	}
}

// place changes where the call is made: every field that neither an argument nor
// an effect has.
func (m *mutator) place(c *gates.Context, rng *rand.Rand) {
	lists := [...]*[]string{&c.Roots, &c.Flow.Derived, &c.Flow.Unvetted}
	switch rng.IntN(6) {
	case 0:
		c.UID = m.pool.num(rng)
	case 1:
		c.GID = m.pool.num(rng)
	case 2:
		c.Cwd = m.text(fieldCwd, rng)
	default:
		list := lists[rng.IntN(len(lists))]
		*list = slices.Clone(*list)
		text := m.pool.word(rng)
		if rng.IntN(3) == 0 {
			text = m.text(fieldResource, rng)
		}
		if len(*list) == 0 || rng.IntN(2) == 0 {
			*list = append(*list, text)
		} else {
			(*list)[rng.IntN(len(*list))] = text
		}
	}
}

// network changes the fields of an effect that only some effects have.
func (m *mutator) network(e *gates.Effect, rng *rand.Rand) {
	switch rng.IntN(6) {
	case 0:
		e.Net.IP = [...]string{"", "127.0.0.1", "10.0.0.7", "169.254.169.254", "203.0.113.9", "::1", "2001:db8::1"}[rng.IntN(7)]
	case 1:
		e.Net.Port = uint16(m.pool.num(rng))
	case 2:
		e.Payload.Known, e.Payload.Len = rng.IntN(4) > 0, m.pool.num(rng)
	default:
		f := fieldArgv + field(rng.IntN(int(numFields-fieldArgv)))
		*effectTexts(e)[f] = m.text(f, rng)
	}
}
