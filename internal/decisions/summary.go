package decisions

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// Question is one thing that was asked about, and what came of it.
type Question struct {
	Name     string    `json:"question"` // what an answer could be remembered for; else the question itself
	Example  string    `json:"example"`  // as the person last read it
	Rules    []string  `json:"rules"`    // codes of what asked, sorted
	Asked    int       `json:"asked"`
	Sessions int       `json:"sessions"`
	Yes      int       `json:"yes"`
	No       int       `json:"no"`
	Unknown  int       `json:"unknown"` // nobody told
	Last     time.Time `json:"last"`
	In       []string  `json:"in"`    // the workspaces, sorted
	Allow    []string  `json:"allow"` // the rules that would have answered it the last time
}

// Summary is what a log says.
type Summary struct {
	Since      time.Time  `json:"since"` // of the first line
	Until      time.Time  `json:"until"`
	Calls      int        `json:"calls"`
	Sessions   int        `json:"sessions"`
	Asked      int        `json:"asked"`
	Blocked    int        `json:"blocked"` // asked about where nobody could be asked
	Yes        int        `json:"yes"`
	No         int        `json:"no"`
	Rejected   int        `json:"rejected"`
	Revised    int        `json:"revised"`
	SentBack   int        `json:"ends_sent_back"`
	Ended      int        `json:"ended"`
	Stalled    int        `json:"stalled"`   // ends that were let go without what was asked of them
	Questions  []Question `json:"questions"` // the most frequent first
	Unreadable int        `json:"unreadable"`
}

// Filter says which entries count. Its zero value takes all.
type Filter struct {
	Since   time.Time
	Session string // the beginning of its digest
}

// Of keeps the entries of a filter.
func (f *Filter) Of(list []Entry) []Entry {
	return slices.DeleteFunc(slices.Clone(list), func(e Entry) bool {
		return e.Time.Before(f.Since) || !strings.HasPrefix(e.Session, f.Session)
	})
}

// Summarise counts what was asked and what was answered.
func Summarise(list []Entry) *Summary {
	s := &Summary{Questions: []Question{}}
	answers := answersOf(list)
	by := map[string]*tally{}
	sessions := map[string]bool{}
	for i := range list {
		e := &list[i]
		if e.Answer != "" {
			continue
		}
		if e.End != "" {
			s.end(e)
			continue
		}
		s.count(e)
		sessions[e.Host+e.Session] = true
		if e.Asks() {
			name := e.name()
			if by[name] == nil {
				by[name] = newTally(name)
			}
			by[name].add(e, answers[i])
		}
	}
	s.Sessions = len(sessions)
	for _, name := range slices.Sorted(maps.Keys(by)) {
		q := by[name].question()
		s.Yes, s.No = s.Yes+q.Yes, s.No+q.No
		s.Questions = append(s.Questions, q)
	}
	slices.SortStableFunc(s.Questions, func(a, b Question) int { return cmp.Compare(b.Asked, a.Asked) })
	return s
}

func (s *Summary) count(e *Entry) {
	if s.Calls == 0 {
		s.Since = e.Time
	}
	s.Until = e.Time
	s.Calls++
	switch e.Verdict {
	case VerdictAsks:
		s.Asked++
		if e.Blocked {
			s.Blocked++
		}
	case "rejected":
		s.Rejected++
	case "revision_required":
		s.Revised++
	}
}

// end counts an end of an agent's turn.
func (s *Summary) end(e *Entry) {
	switch e.End {
	case SentBack:
		s.SentBack++
	case Ended:
		s.Ended++
	case Stall:
		s.Stalled++
	}
}

// name is what a question is counted under.
func (e *Entry) name() string {
	if len(e.Scope) > 0 {
		return strings.Join(e.Scope, "; ")
	}
	line, _, _ := strings.Cut(e.Asked, "\n")
	return cmp.Or(line, strings.Join(e.Rules, ", "))
}

// answersOf tells for each question what came of it, by the lines behind it. Silence is no
// answer before the session said that its calls are told, and the person went on.
func answersOf(list []Entry) map[int]string {
	out := map[int]string{}
	open := map[string][]int{} // by session and agent
	told := map[string]bool{}
	for i := range list {
		e := &list[i]
		who := e.Host + "\x00" + e.Session + "\x00" + e.Agent
		switch {
		case e.Asks() && e.Answer == "" && !e.Blocked:
			open[who] = append(open[who], i)
		case e.Answer == AnswerRest && told[e.Host+e.Session]:
			for _, q := range open[who] {
				out[q] = AnswerNo
			}
			delete(open, who)
		case e.Answer == AnswerYes || e.Answer == AnswerNo:
			told[e.Host+e.Session] = true
			at := slices.IndexFunc(open[who], func(q int) bool { return list[q].Call == e.Call })
			if at >= 0 {
				out[open[who][at]] = e.Answer
				open[who] = slices.Delete(open[who], at, at+1)
			}
		}
	}
	return out
}

type tally struct {
	Question
	sessions, in, rules map[string]bool
}

func newTally(name string) *tally {
	return &tally{Question: Question{Name: name}, sessions: map[string]bool{}, in: map[string]bool{}, rules: map[string]bool{}}
}

func (t *tally) add(e *Entry, answer string) {
	t.Asked++
	t.Last, t.Example = e.Time, e.Asked
	if t.Allow = e.Allow; t.Allow == nil {
		t.Allow = []string{}
	}
	t.sessions[e.Host+e.Session] = true
	if e.In != "" {
		t.in[e.In] = true
	}
	for _, r := range e.Rules {
		t.rules[r] = true
	}
	switch answer {
	case AnswerYes:
		t.Yes++
	case AnswerNo:
		t.No++
	default:
		t.Unknown++
	}
}

func (t *tally) question() Question {
	t.Sessions, t.In, t.Rules = len(t.sessions), slices.Sorted(maps.Keys(t.in)), slices.Sorted(maps.Keys(t.rules))
	if t.In == nil {
		t.In = []string{}
	}
	if t.Rules == nil {
		t.Rules = []string{}
	}
	return t.Question
}

// Settled says whether people always agreed to a question, at least n times.
func (q *Question) Settled(n int) bool { return q.Yes >= n && q.No == 0 }
