package wording

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// unclear words what gbt cannot see.
func (s *subject) unclear() []clause {
	return s.each(func(e *gates.Effect) clause {
		r := strings.TrimPrefix(e.Resource, "tool ")
		const note = "; gbt cannot say what it does"
		switch s.rule {
		case "opaque/tool":
			tool, server := toolName(r)
			if server != "" {
				tool += " of " + server
			}
			return clause{what: "calls the tool " + tool + s.about() + ", which gbt does not know", note: "; it may read, change or send whatever that tool can"}
		case "opaque/argument":
			return clause{what: "gives the tool " + orIt(e.Program) + " an argument that gbt does not know", note: note}
		case "opaque/arguments":
			return clause{what: "has arguments that can be read in two ways: " + detail(e.Resource), note: note}
		case "opaque/unparsed":
			return clause{what: "cannot be read as a command: " + detail(e.Resource), note: note}
		}
		return s.computed(e)
	})
}

// detail is gbt's own description of what it cannot read.
func detail(s string) string { return shorten(clean(s), maxObject) }

// about shows what a call of an unknown tool names: addresses and files among its arguments.
func (s *subject) about() string {
	if s.c == nil {
		return ""
	}
	var out []string
	for i := range s.c.Effects {
		e := &s.c.Effects[i]
		switch host := e.Net.Domain + e.Net.IP; {
		case e.Kind == effect.Network && host != "" && !slices.Contains(out, name(host)):
			out = append(out, name(host))
		case path.IsAbs(e.Resource) && !slices.Contains(out, where(s.c, e.Resource)):
			out = append(out, where(s.c, e.Resource))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " (with " + join(out) + ")"
}

// computed words what only the run time knows. The worst of it is code that comes over
// the network in the same call.
func (s *subject) computed(e *gates.Effect) clause {
	if strings.HasPrefix(e.Resource, codeWritten) {
		return s.writesCode()
	}
	if strings.HasSuffix(e.Resource, runsItsInput) && s.c != nil && hereDocument(s.c.Command) != "" && s.runOf(e) != nil {
		return s.input(e)
	}
	if runsInput(e.Resource) {
		for i := range s.d.Effects {
			if n := &s.d.Effects[i]; n.Kind == effect.Network && n.Op == effect.OpFetch {
				return clause{what: "runs code that it downloads from " + s.destination(n) + ", which nobody has read", note: able, weight: 9, instead: "Download it to a file, show what it does and ask for its run."}
			}
		}
		return s.putTogether(e)
	}
	what, of, ok := strings.Cut(strings.TrimPrefix(e.Resource, "computed "), " of ")
	if ok && strings.HasPrefix(e.Resource, "computed ") && !strings.Contains(of, unknown) {
		return clause{what: "runs " + words(of, 3) + " with " + articled(what) + " that is known only when it runs", note: "; gbt cannot say what it does", weight: 1, instead: "Write the " + what + " out, after a call that prints it; or say what it will be and ask."}
	}
	shown := words(strings.ReplaceAll(e.Resource, unknown, ""), 5)
	shown, _, _ = strings.Cut(shown, " that")
	if e.Program != "" && shown == "" {
		shown = name(e.Program)
	}
	return clause{what: "depends on something that is known only when it runs (" + strings.TrimSuffix(shown, ":") + ")", note: "; gbt cannot say what it does", weight: 1}
}

// codeWritten is what gbt says of a file of code that a line writes before it runs something
// that may load code of the workspace.
const codeWritten = "code this line wrote: "

// writesCode words such files together.
func (s *subject) writesCode() clause {
	var files []string
	for _, e := range s.effects {
		if f, ok := strings.CutPrefix(e.Resource, codeWritten); ok && !slices.Contains(files, where(s.c, f)) {
			files = append(files, where(s.c, f))
		}
	}
	return clause{
		what: "writes " + join(files) + ", of which gbt cannot tell what " + plural(len(files), "it holds", "they hold") + ", and then runs something that may run " + plural(len(files), "it", "them"),
		note: able, weight: 3, instead: "Write " + plural(len(files), "it", "them") + " in a call of " + plural(len(files), "its", "their") + " own, say what is in there, and ask for the run that uses it.",
	}
}

// articled puts "a" or "an" in front of a word.
func articled(w string) string {
	if w != "" && strings.IndexByte("aeiou", w[0]) >= 0 {
		return "an " + w
	}
	return "a " + w
}

// hole stands in a line of code for what is put in, so that the rest of it can be read.
const hole = "HOLE"

// putTogether words code that is not there before the call runs: a line with names in it
// that another command finds, what a variable holds, a file that the line writes.
func (s *subject) putTogether(e *gates.Effect) clause {
	x := clause{what: "runs code or a command that is put together while it runs", note: "; gbt cannot say what it does", weight: 3}
	if line, ok := strings.CutPrefix(e.Resource, "computed command line: "); ok {
		var run []string
		for _, c := range commandsIn(strings.ReplaceAll(line, unknown, hole), 0) {
			if n := name(c.program); plainWord(c.program) && !strings.Contains(c.program, hole) && !slices.Contains(run, n) {
				run = append(run, n)
			}
		}
		if len(run) > 0 {
			x.what = "runs a line of code (" + join(run) + ") into which names or texts are put while it runs"
			x.instead = "Hand the names over as arguments (find -exec PROGRAM {} +, xargs PROGRAM) and not inside a line of code, or say what is run and ask."
		}
	}
	for _, made := range [...]string{"a file this line wrote and runs: ", "a file this line wrote and sources: "} {
		if file, ok := strings.CutPrefix(e.Resource, made); ok {
			x.what = "runs " + where(s.c, file) + ", which this call makes first of something that gbt cannot follow"
			x.note = able
			x.instead = "Make it in a call of its own, say what it does, and ask for its run."
		}
	}
	if strings.HasPrefix(e.Resource, "computed program name") {
		x.what = "runs a program whose name is known only when it runs"
		x.instead = "Write the program's name out, or say which one it is and ask."
	}
	return x
}

func runsInput(resource string) bool {
	for _, p := range [...]string{"computed command line", "computed program name", "computed code", "a file this line wrote"} {
		if strings.HasPrefix(resource, p) {
			return true
		}
	}
	return strings.HasSuffix(resource, runsItsInput)
}
