package review

import (
	"fmt"

	"github.com/gbt-policy/gbt/tree"
)

// Proof is a completion check that was mined from logs, as JSON.
type Proof struct {
	Check   string `json:"check"`
	Passed  uint32 `json:"passed"`  // tasks whose successful runs showed it
	Tasks   uint32 `json:"tasks"`   // of so many
	Failed  uint32 `json:"failed"`  // unsuccessful runs beside them that did not
	Against uint32 `json:"against"` // of so many
	Early   uint32 `json:"early"`   // tasks in which it failed at first
	Refuted bool   `json:"refuted"` // the logs show it to fail
}

// proofField is the completion checks of a family, in the order that leaves number them in.
func proofField(list []tree.Proof) Fields {
	if len(list) == 0 {
		return nil
	}
	f := Field{Name: "checks"}
	var values []Proof
	for i := range list {
		p := &list[i]
		values = append(values, Proof{p.String(), p.Passed, p.Tasks, p.Failed, p.Against, p.Early, p.Refuted()})
		refuted := "unrefuted"
		if p.Refuted() {
			refuted = "refuted"
		}
		f.lines = append(f.lines, []any{"check", i, quote(p.String()), "passed", fmt.Sprint(p.Passed), "of", fmt.Sprint(p.Tasks), "failed", fmt.Sprint(p.Failed), "of", fmt.Sprint(p.Against), "early", fmt.Sprint(p.Early), refuted})
	}
	f.Value = values
	return Fields{f}
}
