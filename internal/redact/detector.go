package redact

import (
	"crypto/sha256"
	_ "embed" // the rules
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
)

//go:embed rules.json
var rulesJSON []byte

// Finding is one secret in a text.
type Finding struct {
	Rule       string // the rule that found it, "github-pat" for example
	Start, End int    // where the secret stands
}

type allowList struct {
	Regexes   []string `json:"regexes"`
	Stopwords []string `json:"stopwords"`
	Target    string   `json:"target"`
	compiled  []*regexp.Regexp
}

type rule struct {
	ID       string      `json:"id"`
	Regex    string      `json:"regex"`
	Keywords []string    `json:"keywords"`
	Entropy  float64     `json:"entropy"`
	Group    int         `json:"group"`
	Allow    []allowList `json:"allow"`

	once sync.Once
	re   *regexp.Regexp
}

// Detector finds secrets.
type Detector struct {
	rules  []*rule
	global allowList
	digest string

	once  sync.Once
	forms []*regexp.Regexp // of inLogs, compiled when a log needs them
	named *regexp.Regexp   // of namedSecret
}

// New returns a detector with the built-in rules.
func New() (*Detector, error) {
	var file struct {
		Allow []allowList `json:"allow"`
		Rules []*rule     `json:"rules"`
	}
	if err := json.Unmarshal(rulesJSON, &file); err != nil {
		return nil, fmt.Errorf("redact: rules: %w", err)
	}
	d := &Detector{rules: file.Rules}
	sum := sha256.New()
	for _, p := range anywhere {
		sum.Write([]byte(p.regex + "\x00"))
		d.rules = append(d.rules, &rule{ID: p.name, Regex: p.regex, Keywords: []string{p.keyword}})
	}
	sum.Write(rulesJSON)
	d.digest = hex.EncodeToString(sum.Sum(nil))
	for _, a := range file.Allow {
		d.global.Regexes = append(d.global.Regexes, a.Regexes...)
		d.global.Stopwords = append(d.global.Stopwords, a.Stopwords...)
	}
	return d, d.global.compile()
}

// Digest identifies the rules.
func (d *Detector) Digest() string { return d.digest }

func (a *allowList) compile() error {
	for _, s := range a.Regexes {
		re, err := regexp.Compile(s)
		if err != nil {
			return fmt.Errorf("redact: %w", err)
		}
		a.compiled = append(a.compiled, re)
	}
	return nil
}

// ready compiles a rule when a text first holds one of its keywords. A rule that
// does not compile finds nothing; a test compiles all of them.
func (r *rule) ready() *regexp.Regexp {
	r.once.Do(func() {
		for i := range r.Allow {
			if r.Allow[i].compile() != nil {
				return
			}
		}
		if re, err := regexp.Compile(r.Regex); err == nil {
			r.re = re
		}
	})
	return r.re
}

// Find returns the secrets in a text, in order, none overlapping.
func (d *Detector) Find(text string) []Finding {
	lower := strings.ToLower(text)
	var all []Finding
	for _, r := range d.rules {
		if !slices.ContainsFunc(r.Keywords, func(k string) bool { return strings.Contains(lower, k) }) {
			continue
		}
		re := r.ready()
		if re == nil {
			continue
		}
		for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
			if f, ok := d.finding(r, text, m); ok {
				all = append(all, f)
			}
		}
	}
	// The first and longest of overlapping ones, and then the rule's name, decide.
	slices.SortFunc(all, func(a, b Finding) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		if a.End != b.End {
			return b.End - a.End
		}
		return strings.Compare(a.Rule, b.Rule)
	})
	var out []Finding
	for _, f := range all {
		if len(out) == 0 || f.Start >= out[len(out)-1].End {
			out = append(out, f)
		}
	}
	return out
}

func (d *Detector) finding(r *rule, text string, m []int) (Finding, bool) {
	at := secretAt(m, r.Group)
	secret, match := text[at[0]:at[1]], text[m[0]:m[1]]
	if secret == "" || entropy(secret) <= r.Entropy && r.Entropy > 0 || d.global.allows(secret, match, text, m) {
		return Finding{}, false
	}
	for i := range r.Allow {
		if r.Allow[i].allows(secret, match, text, m) {
			return Finding{}, false
		}
	}
	return Finding{Rule: r.ID, Start: at[0], End: at[1]}, true
}

// secretAt is the part of a match that is the secret: the named group, or the
// first that took part, or all of it.
func secretAt(m []int, group int) [2]int {
	if group > 0 && 2*group+1 < len(m) && m[2*group] >= 0 {
		return [2]int{m[2*group], m[2*group+1]}
	}
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 && m[i+1] > m[i] {
			return [2]int{m[i], m[i+1]}
		}
	}
	return [2]int{m[0], m[1]}
}

func (a *allowList) allows(secret, match, text string, m []int) bool {
	target := secret
	switch a.Target {
	case "match":
		target = match
	case "line":
		target = lineOf(text, m)
	}
	for _, re := range a.compiled {
		if re.MatchString(target) {
			return true
		}
	}
	low := strings.ToLower(secret)
	return slices.ContainsFunc(a.Stopwords, func(w string) bool { return strings.Contains(low, w) })
}

func lineOf(text string, m []int) string {
	start, end := strings.LastIndexByte(text[:m[0]], '\n')+1, strings.IndexByte(text[m[1]:], '\n')
	if end < 0 {
		return text[start:]
	}
	return text[start : m[1]+end]
}

// entropy is Shannon's, in bits a byte.
func entropy(s string) float64 {
	var n [256]int
	for i := 0; i < len(s); i++ {
		n[s[i]]++
	}
	h := 0.0
	for _, c := range n {
		if c > 0 {
			p := float64(c) / float64(len(s))
			h -= p * math.Log2(p)
		}
	}
	return h
}

// Redact replaces every secret by a mark.
func (d *Detector) Redact(text string) string {
	var b strings.Builder
	done := 0
	for _, f := range d.Find(text) {
		b.WriteString(text[done:f.Start])
		b.WriteString(Mark(f.Rule, text[f.Start:f.End]))
		done = f.End
	}
	b.WriteString(text[done:])
	return b.String()
}

// MarkStart is how every mark begins.
const MarkStart = "<secret "

// Mark is what stands in the place of a secret: what it is and a digest. The same
// secret gets the same digest, so that a reader can tell two apart without seeing
// one. A digest does not hide a secret that can be guessed.
func Mark(rule, secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return MarkStart + rule + " sha256:" + hex.EncodeToString(sum[:6]) + ">"
}
