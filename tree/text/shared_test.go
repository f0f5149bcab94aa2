package text

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/corpora/corporatest"
)

// said is what an agent said before a call, and the call.
type said struct {
	task string
	text string
	prev string // label of the call before it in the episode
	next string // tool, or for shells the first program
	call string // the call as a description: names of the tool and its arguments, or the command
}

// sources are the readers of the logs that quality is measured on, each just
// good enough for words and calls: the real readers live above this package.
var sources = map[string]struct {
	dirs []string
	ext  string
	read func(path string, data []byte) []said
}{
	"agentdojo":       {[]string{"agentdojo-rrfa/data"}, ".jsonl", readAgentDojo},
	"swe":             {[]string{"acr-sweagent", "multi-swe-bench", "sweagent"}, ".traj", readSWE},
	"openagentsafety": {[]string{"openagentsafety/evaluation"}, ".json", readOpenHands},
	"intercode":       {[]string{"intercode/data/results"}, ".json", readInterCode},
	"tau":             {[]string{"tau-bench/historical_trajectories"}, ".json", readTau},
	"toolemu":         {[]string{"agentspec/expres/toolemu"}, ".jsonl", readToolEmu},
}

// readSaid reads every source; one that gives next to nothing fails.
func readSaid(t testing.TB) map[string][]said {
	t.Helper()
	root, out := corporatest.Shared(t, "corpora"), map[string][]said{}
	for name, src := range sources {
		for _, dir := range src.dirs {
			err := filepath.WalkDir(filepath.Join(root, dir), func(p string, e fs.DirEntry, err error) error {
				if err != nil || e.IsDir() || filepath.Ext(p) != src.ext {
					return err
				}
				data, err := os.ReadFile(p)
				out[name] = append(out[name], src.read(p, data)...)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(out[name]) < 50 {
			t.Fatalf("%s: only %d calls with words before them", name, len(out[name]))
		}
	}
	return out
}

// episode gathers the calls of one episode.
type episode struct {
	task, prev string
	out        *[]said
}

func (e *episode) add(text, label, call string) {
	text = strings.TrimSpace(text)
	if label == "" {
		return
	}
	if text != "" {
		*e.out = append(*e.out, said{e.task, text, e.prev, label, call})
	}
	e.prev = label
}

// text takes a string or a list of parts with text in them.
func textOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct{ Content, Text string }
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	for _, p := range parts {
		s += p.Content + p.Text + " "
	}
	return s
}

type chatMessage struct {
	Role      string          `json:"role"`
	Content   json.RawMessage `json:"content"`
	ToolCalls []struct {
		Function json.RawMessage `json:"function"`
		Args     map[string]any  `json:"args"`
	} `json:"tool_calls"`
}

// chat reads messages with tool calls; only the first call of a message has the
// words to itself.
func (e *episode) chat(messages []chatMessage) {
	for _, m := range messages {
		if m.Role != "assistant" || len(m.ToolCalls) == 0 {
			continue
		}
		var name string
		var f struct {
			Name      string
			Arguments json.RawMessage
		}
		if json.Unmarshal(m.ToolCalls[0].Function, &name) != nil && json.Unmarshal(m.ToolCalls[0].Function, &f) == nil {
			name = f.Name
		}
		e.add(textOf(m.Content), name, name+" "+argNames(f.Arguments, m.ToolCalls[0].Args))
	}
}

func argNames(raw json.RawMessage, args map[string]any) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		raw = json.RawMessage(s)
	}
	if args == nil && json.Unmarshal(raw, &args) != nil {
		return ""
	}
	var names []string
	for k := range args {
		names = append(names, k)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func readAgentDojo(_ string, data []byte) (out []said) {
	for line := range strings.Lines(string(data)) {
		var run struct {
			Messages []chatMessage
			Metadata struct {
				Suite string `json:"suite_name"`
				Task  string `json:"user_task_id"`
			}
		}
		if json.Unmarshal([]byte(line), &run) == nil {
			e := episode{task: run.Metadata.Suite + "/" + run.Metadata.Task, out: &out}
			e.chat(run.Messages)
		}
	}
	return out
}

func readTau(_ string, data []byte) (out []said) {
	var runs []struct {
		Task json.RawMessage `json:"task_id"`
		Traj []chatMessage
	}
	if json.Unmarshal(data, &runs) == nil {
		for _, r := range runs {
			e := episode{task: string(r.Task), out: &out}
			e.chat(r.Traj)
		}
	}
	return out
}

// readToolEmu reads runs whose steps are pairs of a call and its answer, each a
// list of strings: tool, arguments, the agent's words with the call repeated.
func readToolEmu(_ string, data []byte) (out []said) {
	for line := range strings.Lines(string(data)) {
		var run struct {
			Case  int                   `json:"case_idx"`
			Steps [][][]json.RawMessage `json:"intermediate_steps"`
		}
		if json.Unmarshal([]byte(line), &run) != nil {
			continue
		}
		e := episode{task: strconv.Itoa(run.Case), out: &out}
		for _, step := range run.Steps {
			if len(step) > 0 && len(step[0]) == 3 {
				words, _, _ := strings.Cut(textOf(step[0][2]), "\nAction:")
				tool := textOf(step[0][0])
				e.add(words, tool, tool+" "+argNames(step[0][1], nil))
			}
		}
	}
	return out
}

func readSWE(p string, data []byte) (out []said) {
	var run struct {
		Trajectory []struct{ Thought, Action string }
	}
	if json.Unmarshal(data, &run) == nil {
		e := episode{task: filepath.Base(p), out: &out}
		for _, s := range run.Trajectory {
			e.add(s.Thought, program(s.Action), firstLine(s.Action))
		}
	}
	return out
}

func readOpenHands(p string, data []byte) (out []said) {
	var events []struct {
		Source, Action string
		Args           struct{ Command, Thought, Path string }
	}
	if !strings.HasPrefix(filepath.Base(p), "traj_") || json.Unmarshal(data, &events) != nil {
		return nil
	}
	e := episode{task: filepath.Base(p), out: &out}
	for _, ev := range events {
		switch {
		case ev.Source != "agent":
		case ev.Action == "run":
			e.add(ev.Args.Thought, program(ev.Args.Command), firstLine(ev.Args.Command))
		case slices.Contains([]string{"read", "edit", "write", "browse", "run_ipython", "chat"}, ev.Action):
			e.add(ev.Args.Thought, ev.Action, ev.Action+" "+ev.Args.Path)
		}
	}
	return out
}

var execute = regexp.MustCompile(`(?s)^execute\[(.*)\]$`)

func readInterCode(_ string, data []byte) (out []said) {
	var runs map[string]struct {
		Environment string
		Query       string
		History     struct{ Actions, Thoughts []any } `json:"turn_history"`
	}
	if json.Unmarshal(data, &runs) != nil {
		return nil
	}
	var keys []string
	for k := range runs {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		r := runs[k]
		e := episode{task: r.Environment + r.Query, out: &out}
		for i, th := range r.History.Thoughts[:min(len(r.History.Thoughts), len(r.History.Actions))] {
			thought, _ := th.(string)
			action, _ := r.History.Actions[i].(string)
			action = execute.ReplaceAllString(strings.TrimSpace(action), "$1")
			e.add(thought, strings.ToLower(program(action)), firstLine(action))
		}
	}
	return out
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s[:min(len(s), 160)]
}

var (
	assignment = regexp.MustCompile(`^\w+=`)
	separator  = regexp.MustCompile(`&&|\|\||;|\|`)
)

// program is the first program of a command line that isn't cd.
func program(command string) string {
	found := ""
	for _, part := range separator.Split(firstLine(command), -1) {
		for _, w := range strings.Fields(part) {
			if assignment.MatchString(w) || w == "sudo" {
				continue
			}
			found = path.Base(w)
			break
		}
		if found != "" && found != "cd" {
			break
		}
	}
	return found
}
