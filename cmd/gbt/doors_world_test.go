package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/lang"
	"github.com/gbt-policy/gbt/replay"
	"github.com/gbt-policy/gbt/traverse"
	"github.com/gbt-policy/gbt/tree"
	"github.com/gbt-policy/gbt/tree/text"
)

// doorWorld is the one policy that all front ends decide by, and the place that
// all calls would run in.
type doorWorld struct {
	file    string // the policy's
	art     *artifacts.Policy
	info    *artifacts.Info
	policy  *traverse.Policy
	checker *gates.Checker
	gate    string // the rule of its only gate
	dir     string // for whatever a front end keeps
}

const doorDir = "/w"

// untrustedTarget is a gate that asks about what only a result has named.
const untrustedTarget = `!ctx.args.exists(a, a.origin == "untrusted" && a.role in ["path-write", "recipient"])`

func newDoorWorld(t testing.TB) *doorWorld {
	t.Helper()
	data, err := artifacts.Encode(doorPolicy(t))
	if err != nil {
		t.Fatal(err)
	}
	w := &doorWorld{dir: t.TempDir()}
	w.file = filepath.Join(w.dir, "doors.gbt")
	if err := os.WriteFile(w.file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if w.art, w.info, err = artifacts.Open(data, artifacts.Trust{}); err != nil {
		t.Fatal(err)
	}
	if w.policy, err = traverse.New(w.art, traverse.Options{Digest: w.info.Digest}); err != nil {
		t.Fatal(err)
	}
	w.checker = w.policy.Checker()
	w.gate = "gate/" + w.art.Gates[0].ID[:12]
	return w
}

// doorPolicy has no family, so that every step explores: nothing but the guardrail
// and the gate decides.
func doorPolicy(t testing.TB) *artifacts.Policy {
	t.Helper()
	table, noDigest := text.Default(), strings.Repeat("0", 64)
	p := &artifacts.Policy{
		Name: "doors", Sequence: 1, Pack: artifacts.DefaultPack(), Provenance: artifacts.Provenance{Tool: "test", Config: noDigest, Inputs: artifacts.Inputs{Root: noDigest}},
		Encoder: artifacts.Encoder{ID: table.ID(), Digest: table.Digest(), Dim: table.Dim()},
		Params: tree.Params{
			Profile: tree.DefaultProfile, ThetaHigh: 780, ThetaLow: 700, Ambiguous: 50, ExploreBudget: 9,
			RouteAbstain: 900, RouteKeep: 20, RouteTemperature: 50, RouteEvery: 3, RouteSwitch: 100,
			Alpha: 1000, EnvCos: 1, Lambda: 500, MaxRecovery: 8, MaxChildren: 12, AllowedShare: 1000, Novelty: 1001,
			Posterior: [4]tree.Milli{-3000, 5000, 2000, 0},
		},
		Guardrail: artifacts.Guardrail{Rules: gates.Guardrail{Profile: gates.ProfileApps}, Roots: []string{doorDir}},
	}
	for _, server := range []string{"mcp__tools__", ""} { // names that MCP hosts make are matched whole
		p.Schemas = append(p.Schemas,
			artifacts.SchemaOf(&call.Schema{Tool: server + "run_cell", Family: call.FamilyCode, Verb: effect.VerbExecute, Resource: call.ResourceProcess,
				Args: []call.ArgSchema{{Name: "source", Role: effect.RoleCode, Lang: "python"}}}),
			artifacts.SchemaOf(&call.Schema{Tool: server + "run_line", Family: call.FamilyShell, Verb: effect.VerbExecute, Resource: call.ResourceProcess,
				Args: []call.ArgSchema{{Name: "line", Role: effect.RoleCommand}}}))
	}
	p.Tree.Nodes = append(p.Tree.Nodes, tree.Node{Parent: -1, State: -1})
	expr, program, err := lang.Compile(untrustedTarget)
	if err != nil {
		t.Fatal(err)
	}
	p.Gates = []artifacts.Gate{{
		ID: artifacts.GateID(artifacts.ScopeGlobal, artifacts.DispositionConsent, expr), Scope: artifacts.ScopeGlobal, Disposition: artifacts.DispositionConsent,
		Expr: expr, Message: "somebody else named it", Program: program,
	}}
	return p
}

func (w *doorWorld) state() gates.State {
	return gates.State{Cwd: doorDir, Roots: []string{doorDir}, UID: -1, GID: -1}
}

// said is where a text came from: the call that it came back from, and how it is
// told where a host has a result and an error.
type said struct {
	tool, args    string
	output, fault string
}

// source is the call that a text came back from.
func (c came) source() said {
	switch c.as {
	case "error":
		return said{tool: "read_inbox", args: `{}`, fault: c.text}
	case "stderr":
		return said{tool: "bash", args: `{"command":"make"}`, output: c.text}
	case "resource":
		return said{tool: "mcp__tools__read_resource", args: `{"uri":"` + doorResource + `"}`, output: c.text}
	case "prompt":
		return said{tool: "mcp__tools__get_prompt", args: `{"name":"greet"}`, output: c.text}
	}
	return said{tool: "read_inbox", args: `{}`, output: c.text}
}

const doorResource = "file:///w/letter.txt"

// doorEnv is an environment that runs nothing and notes what it was to run.
type doorEnv struct {
	say came // of the first call
	ran []replay.Call
}

func (e *doorEnv) Reset(context.Context, *corpora.Episode) error { return nil }
func (e *doorEnv) Execute(_ context.Context, c replay.Call) (replay.Result, error) {
	e.ran = append(e.ran, c)
	if len(e.ran) > 1 {
		return replay.Result{Text: "done"}, nil
	}
	if e.say.as == "error" {
		return replay.Result{Error: e.say.text}, nil
	}
	return replay.Result{Text: e.say.text, HasExit: true}, nil
}
func (e *doorEnv) Checkpoint(context.Context) (replay.Mark, error) { return "", nil }
func (e *doorEnv) Restore(context.Context, replay.Mark) error      { return nil }
func (e *doorEnv) Examine(ctx context.Context, command string) (replay.Result, error) {
	return replay.Result{HasExit: true}, nil
}
func (e *doorEnv) ReadFile(string) ([]byte, error) { return nil, fs.ErrNotExist }
func (e *doorEnv) Digests() map[string]string      { return map[string]string{} }
func (e *doorEnv) Close() error                    { return nil }
func (e *doorEnv) State() gates.State {
	return gates.State{Cwd: doorDir, Roots: []string{doorDir}, UID: -1, GID: -1}
}
