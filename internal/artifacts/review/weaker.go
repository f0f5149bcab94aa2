package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/artifacts"
)

// This file finds what weakens beside gates, guardrail and claims: where a policy
// comes from, and what its evidence is.

// signers names who signed, for a sentence.
func signers(info *artifacts.Info) string {
	var out []string
	for _, id := range info.KeyIDs {
		out = append(out, short(id))
	}
	return strings.Join(out, " and ")
}

// lineage compares who signed the policies, and says whether the new one follows
// the old one.
func (c *comparison) lineage(old, new *artifacts.Info) {
	switch {
	case len(old.KeyIDs) > 0 && len(new.KeyIDs) == 0:
		c.weakens("lineage/signature", "the new policy is not signed, the old one is, by %s", signers(old))
	case slices.ContainsFunc(old.KeyIDs, func(id string) bool { return !slices.Contains(new.KeyIDs, id) }):
		c.weakens("lineage/key", "the new policy is signed by %s, the old one by %s", signers(new), signers(old))
	}
	if c.out.Same {
		return
	}
	a, b := c.a.p, c.b.p
	if b.Sequence <= a.Sequence {
		c.weakens("lineage/sequence", "sequence number %d is not higher than %d: the new policy is not a later one", b.Sequence, a.Sequence)
	}
	switch b.Parent {
	case old.Digest:
	case "":
		c.weakens("lineage/parent", "the new policy has no parent: nothing made it keep the gates of the old one")
	default:
		c.weakens("lineage/parent", "the new policy was made from %s, which is not the old one", short(b.Parent))
	}
}

// corpora finds evidence that is gone. Another root says nothing by itself: a
// context that is seen again changes it. Weigh knows whether rows are gone.
func (c *comparison) corpora() {
	_, gone, both := split(c.a.p.Corpora, c.b.p.Corpora, func(r artifacts.CorpusRoot) string { return r.Name })
	for _, r := range gone {
		c.weakens(corpusRule(r.Name), "the record of %d %s calls is gone", r.Rows, corpusWord(r.Name))
	}
	for _, r := range both {
		if r.new.Rows < r.old.Rows {
			c.weakens(corpusRule(r.old.Name), "the record of %s calls has shrunk from %d to %d", corpusWord(r.old.Name), r.old.Rows, r.new.Rows)
		}
	}
}

// corpusWord is a corpus in a sentence: the two that gbt writes, or a quoted name.
func corpusWord(name string) string {
	if name == "unsafe" || name == "benign" {
		return name
	}
	return quote(name)
}

func corpusRule(name string) string {
	if name == "benign" {
		return "evidence/benign"
	}
	return "evidence/unsafe"
}

// tasks finds tasks that the new policy no longer says it was made from: who
// measures it on tasks left out would count them as new.
func (c *comparison) tasks() {
	added, removed, _ := split(c.a.p.TaskDigests, c.b.p.TaskDigests, func(d []byte) string { return string(d) })
	c.out.Stats.TasksAdded, c.out.Stats.TasksRemoved = len(added), len(removed)
	if len(removed) > 0 && len(c.b.p.TaskDigests) < artifacts.MaxTaskDigests {
		c.weakens("evidence/tasks", "%s that the old policy was made from are no longer named: a measurement may take them for new ones", counted(len(removed), "task"))
	}
}

// gateEvidence finds evidence that a gate had and has no longer. Evidence only
// grows, so a gate that stops fewer benign calls than before is one whose calls were
// forgotten. One that stops more costs more and is not weaker: costlier says so.
func (c *comparison) gateEvidence(old, new *artifacts.Gate) {
	was, is := old.Evidence, new.Evidence
	if is.Unsafe < was.Unsafe {
		c.weakens("evidence/gate", "gate %s has lost evidence: %d unsafe calls, %d before", short(old.ID), is.Unsafe, was.Unsafe)
	}
	switch {
	case is.Benign < was.Benign:
		c.weakens("evidence/benign", "gate %s was tried on %d benign tasks, %d before", short(old.ID), is.Benign, was.Benign)
	case is.Rejected < was.Rejected:
		c.weakens("evidence/benign", "gate %s is said to stop %d benign tasks, %d before: evidence of what it costs is gone", short(old.ID), is.Rejected, was.Rejected)
	case is.Rejected > was.Rejected:
		c.out.Gates.Costlier = append(c.out.Gates.Costlier, fmt.Sprintf("gate %s stops %d of %d benign tasks, %d of %d before", short(old.ID), is.Rejected, is.Benign, was.Rejected, was.Benign))
	}
}
