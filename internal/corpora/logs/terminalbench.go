package logs

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// terminalBenchLayout is a trial of terminal-bench: results.json, with the
// terminal capture beside it.
func terminalBenchLayout() layout {
	return layout{
		Layout: Layout{
			Name: "terminal-bench", Title: "terminal-bench trials with their terminal capture",
			Fields: HasTask | HasTaskID | HasModel | HasCwd | HasText | HasArgs | HasResult | HasExit | HasTimes | HasOutcome,
			Note:   "steps come from panes/post-agent.txt: the display of mini-swe-agent, else the commands at the shell's prompts",
		},
		kind: isRecord,
		need: []string{"trial_name", "is_resolved", "task_id"},
		read: (*reader).terminalBench,
	}
}

func (rd *reader) terminalBench(v *fastjson.Value, at place) {
	b := &rd.run
	b.begin("terminal-bench", rd.origin(at))
	b.ep.Task, b.ep.TaskID, b.ep.Group = strings.TrimSpace(str(v, "instruction")), str(v, "task_id"), "terminal-bench"
	b.ep.TokensIn, b.ep.TokensOut = v.GetInt64("total_input_tokens"), v.GetInt64("total_output_tokens")
	if good, set := boolAt(v, "is_resolved"); set {
		b.ep.Outcome = outcomeOf(good)
	}
	if id := str(v, "id"); id != "" {
		b.ep.ID = "terminal-bench/" + id
	}
	if !rd.near.none() {
		if pane := rd.near.read("panes/post-agent.txt"); pane != nil {
			rd.pane(strings.ToValidUTF8(string(pane), "\uFFFD"))
		}
	}
	rd.done("terminal-bench/" + str(v, "trial_name"))
}

var promptRE = regexp.MustCompile(`(?m)^(?:\([^)\n]*\) )?[\w.-]+@[\w.-]+:([^\s$#]*)[#$] (.*)$`)

// miniHead begins the line that mini-swe-agent's display puts above a step.
const miniHead = "\nmini-swe-agent (step "

// isPane says whether the text at hand is a capture of a trial whose results
// stand above it.
func (rd *reader) isPane() bool {
	if rd.near.none() || rd.near.base() != "panes" {
		return false
	}
	v, err := rd.nested.ParseBytes(rd.near.read("../results.json"))
	return err == nil && v.Get("trial_name") != nil
}

// pane turns a terminal capture into steps.
func (rd *reader) pane(s string) {
	if strings.Contains(s, miniHead) {
		rd.miniPane(s)
		return
	}
	rd.promptPane(s)
}

// miniPane reads mini-swe-agent's display: a header for each step, the words
// with the command in a fence, then the result as the user's turn.
func (rd *reader) miniPane(s string) {
	b := &rd.run
	b.ep.Agent = "mini-swe-agent"
	if _, rest, ok := strings.Cut(s, "mini -m "); ok {
		b.ep.Model, _, _ = strings.Cut(rest, " ")
	}
	before, rest, _ := strings.Cut(s, miniHead)
	line := strings.Count(before, "\n") + 2
	for more := true; more; {
		var step string
		step, rest, more = strings.Cut(rest, miniHead)
		rd.miniPaneStep(step, line)
		line += strings.Count(step, "\n") + 1
	}
}

// miniPaneStep reads one step, from its number on.
func (rd *reader) miniPaneStep(body string, line int) {
	head, body, _ := strings.Cut(body, "\n")
	number, _, _ := strings.Cut(head, ",")
	n, err := strconv.Atoi(number)
	if err != nil {
		return
	}
	body, result, answered := strings.Cut(body, "\nUser:\n")
	words, step, ok := rd.embedded(body, oneFence)
	if _, rest, found := strings.Cut(words, "THOUGHT:"); found {
		words = rest // the display's own noise stands before it
	}
	rd.run.say(words)
	if !ok {
		return
	}
	step.Line, step.Index = line, n-1
	if answered {
		step.Status = corpora.StatusExecuted
		if m := returncodeRE.FindStringSubmatch(result); m != nil {
			step.ExitCode, _ = strconv.Atoi(m[1])
			step.HasExit = true
			result = result[len(m[0]):]
		}
		step.Result = strings.Trim(withoutRule(outputOf(result)), "\n")
	}
	rd.run.call(step)
}

// withoutRule drops the line that the display draws below a step. The capture
// cuts it in the middle of a character.
func withoutRule(s string) string {
	s = strings.TrimRight(s, "\n ")
	for strings.HasSuffix(s, "─") || strings.HasSuffix(s, "\uFFFD") {
		s = strings.TrimRight(s, "─\uFFFD\n ")
	}
	return s
}

// promptPane takes every command at a shell prompt as a step, and what stands
// below it as its result.
func (rd *reader) promptPane(s string) {
	all := promptRE.FindAllStringSubmatchIndex(s, -1)
	for i, m := range all {
		command := strings.TrimSpace(s[m[4]:m[5]])
		if command == "" || strings.HasPrefix(command, "asciinema ") || strings.HasPrefix(command, "clear") && len(command) == 5 {
			continue
		}
		end := len(s)
		if i+1 < len(all) {
			end = all[i+1][0]
		}
		rd.run.call(corpora.Step{
			Tool: "bash", Args: rd.args1("command", command), Result: strings.TrimSpace(s[m[1]:end]), Cwd: s[m[2]:m[3]],
			Status: corpora.StatusExecuted, Line: strings.Count(s[:m[0]], "\n") + 1, Index: i,
		})
	}
}
