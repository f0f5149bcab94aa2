package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/gbt-policy/gbt/corpora"
	"github.com/gbt-policy/gbt/internal/corpora/logs"
	"github.com/gbt-policy/gbt/internal/protocol"
	"github.com/gbt-policy/gbt/traverse"
)

// hostSeconds is what the episodes tell of wall time: more than a test takes, so
// that the server's own measure is never the larger, and less than the bound.
const hostSeconds = 1000

// episodes are runs of the example logs.
func episodes(t testing.TB, n int) []*corpora.Episode {
	t.Helper()
	var out []*corpora.Episode
	for r := range logs.Open([]string{"../../examples/logs"}, logs.Options{}).Records(context.Background()) {
		if r.Episode != nil && len(r.Episode.Steps) > 2 && len(out) < n {
			out = append(out, r.Episode)
		}
	}
	if len(out) < n {
		t.Fatalf("only %d episodes in examples/logs", len(out))
	}
	return out
}

// stepBodies are the requests of one step of an episode.
type stepBodies struct {
	propose, check, observe []byte
	proposal                traverse.Proposal
	call                    traverse.Call
	result                  traverse.Result
}

func bodies(t testing.TB, s *corpora.Step) stepBodies {
	t.Helper()
	args := json.RawMessage(s.Args)
	var compact bytes.Buffer
	if err := json.Compact(&compact, args); err != nil {
		t.Fatal(err)
	}
	used := map[string]any{"seconds": hostSeconds}
	call := map[string]any{"tool": s.Tool, "args": args, "used": used}
	data := func(v any) []byte {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false) // a confirmation is bound to the spelling of the arguments
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	u := traverse.Usage{Seconds: hostSeconds}
	return stepBodies{
		propose:  data(map[string]any{"text": s.Text, "tool": s.Tool, "args": args, "used": used}),
		check:    data(map[string]any{"call": call}),
		observe:  data(map[string]any{"call": call, "result": map[string]any{"output": s.Result, "error": s.Error, "used": used}}),
		proposal: traverse.Proposal{Text: s.Text, Tool: s.Tool, Args: compact.Bytes(), Used: u},
		call:     traverse.Call{Tool: s.Tool, Args: compact.Bytes(), Used: u},
		result:   traverse.Result{Output: []byte(s.Result), Error: s.Error, Used: u},
	}
}

func sameJSON(t *testing.T, what string, got []byte, want any) {
	t.Helper()
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, data) {
		t.Errorf("%s over HTTP %s\nin process %s", what, got, data)
	}
}

// TestEqualInProcess replays real runs over HTTP and in process: every move,
// decision with its id, status and outcome is the same to the byte.
func TestEqualInProcess(t *testing.T) {
	s := newTestServer(t, Options{Store: openDir(t, t.TempDir()), MaxSessions: 1})
	c := dial(t, s)
	decisions := map[string]int{}
	for i, ep := range episodes(t, 12) {
		id := fmt.Sprint("e", i)
		task := traverse.Task{ID: id, Text: ep.Task}
		env := traverse.Env{Cwd: "/w", Roots: []string{"/w"}, UID: -1, GID: -1, Tools: ep.Tools}
		twin := s.policy.Start(task, env)
		told := map[string]any{"cwd": "/w", "roots": []string{"/w"}}
		if ep.Tools != nil {
			told["tools"] = ep.Tools
		}
		body, err := json.Marshal(map[string]any{"task": map[string]any{"id": id, "text": ep.Task}, "env": told})
		if err != nil {
			t.Fatal(err)
		}
		sameJSON(t, "start", c.send("POST", "/v1/sessions", string(body)).body, &protocol.SessionInfo{Session: id, Policy: s.policy.Digest(), Task: task, Status: twin.Status()})
		path := "/v1/sessions/" + id
		for j := range ep.Steps {
			b := bodies(t, &ep.Steps[j])
			m := twin.Propose(b.proposal)
			sameJSON(t, "move", c.send("POST", path+"/propose", string(b.propose)).body, protocol.MoveOf(&m))
			a := twin.Check(b.call)
			sameJSON(t, "decision", c.send("POST", path+"/check", string(b.check)).body, protocol.AnswerOf(&a))
			decisions[a.Disposition.String()]++
			twin.Observe(b.call, b.result)
			sameJSON(t, "status", c.send("POST", path+"/observe", string(b.observe)).body, &protocol.Observed{Status: twin.Status()})
		}
		out := twin.Finish()
		sameJSON(t, "outcome", c.send("POST", path+"/finish", "").body, &out)
	}
	if len(decisions) < 2 || decisions["approved"] < 50 {
		t.Errorf("next to nothing was decided: %v", decisions)
	}
}
