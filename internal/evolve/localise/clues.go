package localise

import (
	"math"
	"regexp"
	"strings"
)

// Message is one step of a run as its record has it.
type Message struct {
	Actor  string // who acted, in logs of several agents
	Text   string // its words, or its call
	Result string // what came back, where the log has it apart
	Failed bool   // the log itself says that it failed
}

// clue is a fact of a message, as a number, and what it is called.
type clue struct {
	name string
	of   func(r *record, i int) float64
}

// clues are facts that a reader finds in any record, whoever acted and in whatever
// words. None of them is a sign of a fault by itself: Fit weighs them.
var clues = []clue{
	{"first step", func(_ *record, i int) float64 { return truth(i == 0) }},
	{"last step", func(r *record, i int) float64 { return truth(i == len(r.words)-1) }},
	{"place, in logarithms", func(_ *record, i int) float64 { return math.Log1p(float64(i)) }},
	{"place, of the whole", func(r *record, i int) float64 { return float64(i) / float64(len(r.words)) }},
	{"first of its actor", func(r *record, i int) float64 { return truth(r.before[i] == 0) }},
	{"last of its actor", func(r *record, i int) float64 { return truth(r.last[r.run[i].Actor] == i) }},
	{"share of its actor", func(r *record, i int) float64 { return float64(r.count[r.run[i].Actor]) / float64(len(r.words)) }},
	{"opens as its actor does", func(r *record, i int) float64 { return r.form(i) }},
	{"same actor before", func(r *record, i int) float64 { return truth(i > 0 && r.run[i-1].Actor == r.run[i].Actor) }},
	{"length", func(r *record, i int) float64 { return math.Log1p(float64(len(r.words[i]))) }},
	{"holds code", func(r *record, i int) float64 { return truth(r.code(i)) }},
	{"answers code", func(r *record, i int) float64 { return truth(r.code(i - 1)) }},
	{"holds an error", func(r *record, i int) float64 { return truth(r.failed(i)) }},
	{"an error follows", func(r *record, i int) float64 { return truth(r.failed(i + 1)) }},
	{"an error came before", func(r *record, i int) float64 { return truth(r.failed(i - 1)) }},
	{"the last error follows", func(r *record, i int) float64 { return truth(r.lastError >= 0 && i+1 == r.lastError) }},
	{"like an earlier message", func(r *record, i int) float64 { return r.like(i) }},
	{"words that are new", func(r *record, i int) float64 { return r.fresh(i) }},
	{"words of the task", func(r *record, i int) float64 { return r.ofTask(i) }},
	{"numbers from nowhere", func(r *record, i int) float64 { return math.Log1p(float64(r.newNumbers[i])) }},
	{"the last numbers come from here", func(r *record, i int) float64 { return r.origin[i] }},
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// ClueNames are the names of the numbers of Clues, in order.
func ClueNames() []string {
	out := make([]string, len(clues))
	for i := range clues {
		out[i] = clues[i].name
	}
	return out
}

// Clues returns the facts of every message of a run, in the order of ClueNames.
func Clues(task string, run []Message) [][]float64 {
	r := newRecord(task, run)
	out := make([][]float64, len(run))
	for i := range run {
		out[i] = make([]float64, len(clues))
		for k := range clues {
			out[i][k] = clues[k].of(r, i)
		}
	}
	return out
}

// record is a run with what its clues are made of.
type record struct {
	run        []Message
	task       map[string]bool
	words      [][]string
	sets       []map[string]bool
	before     []int          // earlier messages of the actor
	count      map[string]int // messages by actor
	last       map[string]int // last message by actor
	newNumbers []int
	origin     []float64
	lastError  int
}

var (
	wordPattern = regexp.MustCompile(`[\p{L}\p{N}]+(?:[.,]\p{N}+)*`)
	// trouble are words by which programs and people report a failure in English.
	trouble = regexp.MustCompile(`(?i)\b(?:errors?|exceptions?|traceback|fail(?:ed|ure|s)?|denied|invalid|unable|cannot|timed? ?out|not found)\b`)
	fence   = "```"
)

func wordsOf(text string) []string { return wordPattern.FindAllString(strings.ToLower(text), -1) }

func setOf(words []string) map[string]bool {
	out := make(map[string]bool, len(words))
	for _, w := range words {
		out[w] = true
	}
	return out
}

func isNumber(word string) bool { return word[0] >= '0' && word[0] <= '9' }

func newRecord(task string, run []Message) *record {
	r := &record{run: run, task: setOf(wordsOf(task)), count: map[string]int{}, last: map[string]int{}, lastError: -1}
	r.newNumbers, r.origin = make([]int, len(run)), make([]float64, len(run))
	first := map[string]int{} // message that had a word first
	for w := range r.task {
		first[w] = -1
	}
	for i := range run {
		words := wordsOf(run[i].Text + "\n" + run[i].Result)
		r.words, r.sets = append(r.words, words), append(r.sets, setOf(words))
		r.before = append(r.before, r.count[run[i].Actor])
		r.count[run[i].Actor]++
		r.last[run[i].Actor] = i
		for w := range r.sets[i] {
			if _, old := first[w]; !old {
				first[w] = i
				if isNumber(w) {
					r.newNumbers[i]++
				}
			}
		}
		if r.failed(i) {
			r.lastError = i
		}
	}
	r.origins(first)
	return r
}

// origins shares the numbers of the last message that has any among the messages
// where they stood first: what the answer rests on.
func (r *record) origins(first map[string]int) {
	for i := len(r.words) - 1; i >= 0; i-- {
		all := 0
		for w := range r.sets[i] {
			if isNumber(w) && first[w] >= 0 {
				all++
			}
		}
		if all == 0 {
			continue
		}
		for w := range r.sets[i] {
			if isNumber(w) && first[w] >= 0 {
				r.origin[first[w]]++
			}
		}
		for k := range r.origin {
			r.origin[k] /= float64(all)
		}
		return
	}
}

func (r *record) code(i int) bool {
	return i >= 0 && i < len(r.run) && strings.Contains(r.run[i].Text, fence)
}

// failed reports whether a message tells of a failure: by the log's own word, or by
// words in what came back, which is the message itself where the log keeps no
// results apart.
func (r *record) failed(i int) bool {
	if i < 0 || i >= len(r.run) {
		return false
	}
	m := &r.run[i]
	if m.Failed || m.Result != "" {
		return m.Failed || trouble.MatchString(m.Result)
	}
	return trouble.MatchString(m.Text)
}

// form is the share of the actor's other messages that open with the same word: 1
// for a program that answers in one form.
func (r *record) form(i int) float64 {
	same, others := 0, 0
	for k := range r.run {
		if k == i || r.run[k].Actor != r.run[i].Actor {
			continue
		}
		others++
		if len(r.words[k]) > 0 && len(r.words[i]) > 0 && r.words[k][0] == r.words[i][0] {
			same++
		}
	}
	if others == 0 {
		return 0
	}
	return float64(same) / float64(others)
}

// like is the largest Jaccard similarity to an earlier message: repetition.
func (r *record) like(i int) float64 {
	most := 0.0
	for k := range i {
		both := 0
		for w := range r.sets[i] {
			if r.sets[k][w] {
				both++
			}
		}
		if all := len(r.sets[i]) + len(r.sets[k]) - both; all > 0 {
			most = max(most, float64(both)/float64(all))
		}
	}
	return most
}

// fresh is the share of words that no earlier message and no task has: progress.
func (r *record) fresh(i int) float64 {
	n := 0
	for w := range r.sets[i] {
		old := r.task[w]
		for k := 0; k < i && !old; k++ {
			old = r.sets[k][w]
		}
		if !old {
			n++
		}
	}
	return share(n, len(r.sets[i]))
}

// ofTask is the share of the task's words that the message has.
func (r *record) ofTask(i int) float64 {
	n := 0
	for w := range r.task {
		if r.sets[i][w] {
			n++
		}
	}
	return share(n, len(r.task))
}

func share(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}
