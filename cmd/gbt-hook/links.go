package main

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// maxRounds bounds how often a context is built again because its paths led
// through symbolic links, and maxHops the links on one path (as ELOOP does,
// path_resolution(7)).
const (
	maxRounds = 5
	maxHops   = 40
)

// links are the symbolic links on the paths that a call names, as they are at
// this moment. A link that is made later is beyond any check made before.
type links struct {
	list []gates.Link
	seen map[string]string // each prefix that was looked at, and where it leads if it is a link
}

// observe looks at the paths of the context's effects and says whether it found
// links that the context does not know yet.
func (l *links) observe(c *gates.Context) bool {
	l.init()
	before := len(l.list)
	for i := range c.Effects {
		e := &c.Effects[i]
		if e.Zone != effect.ZoneRecord && strings.HasPrefix(e.Resource, "/") {
			l.walk(e.Resource)
		}
	}
	return len(l.list) > before
}

func (l *links) init() {
	if l.seen == nil {
		l.seen = map[string]string{}
	}
}

// exists says whether there is something at a path; what can't be looked at may be there.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// walk follows a path from link to link. What a pattern stands for is not
// walked: only the directories before it.
func (l *links) walk(full string) {
	if i := strings.IndexFunc(full, func(r rune) bool { return r <= mark.Inside }); i >= 0 {
		full = path.Dir(full[:i] + "x")
	}
	for range maxHops {
		next := l.step(full)
		if next == "" {
			return
		}
		full = next
	}
}

// step returns the path that full leads to by the first link on it, or nothing.
func (l *links) step(full string) string {
	for end := 1; end < len(full); {
		i := strings.IndexByte(full[end:], '/')
		if i < 0 {
			i = len(full) - end
		}
		prefix := full[:end+i]
		end += i + 1
		to, ok := l.seen[prefix]
		if !ok {
			if to, ok = target(prefix); !ok {
				return "" // nothing there: nothing below it either
			}
			l.seen[prefix] = to
			if to != "" {
				l.list = append(l.list, gates.Link{From: prefix, To: to})
			}
		}
		if to != "" {
			return path.Join(to, full[len(prefix):])
		}
	}
	return ""
}

// target says where a path leads: nowhere else if it is no link. The file
// system resolves it, because a link's ".." counts from where its other parts
// lead. ok is false if there is nothing at the path, or nothing that is the same
// for the next process.
func target(prefix string) (to string, ok bool) {
	if prefix == "/proc" || prefix == "/dev" {
		return "", false
	}
	info, err := os.Lstat(prefix)
	if err != nil {
		return "", false
	}
	if info.Mode()&os.ModeSymlink == 0 || path.Dir(prefix) == "/" {
		// The links directly below / are the system's layout (/tmp, /bin), which
		// the zones of package effect know by the usual names.
		return "", true
	}
	if real, err := filepath.EvalSymlinks(prefix); err == nil {
		return real, true
	}
	if to, err = os.Readlink(prefix); err != nil { // it leads nowhere yet
		return "", false
	}
	if !path.IsAbs(to) {
		to = path.Join(path.Dir(prefix), to)
	}
	return path.Clean(to), true
}

// linksIn are the symbolic links in a directory, and where they lead.
func linksIn(dir string) []gates.Link {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	list, _ := f.ReadDir(maxNames) // as far as it can be read
	var out []gates.Link
	for _, e := range list {
		from := filepath.Join(dir, e.Name())
		if e.Type()&os.ModeSymlink == 0 {
			continue
		}
		if to, ok := target(from); ok && to != "" {
			out = append(out, gates.Link{From: from, To: to})
		}
	}
	return out
}
