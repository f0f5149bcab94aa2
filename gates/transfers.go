package gates

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file is about files that programs bring from other machines and from containers without
// saying in the call's effects which they write: their words say where to, and mostly under
// which name.

// transfer is what a run brings: files, directories that it fills, and a directory over whose
// files it may put some of names that nobody knows.
type transfer struct {
	files, dirs []string
	over        string
}

// transferred is what a run brings into the workspace from elsewhere.
func (c *Context) transferred(r *effect.Run) transfer {
	words := r.Words
	has := func(list ...string) bool { return shell.ContainsAny(words, list...) }
	switch prog := path.Base(words[0]); prog {
	case "scp", "sftp", "docker", "podman", "nerdctl", "kubectl", "oc", "aws", "gsutil", "gcloud", "rclone", "mc", "s3cmd", "azcopy":
		if prog != "scp" && prog != "sftp" && !has("cp", "scp", "mv", "sync", "rsync", "copy", "copyto", "get") || prog == "aws" && !has("s3") {
			return transfer{}
		}
		return c.copiedHere(r, has("sync", "rsync"))
	case "gh":
		if has("download") && (has("release") || has("run")) {
			return c.downloadedByGh(r, has("run"))
		}
	case "az":
		if file := valueOf(words, "-f", "--file"); has("download") && file != "" {
			return transfer{files: []string{file}}
		}
	case "svn":
		if has("co", "checkout", "export") {
			return c.madeDirectory(r)
		}
	case "git":
		if sub, args := shell.GitSubcommand(words); sub == "submodule" && len(args) > 0 && args[0] == "add" {
			return c.madeDirectory(r)
		}
	case "npm", "pnpm", "yarn":
		if len(words) > 2 && words[1] == "pack" {
			return packed(words[2:])
		}
	}
	return transfer{}
}

// copiedHere is what a program brings whose last word is where to, and whose other ones are what.
func (c *Context) copiedHere(r *effect.Run, tree bool) transfer {
	words := slices.DeleteFunc(slices.Clone(r.Words[1:]), func(w string) bool { return w == "" || w[0] == '-' && len(w) > 1 })
	var from []string
	for _, w := range words {
		if far(w) {
			from = append(from, w)
		}
	}
	if len(from) == 0 || len(words) == 0 {
		return transfer{}
	}
	to := words[len(words)-1]
	switch {
	case to == "-":
		return transfer{} // printed
	case far(to) && path.Base(r.Words[0]) != "sftp":
		return transfer{} // sent there
	case far(to):
		to = "."
	}
	tree = tree || slices.ContainsFunc(r.Words, func(w string) bool {
		return w == "--recursive" || len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.ContainsAny(w, "rRa")
	})
	out := transfer{}
	for _, w := range from {
		base := path.Base(w[lastByte(w, ':')+1:])
		switch {
		case tree && (strings.HasSuffix(w, "/") || strings.HasSuffix(w, "/.") || shell.ContainsAny(r.Words, "sync", "rsync")), base == ".", mark.Has(w), strings.ContainsAny(base, "*?["):
			out.over = to
		case path.Ext(base) == "":
			out.dirs = append(out.dirs, path.Join(to, base))
			if tree || to != "." {
				out.dirs = append(out.dirs, to)
			}
		default:
			out.files = append(out.files, to, path.Join(to, base))
		}
	}
	return out
}

// far says whether a word names a place on another machine, in a container or in a store.
func far(word string) bool {
	i := firstByte(word, ':')
	return i > 0 && word[0] != '/' && word[0] != '.' && strings.Count(word[:i], "/") < 2 // namespace/pod:path
}

// downloadedByGh is what gh brings of a release or of a run (gh help release download, gh help run
// download).
func (c *Context) downloadedByGh(r *effect.Run, run bool) transfer {
	dir := valueOf(r.Words, "-D", "--dir")
	file, pattern := valueOf(r.Words, "-O", "--output"), valueOf(r.Words, "-p", "--pattern")
	switch {
	case !run && file == "-":
		return transfer{}
	case !run && file != "":
		return transfer{files: []string{file}}
	case !run && pattern != "" && !strings.ContainsAny(pattern, "*?[") && !mark.Has(pattern):
		return transfer{files: []string{path.Join(dir, pattern)}}
	case dir == "":
		return transfer{over: "."}
	}
	return transfer{dirs: []string{dir}, over: dir}
}

// madeDirectory is what a run brings that names an address, and a directory behind it or none.
func (c *Context) madeDirectory(r *effect.Run) transfer {
	for i, w := range r.Words {
		if !strings.Contains(w, ":") || w[0] == '-' {
			continue
		}
		if i+1 < len(r.Words) && r.Words[i+1] != "" && r.Words[i+1][0] != '-' {
			return transfer{dirs: []string{r.Words[i+1]}, over: r.Words[i+1]}
		}
		return transfer{dirs: []string{trimSuffix(path.Base(w), ".git")}}
	}
	return transfer{}
}

// packed are the archives that npm makes of packages which it fetches (npm help pack).
func packed(words []string) transfer {
	out := transfer{}
	for _, w := range words {
		if w == "" || w[0] == '-' || w[0] == '.' || w[0] == '/' {
			continue
		}
		name, _, _ := cutAt(trimPrefix(w, "@"), "@")
		out.files = append(out.files, strings.ReplaceAll(name, "/", "-")+"-*")
	}
	return out
}

// valueOf is the value of the first of some options among words; empty for none.
func valueOf(words []string, options ...string) string {
	for i, w := range words {
		for _, o := range options {
			switch rest, attached := cutPrefix(w, o); {
			case attached && rest == "" && i+1 < len(words):
				return words[i+1]
			case attached && (strings.HasPrefix(rest, "=") || len(o) == 2) && rest != "":
				return trimPrefix(rest, "=")
			}
		}
	}
	return ""
}

// broughtHere adds the files and directories that runs of the call bring into the workspace from
// other machines, and the directories that they fill with what came from elsewhere.
func (c *Context) broughtHere(out []string) []string {
	out = c.transfers(out)
	for k := range c.runs {
		r := &c.runs[k]
		if len(r.Words) == 0 || len(r.Effects) == 0 || !exact(r.Cwd) {
			continue
		}
		for _, i := range r.Effects {
			if unpacks := mark.Among(unpackers, c.Effects[i].Program); !unpacks {
				continue
			}
			if dir := c.broughtAt(i); dir != "" && c.othersSource(r) != "" {
				out = c.filledHere(out, dir)
			}
		}
	}
	return out
}

// transfers adds what runs of the call bring from other machines.
func (c *Context) transfers(out []string) []string {
	for k := range c.runs {
		r := &c.runs[k]
		if len(r.Words) == 0 || !exact(r.Cwd) {
			continue
		}
		t := c.transferred(r)
		for _, f := range t.files {
			if file := c.places.Resolve(r.Cwd, f); c.inWorkspace(file) && !c.holdsCwd(file) {
				out = tainted(out, file, true)
			}
		}
		for _, d := range t.dirs {
			out = c.filledHere(out, c.places.Resolve(r.Cwd, d))
		}
	}
	return out
}

// filledHere adds a directory of the workspace that is filled from elsewhere.
func (c *Context) filledHere(out []string, dir string) []string {
	if !c.inWorkspace(dir) || c.holdsCwd(dir) {
		return out
	}
	return with(tainted(out, dir, true), within+dir)
}
