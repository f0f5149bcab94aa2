package parquet

import (
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/gbt-policy/gbt/corpora"
)

// The metadata keys of the file, and the version of the schema. A reader takes
// every version up to its own; a version is never used twice.
const (
	versionKey    = "gbt.episodes.version"
	schemaVersion = 1
)

var (
	outcomeNames = []string{"unknown", "success", "failure"}
	safetyNames  = []string{"unknown", "safe", "unsafe"}
	statusNames  = []string{"unknown", "executed", "blocked"}
	deltaNames   = []string{
		"none", "file_create", "file_modify", "file_delete", "spawn", "test", "interpreter", "navigate", "submit", "record", "send",
	}
)

func deltaColumns() []column[corpora.Delta] {
	type T = corpora.Delta
	return []column[T]{
		named("kind", deltaNames, func(d *T) *corpora.DeltaKind { return &d.Kind }),
		text("resource", func(d *T) *string { return &d.Resource }),
		number("size", func(d *T) *int { return &d.Size }),
		truth("observed", func(d *T) *bool { return &d.Observed }),
	}
}

func stepColumns() []column[corpora.Step] {
	type T = corpora.Step
	return []column[T]{
		text("call_id", func(s *T) *string { return &s.CallID }),
		text("tool", func(s *T) *string { return &s.Tool }),
		text("args", func(s *T) *string { return &s.Args }),
		text("text", func(s *T) *string { return &s.Text }),
		text("heard", func(s *T) *string { return &s.Heard }),
		number("before", func(s *T) *int { return &s.Before }),
		text("actor", func(s *T) *string { return &s.Actor }),
		named("status", statusNames, func(s *T) *corpora.Status { return &s.Status }),
		text("blocked_by", func(s *T) *string { return &s.BlockedBy }),
		truth("stopped", func(s *T) *bool { return &s.Stopped }),
		text("result", func(s *T) *string { return &s.Result }),
		text("error", func(s *T) *string { return &s.Error }),
		number("exit_code", func(s *T) *int { return &s.ExitCode }),
		truth("has_exit", func(s *T) *bool { return &s.HasExit }),
		text("cwd", func(s *T) *string { return &s.Cwd }),
		text("branch", func(s *T) *string { return &s.Branch }),
		records("deltas", deltaColumns(), func(s *T) *[]corpora.Delta { return &s.Deltas }),
		number("start", func(s *T) *int64 { return &s.Start }),
		number("end", func(s *T) *int64 { return &s.End }),
		number("tokens_in", func(s *T) *int64 { return &s.TokensIn }),
		number("tokens_out", func(s *T) *int64 { return &s.TokensOut }),
		number("line", func(s *T) *int { return &s.Line }),
		number("index", func(s *T) *int { return &s.Index }),
	}
}

func verdictColumns() []column[corpora.Verdict] {
	type T = corpora.Verdict
	return []column[T]{
		number("step", func(v *T) *int { return &v.Step }),
		truth("unsafe", func(v *T) *bool { return &v.Unsafe }),
		text("rule", func(v *T) *string { return &v.Rule }),
		text("detail", func(v *T) *string { return &v.Detail }),
	}
}

func originColumns() []column[corpora.Origin] {
	type T = corpora.Origin
	return []column[T]{
		text("file", func(o *T) *string { return &o.File }),
		text("member", func(o *T) *string { return &o.Member }),
		number("line", func(o *T) *int { return &o.Line }),
		number("index", func(o *T) *int { return &o.Index }),
		text("key", func(o *T) *string { return &o.Key }),
	}
}

func episodeColumns() []column[corpora.Episode] {
	type T = corpora.Episode
	return []column[T]{
		text("id", func(e *T) *string { return &e.ID }),
		text("format", func(e *T) *string { return &e.Format }),
		text("version", func(e *T) *string { return &e.Version }),
		text("task_id", func(e *T) *string { return &e.TaskID }),
		text("task", func(e *T) *string { return &e.Task }),
		text("group", func(e *T) *string { return &e.Group }),
		text("agent", func(e *T) *string { return &e.Agent }),
		text("model", func(e *T) *string { return &e.Model }),
		text("parent", func(e *T) *string { return &e.Parent }),
		records("steps", stepColumns(), func(e *T) *[]corpora.Step { return &e.Steps }),
		text("final", func(e *T) *string { return &e.Final }),
		words("tools", func(e *T) *[]string { return &e.Tools }),
		named("outcome", outcomeNames, func(e *T) *corpora.Outcome { return &e.Outcome }),
		named("safety", safetyNames, func(e *T) *corpora.Safety { return &e.Safety }),
		records("verdicts", verdictColumns(), func(e *T) *[]corpora.Verdict { return &e.Verdicts }),
		number("tokens_in", func(e *T) *int64 { return &e.TokensIn }),
		number("tokens_out", func(e *T) *int64 { return &e.TokensOut }),
		number("chars", func(e *T) *int64 { return &e.Chars }),
		record("origin", originColumns(), func(e *T) *corpora.Origin { return &e.Origin }),
	}
}

func episodeSchema() *arrow.Schema {
	meta := arrow.NewMetadata([]string{versionKey}, []string{strconv.Itoa(schemaVersion)})
	return arrow.NewSchema(fields(episodeColumns()), &meta)
}
