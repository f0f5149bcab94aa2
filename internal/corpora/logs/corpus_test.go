package logs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/corporatest"
)

// tally is what one source gave.
type tally struct {
	episodes, steps      int
	success, failure     int
	safe, unsafe         int
	skips, problems      int
	noTask, noTaskID     int
	noResult, withDeltas int
}

func (t *tally) add(r Record) {
	switch {
	case r.Skip != nil:
		t.skips++
	case r.Problem != nil:
		t.problems++
	default:
		t.episode(r.Episode)
	}
}

func (t *tally) episode(ep *corpora.Episode) {
	t.episodes++
	t.steps += len(ep.Steps)
	switch ep.Outcome {
	case corpora.OutcomeSuccess:
		t.success++
	case corpora.OutcomeFailure:
		t.failure++
	}
	switch ep.Safety {
	case corpora.SafetySafe:
		t.safe++
	case corpora.SafetyUnsafe:
		t.unsafe++
	}
	if ep.Task == "" {
		t.noTask++
	}
	if ep.TaskID == "" {
		t.noTaskID++
	}
	for i := range ep.Steps {
		if ep.Steps[i].Status == corpora.StatusUnknown {
			t.noResult++
		}
		if len(ep.Steps[i].Deltas) > 0 {
			t.withDeltas++
		}
	}
}

// sharedRecords is all records of the shared corpora, read once for all tests.
var sharedRecords = sync.OnceValues(func() (string, []Record) {
	root := corporatest.Path("corpora")
	if root == "" {
		return "", nil
	}
	return root, slices.Collect(Open([]string{root}, Options{}).Records(context.Background()))
})

// readShared tallies the shared corpora by source, the first part of the path.
func readShared(tb testing.TB) map[string]*tally {
	corporatest.Shared(tb, "corpora")
	root, records := sharedRecords()
	out := map[string]*tally{}
	for _, r := range records {
		rel, err := filepath.Rel(root, r.Origin().File)
		if err != nil {
			tb.Fatal(err)
		}
		src, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
		if out[src] == nil {
			out[src] = &tally{}
		}
		out[src].add(r)
	}
	return out
}

// TestSharedCorpora holds the counts of the shared corpora: runs, calls and
// labels by source, as the description of the formats gives them.
func TestSharedCorpora(t *testing.T) {
	got := readShared(t)
	for src, n := range got {
		t.Log(src, fmt.Sprintf("%+v", *n))
	}
	for _, w := range sharedWant {
		g := got[w.source]
		if g == nil {
			t.Errorf("%s: nothing was read", w.source)
			continue
		}
		have := wantTally{w.source, g.episodes, g.steps, g.success, g.failure, g.safe, g.unsafe, g.problems}
		if have != w {
			t.Errorf("have %+v\nwant %+v", have, w)
		}
	}
}

type wantTally struct {
	source           string
	episodes, steps  int
	success, failure int
	safe, unsafe     int
	problems         int
}

var sharedWant = []wantTally{
	{"acr-sweagent", 90, 913, 39, 51, 0, 0, 0},
	// Claude Code and pi sessions; two of the ten files branch once each.
	{"agent-transcripts-arcreflex", 14, 6, 0, 0, 0, 0, 0},
	{"agent-transcripts-swiftdiaries", 5, 2, 0, 0, 0, 0, 0},
	{"agentdojo-rrfa", 2244, 7864, 1099, 1145, 978, 144, 0},
	// Calls that the agent wrote into its words, and that Inspect never ran,
	// are not counted.
	{"agentharm-inspect", 64, 393, 0, 0, 0, 0, 0},
	// ToolEmu 99 runs, code 579, embodied 551. One ToolEmu record is broken
	// over three lines. Of 91 risk scores, 90 belong to a run of the file.
	{"agentspec", 1229, 6288, 41, 20, 35, 55, 3},
	{"assebench", 1084, 2181, 0, 0, 559, 525, 0},
	// edge_cases.jsonl holds five lines that are broken on purpose, and a
	// second session.
	{"claude-code-log", 5, 8, 0, 0, 0, 0, 5},
	{"dojo-luna", 148, 983, 48, 100, 147, 1, 0},
	{"inspect-ai", 8, 4, 3, 1, 0, 0, 0},
	// 12 of these runs are of people, in a shape of its own: 90 calls.
	{"intercode", 3249, 15234, 1377, 1872, 0, 0, 0},
	{"invariant-explorer", 30, 27, 10, 1, 0, 1, 0},
	{"mini-swe-agent", 2, 12, 0, 0, 0, 0, 0},
	{"multi-swe-bench", 29, 461, 4, 25, 0, 0, 0},
	{"openagentsafety", 504, 2395, 0, 0, 189, 211, 0},
	{"openhands", 9, 133, 0, 0, 0, 0, 0},
	{"reflexion", 512, 1867, 170, 342, 0, 0, 0},
	// One demonstration has no trajectory, only a history: its 5 calls are
	// counted from there.
	{"sweagent", 21, 219, 0, 0, 0, 0, 0},
	// The 88 few-shot conversations were written for display, without their
	// calls, and are skipped.
	{"tau-bench", 120, 783, 48, 72, 0, 0, 0},
	// The calls are those in the terminal captures.
	{"terminal-bench", 16, 246, 5, 6, 0, 0, 0},
	{"whowhen", 107, 1196, 0, 107, 0, 0, 0},
}

// TestSharedTotals compares the whole with the published totals.
func TestSharedTotals(t *testing.T) {
	const episodes, calls = 9478, 41192
	haveEpisodes, haveCalls := 0, 0
	for _, n := range readShared(t) {
		haveEpisodes += n.episodes
		haveCalls += n.steps
	}
	t.Logf("%d episodes, %d calls", haveEpisodes, haveCalls)
	for _, c := range []struct {
		what       string
		have, want int
	}{{"episodes", haveEpisodes, episodes}, {"calls", haveCalls, calls}} {
		if diff := c.have - c.want; diff*100 > c.want || -diff*100 > c.want {
			t.Errorf("%d %s, more than 1%% away from %d", c.have, c.what, c.want)
		}
	}
}

// TestSharedEveryFileIsAccountedFor: each file of the shared corpora gives an
// episode, a skip with a reason or a problem, and each directory episodes.
func TestSharedEveryFileIsAccountedFor(t *testing.T) {
	root := corporatest.Shared(t, "corpora")
	seen, episodes := map[string]bool{}, map[string]int{}
	_, records := sharedRecords()
	for _, r := range records {
		rel, err := filepath.Rel(root, r.Origin().File)
		if err != nil {
			t.Fatal(err)
		}
		rel = filepath.ToSlash(rel)
		seen[rel] = true
		dir, _, _ := strings.Cut(rel, "/")
		if r.Episode != nil {
			episodes[dir]++
		}
	}
	manifest, err := os.ReadFile(filepath.Join(root, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for i, row := range strings.Split(strings.TrimSpace(string(manifest)), "\n") {
		name, _, _ := strings.Cut(row, "\t")
		if i == 0 {
			continue
		}
		files++
		if !seen[name] {
			t.Errorf("%s: nothing was said about it", name)
		}
		if dir, _, _ := strings.Cut(name, "/"); episodes[dir] == 0 {
			t.Errorf("%s: no episode in %s", name, dir)
		}
	}
	if files == 0 {
		t.Error("the manifest lists no files")
	}
}

// TestSharedIdentity: an id names one run, repeated runs of a task share its
// id, and an attacked run shares the task of the run without the attack.
func TestSharedIdentity(t *testing.T) {
	root := corporatest.Shared(t, "corpora")
	ids := map[string]string{}
	_, records := sharedRecords()
	for _, r := range records {
		if r.Episode == nil {
			continue
		}
		at := fmt.Sprint(r.Episode.Origin)
		// One session of Claude Code stands in two files, under one id.
		if other, ok := ids[r.Episode.ID]; ok && r.Episode.Format != "claude-code" {
			t.Errorf("%s names both %s and %s", r.Episode.ID, other, at)
		}
		ids[r.Episode.ID] = at
	}
	for dir, want := range map[string]struct{ tasks, runs int }{"agentdojo-rrfa": {66, 2 * 17}, "tau-bench": {30, 4}} {
		tasks := map[string]int{}
		for _, ep := range episodesOf(t, Options{}, filepath.Join(root, dir)) {
			tasks[ep.TaskID]++
		}
		if len(tasks) != want.tasks {
			t.Errorf("%s: %d tasks, want %d", dir, len(tasks), want.tasks)
		}
		for task, n := range tasks {
			if n != want.runs {
				t.Errorf("%s: %d runs of %s, want %d", dir, n, task, want.runs)
			}
		}
	}
}
