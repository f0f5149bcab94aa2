package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
)

// maxProblems bounds the problems kept; the rest are counted.
const maxProblems = 10_000

// importSummary is what an import found. Its JSON form is documented in the
// README and stable.
type importSummary struct {
	Files     int                      `json:"files"`
	Episodes  int                      `json:"episodes"`
	Steps     int                      `json:"steps"`
	Skipped   int                      `json:"skipped"`
	Malformed int                      `json:"malformed"`
	Labels    labelCounts              `json:"labels"`
	Formats   map[string]*formatCounts `json:"formats"`
	Skips     []skipCount              `json:"skips"`
	Problems  []importProblem          `json:"problems"`
	Omitted   int                      `json:"problems_omitted,omitempty"`

	last  *logs.Unit
	skips map[string]int
}

type labelCounts struct {
	Success        int `json:"success"`
	Failure        int `json:"failure"`
	OutcomeUnknown int `json:"outcome_unknown"`
	Safe           int `json:"safe"`
	Unsafe         int `json:"unsafe"`
	SafetyUnknown  int `json:"safety_unknown"`
}

func (l *labelCounts) add(ep *corpora.Episode) {
	switch ep.Outcome {
	case corpora.OutcomeSuccess:
		l.Success++
	case corpora.OutcomeFailure:
		l.Failure++
	default:
		l.OutcomeUnknown++
	}
	switch ep.Safety {
	case corpora.SafetySafe:
		l.Safe++
	case corpora.SafetyUnsafe:
		l.Unsafe++
	default:
		l.SafetyUnknown++
	}
}

type formatCounts struct {
	Episodes int `json:"episodes"`
	Steps    int `json:"steps"`
	labelCounts
	// Missing is what the layout cannot supply at all.
	Missing []string `json:"missing"`
	Note    string   `json:"note,omitempty"`
}

type skipCount struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// importProblem is one problem with its place: the line where there is one, and
// the key or the index of the record. A problem of the file as a whole stands at
// its first line, as compilers have it, so that every problem has a place.
type importProblem struct {
	File     string `json:"file"`
	Member   string `json:"member,omitempty"`
	Line     int    `json:"line,omitempty"`
	Index    *int   `json:"index,omitempty"`
	Key      string `json:"key,omitempty"`
	Code     string `json:"code"`
	Sentence string `json:"sentence"`
}

// MarshalJSON gives every problem a place.
func (p importProblem) MarshalJSON() ([]byte, error) {
	type plain importProblem
	if p.Line == 0 && p.Index == nil {
		p.Line = 1
	}
	return json.Marshal(plain(p))
}

func newImportSummary() *importSummary {
	return &importSummary{
		Formats: map[string]*formatCounts{}, skips: map[string]int{}, Problems: []importProblem{}, Skips: []skipCount{},
	}
}

func (s *importSummary) add(u *logs.Unit, r logs.Record) {
	if u != s.last {
		s.last = u
		s.Files++
	}
	switch {
	case r.Episode != nil:
		s.episode(r.Episode)
	case r.Skip != nil:
		s.Skipped++
		s.skips[r.Skip.Reason]++
		s.Skips = skipList(s.skips, s.Skips)
	case r.Problem != nil:
		s.problem(r.Problem)
	}
}

// skipList keeps the list sorted by reason; there are few reasons.
func skipList(counts map[string]int, list []skipCount) []skipCount {
	if len(list) == len(counts) {
		for i := range list {
			list[i].Count = counts[list[i].Reason]
		}
		return list
	}
	list = list[:0]
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, skipCount{reason, counts[reason]})
	}
	return list
}

func (s *importSummary) episode(ep *corpora.Episode) {
	s.Episodes++
	s.Steps += len(ep.Steps)
	s.Labels.add(ep)
	f := s.Formats[ep.Format]
	if f == nil {
		f = &formatCounts{Missing: []string{}}
		for _, l := range logs.Layouts() {
			if l.Name == ep.Format {
				f.Missing, f.Note = append(f.Missing, l.Fields.Missing().Names()...), l.Note
			}
		}
		s.Formats[ep.Format] = f
	}
	f.Episodes++
	f.Steps += len(ep.Steps)
	f.add(ep)
}

func (s *importSummary) problem(p *corpora.Problem) {
	s.Malformed++
	if len(s.Problems) == maxProblems {
		s.Omitted++
		return
	}
	out := importProblem{File: p.File, Member: p.Member, Line: p.Line, Key: p.Key, Code: p.Code, Sentence: p.Sentence}
	if p.Index >= 0 {
		out.Index = &p.Index
	}
	s.Problems = append(s.Problems, out)
}

// verdict is the exit status, with the problems for people on standard error.
func (s *importSummary) verdict(e *env, asJSON bool) error {
	if !asJSON {
		s.printProblems(e.stderr)
	}
	switch {
	case s.Episodes == 0 && s.Malformed == 0:
		return fail(exitInput, "no episode was found; see gbt import --help for the layouts it knows")
	case s.Episodes == 0:
		return fail(exitInput, "nothing could be read: %d problems", s.Malformed)
	case s.Malformed > 0:
		return fail(exitFindings, "%d problems; the rest was read", s.Malformed)
	}
	return nil
}

// shownProblems is how many problems a person is shown.
const shownProblems = 20

func (s *importSummary) printProblems(w io.Writer) {
	for i, p := range s.Problems {
		if i == shownProblems {
			fmt.Fprintf(w, "gbt: and %d more; --json lists them\n", s.Malformed-shownProblems)
			return
		}
		fmt.Fprintf(w, "gbt: %s: %s (%s)\n", p.place(), p.Sentence, p.Code)
	}
}

func (p *importProblem) place() string {
	o := corpora.Origin{File: p.File, Member: p.Member, Line: p.Line, Index: -1, Key: p.Key}
	if p.Index != nil {
		o.Index = *p.Index
	}
	return o.String()
}

// print shows the counts as a table, then what each layout cannot supply.
func (s *importSummary) print(e *env) error {
	t := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "format\tepisodes\tsteps\tsuccess\tfailure\tunknown\tsafe\tunsafe\tunknown\t")
	names := slices.SortedFunc(maps.Keys(s.Formats), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.Formats[b].Episodes, s.Formats[a].Episodes), cmp.Compare(a, b))
	})
	for _, name := range names {
		f := s.Formats[name]
		formatRow(t, name, f.Episodes, f.Steps, &f.labelCounts)
	}
	formatRow(t, "total", s.Episodes, s.Steps, &s.Labels)
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "\n%d files, %d records skipped, %d problems\n", s.Files, s.Skipped, s.Malformed)
	for _, k := range s.Skips {
		fmt.Fprintf(e.stdout, "  skipped %d: %s\n", k.Count, k.Reason)
	}
	for i, name := range names {
		if i == 0 {
			fmt.Fprintln(e.stdout, "\nWhat a layout cannot supply stays unknown:")
		}
		s.printMissing(e.stdout, name)
	}
	return nil
}

func (s *importSummary) printMissing(w io.Writer, name string) {
	f := s.Formats[name]
	missing := "nothing is missing"
	if len(f.Missing) > 0 {
		missing = "no " + strings.Join(f.Missing, ", ")
	}
	if f.Note != "" {
		missing += "; " + f.Note
	}
	fmt.Fprintf(w, "  %s: %s\n", name, missing)
}

func formatRow(w io.Writer, name string, episodes, steps int, l *labelCounts) {
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name, episodes, steps,
		l.Success, l.Failure, l.OutcomeUnknown, l.Safe, l.Unsafe, l.SafetyUnknown)
}
