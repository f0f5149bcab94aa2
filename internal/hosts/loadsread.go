package hosts

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/internal/gates/names"
)

// This file looks whether something that a host loads by itself names a file.

// Bounds of what is read for one file: past them it counts as named.
const (
	maxSources     = 3000
	maxSourceBytes = 32 << 20
	maxSteps       = 4 // from what is loaded over files that it names to the file
)

// reader is one such look.
type reader struct {
	look   Look
	st     *gates.State
	root   string
	places []string // directories of the project in which hosts may have theirs
	file   string
	dirs   []string // names of the directories from below a host's down to the file
	whole  []string // a host's directory, and those with their paths from it on
	seen   map[string]bool
	left   int
	inner  int // directories of the project that were looked into
	bytes  int
}

// mentioned says whether something names the file, or nobody can tell.
func (r *reader) mentioned() bool {
	for _, h := range all {
		l := &h.Loads
		for _, list := range [...][]string{l.Settings, l.Servers} {
			for _, s := range list {
				for _, f := range r.where(s) {
					if servers := slices.Contains(l.Servers, s); servers && r.source(f, true) || !servers && r.below(f, false, 0) {
						return true
					}
				}
			}
		}
		for _, p := range append(r.places, r.st.Home) {
			for _, n := range slices.Concat(l.Names, l.Bundles) {
				if r.below(path.Join(p, l.Dir, n), slices.Contains(l.Bundles, n), 0) {
					return true
				}
			}
		}
	}
	return slices.ContainsFunc(append(r.places, r.st.Home), r.instructs) || r.inside(r.root, 0) || r.runners()
}

// instructions are texts that hosts tell the model, beside what lies in their directories.
var instructions = [...]string{"AGENTS.md", "CLAUDE.local.md", "CLAUDE.md", "GEMINI.md", "QWEN.md"}

// instructs says whether such a text in a directory takes the file in.
func (r *reader) instructs(dir string) bool {
	return slices.ContainsFunc(instructions[:], func(n string) bool { return r.source(path.Join(dir, n), false) })
}

// Bounds of the directories of a project in which others may have been set up for agents: past them the file
// counts as named.
const (
	maxInside     = 3
	maxInsideDirs = 1500
)

// inside says whether what hosts load of directories in the project names the file.
func (r *reader) inside(dir string, deep int) bool {
	for _, n := range r.look.Names(dir) {
		name := strings.TrimSuffix(n, "/")
		if name == n || name[0] == '.' || name == "node_modules" || name == "vendor" || deep == maxInside {
			continue
		}
		p := path.Join(dir, name)
		if r.inner++; r.inner > maxInsideDirs {
			return true
		}
		if slices.Contains(r.places, p) {
			continue
		}
		for _, h := range all {
			for _, n := range slices.Concat(h.Loads.Names, h.Loads.Bundles) {
				if r.below(path.Join(p, h.Loads.Dir, n), slices.Contains(h.Loads.Bundles, n), 0) {
					return true
				}
			}
			for _, s := range h.Loads.Settings {
				if s[0] != '/' && s[0] != '~' && r.below(path.Join(p, s), false, 0) {
					return true
				}
			}
		}
		if r.below(path.Join(p, "hooks/hooks.json"), false, 0) || r.instructs(p) || r.inside(p, deep+1) { // of a plugin
			return true
		}
	}
	return false
}

// runners says whether something else of the project that starts programs names the file: what a command of a
// hook may have a runner go by, and what git, editors, CI and others start by themselves.
func (r *reader) runners() bool {
	list := []string{".git/config", ".git/config.worktree", ".git/hooks"}
	for _, n := range r.look.Names(r.root) {
		dir := strings.TrimSuffix(n, "/")
		if dir == n && !document(n) || dir != n && dir != ".git" && !r.isHost(dir) && (dir == ".github" || names.Guarded(dir) || names.GuardedBelow(dir, true) != "") {
			list = append(list, dir)
		}
	}
	return slices.ContainsFunc(list, func(n string) bool { return r.among(path.Join(r.root, n), 0) }) ||
		slices.ContainsFunc(atHome[:], func(n string) bool { return r.among(path.Join(r.st.Home, n), 0) })
}

// atHome are files of the home by which git and shells start programs.
var atHome = [...]string{".gitconfig", ".config/git", ".bash_profile", ".bashrc", ".profile", ".zprofile", ".zshenv", ".zshrc", ".config/fish/config.fish"}

// isFile says whether a path is the file by another name, or leads to a directory that it lies in, or nowhere.
func (r *reader) isFile(p string) bool {
	if r.look.Real == nil {
		return false
	}
	real := r.look.Real(p)
	return real == "" || !strings.HasPrefix(r.file, p+"/") && p != r.file && (real == r.file || strings.HasPrefix(r.file, real+"/"))
}

// isHost says whether a name is that of a host's directory.
func (r *reader) isHost(name string) bool {
	return slices.ContainsFunc(all[:], func(h *Host) bool { return h.Loads.Dir == name })
}

// among says whether a file, or one below a directory, has the file's name.
func (r *reader) among(p string, deep int) bool {
	list := r.look.Names(p)
	if len(list) == 0 {
		if deep > 0 && r.isFile(p) || r.look.Exists(p) && r.isFile(p) {
			return true
		}
		held, there, bad := r.read(p)
		return bad && (deep > 0 || names.Guarded(path.Base(p))) || there && r.names(held)
	}
	return deep > 12 || slices.ContainsFunc(list, func(n string) bool {
		return !document(n) && path.Ext(n) != ".sample" && r.among(path.Join(p, n), deep+1)
	})
}

// where are the places of a file of settings.
func (r *reader) where(s string) []string {
	switch {
	case s[0] == '/':
		return []string{s}
	case s[0] == '~':
		return []string{r.st.Home + s[1:]}
	}
	var out []string
	for _, p := range r.places {
		out = append(out, path.Join(p, s))
	}
	return out
}

// below looks into what lies at a path: a file, or a directory with all that is in it.
func (r *reader) below(p string, bundle bool, deep int) bool {
	if !r.look.Exists(p) {
		return deep > 0 && r.isFile(p)
	}
	if r.isFile(p) {
		return true
	}
	list := r.look.Names(p)
	if len(list) == 0 {
		return r.file != p && r.source(p, false)
	}
	if deep > 12 {
		return true
	}
	for _, n := range list {
		full := path.Join(p, n)
		_, script := slices.BinarySearch(scriptEnds[:], path.Ext(n))
		switch {
		case n == "node_modules/", n == ".git/", bundle && script, full == r.file, document(n) && !text(n):
		case r.below(full, bundle, deep+1): // a link to a directory has no slash
			return true
		}
	}
	return false
}

// document says whether a file is one that nothing runs or takes settings from.
func document(name string) bool {
	return slices.Contains([]string{".csv", ".gif", ".jpg", ".lock", ".md", ".mdc", ".pdf", ".png", ".rst", ".sum", ".svg", ".txt"}, path.Ext(name))
}

// text says whether a file is one that a model is told.
func text(name string) bool { return path.Ext(name) == ".md" || path.Ext(name) == ".mdc" }

// source says whether a file that a host loads names the file. One that is not there names nothing.
func (r *reader) source(f string, servers bool) bool {
	held, there, bad := r.read(f)
	switch {
	case bad:
		return true
	case !there:
		return false
	case text(f):
		return slices.ContainsFunc(takenIn.FindAllString(held, -1), r.names) || slices.ContainsFunc(unasked(held), func(line string) bool { return r.mentions(line) || r.follows(line, f, 0) })
	}
	var v any
	if json.Unmarshal([]byte(held), &v) != nil {
		return servers || r.mentions(held) || lists(held, f) || r.follows(held, f, 0)
	}
	return r.values(v, "", servers, f)
}

// read is what a file holds; bad says that nobody can tell.
func (r *reader) read(f string) (held string, there, bad bool) {
	if r.seen[f] || !r.look.Exists(f) {
		return "", false, false
	}
	r.seen[f] = true
	held, ok := r.look.Text(f)
	r.left--
	r.bytes -= len(held)
	return held, true, !ok || r.left < 0 || r.bytes < 0
}

// permits are keys of settings whose values say what an agent may do, and start nothing.
var permits = [...]string{"permissions", "matcher", "if", "description", "allowedTools", "timeout"}

// commands are keys of settings whose values are command lines that a host starts (the hosts' references).
var commands = [...]string{"apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "bash", "callCommand", "command", "discoveryCommand", "gcpAuthRefresh", "install", "otelHeadersHelper", "powershell", "start", "update"}

// values says whether a value of settings names the file. Where only servers count, others do not.
func (r *reader) values(v any, key string, servers bool, f string) bool {
	switch v := v.(type) {
	case string:
		return !servers && (r.names(v) || slices.Contains(commands[:], key) && r.command(v, f))
	case []any:
		return slices.ContainsFunc(v, func(x any) bool { return r.values(x, key, servers, f) })
	case map[string]any:
		if line, ok := v["command"].(string); ok && !servers {
			if args, ok := v["args"].([]any); ok && r.command(withArgs(line, args), f) {
				return true
			}
		}
		for k, x := range v {
			if !servers && r.names(k) {
				return true // a place, in some settings
			}
			if !slices.Contains(permits[:], k) && r.values(x, k, servers && k != "mcpServers", f) {
				return true
			}
		}
	}
	return false
}

// unasked are the parts of a text for a model that its host runs or sets up before the model reads it: commands
// behind an exclamation mark (https://code.claude.com/docs/en/skills, geminicli.com/docs/cli/custom-commands), and
// hooks and servers in its head.
func unasked(s string) []string {
	var out []string
	for _, m := range inText.FindAllStringSubmatch(s, -1) {
		out = append(out, m[1]+m[2]+m[3])
	}
	if head, ok := strings.CutPrefix(strings.ReplaceAll(s, "\r\n", "\n"), "---\n"); ok {
		if head, _, ok = strings.Cut(head, "\n---"); !ok || strings.Contains(head, "hooks") || strings.Contains(head, "mcpServers") {
			out = append(out, head)
		}
	}
	return out
}

// takenIn is a file that a text for a model takes in (https://code.claude.com/docs/en/memory, geminicli.com/docs).
var takenIn = regexp.MustCompile(`@[^\s@]+`)

var inText = regexp.MustCompile("(?s)!\\s*`([^`]*)`|```!(.*?)```|!\\{(.*?)\\}")

// command says whether a command line that a host starts may come to the file: it names it, or something in
// it does, or nobody can tell what it runs.
func (r *reader) command(line, f string) bool {
	if r.mentions(line) || strings.Contains(line, "**") || r.follows(line, f, 0) {
		return true
	}
	if strings.Contains(f, "/plugins/") { // of another owner's, for any project
		return false
	}
	line = inProject(line, r.root)
	for _, v := range [...]string{"CLAUDE_PLUGIN_ROOT", "CLAUDE_SKILL_DIR"} {
		line = given(line, v, path.Dir(f))
	}
	st := gates.State{Cwd: r.root, Home: r.st.Home, Roots: []string{r.root}, Exists: r.st.Exists, Text: r.st.Text, Names: r.st.Names}
	st.Flow.Unvetted = []string{r.file}
	c := gates.ShellContext(line, st)
	var g gates.Guardrail
	d := g.Decide(&c)
	return slices.ContainsFunc(d.Reasons, func(x gates.Reason) bool {
		if x.Rule == "spawn/escape" && x.Effect >= 0 && slices.Contains([]string{"bunx", "npx", "pipx", "uvx"}, c.Effects[x.Effect].Program) {
			return false // a package of others, as a program that nobody knows
		}
		family, _, _ := strings.Cut(x.Rule, "/")
		return !slices.Contains([]string{"egress", "protected", "sensitive", "workspace"}, family) && !slices.Contains([]string{"spawn/file", "spawn/guard", "spawn/unknown"}, x.Rule)
	})
}

// withArgs is a command line of settings that name a program and what it is given apart.
func withArgs(line string, args []any) string {
	for _, a := range args {
		s, _ := a.(string)
		line += " '" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return line
}

// inProject is a command line with the project in the place of the variables by which hosts name it.
func inProject(line, root string) string {
	for _, h := range all {
		if h.ProjectEnv != "" {
			line = given(line, h.ProjectEnv, root)
		}
	}
	return line
}

// given is a command line with a value in the place of a variable.
func given(line, name, value string) string {
	return strings.NewReplacer("${"+name+"}", value, "$"+name, value).Replace(line)
}

// word is what may be a path in a command or a script.
var word = regexp.MustCompile(`[A-Za-z0-9_.~/@-]{3,}`)

// follows says whether files that a text names name the file.
func (r *reader) follows(s, from string, step int) bool {
	if step >= maxSteps {
		return true
	}
	for _, w := range word.FindAllString(s, -1) {
		if !strings.ContainsAny(w, "./") {
			continue
		}
		list := []string{path.Join(r.root, w), path.Join(path.Dir(from), w)}
		switch {
		case strings.HasPrefix(w, "~/"):
			list = []string{r.st.Home + w[1:]}
		case w[0] == '/':
			list = append(list, w, r.st.Home+w)
		}
		for _, f := range list {
			if f == r.file || f == r.root || document(f) {
				continue
			}
			inner := r.look.Names(f)
			if len(inner) == 0 && r.plain(f, step+1) {
				return true
			}
			for _, n := range inner { // a package
				if _, code := slices.BinarySearch(packageEnds[:], path.Ext(n)); code && strings.HasPrefix(f, r.root+"/") && r.plain(path.Join(f, n), step+1) {
					return true
				}
			}
		}
	}
	return false
}

// packageEnds are endings of code of which a program is told the directory. Sorted.
var packageEnds = [...]string{".go", ".js", ".mjs", ".py", ".rb", ".rs", ".ts"}

// besideCode says whether a file of Python lies where code of Python that something starts looks for modules of
// any name first, or one of settings where code that something starts looks for its package's.
func (r *reader) besideCode(f string) bool {
	dir, base := path.Dir(f), path.Base(r.file)
	if (base == "package.json" || base == "deno.json" || strings.Contains(base, "config")) && strings.HasPrefix(f, path.Dir(r.file)+"/") {
		return true
	}
	return path.Ext(r.file) == ".py" && path.Ext(f) == ".py" && slices.Contains(strings.Split(dir, "/"), r.whole[0]) && strings.HasPrefix(r.file, dir+"/")
}

// plain says whether a file that something loaded names, names the file.
func (r *reader) plain(f string, step int) bool {
	held, there, bad := r.read(f)
	if there && (r.besideCode(f) || r.isFile(f)) {
		return true
	}
	if !there || strings.IndexByte(held, 0) >= 0 {
		return false
	}
	_, script := slices.BinarySearch(scriptEnds[:], path.Ext(f))
	return bad && strings.HasPrefix(f, r.root+"/") || r.mentions(held) || (script || path.Ext(f) == "") && lists(held, f) || step < maxSteps && len(held) <= maxFollowedText && r.follows(held, f, step)
}

// maxFollowedText bounds the scripts whose own names of files are followed: what is longer is no one's by hand.
const maxFollowedText = 64 << 10

// mentions says whether a command or a script has the file's name, or may name all of a directory that it lies in.
func (r *reader) mentions(s string) bool {
	ext := path.Ext(r.file)
	folded := strings.ToLower(s)
	return r.names(s) || strings.Contains(folded, "*"+strings.ToLower(ext)) || slices.ContainsFunc(r.dirs, func(dir string) bool { return dir != "." && wholly(folded, strings.ToLower(dir)) })
}

// lists says whether a script may list a directory: what it does with the files there, nobody knows.
func lists(s, f string) bool {
	switch path.Ext(f) {
	case "", ".bash", ".sh", ".zsh":
		return shellLists.MatchString(s)
	}
	return codeLists.MatchString(s)
}

var (
	shellLists = regexp.MustCompile(`/\*|\bfind\s|\bfd\s|\bls\s|\bls-files\b|\brun-parts\b|\bcompgen\b`)
	codeLists  = regexp.MustCompile(`glob\b|\bglob|listdir|scandir|iterdir|readdir|opendir|\bwalk\b|\bDir\b`)
)

// names says whether a text has the file's name, or may name all that lies in a host's directory.
func (r *reader) names(s string) bool {
	s = strings.ToLower(s)
	base := strings.ToLower(path.Base(r.file))
	stem := strings.TrimSuffix(base, path.Ext(base))
	return hasWord(s, stem) || len(stem) > 2 && strings.Contains(s, stem) || slices.ContainsFunc(r.whole, func(dir string) bool { return wholly(s, dir) })
}

// hasWord says whether a word stands in a text.
func hasWord(s, w string) bool {
	parts := strings.Split(s, w)
	for i := 1; i < len(parts); i++ {
		before, after := parts[i-1], parts[i]
		if (before == "" || !wordly(before[len(before)-1])) && (after == "" || !wordly(after[0])) {
			return true
		}
	}
	return false
}

func wordly(b byte) bool { return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b == '_' }

// wholly says whether a text may name all that lies in a directory: its name stands there by itself, with
// no plain name behind it.
func wholly(s, dir string) bool {
	parts := strings.Split(s, dir)
	for i := 1; i < len(parts); i++ {
		before, after := parts[i-1], parts[i]
		switch {
		case before != "" && (wordly(before[len(before)-1]) || before[len(before)-1] == '-'), after != "" && (wordly(after[0]) || after[0] == '-'):
		case after != "" && after[0] == '.' && dir[0] != '.' && before != "" && before[len(before)-1] != '/': // a word of a name
		case len(after) < 2 || after[0] != '/' || !wordly(after[1]) && after[1] != '.':
			return true
		}
	}
	return false
}
