package call

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/mark"
	"github.com/gbt-policy/gbt/internal/gates/names"
	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// This file corrects what a name says by the names of the arguments beside it: a
// file of a service is no file of this machine, and what is edited under a file's
// name is one.

// regard corrects a class that rests on the tool's name.
func (b *builder) regard() {
	c := &b.c.Class
	if c.Basis != BasisName || b.doc.kind != objectValue {
		return
	}
	switch {
	case c.Family == FamilyFile && b.hasTop(serviceKeys[:]):
		c.Family, c.Resource = FamilyApp, ResourceRecord
		c.High = High(c.Verb, c.Resource)
	case b.namesFile():
		c.Family, c.Resource = FamilyFile, ResourceFile
	case c.Family == FamilyCode && c.Verb != effect.VerbExecute && c.Verb != effect.VerbUnknown && !b.holdsText():
		c.Family, c.Resource = FamilyApp, ResourceRecord // cells of a sheet, not of a notebook
	case b.startsLine():
		*c = Class{FamilyShell, effect.VerbExecute, ResourceProcess, true, BasisName}
	}
}

// serviceKeys are arguments that say whose files a tool works with: those of a
// service that keeps them by owner, repository, bucket or site. Sorted.
var serviceKeys = [...]string{"bucket", "bucket_name", "drive_id", "owner", "project_id", "repo", "repo_id", "repository", "repository_id", "site_id", "space_id", "workspace_id"}

// hasTop says whether a top-level argument has one of some names, sorted.
func (b *builder) hasTop(keys []string) bool {
	return slices.ContainsFunc(b.c.Args, func(a Arg) bool {
		_, ok := slices.BinarySearch(keys, strings.ToLower(a.Path))
		return ok
	})
}

// namesFile says whether a tool that changes something, and neither a statement nor
// code, is given one file to work on, under a name that only files have.
func (b *builder) namesFile() bool {
	switch c := &b.c.Class; {
	case c.Verb == effect.VerbSend, c.Verb == effect.VerbExecute, !c.Verb.Record().Changes(), b.hasTop(serviceKeys[:]), b.holdsText():
		return false
	case c.Family == FamilyCode, c.Family == FamilySQL, c.Family == FamilyWeb && c.Resource == ResourceNetwork:
	case c.Family == FamilyApp:
		if fam, _ := nounOf(Words(b.call.Tool)); fam != FamilyUnknown {
			return false
		}
	default:
		return false
	}
	if _, ok := b.first("url", "uri", "href", "link", "endpoint"); ok {
		return false
	}
	if name, ok := b.first("filename", "file_name"); ok && pathLike(name) {
		return true
	}
	_, ok := b.first("file_path", "filepath", "filePath", "absolute_path", "target_file", "notebook_path", "AbsolutePath", "TargetFile")
	return ok
}

// holdsText says whether a call has a statement, code or a command line under one
// of their usual names.
func (b *builder) holdsText() bool {
	return slices.ContainsFunc(b.c.Args, func(a Arg) bool {
		top, _, _ := strings.Cut(strings.ToLower(a.Path), ".")
		return slices.Contains(lineKeys[:], top) || slices.Contains(codeKeys[:], top) && top != "formula" || slices.Contains(statementKeys[:], top) ||
			top == "cell" && strings.ContainsAny(a.Value, "(=\n") || top == "source" || top == "input" || top == "new_source"
	})
}

// startsLine says whether a tool starts a process on a command line.
func (b *builder) startsLine() bool {
	ws := Words(b.call.Tool)
	if len(ws) == 0 || ws[len(ws)-1] != "process" || b.c.Class.Verb != effect.VerbCreate && b.c.Class.Verb != effect.VerbExecute {
		return false
	}
	_, ok := b.first("command", "cmd", "command_line")
	return ok
}

// programLine judges a tool that is named after a program and what the program is
// told (git_log) as that command line: its options and the places that it reaches
// are known. ok is false for any other tool. Each text among the arguments is a
// word of the line, so that an option in one is an option.
func (b *builder) programLine() (ok bool) {
	ws := Words(b.call.Tool)
	if b.c.Class.Basis > BasisName || len(ws) < 2 || ws[0] != "git" || b.doc.kind != objectValue || b.hasTop(serviceKeys[:]) {
		return false
	}
	sub := slices.IndexFunc(ws, func(w string) bool { ok := mark.Among(gitCommands, w); return ok })
	if sub < 0 || slices.ContainsFunc(ws[1:], func(w string) bool { v, is := verbWord(w); return is && v == effect.VerbDelete && w != ws[sub] }) {
		return false
	}
	dir, line := b.gitLine(ws[sub])
	places := *b.p
	if dir != "" {
		b.path(effect.Read, effect.OpRead, dir) // what a repository holds is shown, wherever it is
	}
	does := shell.Parse(line).Resolve(&places)
	b.does(&does)
	b.c.Class = Class{Family: FamilyFile, Verb: effect.VerbWrite, Resource: ResourceFile, High: true, Basis: BasisName}
	if keeps.Git(ws[sub], keeps.GitTool) {
		b.c.Class.Verb, b.c.Class.High = effect.VerbRead, false
	}
	return true
}

// gitCommands are git's commands that tools are named after (git(1)). Sorted.
const gitCommands = "add blame branch checkout cherry clean clone commit diff fetch grep init log merge pull push rebase reflog remote reset restore revert show stash status switch tag worktree"

// repositoryKeys are names under which tools of git take where the repository is.
var repositoryKeys = [...]string{"repo_path", "repository_path", "repo_dir", "repo_root", "working_dir", "working_directory", "directory", "path", "cwd"}

// quoted is a word of a shell's command line. Not inlined, for the size of programs.
//
//go:noinline
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// ownAddress says whether the address that a reading tool is given names something
// of its own server: its scheme is one of no protocol of the network. What looks
// like a path in it is judged as one (addGuessed).
func (b *builder) ownAddress(u string) bool {
	scheme, _, ok := strings.Cut(u, "://")
	if !ok || !isAddress(u) || !b.c.Class.Verb.Reads() || !strings.HasSuffix(Name(b.call.Tool), "read_resource") {
		return false
	}
	n, _ := effect.ParseURL("x", strings.ToLower(scheme))
	return n.Port == 0
}

// secretKind says whether an argument that says which kind of thing is read names
// one that holds secrets.
func (b *builder) secretKind() bool {
	return slices.ContainsFunc(b.c.Args, func(a Arg) bool {
		key := words(a.Path)
		return len(key) > 0 && slices.Contains(kindWords[:], key[len(key)-1]) && plainOption(a.Value) && names.SecretTool(words(a.Value))
	})
}

// kindWords end the names of arguments that say which kind of thing a tool is about.
var kindWords = [...]string{"kind", "type", "resource", "object", "entity", "category", "collection"}
