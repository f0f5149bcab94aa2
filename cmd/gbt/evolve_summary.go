package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/distill"
	"github.com/gbt-policy/gbt/evolve"
)

// evolveSummary is the JSON of gbt evolve.
type evolveSummary struct {
	Policy     string             `json:"policy"` // digest of the unsigned bytes
	Signed     bool               `json:"signed"`
	Bytes      int                `json:"bytes"`
	Changed    bool               `json:"changed"`
	Judged     string             `json:"judged_by"` // what the edits were judged on
	Read       distill.Counts     `json:"read"`
	Runs       int                `json:"runs"`           // new ones that succeeded or failed
	Placed     int                `json:"placed"`         // of them, those that are runs of a family
	Known      int                `json:"of_known_tasks"` // of tasks that the old policy was made from
	Claimed    int                `json:"claimed"`        // whose tasks the old policy claims
	Covered    int                `json:"covered"`        // and whose every macro it offers
	Unplaced   int                `json:"unplaced"`       // that no family knows
	Failed     int                `json:"failed_covered"` // covered runs that failed
	Applied    int                `json:"applied"`        // edits
	Refused    int                `json:"refused"`
	Succession *parentSummary     `json:"parent,omitempty"`
	Suite      *evolveSuite       `json:"suite,omitempty"`
	Edits      []evolve.Judged    `json:"edits"`
	Diagnoses  []evolve.Diagnosis `json:"diagnoses"`       // where failed covered runs went wrong
	Dropped    []evolve.Dropped   `json:"dropped_answers"` // of a model that was asked
	Fragile    []evolve.Fragile   `json:"fragile"`         // steps that the old policy answers with doubt, with what was done about them
	Changes    []evolve.Change    `json:"changes"`         // every verdict that the edits change, case by case
	Trials     []evolve.Trial     `json:"judging_runs"`
}

// evolveSuite is what became of the regression suite.
type evolveSuite struct {
	Dir     string `json:"dir"`
	Refused int    `json:"refused"` // edits under which a case fails
	Added   int    `json:"added"`   // cases
}

func newEvolveSuite(dir string, res *evolve.Result, added int) *evolveSuite {
	if dir == "" {
		return nil
	}
	s := &evolveSuite{Dir: dir, Added: added}
	for i := range res.Edits {
		tally(&s.Refused, res.Edits[i].Judgement.Cases > 0)
	}
	return s
}

const judgedByReplay = "recorded runs of other tasks, replayed through the traverser"

func newEvolveSummary(fresh *distill.FreshLogs, res *evolve.Result, data []byte) *evolveSummary {
	s := &evolveSummary{
		Bytes: len(data), Changed: res.Changed, Judged: judgedByReplay, Read: fresh.Counts,
		Runs: res.Runs, Placed: res.Placed, Known: res.Known, Claimed: res.Claimed, Covered: res.Covered, Unplaced: res.Unplaced, Failed: res.Failed,
		Diagnoses: append([]evolve.Diagnosis{}, res.Diagnoses...),
		Edits:     append([]evolve.Judged{}, res.Edits...), Changes: append([]evolve.Change{}, res.Changes...),
		Fragile:    append([]evolve.Fragile{}, res.Fragile...),
		Dropped:    append([]evolve.Dropped{}, res.Dropped...),
		Trials:     append([]evolve.Trial{}, res.Trials...),
		Succession: newParentSummary(res.Succession),
	}
	if _, info, err := artifacts.Open(data, artifacts.Trust{}); err == nil {
		s.Policy, s.Signed = info.Digest, len(info.KeyIDs) > 0
	}
	if n := s.live(); n > 0 {
		s.Judged = fmt.Sprintf("%s, and by %d of %d runs run again in the environment", s.Judged, n, len(s.Trials))
	}
	for i := range res.Edits {
		if res.Edits[i].Applied {
			s.Applied++
		} else {
			s.Refused++
		}
	}
	return s
}

// shownEdits bounds the edits of one kind that the text names.
const shownEdits = 5

// text is the report on standard output: what a reader of one screen needs.
func (s *evolveSummary) text(out string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "read      %d files, %d episodes: %d runs succeeded or failed, %d of them in families, %d of none\n",
		s.Read.Files, s.Read.Episodes, s.Runs, s.Placed, s.Unplaced)
	if s.Known > 0 {
		fmt.Fprintf(&b, "known     %d of the runs are of tasks that the policy was made from; a log that is given again counts again\n", s.Known)
	}
	fmt.Fprintf(&b, "before    %d of the runs were claimed, %d covered step by step\n", s.Claimed, s.Covered)
	offered := 0
	for i := range s.Diagnoses {
		tally(&offered, s.Diagnoses[i].Offered)
	}
	fmt.Fprintf(&b, "failures  %d covered runs failed; the step is found in %d, and in %d of them what successes did there is offered already\n",
		s.Failed, len(s.Diagnoses), offered)
	s.queue(&b)
	for i := range s.Dropped {
		fmt.Fprintf(&b, "  dropped  what a model says of run %s: %s\n", s.Dropped[i].Run, s.Dropped[i].Why)
	}
	fmt.Fprintf(&b, "edits     %d applied, %d refused; judged by %s\n", s.Applied, s.Refused, s.Judged)
	for _, k := range evolve.Kinds() {
		s.kind(&b, k)
	}
	s.refused(&b)
	better, worse := evolve.Count(s.Changes)
	fmt.Fprintf(&b, "verdicts  %d better, %d worse at steps of the judging runs\n", better, worse)
	s.verdicts(&b, out == "")
	s.trials(&b)
	s.Succession.text(&b)
	if x := s.Suite; x != nil {
		fmt.Fprintf(&b, "suite     %s: %d edits refused under which a case fails that passed before; %d cases added\n", x.Dir, x.Refused, x.Added)
	}
	switch {
	case out == "":
		b.WriteString("wrote     nothing (--list)\n")
	case s.Changed:
		fmt.Fprintf(&b, "wrote     %s, %d bytes, %s, sha256 %.16s\n", out, s.Bytes, signedWord(s.Signed), s.Policy)
	default:
		fmt.Fprintf(&b, "wrote     %s: no edit was applied, so it has the policy's own bytes\n", out)
	}
	return b.Bytes()
}

// queue says what came of the fragile steps, and names those without an edit.
func (s *evolveSummary) queue(b *bytes.Buffer) {
	steps, sure, left := 0, 0, 0
	for i := range s.Fragile {
		f := &s.Fragile[i]
		steps, sure = steps+f.Steps, sure+f.Sure
		tally(&left, len(f.Edits) == 0)
	}
	fmt.Fprintf(b, "fragile   %d steps of %d kinds were matched with doubt; %d steps are sure now, %d kinds have no edit\n", steps, len(s.Fragile), sure, left)
	n := 0
	for i := range s.Fragile {
		f := &s.Fragile[i]
		if len(f.Edits) > 0 {
			continue
		}
		if n++; n <= shownEdits {
			fmt.Fprintf(b, "  %s: %s -> %s, %d steps: %s\n", f.Family, f.After, f.Took, f.Steps, f.Why)
		}
	}
	if n > shownEdits {
		fmt.Fprintf(b, "  and %d more without an edit (--json lists all)\n", n-shownEdits)
	}
}

// live counts the judging runs that were run again.
func (s *evolveSummary) live() int {
	n := 0
	for i := range s.Trials {
		tally(&n, s.Trials[i].Judged == evolve.Live)
	}
	return n
}

// shownVerdicts bounds those that the text of a run that writes has, and that are no
// worse than before. A list has all.
const shownVerdicts = 5

// verdicts lists the verdicts that changed.
func (s *evolveSummary) verdicts(b *bytes.Buffer, all bool) {
	left := 0
	for i := range s.Changes {
		x := &s.Changes[i]
		mark := "other "
		switch {
		case x.Worse:
			mark = "worse "
		case x.Better:
			mark = "better"
		}
		if !all && !x.Worse && i-left >= shownVerdicts {
			left++
			continue
		}
		fmt.Fprintf(b, "  %s  run %s step %d, %s after %s: %s before, %s now (judged %s)\n", mark, x.Run, x.Step, x.Took, x.After, answerLine(&x.Was), answerLine(&x.Is), x.Judged)
	}
	if left > 0 {
		fmt.Fprintf(b, "  and %d more that are not worse (--list and --json have all)\n", left)
	}
}

func answerLine(a *evolve.Answer) string {
	text := a.Verdict
	if a.Chose != "" {
		text += " " + a.Chose
	}
	if !a.Offered {
		text += ", not offered"
	}
	return text
}

// trials says which runs were judged live, and why the others were not.
func (s *evolveSummary) trials(b *bytes.Buffer) {
	live := s.live()
	if live == 0 && !slices.ContainsFunc(s.Trials, func(x evolve.Trial) bool { return x.Why != evolve.NoEnvironment }) {
		return
	}
	fmt.Fprintf(b, "judged    %d runs live, %d on record\n", live, len(s.Trials)-live)
	for i := range s.Trials {
		switch x := &s.Trials[i]; {
		case x.Changed != "":
			fmt.Fprintf(b, "  live       run %s: %s\n", x.Run, x.Changed)
		case x.Why != "":
			fmt.Fprintf(b, "  on record  run %s: %s\n", x.Run, x.Why)
		}
	}
}

// kind names the first applied edits of one kind.
func (s *evolveSummary) kind(b *bytes.Buffer, k evolve.Kind) {
	n := 0
	for i := range s.Edits {
		x := &s.Edits[i]
		if x.Kind != k || !x.Applied {
			continue
		}
		if n++; n <= shownEdits {
			fmt.Fprintf(b, "  %s  %-10s %s\n", x.ID, x.Kind, editLine(x))
		}
	}
	if n > shownEdits {
		fmt.Fprintf(b, "  and %d more of kind %s (--json lists all)\n", n-shownEdits, k)
	}
}

// refused names all edits that replay refused, with the reason.
func (s *evolveSummary) refused(b *bytes.Buffer) {
	for i := range s.Edits {
		if x := &s.Edits[i]; !x.Applied {
			fmt.Fprintf(b, "  %s  refused: %s %s: %s\n", x.ID, x.Kind, editPlace(x), x.Judgement.Reason)
		}
	}
}

func editPlace(x *evolve.Judged) string {
	switch {
	case x.Kind == evolve.Gate && x.At != "":
		return fmt.Sprintf("%.12s at %s", x.To, x.At)
	case x.Kind == evolve.Gate:
		return fmt.Sprintf("%.12s everywhere", x.To)
	case x.To != "" && x.At != "":
		return fmt.Sprintf("%s: %s -> %s", x.Family, x.At, x.To)
	case x.At != "":
		return x.Family + ": " + x.At
	}
	return x.Family
}

func editLine(x *evolve.Judged) string {
	j := &x.Judgement
	line := editPlace(x) + ": " + x.Why
	if j.Runs == 0 {
		return line + "; no success of another task passes here"
	}
	return fmt.Sprintf("%s; of %d successes of other tasks here, %d held, %d before", line, j.Runs, j.After, j.Before)
}
