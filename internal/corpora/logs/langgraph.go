package logs

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/cespare/xxhash/v2"
	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// langgraphSnapshotLayout is a StateSnapshot as an object, or the state or
// thread that LangGraph's server answers with.
func langgraphSnapshotLayout() layout {
	return langchain([]string{"values"}, func(v *fastjson.Value) bool {
		return isMessageState(v.Get("values")) || threadOf(v) != "" && v.Get("values").Type() == fastjson.TypeObject
	})
}

// langgraphCheckpointLayout is a checkpoint.
func langgraphCheckpointLayout() layout {
	return langchain([]string{"channel_values", "channel_versions"}, nil)
}

// langgraphTupleLayout is a CheckpointTuple as an object.
func langgraphTupleLayout() layout {
	return langchain([]string{"checkpoint", "config"}, func(v *fastjson.Value) bool {
		return v.Get("checkpoint", "channel_values") != nil
	})
}

// isGraphList says whether v is a StateSnapshot or a CheckpointTuple as a list,
// which json and dumpd make of Python's named tuples: values, next, config, …
// or config, checkpoint, metadata, ….
func isGraphList(v *fastjson.Value) bool {
	return v.Get("2", "configurable") != nil && v.Get("0").Type() == fastjson.TypeObject ||
		v.Get("0", "configurable") != nil && v.Get("1", "channel_values") != nil
}

// startsGraphList says whether the list that s stands before is one: the first
// three elements tell.
func (rd *reader) startsGraphList(s splitter) bool {
	s.rest = nil
	head := []byte{'['}
	for i, ok := 0, s.open(); ok && i < 3 && s.next() && !s.cut; i++ {
		if i == 0 && s.value[0] != '{' {
			return false
		}
		head = append(append(head, s.value...), ',')
	}
	head[len(head)-1] = ']'
	v, err := rd.tryParse(head)
	return err == nil && isGraphList(v)
}

// graphList reads such a list. No keys tell its layout.
func (rd *reader) graphList(v *fastjson.Value, at place) {
	rd.found = true
	l := langgraphSnapshotLayout()
	g := rd.gatherer(&l)
	g.with(rd, func() { g.add(v, at) })
}

// graphState is the parts of a dumped state that tell a run.
type graphState struct {
	thread string // whose state it is; "" if the dump does not say
	time   string // when it was, as text that sorts
	list   []*fastjson.Value
}

// stateOf reads a state of any of the forms.
func stateOf(v *fastjson.Value) graphState {
	first := func(paths ...[]string) *fastjson.Value {
		for _, p := range paths {
			if x := v.Get(p...); x != nil {
				return x
			}
		}
		return nil
	}
	values := first([]string{"values"}, []string{"channel_values"}, []string{"checkpoint", "channel_values"}, []string{"1", "channel_values"})
	if values == nil {
		values = v
		if v.Type() == fastjson.TypeArray {
			values = v.Get("0")
		}
	}
	return graphState{
		thread: threadOf(v),
		time:   scalarOf(first([]string{"created_at"}, []string{"ts"}, []string{"checkpoint", "ts"}, []string{"1", "ts"}, []string{"4"})),
		list:   values.GetArray("messages"),
	}
}

// threadOf names the thread of a state, and the part of the graph whose state
// it is.
func threadOf(v *fastjson.Value) string {
	for _, p := range [][]string{{"config", "configurable"}, {"checkpoint"}, {"2", "configurable"}, {"0", "configurable"}, {}} {
		if x := v.Get(p...); x.Get("thread_id") != nil {
			return episodeName(scalar(x, "thread_id"), str(x, "checkpoint_ns"))
		}
	}
	return ""
}

// langchainRuns gathers the messages and states of one content.
type langchainRuns struct {
	rd      *reader
	threads map[string]*thread // by name
	order   []*thread
	list    *thread // of messages that stand alone
	last    *thread // of the states that name no thread, the last one's
}

// thread is the states of one thread, each message once.
type thread struct {
	s     session
	turns []threadTurn
	at    map[string]int // by key
	keys  []string       // of the longest state
	// unread says that it was reported already that messages cannot be read:
	// every state repeats those of the one before.
	unread bool
}

// threadTurn is a message and the times of the states that hold it.
type threadTurn struct {
	turn
	first, last string
	sum         uint64
}

func (g *langchainRuns) add(v *fastjson.Value, at place) {
	if kind, m := langchainMessage(v); kind != "" && v.Type() == fastjson.TypeObject && v.Get("values") == nil && v.Get("checkpoint") == nil {
		g.message(kind, m, v, at)
		return
	}
	s := stateOf(v)
	keys := messageKeys(s.list)
	t := g.thread(s.thread, keys, at)
	for i, x := range s.list {
		kind, m := langchainMessage(x)
		switch kind {
		case "":
			if !t.unread {
				g.rd.unreadMessage(x, at, i)
			}
			t.unread = true
		case "remove":
		default:
			t.add(g.rd, keys, i, s.time, kind, m, place{line: at.line, index: i})
		}
	}
	if len(keys) > len(t.keys) {
		t.keys = keys
	}
}

// message adds a message that stands alone to the run of all of them.
func (g *langchainRuns) message(kind string, m, v *fastjson.Value, at place) {
	if g.list == nil {
		g.list = g.open("", g.rd.partsOrigin(at))
	}
	t := g.list
	i := len(t.keys)
	before := ""
	if i > 0 {
		before = t.keys[i-1]
	}
	t.keys = append(t.keys, messageKey(v, before, i))
	if kind != "remove" {
		t.add(g.rd, t.keys, i, "", kind, m, place{line: at.line, index: i})
	}
}

func (g *langchainRuns) open(name string, origin corpora.Origin) *thread {
	t := &thread{at: map[string]int{}}
	t.s = session{format: "langchain", id: firstOfStrings(name, g.rd.stem()), head: &corpora.Episode{Format: "langchain", Origin: origin}}
	g.order = append(g.order, t)
	return t
}

// thread is the thread that a state belongs to. A state that names none goes on
// from the one before it if one of the two lists of messages begins with the
// other: so a stream of growing states is one run, and a file of runs is many.
func (g *langchainRuns) thread(name string, keys []string, at place) *thread {
	if name != "" {
		if g.threads[name] == nil {
			g.threads[name] = g.open(name, g.rd.origin(at))
		}
		return g.threads[name]
	}
	if t := g.last; t != nil {
		if n := min(len(t.keys), len(keys)); slices.Equal(t.keys[:n], keys[:n]) {
			return t
		}
	}
	g.last = g.open("", g.rd.origin(at))
	return g.last
}

// add adds message i of a state. A message that stands there already is taken
// as the latest state has it: a person may have changed it.
func (t *thread) add(rd *reader, keys []string, i int, time, kind string, m *fastjson.Value, at place) {
	rd.buf = appendJSON(rd.buf[:0], m)
	sum := xxhash.Sum64(rd.buf)
	n, known := t.at[keys[i]]
	if known {
		x := &t.turns[n]
		x.first = min(x.first, time)
		if x.sum == sum || time < x.last {
			return
		}
	} else {
		n = len(t.turns)
		t.at[keys[i]] = n
		t.turns = append(t.turns, threadTurn{first: time})
	}
	x := &t.turns[n]
	x.turn, x.last, x.sum = rd.langchainTurn(kind, m, at), time, sum
	if x.id = keys[i]; i > 0 {
		x.parent = keys[i-1]
	}
}

// messageKeys names the messages of a state: by their ids, and those that have
// none by what they say and what stands before them.
func messageKeys(list []*fastjson.Value) []string {
	keys := make([]string, len(list))
	before := ""
	for i, v := range list {
		keys[i] = messageKey(v, before, i)
		before = keys[i]
	}
	return keys
}

func messageKey(v *fastjson.Value, before string, i int) string {
	if _, m := langchainMessage(v); m != nil {
		if id := str(m, "id"); id != "" {
			return id
		}
	}
	return "#" + strconv.Itoa(i) + hash(before+string(appendJSON(nil, v)))
}

func (g *langchainRuns) flush() {
	for _, t := range g.order {
		slices.SortStableFunc(t.turns, func(a, b threadTurn) int { return cmp.Compare(a.first, b.first) })
		for i := range t.turns {
			t.s.turns = append(t.s.turns, t.turns[i].turn)
		}
		switch {
		case len(t.turns) > 0:
			g.rd.emitSession(&t.s)
		case !t.unread:
			g.rd.emit(Record{Skip: &corpora.Skip{Origin: t.s.head.Origin, Reason: "LangGraph states that hold no messages"}})
		}
	}
}
