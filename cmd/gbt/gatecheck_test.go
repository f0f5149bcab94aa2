package main

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/artifacts"
	"github.com/gbt-policy/gbt/internal/gates/lang"
)

func TestRecompiled(t *testing.T) {
	_, prog, err := lang.Compile("ctx.high")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, expr, want string
		program          []byte
	}{
		{"the same", "ctx.high", "", prog},
		{"another program", "!ctx.high", "not what its text compiles to", prog},
		{"another form", "(ctx.high)", "not canonical", prog},
		{"no gate at all", "ctx.low", "does not compile", prog},
	} {
		err := recompiled(&artifacts.Policy{Gates: []artifacts.Gate{{ID: "x", Expr: tc.expr, Program: tc.program}}})
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q", tc.name, err, tc.want)
		}
	}
}
