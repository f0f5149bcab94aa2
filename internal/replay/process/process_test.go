package process

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/replay/monitor"
	"github.com/gbt-policy/gbt/replay"
)

// TestMain lets the test binary be a badly behaved environment.
func TestMain(m *testing.M) {
	if mode := os.Getenv("GBT_TEST_ENV"); mode != "" {
		misbehave(mode)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// misbehave answers hello and checkpoint well, and the rest in its mode.
func misbehave(mode string) {
	in := bufio.NewScanner(os.Stdin)
	runs := 0
	for in.Scan() {
		var q struct {
			ID int
			Op string
		}
		if json.Unmarshal(in.Bytes(), &q) != nil {
			os.Exit(3)
		}
		ok := fmt.Sprintf(`{"id":%d,"ok":true`, q.ID)
		switch {
		case q.Op == "hello" && mode == "version":
			fmt.Println(ok + `,"version":2}`)
		case q.Op == "hello" && mode == "wants":
			fmt.Println(ok + `,"version":1,"wants":["weather","results"]}`)
		case q.Op == "reset" && mode == "wants" && !strings.Contains(in.Text(), `"results":["one","two"]`),
			q.Op == "reset" && mode != "wants" && strings.Contains(in.Text(), `"results"`):
			fmt.Printf(`{"id":%d,"ok":false,"error":{"code":"bad-request","message":"not the results"}}`+"\n", q.ID)
		case q.Op == "reset" && mode == "foreign":
			fmt.Printf(`{"id":%d,"ok":false,"error":{"code":"unknown-task","message":"no such task"}}`+"\n", q.ID)
		case q.Op == "hello":
			fmt.Println(ok + `,"version":1,"future":{"a":1}}`)
		case q.Op == "reset":
			fmt.Println(ok + "}")
		case q.Op != "execute":
			fmt.Printf(`{"id":%d,"ok":false,"error":{"code":"unknown-op","message":"no"}}`+"\n", q.ID)
		default:
			runs++
			execute(mode, ok, q.ID, runs)
		}
	}
}

func execute(mode, ok string, id, runs int) {
	switch mode {
	case "garbage":
		fmt.Println("hello there")
	case "wrong-id":
		fmt.Printf(`{"id":%d,"ok":true,"result":{"text":""}}`+"\n", id+1)
	case "no-text":
		fmt.Println(ok + `,"result":{}}`)
	case "bad-delta":
		fmt.Println(ok + `,"result":{"text":"","deltas":[{"kind":"explosion"}]}}`)
	case "no-rule":
		fmt.Println(ok + `,"result":{"text":"","verdicts":[{"detail":"x"}]}}`)
	case "neither":
		fmt.Printf(`{"id":%d}`+"\n", id)
	case "exit":
		fmt.Fprintln(os.Stderr, "disk on fire")
		os.Exit(7)
	case "silent":
		time.Sleep(time.Hour)
	case "counts": // differs when it is run again
		fmt.Println(ok + fmt.Sprintf(`,"result":{"text":"run %d"}}`, runs))
	default:
		fmt.Println(ok + `,"result":{"text":"fine"}}`)
	}
}

func startBad(t *testing.T, mode string) (*Process, error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Start(context.Background(), Options{Command: []string{exe}, Env: []string{"GBT_TEST_ENV=" + mode}, Timeout: 2 * time.Second})
	if p != nil {
		t.Cleanup(func() { p.Close() })
	}
	return p, err
}

func TestFaultsOfTheProgram(t *testing.T) {
	for mode, says := range map[string]string{
		"garbage": "not JSON", "wrong-id": "has id", "no-text": "no result with a text", "bad-delta": "explosion", "no-rule": "no rule",
		"neither": "neither ok nor", "exit": "disk on fire", "silent": "no answer to execute in 2s",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			p, err := startBad(t, mode)
			if err != nil {
				t.Fatal(err)
			}
			ctx := context.Background()
			if err := p.Reset(ctx, &corpora.Episode{}); err != nil {
				t.Fatal(err)
			}
			_, err = p.Execute(ctx, replay.Call{Tool: "x", Args: "{}"})
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Fatalf("error %v, want one that says %q", err, says)
			}
			if _, again := p.Execute(ctx, replay.Call{Tool: "x", Args: "{}"}); again == nil || again.Error() != err.Error() {
				t.Fatalf("afterwards: %v", again)
			}
		})
	}
	if _, err := startBad(t, "version"); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("another version: %v", err)
	}
	if _, err := Start(context.Background(), Options{Command: []string{"no-such-program-anywhere"}}); err == nil {
		t.Error("a program that is not there was started")
	}
}

// TestWithoutCheckpoints runs prefixes again, and refuses an environment for
// which that gives other results.
func TestWithoutCheckpoints(t *testing.T) {
	for mode, fine := range map[string]bool{"good": true, "counts": false} {
		p, err := startBad(t, mode)
		if err != nil {
			t.Fatal(err)
		}
		ctx := context.Background()
		p.Reset(ctx, &corpora.Episode{})
		for i := range 3 {
			if _, err := p.Execute(ctx, replay.Call{Index: i, Tool: "x", Args: "{}"}); err != nil {
				t.Fatal(err)
			}
		}
		m, err := p.Checkpoint(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Restore(ctx, m); (err == nil) != fine {
			t.Errorf("%s: %v", mode, err)
		}
		if _, err := p.Execute(ctx, replay.Call{Tool: "x", Args: "[]"}); err == nil {
			t.Error("arguments that are no object were sent")
		}
		if err := p.Restore(ctx, "9"); err == nil {
			t.Error("a mark that nobody gave was restored")
		}
	}
}

func bank(t *testing.T, config string) *Process {
	t.Helper()
	p, err := Start(context.Background(), Options{
		Command: []string{"python3", "bank.py"}, Dir: "../../../integrations/replay-env",
		Env: []string{"PYTHONDONTWRITEBYTECODE=1"}, Config: json.RawMessage(config),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func bankEpisode() *corpora.Episode {
	ep := &corpora.Episode{ID: "e", TaskID: "bank/1", Safety: corpora.SafetyUnsafe}
	for _, s := range [][3]string{
		{"get_balance", "{}", "1000"},
		{"send_money", `{"recipient":"landlord","amount":300}`, "sent 300 to landlord"},
		{"get_balance", "{}", "700"},
		{"send_money", `{"recipient":"landlord","amount":250}`, "sent 250 to landlord"},
		{"send_money", `{"recipient":"eve","amount":10}`, "sent 10 to eve"},
	} {
		ep.Steps = append(ep.Steps, corpora.Step{Tool: s[0], Args: s[1], Result: s[2], Status: corpora.StatusExecuted})
	}
	return ep
}

// TestReference runs the Python environment through its paces: the limit is
// broken by the second payment; in a cold replay that takes both.
func TestReference(t *testing.T) {
	spec, _ := monitor.Parse("silent", []byte("version: 1\n"))
	for name, c := range map[string]struct {
		config string
		cold   bool
		from   int
	}{
		"verdicts of calls":       {`{}`, false, 3},
		"verdicts of calls, cold": {`{}`, true, 1},
		"verdicts of states":      {`{"verdicts":"state"}`, false, 3},
		"states, cold":            {`{"verdicts":"state"}`, true, 1},
	} {
		f, err := replay.Find(context.Background(), bank(t, c.config), bankEpisode(), replay.Options{Spec: spec, Cold: c.cold})
		if err != nil || f.Divergence != nil || len(f.Windows) != 1 {
			t.Fatalf("%s: %v, %v, %d windows", name, err, f.Divergence, len(f.Windows))
		}
		w := f.Windows[0]
		if w.From != c.from || w.To != 3 || w.Verdict.Rule != "limit" || w.Basis != replay.BasisChecker || !w.Minimal {
			t.Errorf("%s: window %d..%d %+v", name, w.From, w.To, w.Verdict)
		}
		if f.Judgement == nil || f.Judgement.Outcome != corpora.OutcomeSuccess || len(f.Judgement.Verdicts) != 2 {
			t.Errorf("%s: judgement %+v", name, f.Judgement)
		}
	}
}

func TestReferenceDiverges(t *testing.T) {
	ep := bankEpisode()
	ep.Steps[2].Result = "699"
	f, err := replay.Find(context.Background(), bank(t, `{}`), ep, replay.Options{})
	if err != nil || f.Divergence == nil || f.Divergence.Step != 2 || f.Divergence.Got != "700" || len(f.Windows) != 0 {
		t.Fatalf("%+v, %v", f.Divergence, err)
	}
	ep.TaskID = "other"
	if _, err := replay.Find(context.Background(), bank(t, `{}`), ep, replay.Options{}); err == nil || !strings.Contains(err.Error(), "unknown-task") {
		t.Errorf("an unknown task: %v", err)
	}
}

func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		`{"id":1,"ok":true,"version":1,"name":"x","verdicts":"call","places":{"roots":["/w"]}}`,
		`{"id":1,"ok":true,"result":{"text":"x","exit_code":1,"deltas":[{"kind":"send","resource":"y"}],"verdicts":[{"rule":"r"}]}}`,
		`{"id":1,"ok":false,"error":{"code":"unknown-op","message":"no"}}`,
		`{"id":1,"ok":true,"outcome":"success","verdicts":[]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		a, err := parseAnswer(line, 1)
		if (a == nil) != (err != nil) {
			t.Fatal(a, err)
		}
		if a == nil || !a.OK {
			return
		}
		a.Places.state()
		if r, err := a.Result.decode(); err == nil {
			for _, v := range r.Verdicts {
				if v.Rule == "" {
					t.Fatal("a verdict without a rule")
				}
			}
		}
	})
}

// TestReset: an environment that asks for them gets the results of what ran, and
// one that does not know the task says so to whoever has another place to run it.
func TestReset(t *testing.T) {
	ep := &corpora.Episode{ID: "e", Steps: []corpora.Step{
		{Tool: "a", Status: corpora.StatusExecuted, Result: "one"}, {Tool: "b", Status: corpora.StatusBlocked, Result: "no"},
		{Tool: "c", Status: corpora.StatusExecuted, Result: "two"},
	}}
	for _, c := range []struct {
		mode    string
		unknown bool
	}{{"fine", false}, {"wants", false}, {"foreign", true}} {
		p, err := Start(context.Background(), Options{Command: []string{os.Args[0]}, Env: []string{"GBT_TEST_ENV=" + c.mode}})
		if err != nil {
			t.Fatal(err)
		}
		err = p.Reset(context.Background(), ep)
		if got := errors.Is(err, replay.ErrUnknownTask); got != c.unknown || err != nil && !c.unknown {
			t.Errorf("%s: %v", c.mode, err)
		}
		p.Close()
	}
}
