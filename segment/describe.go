package segment

import (
	"sort"
	"strings"

	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Summary is a macro's description in the shape of 003 §C.2 (requirement X3).
type Summary struct {
	MacroDesc string   `json:"macro_desc"`
	MacroTags []string `json:"macro_tags"`
	Resources []string `json:"resources"`
	HardTouch bool     `json:"hard_touch"`
}

// maxSummaryTools and maxSentence keep a summary far below the 256 tokens of
// requirement X3: a template, a few tool names and one sentence.
const (
	maxSummaryTools = 6
	maxSentence     = 200
)

// MinShared is how many independent tasks must have a word of the logs before a
// policy shows it: the k of k-anonymity (Sweeney, "k-anonymity: a model for
// protecting privacy", IJUFKS 10(5), 2002); 5 is the least that is usual.
const MinShared = 5

// Describe makes the summary of a macro class: a template over intent, object
// and change, the tools it uses, most used first, and what the logs add: words that
// MinShared tasks share, or a sentence of an agent (empty if there is none).
func Describe(key string, delta effect.Delta, tools []string, central string) Summary {
	desc := call.Phrase(key)
	if central != "" {
		desc += ": " + strings.TrimSpace(central)
	}
	tags := map[string]bool{delta.String(): true}
	for _, part := range strings.Split(key, ":") {
		tags[part] = true
	}
	sorted := make([]string, 0, len(tags))
	for t := range tags {
		sorted = append(sorted, t)
	}
	sort.Strings(sorted)
	return Summary{MacroDesc: desc, MacroTags: sorted, Resources: tools[:min(len(tools), maxSummaryTools)], HardTouch: delta != effect.DeltaNone}
}

// Sentences cuts a text into sentences that can describe a macro: between 3
// words and maxSentence bytes, on one line, without markup.
func Sentences(text string) []string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		for len(line) > 0 {
			end := sentenceEnd(line)
			if s := strings.Trim(line[:end], " \t-*#>`"); usable(s) {
				out = append(out, s)
			}
			line = line[end:]
		}
	}
	return out
}

func sentenceEnd(s string) int {
	for i := 0; i+1 < len(s); i++ {
		if (s[i] == '.' || s[i] == '!' || s[i] == '?') && s[i+1] == ' ' {
			return i + 2
		}
	}
	return len(s)
}

func usable(s string) bool {
	return len(s) <= maxSentence && strings.Count(s, " ") >= 2 && !strings.ContainsAny(s, "<>{}|\\")
}
