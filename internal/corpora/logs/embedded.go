package logs

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/valyala/fastjson"

	"github.com/gbt-policy/gbt/corpora"
)

// style is how an agent writes its calls into its words, where the log has no
// calls of its own. The system prompt tells.
type style uint8

const (
	noStyle    style = iota
	oneFence         // exactly one fenced shell block a message (mini-swe-agent)
	lastFence        // the last fenced block (SWE-agent's thought_action)
	tagged           // <function=NAME><parameter=KEY>VALUE</parameter></function> (OpenHands without tool calls)
	reactStyle       // Action: NAME, Action Input: TEXT
)

// styleOf reads the style from a system prompt.
func styleOf(prompt string) style {
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(prompt, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("<function=example_function_name>", "<function="):
		return tagged
	case has("exactly ONE bash code block", "mswea_bash_command", "enclosed in triple backticks"):
		return oneFence
	case has("DISCUSSION\n", "a single SINGLE command", "*SINGLE* command", "just *one* command", "one command at a time", "only *SINGLE* tool call"):
		return lastFence
	case has("Action Input:"):
		return reactStyle
	}
	return noStyle
}

var (
	fenceRE  = regexp.MustCompile("(?s)```([a-zA-Z_]*)[ \t]*\n(.*?)\n?```")
	taggedRE = regexp.MustCompile(`(?s)<function=([^>\s]+)>(.*?)(?:</function>|\z)`)
	paramRE  = regexp.MustCompile(`(?s)<parameter=([^>\s]+)>(.*?)</parameter>`)
	actionRE = regexp.MustCompile(`(?s)(?:^|\n)Action:[ \t]*([^\n]+)\n+Action Input:[ \t]*(.*?)(?:\nObservation:|\z)`)
)

// embedded splits a message of the agent into its words and the call in them.
func (rd *reader) embedded(msg string, st style) (words string, call corpora.Step, ok bool) {
	switch st {
	case oneFence, lastFence:
		return rd.fenced(msg, st)
	case tagged:
		if m := taggedRE.FindStringSubmatchIndex(msg); m != nil {
			return msg[:m[0]], rd.taggedCall(msg[m[2]:m[3]], msg[m[4]:m[5]]), true
		}
	case reactStyle:
		if m := actionRE.FindStringSubmatchIndex(msg); m != nil {
			call := corpora.Step{Tool: strings.TrimSpace(msg[m[2]:m[3]]), Args: rd.argsString(msg[m[4]:m[5]])}
			return trimThought(msg[:m[0]]), call, true
		}
	}
	return msg, corpora.Step{}, false
}

func trimThought(s string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s), "Thought:"))
}

// fenced takes the fenced block out of the message: the words are what stands
// around it.
func (rd *reader) fenced(msg string, st style) (string, corpora.Step, bool) {
	all := fenceRE.FindAllStringSubmatchIndex(msg, -1)
	if st == oneFence {
		all = shellFences(msg, all)
		if len(all) != 1 { // the agent's runtime refuses such a message
			return msg, corpora.Step{}, false
		}
	}
	if len(all) == 0 {
		return msg, corpora.Step{}, false
	}
	m := all[len(all)-1]
	words := strings.TrimSpace(msg[:m[0]]) + "\n" + strings.TrimSpace(msg[m[1]:])
	words = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(words), "DISCUSSION"), "THOUGHT:")
	command := strings.TrimSpace(msg[m[4]:m[5]])
	tool := "bash"
	if st == lastFence {
		tool = sweagentTool(command)
	}
	return strings.TrimSpace(words), corpora.Step{Tool: tool, Args: rd.args1("command", command)}, command != ""
}

func shellFences(msg string, all [][]int) [][]int {
	var out [][]int
	for _, m := range all {
		switch msg[m[2]:m[3]] {
		case "bash", "sh", "shell", "mswea_bash_command":
			out = append(out, m)
		}
	}
	return out
}

func (rd *reader) taggedCall(name, body string) corpora.Step {
	b := append(rd.buf[:0], '{')
	for _, m := range paramRE.FindAllStringSubmatch(body, -1) {
		b = appendMember(b, m[1], strings.Trim(m[2], "\n"))
	}
	rd.buf = append(b, '}')
	return corpora.Step{Tool: name, Args: string(rd.buf)}
}

var (
	returncodeRE = regexp.MustCompile(`^\s*<returncode>(-?\d+)</returncode>\s*`)
	observedRE   = regexp.MustCompile(`^(?:OBSERVATION:|EXECUTION RESULT of \[[^\]]*\]:|Observation:)\s*`)
)

// embeddedResult gives the latest open step the text that answered it. It
// reports false if no step is open, so that the text is a turn of the user.
func (rd *reader) embeddedResult(content *fastjson.Value) bool {
	b := &rd.run
	n := len(b.steps)
	if n == 0 || !b.open[n-1] {
		return false
	}
	s, out := b.close(n-1), text(content)
	if m := returncodeRE.FindStringSubmatch(out); m != nil {
		s.ExitCode, _ = strconv.Atoi(m[1])
		s.HasExit = true
		out = outputOf(out[len(m[0]):])
	}
	s.Result = observedRE.ReplaceAllString(out, "")
	s.Status = corpora.StatusExecuted
	return true
}

// answersFence says whether words answer the one fenced command of the message
// before, and makes that message the call it was. Not every log of
// mini-swe-agent holds its system prompt, but its runtime's answers begin with
// the exit code in a tag, so nothing is guessed.
func (rd *reader) answersFence(words string, at place) bool {
	b := &rd.run
	if b.style != noStyle || len(b.steps) > 0 || !returncodeRE.MatchString(words) {
		return false
	}
	said, step, ok := rd.embedded(b.words, oneFence)
	if !ok {
		return false
	}
	b.style, b.words = oneFence, ""
	b.say(said)
	step.Line, step.Index = max(at.line-1, 0), at.index-1
	b.call(step)
	return true
}

// outputOf takes a command's output out of the tags around it, if there are
// any.
func outputOf(s string) string {
	_, rest, ok := strings.Cut(s, "<output>")
	if !ok {
		return s
	}
	inner, _, ok := strings.Cut(rest, "</output>")
	if !ok {
		return s
	}
	return strings.TrimSuffix(strings.TrimPrefix(inner, "\n"), "\n")
}
