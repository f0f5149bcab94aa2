package episode

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	marks "github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about facts that rules of people ask for: which commands ended well after
// the last change to the workspace.

// done is a command that ended well, with nothing changed since.
type done struct {
	Line string `json:"line"`
	Test bool   `json:"test,omitempty"`
}

// Bounds of what is kept of commands.
const (
	maxDone     = 32
	maxDoneLine = 300
)

// Succeeded notes that a call which ran ended well: its host says so. Commands whose end
// the call's own end does not show (a pipe, a list) are not taken to have, and neither are
// those beside or behind which the line may change the workspace.
func (m *Memory) Succeeded(c *gates.Context) {
	m.carriedOut(c)
	if c.Command == "" || c.Elsewhere != "" {
		return
	}
	line, places := shell.Parse(c.Command), c.Places()
	ends, effects, whole := line.Ends(&places)
	if !whole || slices.ContainsFunc(ends, diverts) || slices.ContainsFunc(effects, func(e effect.Effect) bool { return e.Op == effect.OpEscape && e.Program != "createdb" }) {
		return
	}
	for i := range ends {
		if stands(ends, i, effects) && runsTests(ends[i].Words, ends[i].Cwd, &places) && plainly(line, ends, i) {
			m.did(done{Test: true})
		}
	}
	for _, text := range line.Sure() {
		if len(text) > maxDoneLine {
			continue
		}
		alone, _, _ := shell.Parse(text).Ends(&places)
		m.contained(alone, ends, effects)
		if len(alone) == 0 {
			m.did(done{Line: spaced(text)}) // it runs no program, and fails or not
			continue
		}
		for i := range ends {
			if slices.Equal(ends[i].Words, alone[0].Words) && (ends[i].Given == alone[0].Given || plainly(line, ends, i)) && inWorkspace(&places, ends[i].Cwd, ".") && stands(ends, i, effects) {
				m.did(done{Line: spaced(text)})
				break
			}
		}
	}
}

// contained keeps the containers, images, clusters, networks and databases that a command made which surely ended well: the
// images of a build that read nothing but the workspace.
func (m *Memory) contained(alone, ends []shell.End, effects []effect.Effect) {
	if len(alone) != 1 {
		return
	}
	made := shell.ContainerMade(&alone[0].Run)
	at := slices.IndexFunc(ends, func(x shell.End) bool {
		return slices.Equal(x.Words, alone[0].Words) && !x.Hidden && !x.Defined && !x.Background && !x.Given
	})
	if len(made) == 0 || at < 0 {
		return
	}
	if strings.HasPrefix(made[0], "image:") && slices.ContainsFunc(effects[ends[at].At:ends[at].Until], beyondBuild) {
		return
	}
	for i := at + 1; i < len(ends); i++ {
		if len(shell.ContainersGone(&ends[i].Run, made)) > 0 {
			return
		}
	}
	for _, x := range made {
		if !slices.Contains(m.flow.Own, x) {
			m.flow.Own = append(slices.Clip(m.flow.Own), x)
		}
	}
}

// did keeps what ended well, the last of the same.
func (m *Memory) did(x done) {
	m.done = slices.DeleteFunc(m.done, func(y done) bool { return y.Line == x.Line })
	m.done = last(append(m.done, x), maxDone)
}

// stands says whether the success of a line shows that the program at i succeeded, and that
// nothing beside or behind it changed the workspace.
func stands(ends []shell.End, i int, effects []effect.Effect) bool {
	x := &ends[i]
	if x.Hidden || x.Defined || x.Background {
		return false
	}
	for j := x.Since; j < len(effects); j++ {
		if own := x.At <= j && j < x.Until; !own && mayChange(effects[j]) {
			return false
		}
	}
	for j := range ends {
		if y := &ends[j]; j != i && (y.At >= x.Since || j > i) && switches(y.Run) && !(x.At <= y.At && y.Until <= x.Until) {
			return false
		}
	}
	return true
}

// diverts says whether a program has a say in what the shell runs, or in how its line ends.
func diverts(x shell.End) bool {
	switch args := x.Words[1:]; x.Words[0] {
	case "exit": // with an error
		return len(args) != 1 || strings.Trim(args[0], "123456789") != ""
	case "set":
		return slices.ContainsFunc(args, func(w string) bool {
			return w != "pipefail" && (w[:min(1, len(w))] != "-" || strings.Trim(w, "-eoux") != "")
		})
	case "source", ".":
		return len(args) != 1 || !strings.HasSuffix(args[0], "/bin/activate")
	case "return", "break", "continue", "logout", "trap", "enable", "hash", "shopt":
		return true
	}
	return false
}

// plain are variables of which it is known that they leave runners running tests.
const plain = " APP_ENV CARGO_TARGET_DIR CARGO_TERM_COLOR CGO_ENABLED CI COVERAGE_FILE DATABASE_URL DEBUG DJANGO_SETTINGS_MODULE FORCE_COLOR GOCACHE GOMAXPROCS GOTMPDIR LANG LC_ALL MIX_ENV NODE_ENV NO_COLOR PYTHONDONTWRITEBYTECODE PYTHONPATH PYTHONUNBUFFERED RACK_ENV RAILS_ENV RUST_BACKTRACE RUST_LOG TERM TMPDIR TZ "

// plainly says whether the program at i has none but such variables from its line.
func plainly(line *shell.Line, ends []shell.End, i int) bool {
	if !ends[i].Given {
		return true
	}
	names := line.Assigned()
	for _, x := range ends {
		switch name := path.Base(x.Words[0]); name {
		case "env":
			for _, w := range x.Words[1:] {
				if name, _, ok := strings.Cut(w, "="); ok {
					names = append(names, name)
				}
			}
		case "eval", "bash", "sh", "dash", "zsh", "source", ".":
			return false
		}
	}
	return !slices.ContainsFunc(names, func(n string) bool { return !strings.Contains(plain, " "+n+" ") })
}

// Changes says whether a call may change the workspace.
func Changes(c *gates.Context) bool {
	return slices.ContainsFunc(c.Effects, mayChange) || slices.ContainsFunc(c.Runs(), switches)
}

// changed forgets what ended well if a call may have changed the workspace.
func (m *Memory) changed(c *gates.Context) {
	if Changes(c) {
		m.done = nil
	}
}

// mayChange says whether an effect may change a file of the workspace: builds and tests
// are taken to change nothing that they are about.
func mayChange(e effect.Effect) bool {
	switch e.Kind {
	case effect.Opaque:
		return true
	case effect.Write, effect.Delete:
		return e.Zone != effect.ZoneTemp && e.Zone != effect.ZoneStream && e.Zone != effect.ZoneKept && e.Zone != effect.ZoneRecord && !strings.Contains(e.Resource, "/.git/")
	case effect.Spawn:
		return e.Op == effect.OpRunFile || e.Op == effect.OpRunUnknown || e.Op == effect.OpEscape
	}
	return false
}

// switches says whether git puts other files into the workspace (git(1)).
func switches(r effect.Run) bool {
	switch r.Tool {
	case "git checkout", "git switch", "git merge", "git pull", "git rebase", "git reset", "git restore", "git stash", "git revert", "git cherry-pick", "git am", "git apply", "git bisect", "git submodule":
		return true
	}
	return len(r.Words) > 1 && r.Words[0] == "git" && r.Tool == ""
}

// fact answers what rules ask of what ran. Only a session that has had word of calls
// knows.
func (m *Memory) fact(name string) (value string, known bool) {
	line, ran := strings.CutPrefix(name, "ran ")
	if name != "tests" && !ran {
		return "", false
	}
	ok := slices.ContainsFunc(m.done, func(x done) bool { return ran && x.Line == spaced(line) || !ran && x.Test })
	switch {
	case ok && len(m.waiting) > 0 && slices.ContainsFunc(m.waiting, func(w Waiting) bool { return w.Changes }):
		return "", false // something that may be running changes what they were about
	case ok && ran:
		return "yes", true
	case ok:
		return "passed", true
	}
	return "no", true
}

// told asks the host what the memory does not know.
func (m *Memory) told(host func(string) (string, bool)) func(string) (string, bool) {
	return func(name string) (string, bool) {
		if name == "tests" || strings.HasPrefix(name, "ran ") {
			return m.fact(name)
		}
		if host == nil {
			return "", false
		}
		return host(name)
	}
}

// spaced is a line with one blank between its words.
func spaced(line string) string { return strings.Join(strings.Fields(line), " ") }

// Recorded takes in what came back from a call that ended well: the records that it made may be
// changed by the session.
func (m *Memory) Recorded(c *gates.Context, texts ...string) {
	for _, x := range append(c.RecordsMade(texts), tagged(c, texts)...) {
		if !slices.Contains(m.flow.Own, x) {
			m.flow.Own = append(slices.Clip(m.flow.Own), x)
		}
	}
}

// tagged are the images of builds whose end the line hides ("docker build -t x . | tail -3"), where the
// engine says that it gave the image its name: "#9 naming to docker.io/library/x:latest" of BuildKit. The
// builder before it and Podman print what a build's steps print as it is. What is built is of
// the workspace alone, and the line takes no image away. Where another program of the line may have
// said it, or the build's own steps, nothing is known: BuildKit puts a number and a time before what these print.
func tagged(c *gates.Context, texts []string) (out []string) {
	if c.Command == "" || c.Elsewhere != "" || !slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, namingTo) }) {
		return nil
	}
	places := c.Places()
	ends, effects, whole := shell.Parse(c.Command).Ends(&places)
	if !whole || slices.ContainsFunc(ends, func(x shell.End) bool { return !saysNoName(&x, effects) }) {
		return nil
	}
	for i := range ends {
		x := &ends[i]
		if x.Defined || x.Background || x.Given || slices.ContainsFunc(effects[x.At:x.Until], beyondBuild) {
			continue
		}
		for _, entry := range shell.ContainerMade(&x.Run) {
			kind, name, _ := strings.Cut(entry, " ")
			if kind == "image:docker" && slices.ContainsFunc(texts, func(t string) bool { return names(t, name) }) && !slices.ContainsFunc(ends[i+1:], func(y shell.End) bool { return len(shell.ContainersGone(&y.Run, []string{entry})) > 0 }) {
				out = append(out, entry)
			}
		}
	}
	return out
}

// namingTo is what BuildKit says when an image has its name, behind the step's number.
const namingTo = "naming to "

// names says whether a text has a line of BuildKit's that says that an image was given a name.
func names(text, name string) bool {
	var in any
	if json.Unmarshal([]byte(text), &in) == nil {
		switch in := in.(type) {
		case []any:
			return slices.ContainsFunc(in, func(v any) bool { return namesIn(v, name) })
		case map[string]any:
			return namesIn(in["text"], name) || namesIn(in["stdout"], name) || namesIn(in["output"], name)
		case string:
			text = in
		}
	}
	for line := range strings.Lines(text) {
		step, said, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || step != "=>" && (step[0] != '#' || strings.Trim(step[1:], "0123456789") != "") {
			continue
		}
		said, ok = strings.CutPrefix(strings.TrimPrefix(said, "=> "), namingTo)
		for _, from := range [...]string{"", "docker.io/library/", "docker.io/"} {
			if rest, found := strings.CutPrefix(said, from+name); ok && found && (rest == "" || rest[0] == ' ') {
				return true
			}
		}
	}
	return false
}

// namesIn is names of a part of JSON.
func namesIn(v any, name string) bool {
	raw, err := json.Marshal(v)
	return err == nil && names(string(raw), name)
}

// saysNoName says whether a program of a line prints nothing of its own that may be taken for what an
// engine says: a build, or what only picks lines of its output.
func saysNoName(x *shell.End, effects []effect.Effect) bool {
	if x.Defined || len(shell.ContainerMade(&x.Run)) > 0 {
		return !x.Defined
	}
	switch x.Words[0] {
	case "cat", "cd", "head", "set", "tail", "tee", "time", "true":
	case "echo", "grep":
		if said := strings.Join(x.Words, " "); strings.Contains(said, namingTo) && x.Words[0] == "echo" || strings.Contains(said, " -") && x.Words[0] == "echo" || marks.Has(said) {
			return false
		}
	default:
		return false
	}
	return !slices.ContainsFunc(effects[x.At:x.Until], func(e effect.Effect) bool { return e.Kind != effect.Spawn && e.Kind != effect.Write })
}

// beyondBuild says whether a build does more than read the workspace.
func beyondBuild(e effect.Effect) bool {
	return e.Op != effect.OpBuild && (e.Kind != effect.Read && e.Kind != effect.List || e.Zone != effect.ZoneWorkspace || e.Sensitive)
}
