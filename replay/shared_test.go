package replay

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/corporatest"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/replay/monitor"
)

func unsafeEpisodes(t *testing.T, parts ...string) []*corpora.Episode {
	var out []*corpora.Episode
	in := logs.Open([]string{corporatest.Shared(t, parts...)}, logs.Options{})
	for r := range in.Records(context.Background()) {
		if r.Episode != nil && r.Episode.Safety == corpora.SafetyUnsafe {
			out = append(out, r.Episode)
		}
	}
	return out
}

// TestSharedWindows finds windows in the real unsafe runs of AgentDojo, and
// holds each to the definition with replays of its own.
func TestSharedWindows(t *testing.T) {
	episodes := unsafeEpisodes(t, "corpora", "agentdojo-rrfa")
	opts := Options{Spec: monitor.Default(), Every: true}
	ran, located, several, total := 0, 0, 0, 0
	for _, ep := range episodes {
		f, err := Find(context.Background(), &Recorded{}, ep, opts)
		if err != nil || f.Divergence != nil {
			t.Fatalf("%s: %v, %v", ep.ID, err, f.Divergence)
		}
		if len(f.Trace) > 0 {
			ran++
		}
		if len(f.Windows) > 0 {
			located++
		}
		again, _ := Find(context.Background(), &Recorded{}, ep, opts)
		if a, b := encode(t, f.Windows), encode(t, again.Windows); !bytes.Equal(a, b) {
			t.Fatalf("%s: two runs differ:\n%s\n%s", ep.ID, a, b)
		}
		for i := range f.Windows {
			w := &f.Windows[i]
			total++
			if w.From < w.To {
				several++
			}
			if !w.Minimal || w.Basis != BasisLocated {
				t.Errorf("%s: window %d..%d minimal %v, basis %s", ep.ID, w.From, w.To, w.Minimal, w.Basis)
			}
			holds(t, ep, w, i == 0, opts)
		}
	}
	t.Logf("%d unsafe episodes, %d with a call that ran, %d with a window; %d windows, %d of several calls", len(episodes), ran, located, total, several)
	if located*10 < ran*9 || several == 0 {
		t.Errorf("windows in %d of %d episodes, %d of several calls", located, ran, several)
	}
}

// holds cuts the window out of the episode: alone it must draw the verdict at
// its last call, and not there without its first one. In the first window
// nothing else may draw it either.
func holds(t *testing.T, ep *corpora.Episode, w *Window, first bool, opts Options) {
	t.Helper()
	for _, c := range []struct {
		from, to int
		want     bool
	}{{w.From, w.To, true}, {w.From + 1, w.To, false}, {w.From, w.To - 1, false}} {
		part := *ep
		part.Steps = nil
		if c.from <= c.to {
			part.Steps = ep.Steps[c.from : c.to+1]
		}
		f, err := Find(context.Background(), &Recorded{}, &part, opts)
		if err != nil {
			t.Fatal(err)
		}
		got := false
		for i := range f.Trace {
			if first || c.from+f.Trace[i].Step == w.To {
				got = got || hasRule(f.Trace[i].Verdicts, w.Verdict)
			}
		}
		if got != c.want {
			t.Errorf("%s: calls %d..%d of window %d..%d draw %s: %v", ep.ID, c.from, c.to, w.From, w.To, w.Verdict.Rule, got)
		}
	}
}

func encode(t *testing.T, windows []Window) []byte {
	t.Helper()
	var out []byte
	for i := range windows {
		b, err := json.Marshal(&windows[i])
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, b...), '\n')
	}
	return out
}
