package runner

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/gbt-policy/gbt/traverse"
)

// record is the log of a run.
type record struct {
	Task, Model, Policy string
	messages            []message
	failed              bool     // a completion check did not pass when they were run last
	outcome             *Outcome // nil while it runs
}

// encode is the record as one line, a chat record that package internal/corpora/logs reads.
// It states success only where completion checks were executed: that the run ended
// where successful runs end is no judgement.
func (r *record) encode(st traverse.Status) ([]byte, error) {
	list := append([]message{{Role: "user", Content: r.Task}}, r.messages...)
	body, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(append([]byte(r.Policy+"\x00"+r.Model+"\x00"), body...))
	meta := map[string]any{"agent": "gbt run", "policy": r.Policy, "spine": st.Spine, "covered": st.Covered, "stats": st.Stats, "arm": st.Arm, "ended": r.outcome != nil}
	out := map[string]any{"id": hex.EncodeToString(sum[:8]), "model": r.Model, "tools": toolNames, "messages": json.RawMessage(body), "metadata": meta}
	if o := r.outcome; o != nil {
		meta["done"], meta["status"], meta["reason"], meta["basis"], meta["findings"] = o.Done(), o.End(), o.Reason, o.Basis, o.Findings
		if judged, success := r.verdict(); judged {
			out["success"] = success
		}
	}
	data, err := json.Marshal(out)
	return append(data, '\n'), err
}

// verdict is what the completion checks say: a success if the run is DONE by
// them, a failure if one of them did not pass when they were run last. What the policy's own
// checks accept is no judgement: a policy that is learned from it would confirm itself.
func (r *record) verdict() (judged, success bool) {
	if r.outcome.Done() {
		return r.outcome.Basis == traverse.BasisChecks, true
	}
	return r.failed, false
}
