package logs

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/gbt-policy/gbt/corpora"
)

// runBuilder puts an episode together from turns. It keeps its memory from
// run to run; finish gives an episode that shares nothing with it.
type runBuilder struct {
	ep    corpora.Episode
	steps []corpora.Step
	open  []bool // open[i]: step i has no result yet
	words string // what the agent said since the last call
	heard string // what the user said since the last call
	reply int    // bytes of words that were said before the last of heard
	style style  // how calls are written into the agent's words
	// tokens of the answer being read, which its first call takes
	spentIn, spentOut int64

	cwd    string // where the agent works, in logs that say so now and then
	branch string // that is checked out there
	embed  bool   // look for such calls at all: the layout has no call list of its own
}

// begin starts a run of the named layout.
func (b *runBuilder) begin(format string, origin corpora.Origin) {
	clear(b.steps)
	*b = runBuilder{steps: b.steps[:0], open: b.open[:0]}
	b.ep = corpora.Episode{Format: format, Origin: origin}
}

// user adds a user turn: the first is the task, later ones are heard before
// the next call. A defence that repeats the task adds nothing.
func (b *runBuilder) user(s string) {
	switch s = strings.TrimSpace(s); {
	case s == "" || s == b.ep.Task:
	case b.ep.Task == "" && len(b.steps) == 0:
		b.ep.Task = s
	default:
		b.heard = join(b.heard, s)
		b.reply = len(b.words)
	}
}

// stop notes that the user stopped the run after its last call. A request that
// was stopped before its first call leaves no call to note it at.
func (b *runBuilder) stop() {
	if n := len(b.steps); n > 0 && b.heard == "" {
		b.steps[n-1].Stopped = true
	}
}

// say adds words of the agent.
func (b *runBuilder) say(s string) {
	if s = strings.TrimSpace(s); s != "" {
		b.words = join(b.words, s)
	}
}

// call adds a step. The words and user turns since the last call go to it, so
// of several calls in one turn only the first has them.
func (b *runBuilder) call(s corpora.Step) *corpora.Step {
	s.Text, s.Heard = join(b.words, s.Text), join(b.heard, s.Heard)
	s.Before = b.reply
	b.words, b.heard, b.reply = "", "", 0
	if s.Args == "" {
		s.Args = "{}"
	}
	b.steps = append(b.steps, s)
	b.open = append(b.open, true)
	return &b.steps[len(b.steps)-1]
}

// answer finds the step that a result belongs to: the latest open one with
// this id, else the earliest open one of that tool, else the earliest open
// one. Some agents use an id twice, and some logs drop ids.
func (b *runBuilder) answer(id, tool string) *corpora.Step {
	if id != "" {
		for i := len(b.steps) - 1; i >= 0; i-- {
			if b.open[i] && b.steps[i].CallID == id {
				return b.close(i)
			}
		}
	}
	first := -1
	for i := len(b.steps) - 1; i >= 0 && b.open[i]; i-- {
		if id == "" || b.steps[i].CallID == "" {
			if tool == "" || b.steps[i].Tool == tool || first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return nil
	}
	return b.close(first)
}

func (b *runBuilder) close(i int) *corpora.Step {
	b.open[i] = false
	return &b.steps[i]
}

// result gives the step with this call id its result.
func (b *runBuilder) result(id, tool, result, fault string) *corpora.Step {
	s := b.answer(id, tool)
	if s == nil {
		return nil
	}
	s.Result, s.Error = result, fault
	if s.Status == corpora.StatusUnknown {
		s.Status = corpora.StatusExecuted
	}
	return s
}

// finish ends the run. The words after the last call are the final ones. An
// episode without an id is named by name and a hash of its content and place in
// file, one
// without a task id by a hash of the task's text.
func (b *runBuilder) finish(name, file string) *corpora.Episode {
	ep := b.ep
	ep.Final = join(ep.Final, b.words)
	if len(b.steps) > 0 {
		ep.Steps = slices.Clone(b.steps)
	}
	ep.Chars = chars(&ep)
	if ep.TaskID == "" && ep.Task != "" {
		ep.TaskID = "text-" + hash(ep.Task)
	}
	if ep.ID == "" {
		ep.ID = name + "-" + contentHash(&ep, file)
	}
	return &ep
}

// episodeName joins the parts of an episode's name that are known.
func episodeName(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "/")
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	if b == "" {
		return a
	}
	return a + "\n\n" + b
}

// chars counts the characters of all agent text, calls and results.
func chars(ep *corpora.Episode) int64 {
	n := runes(ep.Final)
	for i := range ep.Steps {
		s := &ep.Steps[i]
		n += runes(s.Text) + runes(s.Tool) + runes(s.Args) + runes(s.Result) + runes(s.Error)
	}
	return int64(n)
}

// runes counts characters: the bytes that do not continue one. For valid UTF-8
// that is what utf8.RuneCountInString gives, at several times its speed.
func runes(s string) int {
	n := 0
	for len(s) >= 8 {
		w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		// A continuation byte is 10xxxxxx: its top bit is set and the next is not.
		n += 8 - bits.OnesCount64(w>>7&^(w>>6)&0x0101010101010101)
		s = s[8:]
	}
	for i := range len(s) {
		if s[i]&0xc0 != 0x80 {
			n++
		}
	}
	return n
}

// hash names a text by 12 hexadecimal digits. xxHash64 is not meant to resist
// an attacker; ids here only tell honest runs apart.
func hash(s string) string { return hex12(xxhash.Sum64String(s)) }

func hex12(n uint64) string {
	h := strconv.FormatUint(n>>16, 16)
	return strings.Repeat("0", 12-len(h)) + h
}

// contentHash is a hash of what happened in the run and of where in its file
// it stands, so that a run has the same id wherever the file lies, and two runs
// have two ids even if they went the same way. Files of one name in directories
// of different names are different files.
func contentHash(ep *corpora.Episode, file string) string {
	var d xxhash.Digest
	d.Reset()
	add := func(s string) {
		d.WriteString(s)
		d.Write([]byte{0})
	}
	add(file)
	add(ep.Origin.Member)
	add(ep.Origin.Key)
	add(strconv.Itoa(ep.Origin.Line))
	add(strconv.Itoa(ep.Origin.Index))
	add(ep.TaskID)
	add(ep.Task)
	add(ep.Model)
	add(ep.Final)
	for i := range ep.Steps {
		s := &ep.Steps[i]
		add(s.Tool)
		add(s.Args)
		add(s.Text)
		add(s.Result)
		add(s.Error)
	}
	return hex12(d.Sum64())
}
