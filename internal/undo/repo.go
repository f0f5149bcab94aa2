package undo

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// repo is the git repository that a workspace is in, or the zero value.
type repo struct {
	top    string // the work tree's top, or empty
	dir    string // its git directory: index, HEAD
	common string // the directory with objects and branches; dir, but for linked work trees
	kept   string // where objects are linked
	index  map[string]clean
}

// findRepo reads what lies at the workspace's top (gitrepository-layout(5)). A
// workspace below a repository's top has no repository of its own: its files are copied.
func findRepo(root, kept string) repo {
	dot := filepath.Join(root, ".git")
	info, err := os.Lstat(dot)
	if err != nil {
		return repo{}
	}
	r := repo{top: root, dir: dot, kept: kept}
	if info.Mode().IsRegular() { // of a linked work tree or a submodule
		data, err := os.ReadFile(dot)
		to, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
		if err != nil || !ok {
			return repo{}
		}
		r.dir = absoluteIn(root, to)
	} else if !info.IsDir() {
		return repo{}
	}
	r.common = r.dir
	if data, err := os.ReadFile(filepath.Join(r.dir, "commondir")); err == nil {
		r.common = absoluteIn(r.dir, strings.TrimSpace(string(data)))
	}
	if _, err := os.Stat(filepath.Join(r.common, "objects")); err != nil {
		return repo{}
	}
	return r
}

func absoluteIn(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// outside are the git directories that do not lie below the workspace.
func (r *repo) outside() []string {
	var out []string
	for _, d := range []string{r.dir, r.common} {
		if d != "" && !below(d, r.top) && (len(out) == 0 || !below(d, out[0])) {
			out = append(out, d)
		}
	}
	if len(out) == 2 && below(out[0], out[1]) {
		out = out[1:]
	}
	return out
}

func below(name, dir string) bool {
	return name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+string(filepath.Separator))
}

// read reads the index, if its word can be taken for what lies in the files. Where git
// converts what it writes (gitattributes(5): line ends, encodings, filters), the file
// is not the object, and then nothing is taken from git.
func (r *repo) read() {
	r.index = nil
	if r.top == "" || r.converts() {
		return
	}
	if index, err := gitIndex(filepath.Join(r.dir, "index")); err == nil {
		r.index = index
	}
}

// converting are the settings under which a file differs from its object everywhere, and
// that of a repository whose objects have other names.
var converting = [][]byte{[]byte("crlf"), []byte("eol"), []byte("attributesfile"), []byte("objectformat")}

func (r *repo) converts() bool {
	config := configOf(r.common)
	return slices.ContainsFunc(converting, func(s []byte) bool { return bytes.Contains(config, s) }) ||
		convertsBelow(filepath.Join(r.common, "info", "attributes"))
}

// conversions are the attributes under which a file differs from its object.
var conversions = [][]byte{[]byte("filter"), []byte("text"), []byte("eol"), []byte("ident"), []byte("encoding"), []byte("crlf")}

// convertsBelow says whether a file of attributes speaks of conversions. Any word of them
// will do: then contents are copied.
func convertsBelow(attributes string) bool {
	data, err := os.ReadFile(attributes)
	if err != nil {
		return !os.IsNotExist(err)
	}
	return slices.ContainsFunc(conversions, func(s []byte) bool { return bytes.Contains(data, s) })
}

// configOf are the settings of a repository and its user, in lower case, as far as they
// lie where git looks first (git-config(1), FILES).
func configOf(common string) []byte {
	names := []string{filepath.Join(common, "config"), "/etc/gitconfig"}
	if home, err := os.UserHomeDir(); err == nil {
		names = append(names, filepath.Join(home, ".gitconfig"), filepath.Join(home, ".config", "git", "config"))
	}
	var all []byte
	for _, name := range names {
		data, _ := os.ReadFile(name)
		all = append(all, bytes.ToLower(data)...)
	}
	return all
}

// clean returns the object that a file is a checkout of, if git's index has seen the
// very file.
func (r *repo) clean(name string, e *Entry) string {
	if r.index == nil || !below(name, r.top) {
		return ""
	}
	c, ok := r.index[filepath.ToSlash(name[min(len(name), len(r.top)+1):])]
	if !ok || c.size != uint32(e.Size) || c.ino != uint32(e.id.ino) || c.mtime != e.Time || c.ctime != e.id.ctime {
		return ""
	}
	return c.oid
}

// keepObjects links the objects that are new since the last time, so that they stay when
// git takes them away: objects are never changed in place (gitrepository-layout(5)).
// Where a link can't be made, nothing is kept, and an undo then says what is missing.
func (r *repo) keepObjects(seen map[string]int64) {
	if r.common == "" {
		return
	}
	objects := filepath.Join(r.common, "objects")
	dirs, err := os.ReadDir(objects)
	if err != nil {
		return
	}
	for _, d := range dirs {
		if name := d.Name(); len(name) != 2 && name != "pack" {
			continue
		}
		from := filepath.Join(objects, d.Name())
		info, err := os.Stat(from)
		if err != nil || seen[from] == info.ModTime().UnixNano() {
			continue
		}
		linkAll(from, filepath.Join(r.kept, d.Name()))
		seen[from] = info.ModTime().UnixNano()
	}
}

func linkAll(from, to string) {
	files, err := os.ReadDir(from)
	if err != nil || os.MkdirAll(to, 0o700) != nil {
		return
	}
	for _, f := range files {
		if f.Type().IsRegular() && !strings.HasPrefix(f.Name(), "tmp_") {
			os.Link(filepath.Join(from, f.Name()), filepath.Join(to, f.Name())) // one that is there already stays
		}
	}
}

// giveBack links objects that git no longer has, if branches need some.
func (r *repo) giveBack() {
	if r.common == "" || r.git("rev-list", "--objects", "--all", "--reflog", "--indexed-objects", "--quiet").Run() == nil {
		return
	}
	dirs, _ := os.ReadDir(r.kept)
	for _, d := range dirs {
		linkAll(filepath.Join(r.kept, d.Name()), filepath.Join(r.common, "objects", d.Name()))
	}
}

// git runs git on the repository, without anything that its settings could make it run.
func (r *repo) git(args ...string) *exec.Cmd {
	c := exec.Command("git", append([]string{"--git-dir=" + r.common, "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false"}, args...)...)
	c.Env = append(os.Environ(), "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	return c
}

// object reads an object of git's.
func (r *repo) object(oid string) (io.ReadCloser, error) {
	c := r.git("cat-file", "blob", oid)
	c.Env = append(c.Env, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+r.kept)
	data, err := c.Output()
	if err != nil {
		return nil, err
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}
