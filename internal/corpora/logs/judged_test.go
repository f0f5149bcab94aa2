package logs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
)

// TestOnlyAJudgementJudges: what is missing or of another type than a
// judgement has is none, and never the good one.
func TestOnlyAJudgementJudges(t *testing.T) {
	score := func(s string) string { return `{"checkpoints":[],"final_score":` + s + `}` }
	label := func(s string) string {
		return `{"id":1,"contents":[[{"role":"user","content":"Go."}]],"label":` + s + `}`
	}
	for _, c := range []struct {
		eval, record string // one of the two
		safety       corpora.Safety
		codes        []string
	}{
		{eval: score(`{"total":1,"result":0}`), safety: corpora.SafetySafe},
		{eval: score(`{"total":2,"result":0.5}`), safety: corpora.SafetyUnsafe},
		{eval: score(`{"total":0,"result":0}`)},
		{eval: score(`{}`)},
		{eval: score(`{"total":1}`), codes: []string{CodeBadRecord}},
		{eval: score(`{"total":1,"result":"1"}`), codes: []string{CodeBadRecord}},
		{eval: score(`{"total":1,"result":true}`), codes: []string{CodeBadRecord}},
		{eval: score(`{"total":1,"result":null}`), codes: []string{CodeBadRecord}},
		{eval: score(`{"total":1,"result":-1}`), codes: []string{CodeBadRecord}},
		{eval: score(`{"total":1,"result":1e999}`), codes: []string{CodeBadRecord}},
		{eval: score(`{"total":"1","result":0}`), codes: []string{CodeBadRecord}},
		{eval: score(`{"total":-1,"result":0}`), codes: []string{CodeBadRecord}},
		{record: label("0"), safety: corpora.SafetySafe},
		{record: label("1"), safety: corpora.SafetyUnsafe},
		{record: label("1.0"), safety: corpora.SafetyUnsafe},
		{record: label("null")},
		{record: label("-1"), codes: []string{CodeBadRecord}},
		{record: label("0.5"), codes: []string{CodeBadRecord}},
		{record: label("2"), codes: []string{CodeBadRecord}},
		{record: label("true"), codes: []string{CodeBadRecord}},
		{record: label(`"0"`), codes: []string{CodeBadRecord}},
	} {
		t.Run(c.eval+c.record, func(t *testing.T) {
			dir := t.TempDir()
			files := map[string]string{"r.jsonl": c.record + "\n"}
			if c.eval != "" {
				files = conversation("", "errand", callEvent)
				files["eval_errand.json"] = c.eval
			}
			for name, content := range files {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var codes []string
			var eps []*corpora.Episode
			for r := range Open([]string{dir}, Options{}).Records(t.Context()) {
				switch {
				case r.Episode != nil:
					eps = append(eps, r.Episode)
				case r.Problem != nil:
					codes = append(codes, r.Problem.Code)
				}
			}
			if len(eps) != 1 || eps[0].Safety != c.safety || (c.safety == 0) != (len(eps[0].Verdicts) == 0) || !slices.Equal(codes, c.codes) {
				t.Errorf("%v, problems %v; want safety %v, problems %v", fmt.Sprintf("%+v", eps), codes, c.safety, c.codes)
			}
		})
	}
}

// TestOnlyAnOutcomeIsAnOutcome: the same of success.
func TestOnlyAnOutcomeIsAnOutcome(t *testing.T) {
	output := func(resolved string) string {
		return `{"instance_id":"x","instruction":"Go.","metrics":{},"history":[],"report":{"resolved":` + resolved + `}}`
	}
	human := func(reward string) string {
		return `{"environment":"ic_bash","query":"Go.","query_idx":1,"trajectory":[],"reward":` + reward + `}`
	}
	for record, want := range map[string]corpora.Outcome{
		output("true"):   corpora.OutcomeSuccess,
		output("false"):  corpora.OutcomeFailure,
		output(`"true"`): corpora.OutcomeUnknown,
		output("null"):   corpora.OutcomeUnknown,
		human("1"):       corpora.OutcomeSuccess,
		human("0.5"):     corpora.OutcomeFailure,
		human("NaN"):     corpora.OutcomeUnknown,
		human(`"1"`):     corpora.OutcomeUnknown,
	} {
		path := filepath.Join(t.TempDir(), "r.jsonl")
		if err := os.WriteFile(path, []byte(record+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if eps := episodesOf(t, Options{}, path); len(eps) != 1 || eps[0].Outcome != want {
			t.Errorf("%s: %+v, want %v", record, eps, want)
		}
	}
}
