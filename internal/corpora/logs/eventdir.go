package logs

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"
)

// The id at the end is the writer's choice: the SDK takes UUIDs, other writers
// of the layout count.
var eventFileRE = regexp.MustCompile(`^event-(\d{5,})-[0-9A-Za-z][0-9A-Za-z_-]*\.json(?:\.gz|\.zst)?$`)

// isEventDir says whether a directory holds the events of one V1 conversation.
func isEventDir(entries []dirEntry) bool {
	return slices.ContainsFunc(entries, func(e dirEntry) bool {
		return strings.HasPrefix(e.name, "event-") && eventFileRE.MatchString(e.name)
	})
}

// eventDir reads such a directory: the events by number, and the state of the
// conversation from the directory above.
func (rd *reader) eventDir() {
	entries, err := readDir(rd.ctx, rd.u.Name)
	if err != nil {
		rd.unreadable(err)
		return
	}
	g := newOpenhandsV1(rd)
	rd.member = ""
	id, _, _ := strings.Cut(rd.where, "/")
	g.s.id = firstOfStrings(id, g.s.id)
	for i, name := range eventFiles(entries) {
		if rd.u.events != nil {
			if _, ok := slices.BinarySearch(rd.u.events, name); !ok {
				rd.partial = true
				continue
			}
		}
		if rd.stop() {
			return
		}
		rd.member = name
		rd.eventFile(g, name, i)
	}
	rd.member = ""
	g.finish(id)
}

// finish ends the run of a directory of events, whose neighbours speak of it
// as id.
func (g *openhandsV1) finish(id string) {
	g.baseState(g.rd.near.read("../base_state.json"))
	g.s.labels = g.rd.conversationLabels(id)
	if g.rd.partial { // labels speak of the whole run, and this is not it
		g.s.labels = runLabels{taskID: g.s.labels.taskID, group: g.s.labels.group}
	}
	g.flush()
}

// conversationLabels are those of the conversation named id: a harness report
// and an evaluation beside its directory. A conversation that is named by a
// random id and not by an instance is on nobody's list.
func (rd *reader) conversationLabels(id string) runLabels {
	var l runLabels
	if !plainName(id) {
		return l
	}
	if l.group = repoOf(id); l.group != "" {
		l.taskID, l.outcome = id, rd.reported(id)
	}
	if data := rd.near.read("../../eval_" + id + ".json"); data != nil {
		l.taskID = id
		l.safety, l.verdicts = rd.finalScore(data)
	}
	return l
}

// eventFiles is the event files of a directory, by their number. One that lies
// beside its packed copy is taken once.
func eventFiles(entries []dirEntry) []string {
	number := func(name string) int {
		n, _ := strconv.Atoi(eventFileRE.FindStringSubmatch(name)[1])
		return n
	}
	var out []string
	for _, e := range entries {
		if eventFileRE.MatchString(e.name) {
			out = append(out, e.name)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(a, b)) })
	return slices.CompactFunc(out, func(a, b string) bool { return plainBase(a) == plainBase(b) })
}

func (rd *reader) eventFile(g *openhandsV1, name string, i int) {
	at := place{index: i}
	f, err := os.Open(filepath.Join(rd.u.Name, name))
	if err != nil {
		rd.partial = true
		rd.unreadable(err)
		return
	}
	defer f.Close()
	data, rest, err := rd.fill(f)
	if err == nil && rest != nil {
		data, err = rd.readAll(data, rest)
	}
	if err == nil && isWrapped(data) {
		rd.wrap++
		defer func() { rd.wrap-- }()
		data, err = unpackAll(data, int64(rd.in.opts.maxRecord()))
	}
	switch {
	case err != nil:
		rd.partial = true
		rd.streamError(err)
	case len(bytes.TrimSpace(data)) == 0:
		rd.partial = true
		rd.problem(at, CodeCut, "the event file is empty")
	default:
		v := rd.parse(unmarked(data), at)
		if v == nil {
			rd.partial = true
			return
		}
		rd.eventValue(g, v, at)
	}
}

func (rd *reader) eventValue(g *openhandsV1, v *fastjson.Value, at place) {
	if l := rd.in.known.of(v); l == nil || l.Name != "openhands-v1" {
		rd.problem(at, CodeUnknownLayout, "not an OpenHands V1 event")
		return
	}
	g.add(v, at)
}

// baseState adds what the conversation's state says: its id, the model, the
// workspace and the tokens.
func (g *openhandsV1) baseState(data []byte) {
	if data == nil {
		return
	}
	v, err := g.rd.nested.ParseBytes(data)
	if err != nil {
		return
	}
	if id := str(v, "id"); id != "" {
		g.s.id = id
	}
	g.s.group = string(v.GetStringBytes("workspace", "working_dir"))
	if len(g.s.turns) > 0 {
		g.s.turns[0].model = string(v.GetStringBytes("agent", "llm", "model"))
		v.GetObject("stats", "usage_to_metrics").Visit(func(_ []byte, m *fastjson.Value) {
			u := m.Get("accumulated_token_usage")
			g.s.tokensIn += u.GetInt64("prompt_tokens")
			g.s.tokensOut += u.GetInt64("completion_tokens")
		})
	}
}
