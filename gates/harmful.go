package gates

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file finds contents that would be rejected if they ran. It is narrower than
// vetted: code that would only ask is the daily work of a project, whose tests and
// builds must not ask about it each time.

// harmful says whether contents would be rejected in the language that they are
// run in, as far as a name or a first line tells it.
func (c *Context) harmful(file, text string) bool {
	if len(text) > maxPlain {
		return false
	}
	how, lang := shell.Loaded(file), shell.ScriptLanguage(file, text)
	if how == shell.Recipes || how == shell.Tasks {
		text = unnamed(text)
	}
	if how == shell.Recipes {
		text = madeText(text)
	}
	if lang == "" && how == shell.Modules {
		lang = "ruby" // the only language whose build files have names without an ending
		if c.rejectsOne(literals(text)) {
			return true // rake has a function sh
		}
	}
	if lang != "" && c.rejects(lang, text) {
		return true
	}
	if lang == "ruby" || lang == "perl" || lang == "php" {
		if c.severeOne(backquoted(text)) {
			return true
		}
	}
	if how == shell.NotLoaded && lang == "" && c.rejects("sh", text) {
		return true
	}
	if how == shell.Recipes || how == shell.NotLoaded && lang == "" {
		judge := c.severeOne
		if how == shell.NotLoaded {
			judge = c.rejectsOne // documents tell what people run
		}
		if judge(recipes(text)) {
			return true
		}
	}
	if how == shell.Tasks && loadsTemp(text) {
		return true
	}
	if composeFile(file, text) && c.reachesHost(text) {
		return true
	}
	if how == shell.Tasks && (c.severeOne(literals(text)) || c.severeOne(recipes(values(text)))) {
		return true
	}
	if c.severeOne(commandsIn(file, text)) || c.deletesOrSends(text) {
		return true
	}
	// A file without an ending may be copied to a name that counts.
	if how == shell.NotLoaded && lang == "" && c.rejectsOne(recipes(values(text))) {
		return true
	}
	if mayLoad(file) && (c.severeOne(behindShell(text)) || how == shell.NotLoaded && (c.severeOne(literals(text)) || c.severeOne(embedded(text)) || loadsCode(file, text))) {
		return true
	}
	return c.severeStarts(text) || c.severeOne(directives(text))
}

// composeFile says whether a file says what containers docker compose starts.
// by its name, or by its services where another name is given with -f.
func composeFile(file, text string) bool {
	base := path.Base(file)
	named := strings.HasPrefix(base, "docker-compose") || strings.HasPrefix(base, "compose") || strings.Contains("\n"+text, "\nservices:")
	return named && (strings.HasSuffix(base, ".yml") || strings.HasSuffix(base, ".yaml"))
}

// hostSettings are settings of services by which a container gets at the machine beyond
// its own (the Compose file reference, services).
var hostSettings = [...]string{"docker.sock", "privileged: true", "pid: host", "pid: \"host\"", "network_mode: host", "network_mode: \"host\"", "ipc: host", "userns_mode: host", "cap_add", "devices:", "security_opt"}

// composeVariable is a variable with what stands for it where it is not set (the Compose file
// reference, interpolation).
var composeVariable = regexp.MustCompile(`\$\{(\w+)[^}]*\}`)

// reachesHost says whether services get at the machine: by a setting, or by a directory
// outside the project that is mounted and may be written.
func (c *Context) reachesHost(text string) bool {
	if slices.ContainsFunc(hostSettings[:], func(s string) bool { return strings.Contains(text, s) }) {
		return true
	}
	for line := range strings.Lines(text) {
		line = composeVariable.ReplaceAllString(line, "$$$1") // a variable's brackets are no list's
		line = strings.ReplaceAll(line, "$PWD", ".")
		for piece := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune("[],{}", r) }) {
			piece = strings.Trim(strings.TrimSpace(piece), "-\"' ")
			if key, value, ok := cutAt(piece, ": "); ok && isAmong(hostPlaces[:], key) {
				if piece = strings.Trim(value, "\"' "); !strings.Contains(piece, ":") || strings.Contains(piece, "://") {
					piece += ":"
				}
			}
			if source, rest, ok := cutAt(piece, ":"); ok && c.outsideProject(source, rest) {
				return true
			}
		}
	}
	return false
}

// hostPlaces are keys of services, volumes and secrets whose value is a place on the machine
// (the Compose file reference: volumes long syntax, driver_opts, env_file, secrets, build).
var hostPlaces = [...]string{"source", "device", "env_file", "file", "context", "build", "dockerfile", "path"}

// outsideProject says whether what a service mounts or reads lies outside of the project,
// where a mount that may not be written is less.
func (c *Context) outsideProject(source, rest string) bool {
	switch {
	case strings.HasPrefix(source, "~"), strings.HasPrefix(source, "$"), strings.HasPrefix(source, "../"):
		return true
	case strings.HasPrefix(source, "/") && !slices.ContainsFunc(c.Roots, func(r string) bool { return mark.Under(path.Clean(source), r) }):
		return !strings.HasSuffix(rest, ":ro") || c.secret(source) || path.Clean(source) == "/"
	}
	return false
}

// loadingKeys are parts of the names of settings that say where a tool finds code.
var loadingKeys = [...]string{"path", "plugin", "extension", "require", "import", "include", "load", "bootstrap", "replace"}

// loadsTemp says whether settings have a tool load code from a temporary directory,
// where anybody writes.
func loadsTemp(text string) bool {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "use /tmp/") || strings.HasPrefix(line, "\t/tmp/") { // go.work (go.dev/ref/mod)
			return true
		}
		i := strings.IndexAny(line, "=:")
		if i < 0 || !strings.Contains(line[i:], "/tmp") {
			continue
		}
		key := strings.ToLower(line[:i])
		if slices.ContainsFunc(loadingKeys[:], func(k string) bool { return strings.Contains(key, k) }) {
			return true
		}
	}
	return false
}

// values are the lines of settings without the key that they begin with and the
// quotes around the value.
func values(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if key, value, ok := cutAt(line, "="); ok && !strings.ContainsAny(strings.TrimSpace(key), " \t") {
			line = unquoted(strings.TrimSpace(value)) + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

func (c *Context) rejects(lang, code string) bool {
	places := c.placesIn(c.Cwd)
	script := Context{Effects: shell.AnalyzeScript(lang, code, &places)}
	var g Guardrail
	return g.Decide(&script).Disposition == Rejected || runsFetched(&script)
}

//go:noinline
func (c *Context) severeOne(pieces []string) bool {
	return slices.ContainsFunc(atMost(pieces), c.severe)
}

// runsFetched says whether code fetches something and gives a shell or an
// interpreter code that it does not spell out.
func runsFetched(c *Context) bool {
	fetched := false
	for i := range c.Effects {
		e := &c.Effects[i]
		switch {
		case e.Kind == effect.Network && e.Op == effect.OpFetch && !loopback(e.Net):
			fetched = true
		case fetched && (e.Kind == effect.Opaque || e.Kind == effect.Spawn && e.Op == effect.OpRunCode):
			switch e.Program {
			case "ash", "bash", "dash", "ksh", "node", "perl", "php", "python", "ruby", "sh", "zsh":
				return true
			}
		}
	}
	return false
}

// maxPieces bounds the pieces of one file that are judged. The most in a file of
// daily work is a few hundred, few of them with a space.
const maxPieces = 256

//go:noinline
func atMost(pieces []string) []string { return pieces[:min(len(pieces), maxPieces)] }

func (c *Context) rejectsOne(pieces []string) bool {
	for _, p := range atMost(pieces) {
		if c.rejects("sh", p) {
			return true
		}
	}
	return false
}

// recipes are the lines of a text without what make puts before a command, and what
// consoles put before one that a shell runs: \! of psql(1) and mysql(1).
func recipes(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimLeft(strings.TrimSpace(line), "@-+\\!"); command(line) {
			out = append(out, line)
		}
	}
	return out
}

// directives are the commands that go generate runs (go help generate).
func directives(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if rest, ok := cutPrefix(line, "//go:generate "); ok {
			out = append(out, strings.TrimSpace(rest))
		}
	}
	return out
}

// command says whether a piece could be a command that does harm: one has a space.
func command(s string) bool { return strings.Contains(s, " ") && !strings.HasPrefix(s, "#") }

// literals are the texts in quotes, as most languages write them.
func literals(text string) []string {
	var out []string
	for i := 0; i < len(text); i++ {
		if start, end := bracketed(text, i); end > 0 {
			if s := text[start:end]; command(s) {
				out = append(out, s)
			}
		}
		q := text[i]
		if q != '"' && q != '\'' && q != '`' {
			continue
		}
		end := closing(text, i+1, q)
		if end < 0 {
			continue
		}
		if s := text[i+1 : end]; command(s) {
			out = append(out, strings.ReplaceAll(s, `\`+string(q), string(q)))
		}
		i = end
	}
	return out
}

// backquoted are the commands that languages run that have quotes of their own for
// them: backquotes, and qx and %x with brackets.
func backquoted(text string) []string {
	var out []string
	for i := 0; i < len(text); i++ {
		if text[i] == '`' {
			if end := closing(text, i+1, '`'); end > 0 {
				out, i = append(out, text[i+1:end]), end
			}
		} else if start, end := bracketed(text, i); end > 0 && text[start-2] == 'x' {
			out = append(out, text[start:end])
		}
	}
	return out
}

// closing is where a quote ends that began before i, or negative. Only backquotes
// go over the end of a line. Not inlined, for the size of programs.
//
//go:noinline
func closing(text string, i int, q byte) int {
	for ; i < len(text); i++ {
		switch {
		case text[i] == '\\' && q != '`':
			i++
		case text[i] == q:
			return i
		case text[i] == '\n' && q != '`':
			return -1
		}
	}
	return -1
}
