package rulebook

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gbt-policy/gbt/gates/rules"
)

// Project is the project's file below its root.
const Project = ".gbt/rules"

// Book are the rules that hold in a workspace.
type Book struct {
	*rules.Set
	Files []*rules.File // those that are there, the project's first
}

// ProjectFile is the file of the project with a root.
func ProjectFile(root string) string { return filepath.Join(root, Project) }

// UserFile is the user's own file (XDG Base Directory Specification); empty where nobody
// knows their home.
func UserFile() string { return below("XDG_CONFIG_HOME", ".config", "gbt", "rules") }

// acceptedFile is where it stands which files of projects the user accepted.
func acceptedFile() string { return below("XDG_STATE_HOME", ".local/state", "gbt", "accepted") }

func below(variable, instead string, elems ...string) string {
	dir := os.Getenv(variable)
	if !filepath.IsAbs(dir) {
		home, err := os.UserHomeDir()
		if err != nil || home == "" {
			return ""
		}
		dir = filepath.Join(home, instead)
	}
	return filepath.Join(append([]string{dir}, elems...)...)
}

// Open reads the rules that hold in a workspace with these roots. What cannot be read is
// a fault of its file.
func Open(roots []string) *Book {
	b := &Book{}
	seen := map[string]bool{}
	for _, root := range roots {
		if filepath.IsAbs(root) {
			b.add(ProjectFile(root), true, seen)
		}
	}
	if name := UserFile(); name != "" {
		b.add(name, false, seen)
	}
	b.Set = rules.NewSet(b.Files...)
	return b
}

// add reads one file, if it is there and no other name of one that was read.
func (b *Book) add(name string, project bool, seen map[string]bool) {
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) || err != nil && !exists(name) {
		return
	}
	sum := digest(data)
	if project && seen[sum] {
		return // the same root under two names
	}
	seen[sum] = true
	f := rules.Parse(name, data)
	if err != nil {
		f.Faults = append(f.Faults, rules.Fault{Name: name, Line: 1, Why: "it cannot be read: " + err.Error()})
	}
	f.Untrusted = project && hasAllow(f) && !Accepted(name, data)
	b.Files = append(b.Files, f)
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func hasAllow(f *rules.File) bool {
	for i := range f.Rules {
		if f.Rules[i].Verb == rules.Allow {
			return true
		}
	}
	return false
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Accepted says whether the user accepted a project's file as it is.
func Accepted(name string, data []byte) bool {
	list, err := os.ReadFile(acceptedFile())
	return err == nil && strings.Contains("\n"+string(list), "\n"+entry(name, data))
}

func entry(name string, data []byte) string { return digest(data) + " " + name + "\n" }

// Accept records that the user accepts a project's file as it is.
func Accept(name string, data []byte) error {
	file := acceptedFile()
	if file == "" {
		return errors.New("nobody knows your home directory: set XDG_STATE_HOME")
	}
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var kept strings.Builder
	for line := range strings.Lines(string(old)) {
		if !strings.HasSuffix(line, " "+name+"\n") {
			kept.WriteString(line)
		}
	}
	return Replace(file, []byte(kept.String()+entry(name, data)))
}

// Replace writes a file atomically, with its directory.
func Replace(name string, data []byte) error { return replace(name, data, 0o644) }

// ReplacePrivate is Replace for what nobody else may read.
func ReplacePrivate(name string, data []byte) error { return replace(name, data, 0o600) }

func replace(name string, data []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	err = errors.Join(err, tmp.Chmod(mode), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		os.Remove(tmp.Name())
	}
	return err
}

// Own are the directories of the user's own files, which no agent may change. The
// project's file has a guarded name (internal/gates/names).
func Own() []string {
	var out []string
	for _, name := range []string{UserFile(), acceptedFile()} {
		if name != "" {
			out = append(out, filepath.Dir(name))
		}
	}
	return out
}
