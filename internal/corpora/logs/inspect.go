package logs

import (
	"archive/zip"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// inspectLayout is an Inspect log as one JSON document. The .eval archive of
// the same log is read by inspectArchive.
func inspectLayout() layout {
	return layout{
		Layout: Layout{
			Name: "inspect", Title: "Inspect logs (.eval and JSON)",
			Fields: chatFields | HasTaskID | HasGroup | HasModel | HasError | HasExit | HasBlocked | HasDeltas | HasTimes | HasTokens | HasOutcome,
			Note:   "outcome from scores C and I, 1 and 0; scorers that ask a model (model_graded_*) are left out; sandbox events are observed deltas",
		},
		kind: isRecord,
		need: []string{"eval", "plan", "version"},
		read: (*reader).inspectLog,
	}
}

// inspectHead is what a log says of all its samples.
type inspectHead struct{ task, model, version, run string }

func headOf(v *fastjson.Value) inspectHead {
	e := v.Get("eval")
	return inspectHead{str(e, "task"), str(e, "model"), scalar(v, "version"), str(e, "run_id")}
}

func (rd *reader) inspectLog(v *fastjson.Value, at place) {
	head := headOf(v)
	samples := v.GetArray("samples")
	if len(samples) == 0 {
		rd.skip(at, "an Inspect log without samples")
	}
	for i, s := range samples {
		if rd.stop() {
			return
		}
		rd.inspectSample(s, head, place{line: at.line, index: i, key: "samples"})
	}
}

// isInspect says whether an archive is an Inspect log.
func isInspect(z *zip.Reader) bool {
	return slices.ContainsFunc(z.File, func(f *zip.File) bool {
		return f.Name == "header.json" || f.Name == "_journal/start.json"
	}) && slices.ContainsFunc(z.File, func(f *zip.File) bool {
		return strings.HasPrefix(f.Name, "samples/") || f.Name == "summaries.json" || strings.HasPrefix(f.Name, "_journal/")
	})
}

// inspectArchive reads an .eval archive. One that was not finished has no
// header, only the journal's start.
func (rd *reader) inspectArchive(z *zip.Reader) {
	var head inspectHead
	for _, name := range []string{"_journal/start.json", "header.json"} {
		if data := (beside{z: z}).read(name); data != nil {
			if v, err := rd.nested.ParseBytes(data); err == nil {
				head = headOf(v)
			}
		}
	}
	n := 0
	for _, f := range sortedMembers(z) {
		if !strings.HasPrefix(f.Name, "samples/") || path.Ext(f.Name) != ".json" {
			continue
		}
		if rd.stop() {
			return
		}
		n++
		rd.member = f.Name
		rd.inspectMember(f, head)
		rd.member = ""
	}
	if n == 0 {
		rd.skip(place{index: -1}, "an Inspect log without samples")
	}
}

func (rd *reader) inspectMember(f *zip.File, head inspectHead) {
	at := place{index: -1}
	if v := rd.zipValue(f, at); v != nil {
		rd.inspectSample(v, head, at)
	}
}

// zipValue parses a member that is one JSON value; nil after a problem.
func (rd *reader) zipValue(f *zip.File, at place) *fastjson.Value {
	limit := int64(rd.in.opts.maxRecord())
	if f.UncompressedSize64 > uint64(limit) {
		rd.problem(at, CodeTooLong, fmt.Sprintf("the record is longer than the limit of %d bytes", limit))
		return nil
	}
	r, err := f.Open()
	if err != nil {
		rd.problem(at, CodeBadArchive, "the archive member cannot be read: "+err.Error())
		return nil
	}
	defer r.Close()
	data, err := rd.readMember(&limited{r: r, left: limit + 1}, int(f.UncompressedSize64))
	if err != nil {
		rd.problem(at, CodeBadArchive, "the archive member is damaged: "+err.Error())
		return nil
	}
	if data, err = unpackAll(data, limit); err != nil {
		rd.problem(at, CodeBadArchive, "the compressed archive member is damaged: "+err.Error())
		return nil
	}
	return rd.parse(unmarked(data), at)
}

// readMember reads all of r into the reader's buffer.
func (rd *reader) readMember(r io.Reader, size int) ([]byte, error) {
	b := grow(rd.wholes[:0], min(size+1, 64<<20))
	for {
		if len(b) == cap(b) {
			b = grow(b, 2*cap(b))
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err != nil {
			rd.wholes = b
			if err == io.EOF {
				err = nil
			}
			return b, err
		}
	}
}

// inspectSample reads one sample, which is one run.
func (rd *reader) inspectSample(v *fastjson.Value, head inspectHead, at place) {
	if v.Type() != fastjson.TypeObject || v.Get("id") == nil {
		rd.problem(at, CodeBadRecord, "not an Inspect sample: it has no id")
		return
	}
	b := &rd.run
	b.begin("inspect", rd.origin(at))
	b.ep.Version, b.ep.Group, b.ep.Model = head.version, head.task, head.model
	b.ep.TaskID = head.task + "/" + scalar(v, "id")
	rd.attached = v.Get("attachments")
	if in := v.Get("input"); in != nil && in.Type() == fastjson.TypeString {
		b.ep.Task = strings.TrimSpace(rd.attachment(str(v, "input")))
	}
	rd.messages(inspectMessages(v))
	rd.inspectEvents(v.GetArray("events"))
	rd.attached = nil
	b.ep.Outcome = inspectOutcome(v.Get("scores"))
	rd.inspectTokens(v.Get("model_usage"))
	if id := str(v, "uuid"); id != "" {
		b.ep.ID = "inspect/" + id
	}
	rd.done(episodeName("inspect", head.run, b.ep.TaskID))
}

// inspectMessages is the conversation. A sample that broke off may have it
// only in the pool that its model events share.
func inspectMessages(v *fastjson.Value) []*fastjson.Value {
	if list := v.GetArray("messages"); len(list) > 0 {
		return list
	}
	return v.GetArray("events_data", "messages")
}

// attachment resolves a reference to text that the log keeps apart.
func (rd *reader) attachment(s string) string {
	if rd.attached == nil {
		return s
	}
	if key, ok := strings.CutPrefix(s, "attachment://"); ok {
		if x := rd.attached.Get(key); x != nil {
			return string(x.GetStringBytes())
		}
	}
	return s
}

// inspectEvents adds what only the transcript knows: times, tokens, and the
// changes in the sandbox while a tool ran.
func (rd *reader) inspectEvents(events []*fastjson.Value) {
	steps := rd.run.steps
	byID := map[string]*corpora.Step{}
	for i := range steps {
		if steps[i].CallID != "" {
			byID[steps[i].CallID] = &steps[i]
		}
	}
	for _, e := range events {
		switch string(e.GetStringBytes("event")) {
		case "tool":
			if s := byID[string(e.GetStringBytes("id"))]; s != nil {
				s.Start, s.End = unixNano(str(e, "timestamp")), unixNano(str(e, "completed"))
			}
		case "model":
			rd.inspectUsage(e, byID)
		}
	}
	for _, e := range events {
		if string(e.GetStringBytes("event")) == "sandbox" {
			sandboxDelta(steps, e)
		}
	}
}

// inspectUsage gives the tokens of a model call to the first step it made.
func (rd *reader) inspectUsage(e *fastjson.Value, byID map[string]*corpora.Step) {
	out := e.Get("output")
	calls := out.GetArray("choices", "0", "message", "tool_calls")
	if len(calls) == 0 {
		return
	}
	if s := byID[string(calls[0].GetStringBytes("id"))]; s != nil && s.TokensIn == 0 {
		s.TokensIn, s.TokensOut = out.GetInt64("usage", "input_tokens"), out.GetInt64("usage", "output_tokens")
	}
}

// sandboxDelta adds a sandbox event to the one step during which it happened.
// Reading changes nothing, and Inspect's own tool server is no one's choice.
func sandboxDelta(steps []corpora.Step, e *fastjson.Value) {
	var d corpora.Delta
	switch string(e.GetStringBytes("action")) {
	case "write_file":
		d = corpora.Delta{Kind: corpora.DeltaFileModify, Resource: str(e, "file"), Observed: true}
	case "exec":
		cmd := str(e, "cmd")
		if strings.Contains(cmd, "inspect-tool-support") || strings.Contains(cmd, "inspect-sandbox-tools") {
			return
		}
		d = corpora.Delta{Kind: corpora.DeltaSpawn, Resource: cmd, Observed: true}
	default:
		return
	}
	when := unixNano(str(e, "timestamp"))
	var found *corpora.Step
	for i := range steps {
		s := &steps[i]
		if s.Start != 0 && s.Start <= when && when <= s.End {
			if found != nil {
				return // two tools ran at once: nobody knows whose it is
			}
			found = s
		}
	}
	if found == nil {
		return
	}
	found.Deltas = append(found.Deltas, d)
	if code := e.Get("result"); d.Kind == corpora.DeltaSpawn && code != nil && code.Type() == fastjson.TypeNumber {
		found.ExitCode, found.HasExit = code.GetInt(), true
	}
}

// inspectOutcome is what the scorers found, if they agree. Scorers that ask a
// model judge words, and an AgentHarm refusal grade is no grade of the task,
// so those do not count.
func inspectOutcome(scores *fastjson.Value) corpora.Outcome {
	out, split := corpora.OutcomeUnknown, false
	o := scores.GetObject()
	if o == nil {
		return out
	}
	o.Visit(func(name []byte, s *fastjson.Value) {
		if strings.HasPrefix(string(name), "model_graded") {
			return
		}
		one := inspectScore(s.Get("value"))
		if out != corpora.OutcomeUnknown && one != corpora.OutcomeUnknown && one != out {
			split = true
		}
		if one != corpora.OutcomeUnknown {
			out = one
		}
	})
	if split {
		return corpora.OutcomeUnknown
	}
	return out
}

// inspectScore reads one score: C or I, or 1 or 0.
func inspectScore(v *fastjson.Value) corpora.Outcome {
	switch scalarOf(v) {
	case "C", "1", "1.0", "true":
		return corpora.OutcomeSuccess
	case "I", "0", "0.0", "false":
		return corpora.OutcomeFailure
	}
	return corpora.OutcomeUnknown
}

func (rd *reader) inspectTokens(usage *fastjson.Value) {
	o := usage.GetObject()
	if o == nil {
		return
	}
	o.Visit(func(_ []byte, u *fastjson.Value) {
		rd.run.ep.TokensIn += u.GetInt64("input_tokens")
		rd.run.ep.TokensOut += u.GetInt64("output_tokens")
	})
}
