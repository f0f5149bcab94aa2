package decisions

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

func question(at time.Duration, session, call string) *Entry {
	return &Entry{Time: noon.Add(at), Host: "h", Session: session, Call: call, Tool: "Bash", Verdict: VerdictAsks, Rules: []string{"egress/send"}, Asked: "Sends branch a to b.\nAlso: x."}
}

func answer(at time.Duration, session, call, word string) *Entry {
	return &Entry{Time: noon.Add(at), Host: "h", Session: session, Call: call, Answer: word}
}

func add(t *testing.T, l *Log, list ...*Entry) {
	t.Helper()
	for _, e := range list {
		var err error
		if e.Answer != "" {
			err = l.Answer(e)
		} else {
			err = l.Add(e)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestRotates: a file that is large or old is set aside, and what is older than that goes.
func TestRotates(t *testing.T) {
	for name, l := range map[string]Log{"by size": {MaxBytes: 1000, Keep: 2}, "by age": {MaxAge: 10 * time.Hour, Keep: 2}} {
		l.Dir = filepath.Join(t.TempDir(), "log")
		for i := range 60 {
			add(t, &l, question(time.Duration(i)*time.Hour, "s", fmt.Sprint(i)))
		}
		if n := len(l.aside()); n != 2 {
			t.Errorf("%s: %d files set aside, want 2", name, n)
		}
		list, bad, err := l.Read()
		if err != nil || bad != 0 || len(list) < 5 || len(list) > 40 || list[len(list)-1].Call != "59" {
			t.Errorf("%s: %d entries, %d bad, %v", name, len(list), bad, err)
		}
		if size(t, l.File()) > 1500 && l.MaxBytes > 0 {
			t.Errorf("%s: %d bytes", name, size(t, l.File()))
		}
	}
}

func size(t *testing.T, name string) int64 {
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestTogether: what many writers append while files are set aside is whole, and all there.
func TestTogether(t *testing.T) {
	l := Log{Dir: t.TempDir(), MaxBytes: 4000, Keep: 1000}
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			for i := range 100 {
				if err := l.Add(question(time.Duration(w*100+i), "s", fmt.Sprint(w, i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	list, bad, err := l.Read()
	if err != nil || bad != 0 || len(list) != 800 {
		t.Errorf("%d entries of 800, %d bad, %v", len(list), bad, err)
	}
}

// TestFollow: what is added is seen once and in its order, also where the file was set
// aside in between.
func TestFollow(t *testing.T) {
	l := Log{Dir: t.TempDir(), MaxBytes: 600}
	add(t, &l, question(0, "s", "before"))
	f := Follow(&l)
	defer f.Close()
	var got []string
	for i := range 20 {
		add(t, &l, question(time.Duration(i), "s", fmt.Sprint(i)))
		if i%3 == 0 || i == 19 {
			list, err := f.Next()
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range list {
				got = append(got, e.Call)
			}
		}
	}
	if len(l.aside()) < 2 {
		t.Fatal("nothing was set aside")
	}
	if want := "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19"; strings.Join(got, " ") != want {
		t.Errorf("%v", got)
	}
}

// TestPrivate: nobody else reads the log, and what can't be written is an error.
func TestPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	l := Log{Dir: dir}
	add(t, &l, question(0, "s", "1"))
	for name, want := range map[string]os.FileMode{dir: 0o700, l.File(): 0o600} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&Log{Dir: filepath.Join(file, "log")}).Add(question(0, "s", "1")); err == nil {
		t.Error("a log below a file is written")
	}
	if _, _, err := (&Log{Dir: filepath.Join(dir, "none")}).Read(); err != ErrNone {
		t.Errorf("no log: %v", err)
	}
}

// TestBrokenLine: a line that a process did not finish costs only itself.
func TestBrokenLine(t *testing.T) {
	l := Log{Dir: t.TempDir()}
	add(t, &l, question(0, "s", "1"))
	data, _ := os.ReadFile(l.File())
	if err := os.WriteFile(l.File(), append(data, `{"time":"2026-`...), 0o600); err != nil {
		t.Fatal(err)
	}
	add(t, &l, question(1, "s", "2"), question(2, "s", "3"))
	list, bad, err := l.Read()
	if err != nil || bad != 1 || len(list) != 2 {
		t.Errorf("%d entries, %d bad, %v", len(list), bad, err)
	}
}

// TestAnswers: what ran was agreed to, what had no word when the person went on was not,
// and nobody knows where no call of a session was ever told.
func TestAnswers(t *testing.T) {
	const s, h = time.Second, time.Hour
	for name, tt := range map[string]struct {
		list             []*Entry
		yes, no, unknown int
	}{
		"ran":                               {[]*Entry{question(0, "s", "1"), answer(s, "s", "1", AnswerYes)}, 1, 0, 0},
		"declined":                          {[]*Entry{question(0, "s", "1"), answer(s, "s", "1", AnswerNo)}, 0, 1, 0},
		"went on":                           {[]*Entry{question(0, "s", "1"), answer(s, "s", "1", AnswerYes), question(2*s, "s", "2"), answer(3*s, "s", "", AnswerRest)}, 1, 1, 0},
		"never told":                        {[]*Entry{question(0, "s", "1"), answer(s, "s", "", AnswerRest)}, 0, 0, 1},
		"another session":                   {[]*Entry{question(0, "s", "1"), answer(s, "t", "1", AnswerYes)}, 0, 0, 1},
		"twice, once yes":                   {[]*Entry{question(0, "s", "1"), answer(s, "s", "1", AnswerYes), question(2*s, "s", "1")}, 1, 0, 1},
		"a subagent's is left":              {[]*Entry{question(0, "s", "1"), answer(s, "s", "1", AnswerYes), agents(question(2*s, "s", "2")), answer(h, "s", "", AnswerRest)}, 1, 0, 1},
		"where nobody could be asked":       {[]*Entry{blocked(question(0, "s", "1")), question(s, "s", "2"), answer(2*s, "s", "2", AnswerYes), answer(h, "s", "", AnswerRest)}, 1, 0, 1},
		"an answer to what was no question": {[]*Entry{{Time: noon, Host: "h", Session: "s", Call: "1", Verdict: "approved"}, answer(s, "s", "1", AnswerYes)}, 0, 0, 0},
	} {
		l := Log{Dir: t.TempDir()}
		add(t, &l, tt.list...)
		list, _, err := l.Read()
		if err != nil {
			t.Fatal(err)
		}
		sum := Summarise(list)
		unknown := 0
		for _, q := range sum.Questions {
			unknown += q.Unknown
		}
		if sum.Yes != tt.yes || sum.No != tt.no || unknown != tt.unknown {
			t.Errorf("%s: %d yes, %d no, %d unknown; want %d, %d, %d", name, sum.Yes, sum.No, unknown, tt.yes, tt.no, tt.unknown)
		}
	}
}

func agents(e *Entry) *Entry { e.Agent = "a"; return e }

func blocked(e *Entry) *Entry { e.Blocked = true; return e }

// TestSummary: questions are counted by what an answer could be remembered for, else by
// their first line.
func TestSummary(t *testing.T) {
	scoped := func(e *Entry, scope ...string) *Entry { e.Scope, e.In = scope, "/w"; return e }
	list := []Entry{
		*question(0, "s", "1"), *scoped(question(1, "s", "2"), "push a"), *scoped(question(2, "t", "3"), "push a"), *answer(3, "t", "3", AnswerYes),
		{Time: noon.Add(4), Host: "h", Session: "s", Verdict: "rejected"}, {Time: noon.Add(5), Host: "h", Session: "s", Verdict: "approved"},
	}
	s := Summarise(list)
	if s.Calls != 5 || s.Asked != 3 || s.Rejected != 1 || s.Sessions != 2 || len(s.Questions) != 2 {
		t.Fatalf("%+v", s)
	}
	q := s.Questions[0]
	if q.Name != "push a" || q.Asked != 2 || q.Sessions != 2 || q.Yes != 1 || strings.Join(q.In, " ") != "/w" || q.Settled(2) || !q.Settled(1) {
		t.Errorf("%+v", q)
	}
	if s.Questions[1].Name != "Sends branch a to b." {
		t.Errorf("%+v", s.Questions[1])
	}
	f := Filter{Since: noon.Add(2), Session: "t"}
	if got := f.Of(list); len(got) != 2 {
		t.Errorf("filtered: %+v", got)
	}
}
