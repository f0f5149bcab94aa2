package lang

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/program"
)

var update = flag.Bool("update", false, "write the golden file anew")

// readField writes a gate that reads a field: a comparison, below exists where
// the field is an element's.
func readField(info program.Info) string {
	name := "ctx." + info.Name
	if info.Of != program.Context {
		name = "x." + info.Name
	}
	var out string
	switch info.Type {
	case program.Bool:
		out = name
	case program.Int:
		out = name + " > 5"
	case program.String:
		out = name + ` == "a"`
	default:
		out = "size(" + name + ") > 5"
	}
	switch info.Of {
	case program.Arg:
		return "!ctx.args.exists(x, " + out + ")"
	case program.Effect:
		return "!ctx.effects.exists(x, " + out + ")"
	case program.Record:
		return "!ctx.history.exists(x, " + out + ")"
	case program.Text:
		return `!ctx.roots.exists(x, x < "a")`
	}
	return "!(" + out + ")"
}

// TestPrograms pins what reads each field: canonical text, program, the words
// for it, and what is said of mistakes.
func TestPrograms(t *testing.T) {
	var out bytes.Buffer
	for f, info := range fields {
		if info.Type == program.None {
			continue
		}
		text := readField(info)
		canonical, prog, err := Compile(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		words, err := Reading(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		fmt.Fprintf(&out, "%d %v\n  %s\n  %x\n  %s\n", f, info.Type, canonical, prog, words)
	}
	for _, text := range []string{
		`ctx.none`, `ctx == "x"`, `ctx.flow == "x"`, `ctx.effects.exists(e, e == "x")`, `ctx.effects.exists(e, e.payload == 1)`, `ctx.effects.exists(e, e.payload)`,
		`ctx.args.exists(a, a.type == "x")`, `ctx.history.exists(h, h == 1)`, `ctx.args == 1`, `ctx.tool.x == 1`, `ctx.flow.none`, `"x" in ctx.args`, `"x" in ctx.effects`, `["x"].exists(x, true)`, `ctx.tool.exists(x, true)`,
		`lang.celFlow{}.sensitive_read`, `lang.celEffect{port: "x"}.port == 1`, `ctx.flow == lang.celFlow{}`, `type(ctx) == lang.celContext`, `lang.celArg == lang.celArg`, `ctx.roots == ["x"]`, `ctx.effects[0].glob`, `ctx in ctx.effects`,
		`ctx.high == ctx.effects.exists(e, true)`, `size(ctx) == 1`, `size(ctx.uid) == 1`, `has(ctx.flow)`, `ctx.effects.exists(e, e.flow.derived == 1)`,
	} {
		_, _, err := Compile(text)
		fmt.Fprintf(&out, "%s\n  %v\n", text, err)
	}
	const path = "testdata/programs.golden"
	if *update {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("%s differs: what was released never changes, and new fields come at the end\n%s", path, out.Bytes())
	}
}
