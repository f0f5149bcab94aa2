package call

import (
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// unlistedRead adds the read of a place outside the workspace by a tool that only
// reads by its name and that nobody listed, under whatever name it takes its path.
// Only a value that can hardly be anything else counts: an address of a web
// service, "/users/1", starts with a slash too.
func (b *builder) unlistedRead(key string, kind effect.Kind, op effect.Op, v string) {
	if b.c.Class.Family == FamilyFile || kind != effect.Read && kind != effect.List {
		return // unlistedPath has judged it
	}
	switch b.c.Class.Verb {
	case effect.VerbRead, effect.VerbSearch, effect.VerbNavigate:
	default:
		return
	}
	if !onDisk(strings.ToLower(key), strings.TrimPrefix(v, "file://")) {
		return
	}
	switch zone, sensitive, _ := b.p.Where(b.p.Resolve(b.p.Cwd, v)); zone {
	case effect.ZoneWorkspace, effect.ZoneTemp, effect.ZonePublic, effect.ZoneStream:
	default:
		if !sensitive {
			b.path(kind, op, v)
		}
	}
}

// onDisk says whether a value is a path of a file system: of the home directory,
// below a directory of the Filesystem Hierarchy Standard 3.0 (chapter 3) or of
// macOS that is no word of web addresses, or, below any other, where the
// argument's name says that it is a place on disk.
func onDisk(key, v string) bool {
	if v == "~" || strings.HasPrefix(v, "~/") {
		return true
	}
	if len(v) < 2 || v[0] != '/' || strings.ContainsAny(v, "?{}<>*#&=") {
		return false
	}
	top, rest, _ := strings.Cut(v[1:], "/")
	switch top {
	case "boot", "etc", "proc", "root", "sbin", "usr", "var", "Library", "private", "Volumes":
		return true
	case "home", "Users":
		return rest != ""
	}
	for _, w := range [...]string{"cwd", "repo_path", "repo_dir", "repository_path", "repo_root", "working_dir", "workdir", "workspace"} {
		if strings.HasPrefix(key, w) {
			return true
		}
	}
	return false
}
