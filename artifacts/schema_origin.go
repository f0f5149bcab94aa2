package artifacts

import (
	"bytes"

	"github.com/gbt-policy/gbt/internal/artifacts/field"
)

// The sections behind the tree: where the policy comes from and what was measured
// on the way. Nothing of them judges a call.

func provenanceRecord() *record {
	return &record{rows: []row{
		{name: "tool", typ: nameType, loosens: field.Never,
			at: func(v any) any { return &v.(*Provenance).Tool },
			check: func(c *checker, _ int, v any) {
				p := v.(*Provenance)
				if p.Tool == "" {
					c.bad("policy does not name the tool that made it")
				}
			}},
		{name: "config", typ: digestType, word: true, loosens: field.Never,
			at: func(v any) any { return &v.(*Provenance).Config }},
		{name: "inputs", typ: oneOf(inputsRecord()), loosens: field.Never,
			at: func(v any) any { return &v.(*Provenance).Inputs },
			check: func(c *checker, _ int, v any) {
				p := v.(*Provenance)
				increasing(c, "layout", p.Inputs.Layouts, func(t Tally) string { return t.Name })
			}},
		{name: "episodes", typ: oneOf(episodesRecord()), loosens: field.Never,
			at: func(v any) any { return &v.(*Provenance).Episodes }},
	}}
}

func inputsRecord() *record {
	return &record{rows: []row{
		{name: "inputs", typ: countType, at: func(v any) any { return &v.(*Inputs).Count }},
		{name: "root", typ: digestType, at: func(v any) any { return &v.(*Inputs).Root }},
		{name: "layouts", typ: many[Tally](tallyRecord(), maxLayouts), at: func(v any) any { return &v.(*Inputs).Layouts }},
	}}
}

func tallyRecord() *record {
	return &record{rows: []row{
		{name: "name", typ: nameType, at: func(v any) any { return &v.(*Tally).Name }},
		{name: "units", typ: countType, at: func(v any) any { return &v.(*Tally).Count }},
	}}
}

func episodesRecord() *record {
	return &record{rows: []row{
		{name: "read", typ: countType, at: func(v any) any { return &v.(*EpisodeCounts).Read }},
		{name: "used", typ: countType, at: func(v any) any { return &v.(*EpisodeCounts).Used }},
		{name: "success", typ: countType, at: func(v any) any { return &v.(*EpisodeCounts).Success }},
		{name: "failure", typ: countType, at: func(v any) any { return &v.(*EpisodeCounts).Failure }},
		{name: "unsafe", typ: countType, at: func(v any) any { return &v.(*EpisodeCounts).Unsafe }},
		{name: "skipped", typ: countType, at: func(v any) any { return &v.(*EpisodeCounts).Skipped }},
		{name: "malformed", typ: countType, at: func(v any) any { return &v.(*EpisodeCounts).Malformed }},
	}}
}

func corpusRecord() *record {
	return &record{rows: []row{
		{name: "name", typ: nameType, loosens: field.Never, at: func(v any) any { return &v.(*CorpusRoot).Name }},
		{name: "rows", typ: countType, loosens: field.Never, at: func(v any) any { return &v.(*CorpusRoot).Rows }},
		{name: "root", typ: digestType, word: true, loosens: field.Never, at: func(v any) any { return &v.(*CorpusRoot).Root }},
	}}
}

func corpusOrder(c *checker) {
	increasing(c, "corpus", c.p.Corpora, func(r CorpusRoot) string { return r.Name })
}

func metricRecord() *record {
	return &record{rows: []row{
		{name: "name", typ: nameType, loosens: field.Never, at: func(v any) any { return &v.(*Metric).Name }},
		{name: "value", typ: milliType, loosens: field.Never, at: func(v any) any { return &v.(*Metric).Value }},
	}}
}

func metricOrder(c *checker) {
	increasing(c, "metric", c.p.Report, func(m Metric) string { return m.Name })
}

func walkTasks(c *codec, t *typ, p any) {
	one := exactly(taskDigestSize)
	list(c, p.(*[][]byte), int(t.most), one.size, func(c *codec, b *[]byte) { walkBytes(c, &one, b) })
}

func taskOrder(c *checker) {
	for i := 1; i < len(c.p.TaskDigests); i++ {
		if bytes.Compare(c.p.TaskDigests[i-1], c.p.TaskDigests[i]) >= 0 {
			c.bad("task digest %d: out of order", i)
		}
	}
}
