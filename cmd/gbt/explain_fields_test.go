package main

import (
	"slices"
	"testing"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/call"
	"github.com/gbt-policy/gbt/gates/effect"
)

// TestGateFields holds the words for a gate's fields to what people have read so
// far.
func TestGateFields(t *testing.T) {
	c := gates.Context{
		Tool: "srv.Send", Class: call.Classify("read_file"), Cwd: "/w", Roots: []string{"/w", "/v"}, UID: -1, GID: 7,
		Args: make([]gates.Arg, 2), Effects: []gates.Effect{{Kind: effect.Write}, {Kind: effect.Read}}, Flow: gates.Flow{SensitiveRead: true, Derived: []string{"/x"}},
	}
	got := gateFields(&c, `ctx.tool == "a" && ctx.verb == "b" && ctx.high && ctx.tier == "c" && ctx.cwd.under("/") && ctx.uid in ctx.gid && ctx.roots.exists(s, true) && ctx.flow.derived && `+
		`"read" in ctx.types && ctx.args && ctx.effects && ctx.history && ctx.flow.sensitive_read && ctx.none && ctx.flow`)
	want := []string{"ctx.args = 2 arguments", "ctx.cwd.under", "ctx.effects = 2 effects", "ctx.flow", "ctx.flow.derived", "ctx.flow.sensitive_read = true", "ctx.gid = 7", "ctx.high = true",
		"ctx.history = 0 records", "ctx.none", "ctx.roots.exists", "ctx.tier = externally-irreversible", "ctx.tool = send", "ctx.types = read write", "ctx.uid = -1", "ctx.verb = read"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant\n%q", got, want)
	}
}
