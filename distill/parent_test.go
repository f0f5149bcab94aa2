package distill

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/corpora/contexts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/tree"
)

// testGate is a gate that stops calls of one tool.
func testGate(t *testing.T, scope, tool string) artifacts.Gate {
	t.Helper()
	expr, program, err := lang.Compile(`ctx.tool != "` + tool + `"`)
	if err != nil {
		t.Fatal(err)
	}
	return artifacts.Gate{ID: artifacts.GateID(scope, artifacts.DispositionReject, expr), Scope: scope,
		Disposition: artifacts.DispositionReject, Expr: expr, Message: "no", Program: program}
}

// testPolicy has a root and a chain of nodes below it, one for each state key.
func testPolicy(keys ...string) *artifacts.Policy {
	p := &artifacts.Policy{Sequence: 1}
	p.Tree.Nodes = append(p.Tree.Nodes, tree.Node{Parent: -1, State: -1})
	for i, k := range keys {
		p.Tree.States = append(p.Tree.States, tree.State{Key: k})
		p.Tree.Nodes = append(p.Tree.Nodes, tree.Node{Parent: int32(i), State: int32(i)})
	}
	return p
}

// stopped is a recorded call of a tool at a macro.
func stopped(tool, macro string) *contexts.Corpus {
	var k gates.Checker
	c := k.Context(gates.Request{Tool: tool, Args: []byte(`{}`)}, gates.State{})
	all := &contexts.Corpus{}
	all.Add(contexts.NewRow(contexts.Unsafe, &c, macro, contexts.Evidence{Episode: "e", Task: "t"}))
	return all
}

func TestSucceedKeepsNodeGates(t *testing.T) {
	for _, c := range []struct {
		name     string
		old, new []string // keys of the chains
		at       int      // node of the old chain where the gate comes in; 0 is the root
		asked    []bool   // by nodes of the new chain, the root first
		widened  bool
	}{
		{"macro still there", []string{"read", "send"}, []string{"read", "send", "close"}, 2, []bool{false, false, true, true}, false},
		{"macro at another place", []string{"read", "send"}, []string{"send", "read"}, 2, []bool{false, true, true}, false},
		{"macro split", []string{"read", "send"}, []string{"read", "send|read"}, 2, []bool{false, false, true}, false},
		{"macro gone", []string{"read", "send"}, []string{"read"}, 2, []bool{false, false}, true},
		{"an heir's macro gone", []string{"read", "send"}, []string{"read"}, 1, []bool{false, true}, true},
		{"gate of the root", []string{"send"}, []string{"send"}, 0, []bool{false, true}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, next := testPolicy(c.old...), testPolicy(c.new...)
			g := testGate(t, artifacts.ScopeNode, "send_email")
			old.Gates = []artifacts.Gate{g}
			for i := c.at; i < len(old.Tree.Nodes); i++ {
				old.Tree.Nodes[i].Gates = []string{g.ID}
			}
			p := &Parent{Policy: old, Digest: "d", Contexts: stopped("send_email", "send")}
			s, err := p.succeed(next)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(s.Widened) == 1; got != c.widened || next.Parent != "d" || next.Sequence != 2 {
				t.Errorf("widened %v, parent %q, sequence %d", s.Widened, next.Parent, next.Sequence)
			}
			for i, want := range c.asked {
				if got := slices.Contains(next.Tree.Nodes[i].Gates, g.ID); got != want {
					t.Errorf("node %d asks: %v, want %v", i, got, want)
				}
			}
			if !slices.ContainsFunc(next.Gates, func(x artifacts.Gate) bool { return x.ID == g.ID }) {
				t.Error("the gate itself is gone")
			}
			if a, err := p.audit(next, 1); err != nil || a.Recorded() <= builtInMutations {
				t.Errorf("audit: %v, %+v", err, a)
			}
		})
	}
}

func TestAuditRefusesLostGates(t *testing.T) {
	global, local := testGate(t, artifacts.ScopeGlobal, "send_email"), testGate(t, artifacts.ScopeNode, "send_email")
	weaker := global
	weaker.Disposition = artifacts.DispositionConsent
	weaker.ID = artifacts.GateID(weaker.Scope, weaker.Disposition, weaker.Expr)
	for _, c := range []struct {
		name string
		have []artifacts.Gate
	}{
		{"no gate", nil}, {"at no node", []artifacts.Gate{local}}, {"less strict", []artifacts.Gate{weaker}},
		{"of another tool", []artifacts.Gate{testGate(t, artifacts.ScopeGlobal, "send_money")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			old, next := testPolicy("send"), testPolicy("send")
			old.Gates, next.Gates = []artifacts.Gate{global}, c.have
			p := &Parent{Policy: old, Contexts: stopped("send_email", "send")}
			_, err := p.audit(next, 1)
			var bad *ErrReadmitted
			if !errors.As(err, &bad) {
				t.Fatalf("error %v, want a refusal", err)
			}
			row := p.Contexts.Rows(contexts.Unsafe)[0]
			if text := err.Error(); !strings.Contains(text, row.ID) || !strings.Contains(text, global.ID) {
				t.Errorf("the message names neither context nor gate: %s", text)
			}
		})
	}
}

func TestSucceedIsAsStrict(t *testing.T) {
	old, next := testPolicy("send"), testPolicy("send")
	old.Guardrail.Strict = true
	old.TaskDigests, next.TaskDigests = [][]byte{{1}, {3}}, [][]byte{{2}, {3}}
	if _, err := (&Parent{Policy: old}).succeed(next); err != nil || !next.Guardrail.Strict || len(next.TaskDigests) != 3 {
		t.Errorf("%v, strict %v, %d tasks", err, next.Guardrail.Strict, len(next.TaskDigests))
	}
	old.Sequence = artifacts.MaxSequence
	if _, err := (&Parent{Policy: old}).succeed(next); !errors.Is(err, ErrLastSequence) {
		t.Errorf("error %v, want that the line ends", err)
	}
}

// TestEvidenceStays: a gate that the new logs show less often than the parent's
// keeps the parent's evidence, and one that they show more often gets theirs.
func TestEvidenceStays(t *testing.T) {
	for _, c := range []struct{ old, new, want artifacts.Evidence }{
		{artifacts.Evidence{Unsafe: 17, Benign: 40}, artifacts.Evidence{Unsafe: 14, Benign: 90}, artifacts.Evidence{Unsafe: 17, Benign: 40}},
		{artifacts.Evidence{Unsafe: 14}, artifacts.Evidence{Unsafe: 17, Benign: 3, Rejected: 1}, artifacts.Evidence{Unsafe: 17, Benign: 3, Rejected: 1}},
		{artifacts.Evidence{Unsafe: 5, Benign: 9, Rejected: 2}, artifacts.Evidence{Unsafe: 5, Benign: 9, Rejected: 1}, artifacts.Evidence{Unsafe: 5, Benign: 9, Rejected: 1}},
	} {
		old, next := testPolicy("send"), testPolicy("send")
		g := testGate(t, artifacts.ScopeGlobal, "send_email")
		g.Evidence = c.old
		old.Gates = []artifacts.Gate{g}
		g.Evidence, g.Message = c.new, "mine"
		next.Gates = []artifacts.Gate{g}
		if _, err := (&Parent{Policy: old}).succeed(next); err != nil {
			t.Fatal(err)
		}
		if len(next.Gates) != 1 || next.Gates[0].Evidence != c.want || next.Gates[0].Message != "mine" {
			t.Errorf("%+v and %+v: %+v", c.old, c.new, next.Gates)
		}
	}
}
