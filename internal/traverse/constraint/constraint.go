// Package constraint turns what a task forbids or bounds in plain words into rules over
// calls: "do not delete anything", "only read", "ask before sending", "at most 50 euros".
//
// Compile is deterministic: a sentence is looked at by the words that it forbids with, and
// what it forbids. A sentence that bounds something and that no rule is made of is returned
// too, for whoever wrote it: nothing is dropped in silence. Rules only tighten: each says
// what is rejected or asked about, and none says what may pass. Rules that somebody else
// proposes for a sentence, as a model, have to pass Check and Grounded.
//
// What belongs here: sentences into rules. What never does: deciding on a call (package
// traverse does, by the effects of a call alone), a task's checks (package cover).
package constraint

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Rule is one constraint of a task.
type Rule struct {
	// Does is what it is about: delete, change, send, network, install, push, commit, run or
	// spend.
	Does string `json:"does"`
	Asks bool   `json:"asks,omitempty"` // the user is asked; else it is rejected
	// Path bounds the rule to a file or a folder; with Only, to everything else.
	Path string `json:"path,omitempty"`
	Only bool   `json:"only,omitempty"`
	Most string `json:"most,omitempty"` // of spend: the largest amount that passes
	Text string `json:"text"`           // the words that it was made of
	By   string `json:"by,omitempty"`   // the model that proposed it; empty where Compile made it
}

// All are the things that a rule can be about.
var All = []string{"delete", "change", "send", "network", "install", "push", "commit", "run", "spend"}

// maxText bounds the text that is looked at, and maxRules what is made of it.
const (
	maxText  = 64 << 10
	maxRules = 64
)

var (
	bulletRE    = regexp.MustCompile(`^(?:[-*+•–]|\(?\d+[.)])\s+`)
	sentenceEnd = regexp.MustCompile(`[.!?;](?:\s+|$)|\n+`)
	forbids     = regexp.MustCompile(`(?i)\b(?:do not|don't|dont|never|must not|mustn't|should not|shouldn't|may not|cannot|without|no longer|not allowed to|avoid|refrain from|forbidden to)\b`)
	onlyRE      = regexp.MustCompile(`(?i)\bonly\b|\bread[- ]only\b|\bnothing (?:else|but)\b`)
	asksRE      = regexp.MustCompile(`(?i)\b(?:ask|check with|confirm with|get (?:my|the user's) (?:ok|okay|approval|consent|permission))\b[^,;]*?\bbefore\b|\b(?:not|never|don't)\b[^,;]*\bwithout (?:asking|my|approval|permission|consent)`)
	boundRE     = regexp.MustCompile(`(?i)\b(?:at most|no more than|not more than|up to|maximum(?: of)?|max\.?|limit(?: of)?|budget(?: of)?|spend less than|under|below|not exceed(?:ing)?)\s+(?:is\s+)?`)
	moneyRE     = regexp.MustCompile(`(?i)(?:(€|\$|£|eur|usd|gbp)\s?)?(\d[\d,]*(?:\.\d+)?)\s?(€|\$|£|euros?|eur|dollars?|usd|pounds?|gbp)?\b`)
	withoutAsk  = regexp.MustCompile(`(?i)\bwithout (?:asking|my|approval|permission|consent)[^,;]*`)
	pathRE      = regexp.MustCompile("[`'\"]?((?:[\\w.-]+/)+[\\w.-]*|[\\w-]+\\.[A-Za-z][A-Za-z0-9]{0,6})[`'\"]?")
)

// deeds are the words for what a rule is about. Later rows name more than earlier ones.
var deeds = []struct {
	does  string
	words *regexp.Regexp
}{
	{"delete", regexp.MustCompile(`(?i)\b(?:delet(?:e|es|ed|ing)|remov(?:e|es|ing)|eras(?:e|ing)|wip(?:e|ing)|deletions?|removals?|drop(?:ping)?)\b`)},
	{"change", regexp.MustCompile(`(?i)\b(?:chang(?:e|es|ing)|modif(?:y|ies|ying)|modifications?|edit(?:s|ing)?|writ(?:e|es|ing)|overwrit(?:e|ing)|touch(?:ing)?|alter(?:ing)?|updat(?:e|ing)|creat(?:e|ing)|renam(?:e|ing)|mov(?:e|ing))\b`)},
	{"send", regexp.MustCompile(`(?i)\b(?:send(?:s|ing)?|e?mail(?:s|ing)?|upload(?:s|ing)?|post(?:s|ing)?|publish(?:es|ing)?|shar(?:e|ing)|submit(?:ting)?|repl(?:y|ying)|messag(?:e|ing))\b`)},
	{"network", regexp.MustCompile(`(?i)\b(?:network|internet|online|web|download(?:s|ing)?|fetch(?:ing)?|connect(?:ing)?)\b`)},
	{"install", regexp.MustCompile(`(?i)\b(?:install(?:s|ing)?|packages?|dependenc(?:y|ies))\b`)},
	{"push", regexp.MustCompile(`(?i)\bpush(?:es|ing)?\b`)},
	{"commit", regexp.MustCompile(`(?i)\bcommit(?:s|ting)?\b`)},
	{"run", regexp.MustCompile(`(?i)\b(?:run(?:ning)?|execut(?:e|ing)|start(?:ing)?)\b`)},
	{"spend", regexp.MustCompile(`(?i)\b(?:buy(?:ing)?|pay(?:s|ing)?|purchas(?:e|ing)|order(?:ing)?|spend(?:ing)?|transfer(?:ring)?|book(?:ing)?)\b`)},
}

// Compile returns the rules of a text, and the sentences that bound something and of
// which no rule was made.
func Compile(text string) (rules []Rule, unread []string) {
	for _, s := range sentences(text[:min(len(text), maxText)]) {
		made, whole := compile(s)
		switch {
		case len(made) > 0 && len(rules)+len(made) <= maxRules:
			if rules = append(rules, made...); !whole {
				unread = append(unread, s) // it bounds more than the rules do
			}
		case len(made) > 0, bounds(s):
			unread = append(unread, s)
		}
	}
	return rules, unread
}

// sentences are those of a text, without marks of lists, and with plain apostrophes.
func sentences(text string) []string {
	var out []string
	text = strings.NewReplacer("\u2019", "'", "\u2018", "'", "\u02bc", "'").Replace(text)
	at := 0
	for _, m := range append(sentenceEnd.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		if s := bulletRE.ReplaceAllString(strings.Join(strings.Fields(text[at:m[0]]), " "), ""); s != "" {
			out = append(out, s)
		}
		at = m[1]
	}
	return out
}

// bounds says whether a sentence forbids or bounds something.
func bounds(s string) bool {
	return forbids.MatchString(s) || onlyRE.MatchString(s) || asksRE.MatchString(s) || boundRE.MatchString(s) || short(s)
}

// compile makes the rules of one sentence; whole says that they bound all that it does.
func compile(s string) (out []Rule, whole bool) {
	out = money(s)
	if m := asksRE.FindStringIndex(s); m != nil {
		rest := s[m[0]:]
		if withoutAsk.MatchString(rest) {
			rest = withoutAsk.ReplaceAllString(rest, "")
		} else {
			rest = s[m[1]:]
		}
		made, whole := governed(rest, s, Rule{Asks: true}, exceptRE.MatchString(s[:m[0]]))
		return append(out, made...), whole
	}
	if m := forbids.FindStringIndex(s); m != nil && addressed(s, m[0]) {
		if turnsRE.MatchString(s[m[1]:]) {
			return out, false
		}
		made, whole := governed(s[m[1]:], s, Rule{}, exceptRE.MatchString(s[:m[0]]))
		return append(out, made...), whole
	}
	if made := append(left(s), none(s)...); len(made) > 0 {
		return append(out, made...), true
	}
	return append(out, only(s)...), true
}

// governed makes rules of what a word governs that forbids or asks. An exception in front
// of it is not read.
func governed(words, text string, r Rule, before bool) (out []Rule, whole bool) {
	switch {
	case before:
		return nil, false
	case exceptRE.MatchString(words):
		return excepted(words, text, r), true
	}
	words = clause(words)
	if onlyRE.MatchString(words) {
		return nil, false
	}
	return about(words, text, r)
}

// before is what may stand before a word by which a sentence forbids something to whoever
// carries the task out. What a program must not do is no rule for that: "the script must
// not delete files" is returned as unread.
var before = regexp.MustCompile(`(?i)(?:^|[,:(-]\s*|\b(?:and|but|please|then|you|we|agent|always|also|or)\s+)$`)

func addressed(s string, at int) bool {
	return before.MatchString(s[:at]) || strings.HasPrefix(strings.ToLower(s[at:]), "without")
}

// clause is what a forbidding word governs: up to a "but" or a comma with a new demand.
func clause(s string) string {
	for _, end := range []string{" but ", ", then ", " instead ", ", just ", ", only ", ", rather ", " because ", " so that "} {
		if i := strings.Index(s, end); i >= 0 {
			s = s[:i]
		}
	}
	return s
}

// about makes a rule of each deed that words name, bound to the paths that they name.
// Deletions, changes and runs of something else that they name ("the tests") are no rule:
// it would be about everything; whole says that there were none.
func about(words, text string, r Rule) (out []Rule, whole bool) {
	r.Text = text
	paths := named(words)
	bare := objectRE.ReplaceAllString(pathRE.ReplaceAllString(words, " "), "$1") // a file's name is no deed
	whole = len(paths) == 0 || !partlyRE.MatchString(bare)
	for _, d := range deeds {
		if !d.words.MatchString(bare) {
			continue
		}
		r.Does, r.Path = d.does, ""
		files := d.does == "delete" || d.does == "change"
		switch {
		case len(paths) == 0 && (files || d.does == "run") && vague(bare):
			whole = false
		case len(paths) == 0 || !files:
			out = append(out, r)
		default:
			for _, p := range paths {
				r.Path = p
				out = append(out, r)
			}
		}
	}
	return out, whole
}

func named(s string) []string {
	var out []string
	for _, m := range pathRE.FindAllStringSubmatch(s, -1) {
		if p := path.Clean(m[1]); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

var (
	readOnly   = regexp.MustCompile(`(?i)(?:^|[,:]\s*|\b(?:please|you may|you can|you must|you should|and|but)\s+)(?:only (?:read|look|view|inspect|analy[sz]e|list|report|explain|describe)\b|(?:read|look|inspect) only\b)|^(?:this is |strictly )?(?:an? )?read[- ]only(?: task| please| access)?\b`)
	onlyChange = regexp.MustCompile(`(?i)\bonly (?:change|modify|edit|touch|write(?: to)?|update|alter)\b|\b(?:change|modify|edit|touch|write(?: to)?|update) only\b|\b(?:change|modify|edit|touch) (?:files |anything )?(?:only )?in\b.*\bonly\b|\b(?:change|modify|edit|touch) nothing (?:but|except|outside)\b`)
)

// only reads "only read" and "only change a.py".
func only(s string) []Rule {
	if m := onlyChange.FindStringIndex(s); m != nil {
		paths := named(s[m[0]:])
		if len(paths) != 1 || exceptRE.MatchString(s[m[1]:]) {
			return nil // of several, each would forbid the others
		}
		return []Rule{{Does: "change", Path: paths[0], Only: true, Text: s}, {Does: "delete", Path: paths[0], Only: true, Text: s}}
	}
	if readOnly.MatchString(s) {
		var out []Rule
		for _, does := range []string{"delete", "change", "send", "install", "push", "commit", "spend"} {
			out = append(out, Rule{Does: does, Text: s})
		}
		return out
	}
	return nil
}

// money reads "at most 50 euros".
func money(s string) []Rule {
	m := boundRE.FindStringIndex(s)
	if m == nil {
		return nil
	}
	n := moneyRE.FindStringSubmatchIndex(s[m[1]:])
	if n == nil || n[0] > 3 || n[2] < 0 && n[6] < 0 {
		return nil
	}
	return []Rule{{Does: "spend", Most: strings.ReplaceAll(s[m[1]:][n[4]:n[5]], ",", ""), Text: s}}
}
