package runner

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// tool is one that the model is offered. The sandbox runs it. All its arguments
// are needed, and are strings.
type tool struct {
	name, desc string
	args       []string
	examples   []example // of a step and its call, for models that only follow examples
}

// example is a step in the words of a brief and the values of the call's arguments.
type example struct {
	step   string
	values []string
}

// allTools returns the tools, in the order in which they are offered.
func allTools() []tool {
	return []tool{
		{"bash", "Run a shell command in the workspace.", []string{"command"}, []example{
			{"list the files: I look at what is here with ls -la.", []string{"ls -la"}},
			{"create a directory: I make it with mkdir results.", []string{"mkdir results"}},
		}},
		{"read_file", "Read a file, or list a directory.", []string{"path"}, []example{
			{"read a file: I look at setup.cfg.", []string{"setup.cfg"}},
		}},
		{"write_file", "Write a file.", []string{"path", "content"}, []example{
			{"write a file: I write hello to greeting.txt.", []string{"greeting.txt", "hello"}},
		}},
	}
}

var toolNames = []string{"bash", "read_file", "write_file"}

const finishTool = "finish"

// malformed says what arguments the tool takes where a call has others, or nothing.
// A name that the tool does not know could mean something to what judges it and
// something else to what runs it, so no such call runs, however it was judged.
func malformed(name, args string) string {
	all := allTools()
	t := &all[slices.IndexFunc(all, func(t tool) bool { return t.name == name })]
	want := name + " takes the arguments " + strings.Join(t.args, " and ") + ", as strings, and no others."
	var in map[string]*string
	if json.Unmarshal([]byte(args), &in) != nil || in == nil || len(in) != len(t.args) {
		return want
	}
	for _, a := range t.args {
		if in[a] == nil {
			return want
		}
	}
	return ""
}

const systemPrompt = "You carry out one step of a task in a workspace, with the tools bash, read_file and write_file. " +
	"You see what matters and the next step, not the whole history. Do the next step with tool calls; if you cannot call tools, write one shell command in a ```bash block. " +
	"When the step is done, say in one sentence what you will do next. When the whole task is done, call finish."

// declared is a list of tools in the form of the endpoint's tools field; finish
// adds the claim to be done.
func declared(tools []tool, finish bool) json.RawMessage {
	if finish {
		tools = append(slices.Clone(tools), tool{name: finishTool, desc: "Say that the task is done. The completion checks are run then."})
	}
	var list []string
	for i := range tools {
		t := &tools[i]
		list = append(list, `{"type":"function","function":{"name":`+quote(t.name)+`,"description":`+quote(t.desc)+`,"parameters":`+t.object("", nil)+`}}`)
	}
	return json.RawMessage("[" + strings.Join(list, ",") + "]")
}

// object is the JSON schema of the tool's arguments, after the properties given.
// Servers generate properties in this order.
func (t *tool) object(before string, names []string) string {
	props := []string{}
	if before != "" {
		props = append(props, before)
	}
	for _, a := range t.args {
		props = append(props, quote(a)+`:{"type":"string"}`)
		names = append(names, a)
	}
	out := `{"type":"object","properties":{` + strings.Join(props, ",") + `}`
	if len(names) > 0 {
		required, _ := json.Marshal(names) // strings always encode
		out += `,"required":` + string(required) + `,"additionalProperties":false`
	}
	return out + "}"
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic("gbt: internal error: " + err.Error()) // strings always encode
	}
	return string(b)
}

// fenceRE finds the shell command in the words of a model that cannot call tools.
var fenceRE = regexp.MustCompile("(?s)```(?:bash|sh|shell)[ \t]*\n(.*?)\n?```")

// calls are the calls of an answer: those it makes, or else the one shell command
// in its words. Names of tools that were not offered are kept; they do not run.
func (m *message) calls(id string) []toolCall {
	if len(m.Calls) > 0 {
		return m.Calls
	}
	found := fenceRE.FindAllStringSubmatch(m.Content, 2)
	if len(found) != 1 || strings.TrimSpace(found[0][1]) == "" {
		return nil
	}
	return []toolCall{{ID: id, Type: "function", Function: function{Name: "bash", Args: commandArgs(found[0][1])}}}
}
