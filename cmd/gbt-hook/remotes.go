package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
)

// maxConfig bounds what is read of a repository's configuration, in bytes: real ones
// have some hundreds.
const maxConfig = 256 << 10

// remotesOf returns the repositories that the configuration of the workspaces' own
// repositories names (git-config(1), remote.NAME.url). What can't be read names none.
func remotesOf(roots []string) []string {
	var out []string
	for _, root := range roots {
		if _, common := gitDirs(filepath.Join(root, ".git")); common != "" {
			c := readGit(filepath.Join(common, "config"))
			out = append(out, c.remotes()...)
		}
	}
	return out
}

// gitDirs follows the file that a worktree has in place of a directory to the worktree's
// own directory and to the repository's (gitrepository-layout(5), gitdir and commondir).
// Both are empty where there is no repository.
func gitDirs(git string) (dir, common string) {
	dir = gitDir(git)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return "", ""
	}
	if c, err := os.ReadFile(filepath.Join(dir, "commondir")); err == nil {
		return dir, from(dir, strings.TrimSpace(string(c)))
	}
	return dir, dir
}

// from is a path as it is meant in a directory.
func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// gitSetting is a setting of git: its section and key in lower case, and what stands
// between them.
type gitSetting struct {
	section, sub, key, value string
	unsure                   bool // it may not hold
}

// gitSettings are the settings of a file in its order.
type gitSettings []gitSetting

// readGit reads a file of settings (git-config(1), SYNTAX). One that can't be read has
// none.
func readGit(name string) gitSettings {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	return parseGit(io.LimitReader(f, maxConfig))
}

func parseGit(config io.Reader) gitSettings {
	var out gitSettings
	section, sub := "", ""
	lines := bufio.NewScanner(config)
	lines.Buffer(nil, maxConfig+1)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		for goesOn(line) && lines.Scan() {
			line = line[:len(line)-1] + lines.Text()
		}
		if head, ok := strings.CutPrefix(line, "["); ok {
			head, line = cutHead(head)
			section, sub, _ = strings.Cut(head, " ")
			if name, of, old := strings.Cut(section, "."); old && sub == "" {
				section, sub = name, strings.ToLower(of) // as older versions wrote it
			}
			section, sub = strings.ToLower(section), strings.ReplaceAll(strings.Trim(strings.TrimSpace(sub), `"`), `\`, "")
		}
		key, value, ok := strings.Cut(line, "=")
		if key = strings.ToLower(strings.TrimSpace(key)); key == "" || key[0] == '#' || key[0] == ';' {
			continue
		}
		if value = plainValue(value); !ok {
			value = "true"
		}
		out = append(out, gitSetting{section: section, sub: sub, key: key, value: value})
	}
	return out
}

// goesOn says whether a line of settings goes on in the next one: it ends in a backslash that stands
// for no other sign, and in no comment.
func goesOn(line string) bool {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			quoted = !quoted
		case (c == '#' || c == ';') && !quoted:
			return false
		case c == '\\' && i == len(line)-1:
			return true
		case c == '\\':
			i++
		}
	}
	return false
}

// plainValue is a value without quotation marks, escapes and what stands behind it (git-config(1),
// SYNTAX and Values).
func plainValue(s string) string {
	var b strings.Builder
	quoted, end := false, 0
	s = strings.TrimSpace(s)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
			end = b.Len()
			continue
		case (c == '#' || c == ';') && !quoted:
			return b.String()[:end]
		case c == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		default:
			b.WriteByte(c)
		}
		if quoted || s[i] != ' ' && s[i] != '\t' {
			end = b.Len()
		}
	}
	return b.String()[:end]
}

// cutHead cuts at the end of a section's head, which is not in quotation marks; what stands behind it
// is a setting.
func cutHead(s string) (head, after string) {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case c == '\\':
			i++
		case c == ']' && !quoted:
			return s[:i], strings.TrimSpace(s[i+1:])
		}
	}
	return s, ""
}

// get is the last value of a setting, which is the one that counts.
func (c gitSettings) get(section, sub, key string) string {
	out := ""
	for i := range c {
		if s := &c[i]; s.section == section && s.sub == sub && s.key == key {
			out = s.value
		}
	}
	return out
}

// remotes are the addresses of all remotes that effect.Remote knows.
func (c gitSettings) remotes() []string {
	var out []string
	for i := range c {
		if s := &c[i]; s.section == "remote" && s.key == "url" {
			if r := effect.Remote(c.rewritten(s.value, "insteadof")); r != "" {
				out = append(out, r)
			}
		}
	}
	return out
}

// rewritten is an address after url.BASE.insteadOf or its like: the longest one counts.
func (c gitSettings) rewritten(address, key string) string {
	best := gitSetting{}
	for _, s := range c {
		if s.section == "url" && s.key == key && s.value != "" && strings.HasPrefix(address, s.value) && len(s.value) > len(best.value) {
			best = s
		}
	}
	if best.value == "" {
		return address
	}
	return best.sub + address[len(best.value):]
}

// placed is an address as effects name it.
func placed(address string) string {
	if r := effect.Remote(address); r != "" {
		return r
	}
	return address
}

// namedRemotes are the remotes of a repository.
func (c gitSettings) namedRemotes() []effect.NamedRemote {
	var out []effect.NamedRemote
	for _, s := range c {
		if s.section != "remote" || s.key != "url" && s.key != "pushurl" || s.sub == "" {
			continue
		}
		i := slices.IndexFunc(out, func(r effect.NamedRemote) bool { return r.Name == s.sub })
		if i < 0 {
			i, out = len(out), append(out, effect.NamedRemote{Name: s.sub})
		}
		r := &out[i]
		switch fetch, push := c.rewritten(s.value, "insteadof"), c.rewritten(s.value, "pushinsteadof"); {
		case s.key == "pushurl": // several are pushed to each
			r.Push = strings.TrimPrefix(r.Push+", "+placed(fetch), ", ")
		case r.Fetch == "":
			if r.Fetch = placed(fetch); push != s.value && r.Push == "" {
				r.Push = placed(push)
			}
		default: // a second url is pushed to, too
			r.Push = strings.TrimPrefix(firstOf(r.Push, r.Fetch)+", "+placed(fetch), ", ")
		}
	}
	return out
}

// firstOf is the first word that is not empty.
func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}
