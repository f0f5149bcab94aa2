package logs

import (
	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// reportNames are where harnesses of the SWE-bench family leave their report,
// seen from the log: beside it, or up to two directories above, there alone or
// in a directory "results".
var reportNames = [...]string{
	"final_report.json", "results.json", "report.json", "output.report.json",
	"../results/results.json", "../final_report.json", "../results.json", "../report.json",
	"../../results/results.json", "../../final_report.json", "../../results.json", "../../report.json",
	"results/results.json",
}

// reported is the outcome of an instance in the nearest report that speaks of
// it. An instance that a report has not as resolved has failed only if the
// report says that it was among those run.
func (rd *reader) reported(id string) corpora.Outcome {
	if rd.near.none() {
		return corpora.OutcomeUnknown
	}
	for _, rel := range reportNames {
		r, _ := rd.in.side.get(rd.near.name(rel), func() any { return readReport(rd.near.read(rel)) }).(*report)
		if r == nil {
			continue
		}
		if o := r.outcome(id); o != corpora.OutcomeUnknown {
			return o
		}
	}
	return corpora.OutcomeUnknown
}

// report is a harness report: which instances were resolved, and which were
// run at all.
type report struct {
	resolved, seen map[string]bool
	whole          bool // it does not list what was run: everything beside it was
}

func (r *report) outcome(id string) corpora.Outcome {
	switch {
	case r.resolved[id]:
		return corpora.OutcomeSuccess
	case r.seen[id] || r.whole:
		return corpora.OutcomeFailure
	}
	return corpora.OutcomeUnknown
}

// readReport reads the shapes of SWE-bench reports; nil if data is none.
func readReport(data []byte) any {
	if len(data) == 0 {
		return (*report)(nil)
	}
	v, err := fastjson.ParseBytes(data)
	if err != nil || v.Type() != fastjson.TypeObject || !isReport(v) {
		return (*report)(nil)
	}
	r := &report{resolved: map[string]bool{}, seen: map[string]bool{}}
	for _, key := range []string{"resolved", "resolved_ids"} {
		for _, id := range v.GetArray(key) {
			r.resolved[string(id.GetStringBytes())] = true
		}
	}
	for _, key := range []string{
		"unresolved_ids", "unresolved", "submitted_ids", "completed_ids", "incomplete_ids", "empty_patch_ids", "error_ids",
		"generated", "no_generation", "with_logs", "applied", "no_apply", "not_generated", "test_timeout", "install_fail",
	} {
		for _, id := range v.GetArray(key) {
			r.seen[string(id.GetStringBytes())] = true
		}
	}
	r.whole = len(r.seen) == 0
	return r
}

// isReport says whether v lists resolved instances.
func isReport(v *fastjson.Value) bool {
	for _, key := range []string{"resolved", "resolved_ids"} {
		if x := v.Get(key); x != nil && x.Type() == fastjson.TypeArray {
			return true
		}
	}
	return false
}

// skipLayouts are JSON objects that are known and no runs. The reasons do not
// say that labels were joined: whether a run asked for them is not known here.
func skipLayouts() []layout {
	// No head of a file: what has words in it may be a turn of a run.
	runKeys := []string{"role", "content", "text", "message", "messages", "input", "output"}
	return []layout{
		{kind: isSkip, need: []string{"resolved"}, ok: isReport, reason: "a report of resolved instances: labels for the runs it names"},
		{kind: isSkip, need: []string{"resolved_ids"}, ok: isReport, reason: "a report of resolved instances: labels for the runs it names"},
		{kind: isSkip, need: []string{"checkpoints", "final_score"}, reason: "an evaluation of one run: labels for the trajectory beside it"},
		{kind: isSkip, need: []string{"agent_profiles", "scenarios"}, reason: "the scenario of a task, not a run"},
		{kind: isSkip, need: []string{"llm_label", "rule_based_score"}, reason: "a judgement by a model: not joined, no text is ever judged"},
		{kind: isSkip, need: []string{"eval_scores", "eval_id"}, reason: "an evaluation of one run: labels for the run it names"},
		{kind: isSkip, need: []string{"trial_name", "task_name", "config"}, reason: "the result of a trial: labels for its trajectory"},
		{kind: isSkip, need: []string{"agent", "workspace", "execution_status"}, reason: "the state of a conversation, for the events below it"},
		{kind: isSkip, need: []string{"record_type"}, reason: "the state of a session, not a turn of it"},
		{kind: isSkip, need: []string{"instructions", "git", "id", "timestamp"}, none: []string{"payload", "messages"}, reason: "the head of a session, not a turn of it"},
		{kind: isSkip, need: []string{"messages_display"}, reason: "a conversation for display: its calls were left out"},
		{kind: isSkip, need: []string{"metadata"}, none: runKeys, ok: isHead, reason: "metadata of the file, not a run"},
		{kind: isSkip, need: []string{"benchmark"}, none: runKeys, ok: isHead, reason: "metadata of the file, not a run"},
		{kind: isSkip, need: []string{"suite_name"}, none: runKeys, ok: isHead, reason: "metadata of the file, not a run"},
	}
}

// isHead says whether v tells of a file and not of a run: beside its metadata
// it holds nothing that could be a list of calls.
func isHead(v *fastjson.Value) bool {
	head := true
	v.GetObject().Visit(func(k []byte, x *fastjson.Value) {
		t := x.Type()
		head = head && (string(k) == "metadata" || t != fastjson.TypeArray && t != fastjson.TypeObject)
	})
	return head
}
