package review

import "slices"

// Level says how much a finding weighs.
type Level string

// The levels, by the names that SARIF 2.1.0 has for them (section 3.27.10).
const (
	LevelError   Level = "error"   // calls may pass that were stopped
	LevelWarning Level = "warning" // what safety rests on, or what the policy claims, got weaker
)

// Rule is one way in which a new policy can be weaker than an old one.
type Rule struct {
	ID    string `json:"id"` // never changed, never used again for another rule
	Level Level  `json:"level"`
	Short string `json:"short"`
	Help  string `json:"help"` // what a reviewer can do about it
}

// Rules are all rules, the worst first: findings are told in this order.
func Rules() []Rule {
	const (
		err  = LevelError
		warn = LevelWarning

		keepGate    = "Gates only tighten. Put the gate back, or show by gbt gates audit that another one stops all that it stopped."
		keepNode    = "A node hands its gates on to all below it. Put the gate on the node where the macro now stands."
		keepSetting = "Check that the change of the setting is meant, and that whoever runs the policy knows of it."
		keepLine    = "Make the new policy from the old one (gbt distill --parent), with a higher sequence number, and sign it with the same key."
		keepClaims  = "Measure what the policy covers on tasks left out (gbt eval boundary) before it claims more."
		keepRecord  = "Unsafe contexts are kept for ever: later audits are only as good as the record."
	)
	return []Rule{
		{"gate/readmitted", err, "unsafe contexts on record that were stopped are stopped no longer", keepGate},
		{"gate/removed", err, "a gate is gone", keepGate},
		{"gate/disposition", err, "a gate stops less firmly than before", keepGate},
		{"gate/scope", err, "a gate is asked at fewer places than before", keepGate},
		{"gate/narrowed", err, "a gate was replaced by one that stops less", keepGate},
		{"gate/program", err, "a gate has another program for the same text, or one that its text is not", keepGate},
		{"gate/node", err, "a node no longer asks a gate that it asked", keepNode},
		{"gate/words", err, "which gates are asked follows what the agent says, not what it did", "Keep the default profile: in the reference profile the step that an agent's words choose is where the run counts as standing."},
		{"gate/evaded", err, "a macro that stood behind a gate can be reached without it", keepNode},
		{"guardrail/conditions", err, "a condition on calls or on the end of a run is gone, stops nothing any more, or can be met in another way", keepSetting},
		{"guardrail/content", err, "the content gate is gone or asks something else", keepSetting},
		{"guardrail/profile", err, "the guardrail has a looser profile", keepSetting},
		{"guardrail/strict", err, "node gates are no longer asked at every node", keepSetting},
		{"guardrail/roots", err, "more places count as the workspace", keepSetting},
		{"guardrail/protected", err, "a protected path is gone", keepSetting},
		{"guardrail/sensitive", err, "a sensitive path is gone", keepSetting},
		{"guardrail/deny", err, "a denied program is gone", keepSetting},
		{"guardrail/imports", err, "cells of code may bring in more modules", keepSetting},
		{"guardrail/spawn", err, "another program may run", keepSetting},
		{"guardrail/egress", err, "more of the network may be reached", keepSetting},
		{"schema/weaker", err, "a tool schema says that a tool does less than before", keepSetting},
		{"schema/removed", err, "a tool schema is gone", keepSetting},
		{"schema/new", err, "a tool has a schema that takes the place of the built-in tables", keepSetting},
		{"pack/raised", err, "runs stop later than before", keepSetting},
		{"field/looser", err, "a field of the format is looser, or may be", keepSetting},
		{"lineage/sequence", warn, "the new policy is not a later one", keepLine},
		{"lineage/signature", warn, "the old policy is signed and the new one is not", keepLine},
		{"lineage/key", warn, "another key signed the new policy", keepLine},
		{"lineage/parent", warn, "the new policy does not name the old one as its parent", keepLine},
		{"evidence/unsafe", warn, "unsafe evidence is gone", keepRecord},
		{"evidence/gate", warn, "a gate has lost evidence", keepRecord},
		{"evidence/benign", warn, "benign evidence is gone", "Bounds on benign calls stopped rest on these examples: keep them."},
		{"evidence/tasks", warn, "tasks that the policy was made from are no longer named", "Make the new policy from the old one: whether a figure was measured on tasks left out can be checked only if the others are known."},
		{"claim/encoder", warn, "thresholds and vectors belong to another encoder", keepClaims},
		{"claim/threshold", warn, "the policy claims tasks or steps that it did not claim before", keepClaims},
		{"claim/state", warn, "a macro counts as less risky, or may be entered earlier, than before", keepClaims},
		{"claim/boundary", warn, "a family draws tasks that it did not draw before", keepClaims},
		{"claim/words", warn, "other words mean a family or a macro than before, without more logs", "Distil again from the logs and compare: what words mean follows from them."},
		{"retries/longer", warn, "a run may fail more often in a row than before until it takes another way, or ends", "See which successful runs of the new logs needed that many tries."},
		{"claim/ending", warn, "runs count as done, or as rescued, where they did not before", "An ending is where runs of the logs succeeded: see which ones ended there."},
		{"text/kept", warn, "texts of the logs stand in the policy", "Distil without keep_text unless whoever gets the policy may see the logs."},
	}
}

// ruleRank is the place of a rule in Rules. Every finding is of one of them: a
// name that is not there is a bug, and TestRules finds it.
func ruleRank(id string) int {
	return slices.IndexFunc(Rules(), func(r Rule) bool { return r.ID == id })
}

// Finding is one thing that weakens.
type Finding struct {
	Rule    string `json:"rule"`
	Level   Level  `json:"level"`
	Message string `json:"message"`
}

// ruleOf is the rule of a row of the format's table: one of its own, or the one
// that all fields share of which nobody here has thought.
func ruleOf(r *row) string {
	if r.Section == "PACK" {
		return "pack/raised"
	}
	if id := "guardrail/" + r.Name; r.Section == "RAIL" && ruleRank(id) >= 0 {
		return id
	}
	return "field/looser"
}

// sortFindings puts the worst first and keeps the order within a rule.
func sortFindings(list []Finding) {
	rank := make(map[string]int)
	for i, r := range Rules() {
		rank[r.ID] = i
	}
	slices.SortStableFunc(list, func(a, b Finding) int { return rank[a.Rule] - rank[b.Rule] })
}

// short is a digest in a sentence; the lists of the details have all of it.
func short(digest string) string { return digest[:min(len(digest), 12)] }

// levelOf is the level of a rule.
func levelOf(id string) Level { return Rules()[ruleRank(id)].Level }
