package runner

import (
	"encoding/json"
	"regexp"
	"strings"
)

// tools are what the model is offered. The sandbox runs them, but for finish.
const tools = `[
{"type":"function","function":{"name":"bash","description":"Run a shell command in the workspace.","parameters":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}}},
{"type":"function","function":{"name":"read_file","description":"Read a file, or list a directory.","parameters":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}},
{"type":"function","function":{"name":"write_file","description":"Write a file.","parameters":{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}}},
{"type":"function","function":{"name":"finish","description":"Say that the task is done. The completion checks are run then.","parameters":{"type":"object","properties":{}}}}
]`

var toolNames = []string{"bash", "read_file", "write_file"}

const finishTool = "finish"

const systemPrompt = "You carry out one step of a task in a workspace, with the tools bash, read_file and write_file. " +
	"You see what matters and the next step, not the whole history. Do the next step with tool calls; if you cannot call tools, write one shell command in a ```bash block. " +
	"When the step is done, say in one sentence what you will do next. When the whole task is done, call finish."

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
	args, err := json.Marshal(map[string]string{"command": found[0][1]})
	if err != nil {
		panic("gbt: internal error: " + err.Error()) // strings always encode
	}
	return []toolCall{{ID: id, Type: "function", Function: function{Name: "bash", Args: string(args)}}}
}
