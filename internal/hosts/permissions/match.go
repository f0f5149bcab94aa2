package permissions

import (
	"encoding/json"
	"slices"
	"strings"
)

// Tools by what they do. Rules about one file tool are applied to the others, and to
// commands of the shell that the host takes for their like (the documentation's "Read and
// Edit").
var (
	shellTool = "Bash"
	fileTools = []string{"Edit", "Glob", "Grep", "LS", "MultiEdit", "NotebookEdit", "NotebookRead", "Read", "Write"}
)

// MayMatch says whether a rule could be about a call: of the tool, with these arguments as
// the host wrote them. The host's own reading of commands is not known well enough to say
// no where a rule's first word occurs anywhere in the call.
func (r *Rule) MayMatch(tool string, args []byte) bool {
	switch {
	case strings.ContainsAny(r.Tool, "*?[") || r.Tool == "" || strings.Contains(r.Tool, "("):
		return true // of many tools, or not read
	case slices.Contains(fileTools, r.Tool):
		return tool == shellTool || slices.Contains(fileTools, tool)
	case r.Tool != tool:
		return false
	case tool != shellTool:
		return true
	}
	word := firstWord(r.Spec)
	return word == "" || strings.Contains(unquoted(plain(args)), unquoted(word))
}

// plain are arguments without the escapes of JSON that nobody needs.
func plain(args []byte) string {
	var v any
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if json.Unmarshal(args, &v) != nil || enc.Encode(v) != nil {
		return string(args)
	}
	return b.String()
}

// firstWord is what a specifier of a command begins with, as far as it is fixed.
func firstWord(spec string) string {
	spec = strings.TrimSpace(spec)
	if i := strings.IndexAny(spec, " \t*?[:"); i >= 0 {
		spec = spec[:i]
	}
	return spec
}

// unquoted takes out what a shell would.
func unquoted(s string) string {
	return strings.NewReplacer(`"`, "", "'", "", `\`, "").Replace(s)
}
