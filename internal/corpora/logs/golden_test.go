package logs

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
)

var update = flag.Bool("update", false, "write the wanted results anew")

// TestGolden reads every directory of testdata/in and compares all that comes
// out, field by field, with testdata/want.
func TestGolden(t *testing.T) {
	dirs, err := os.ReadDir("testdata/in")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no inputs: %v", err)
	}
	for _, d := range dirs {
		t.Run(d.Name(), func(t *testing.T) {
			got := dump(t, filepath.Join("testdata/in", d.Name()), Options{Workers: 1})
			name := filepath.Join("testdata/want", d.Name()+".txt")
			if *update {
				if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs (go test -update writes it anew):\n%s", name, firstDifference(got, string(want)))
			}
		})
	}
}

// TestGoldenAnyWay reads the same inputs with several workers, and with every
// document walked element by element: nothing may change.
func TestGoldenAnyWay(t *testing.T) {
	want := dump(t, "testdata/in", Options{Workers: 1})
	for name, o := range map[string]Options{
		"many workers":   {Workers: 8},
		"tiny documents": {Workers: 1, WholeLimit: 64},
		"both":           {Workers: 3, WholeLimit: 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := dump(t, "testdata/in", o); got != want {
				t.Error(firstDifference(got, want))
			}
		})
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d:\n got %s\nwant %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(g), len(w))
}

// dump is all records of path as text, unset fields left out.
func dump(tb testing.TB, path string, o Options) string {
	tb.Helper()
	var b strings.Builder
	for r := range Open([]string{path}, o).Records(context.Background()) {
		at := r.Origin()
		place := strings.TrimPrefix(filepath.ToSlash(at.File), "testdata/in/")
		if at.Member != "" {
			place += "!" + at.Member
		}
		fmt.Fprintf(&b, "%s line=%d index=%d key=%q\n", place, at.Line, at.Index, at.Key)
		switch {
		case r.Skip != nil:
			fmt.Fprintf(&b, "  SKIP %s\n", r.Skip.Reason)
		case r.Problem != nil:
			fmt.Fprintf(&b, "  PROBLEM %s: %s\n", r.Problem.Code, r.Problem.Sentence)
		default:
			dumpEpisode(&b, r.Episode)
		}
	}
	return b.String()
}

func dumpEpisode(b *strings.Builder, ep *corpora.Episode) {
	field := func(name string, v any) {
		switch v {
		case "", int64(0), 0, false:
		default:
			fmt.Fprintf(b, "  %s %q\n", name, fmt.Sprint(v))
		}
	}
	fmt.Fprintf(b, "  EPISODE %s outcome=%d safety=%d chars=%d\n", ep.ID, ep.Outcome, ep.Safety, ep.Chars)
	field("format", strings.TrimSpace(ep.Format+" "+ep.Version))
	field("task_id", ep.TaskID)
	field("task", ep.Task)
	field("group", ep.Group)
	field("agent", ep.Agent)
	field("model", ep.Model)
	field("parent", ep.Parent)
	field("tools", strings.Join(ep.Tools, ","))
	field("tokens_in", ep.TokensIn)
	field("tokens_out", ep.TokensOut)
	for _, v := range ep.Verdicts {
		fmt.Fprintf(b, "  verdict step=%d unsafe=%v %s %q\n", v.Step, v.Unsafe, v.Rule, v.Detail)
	}
	for i, s := range ep.Steps {
		fmt.Fprintf(b, "  %d. %s %s status=%d line=%d index=%d\n", i, s.Tool, s.Args, s.Status, s.Line, s.Index)
		for _, f := range []struct {
			name string
			v    any
		}{
			{"call_id", s.CallID}, {"text", s.Text}, {"heard", s.Heard}, {"actor", s.Actor}, {"blocked_by", s.BlockedBy},
			{"result", s.Result}, {"error", s.Error}, {"cwd", s.Cwd}, {"start", s.Start}, {"end", s.End},
			{"tokens_in", s.TokensIn}, {"tokens_out", s.TokensOut},
		} {
			field("   "+f.name, f.v)
		}
		if s.HasExit {
			fmt.Fprintf(b, "     exit %d\n", s.ExitCode)
		}
		for _, d := range s.Deltas {
			fmt.Fprintf(b, "     delta %d %q size=%d observed=%v\n", d.Kind, d.Resource, d.Size, d.Observed)
		}
	}
	field("final", ep.Final)
}
