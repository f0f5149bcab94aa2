package shell

import (
	"path"
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// copyOptions are those of cp(1), mv(1) and ln(1) that decide what is written.
var copyOptions = getopt{valued: "tS", longs: "target-directory= suffix="}

// copyFiles runs cp, mv and ln: sources are read, moved or pointed at, the
// last operand or -t names the target. What is known of a source's contents is
// known of its copy.
func (m *machine) copyFiles(name string, args []string) {
	m.spawn(effect.OpRun, name)
	opts, ops := copyOptions.read(args)
	target, into := "", false
	for _, o := range opts {
		switch o.name {
		case "t", "target-directory":
			target, into = o.value, true
		case "S", "suffix": // a flag in BSD's cp; no suffix has a slash
			if firstByte(o.value, '/') >= 0 || mark.Has(o.value) {
				ops = append([]string{o.value}, ops...)
			}
		case "":
			m.opaque(effect.OpComputed, "computed option of "+name)
		}
	}
	if target == "" {
		if len(ops) == 0 {
			return
		}
		if len(ops) == 1 {
			ops = append(ops, ".")
		}
		target, ops = ops[len(ops)-1], ops[:len(ops)-1]
	}
	into = into || len(ops) > 1
	symbolic := name == "ln" && flagged(args, "s", "--symbolic")
	for _, src := range ops {
		if symbolic {
			src = fromLink(src, target, into)
		}
		if name == "mv" {
			m.movesAll(src, target)
		}
		m.copyOne(name, src, target)
		if name != "cp" {
			m.renames(src, target, into)
		}
		m.into(writeOp(name), src, target)
		if name != "cp" {
			m.touches(src, false) // what is moved is gone, and a link opens it by another name
		}
		if name == "cp" && endlessFile(src) {
			m.fills(target)
		}
	}
	if name == "mv" {
		if z, _, _ := m.p.Where(m.p.Resolve(m.cwd, target)); z == effect.ZoneStream {
			for _, src := range ops {
				m.path(effect.Delete, effect.OpRemove, src)
			}
		}
	}
	if m.isRoot(m.p.Resolve(m.cwd, target)) && lastKnown(ops) {
		return // into has judged the names that come to stand there
	}
	m.path(effect.Write, writeOp(name), target)
	if name == "mv" || flagged(args, "aRr", "--archive", "--recursive") {
		m.touches(target, false) // a directory takes the target's place
	}
}

// fromLink is what a symbolic link at target, or in the directory target, points
// at: a relative path is one from the directory that the link lies in (symlink(7)).
func fromLink(src, target string, into bool) string {
	if strings.HasPrefix(src, "/") || strings.HasPrefix(src, "~") || mark.Has(src) {
		return src
	}
	if !into {
		target = target[:lastByte(target, '/')+1]
	}
	if target == "" {
		return src
	}
	return trimSuffix(target, "/") + "/" + src
}

func writeOp(name string) effect.Op {
	if name == "mv" {
		return effect.OpMove
	}
	return effect.OpCreate
}

// lastKnown says whether the last elements of all words are known.
func lastKnown(words []string) bool {
	for _, w := range words {
		if mark.Has(w) || strings.HasSuffix(w, "/.") || strings.HasSuffix(w, "..") || w == "." {
			return false
		}
	}
	return true
}

func (m *machine) copyOne(name, src, target string) {
	if name == "mv" || name == "ln" {
		m.movesTo(src, target, name == "ln")
	}
	from := m.p.Resolve(m.cwd, src)
	z, _, _ := m.p.Where(from)
	local := z == effect.ZoneWorkspace || z == effect.ZoneTemp
	switch {
	case name == "ln" && z == effect.ZoneTemp:
		m.path(effect.List, effect.OpStat, src)
	case name == "ln":
		if !local && z != effect.ZonePublic || z == effect.ZonePublic {
			m.path(effect.Write, effect.OpLink, src)
		}
	case name == "mv":
		m.path(effect.Write, effect.OpMove, src)
		if !local {
			m.path(effect.Delete, effect.OpRemove, src)
		}
	default:
		m.read(src)
	}
	d, net := m.contents(src), false
	if f, ok := m.written(from); ok {
		net = f.net
	} else if standardDir(from) {
		base := from[lastByte(from, '/')+1:]
		d = data{text: "#!/bin/sh\nexec " + base + " \"$@\"\n"}
	} else if z == effect.ZoneWorkspace && name != "ln" {
		return // an unknown workspace file stays one under its new name
	}
	base := src[lastByte(src, '/')+1:]
	n := len(m.files)
	m.noteFile(target, d, net)
	m.noteFile(trimSuffix(target, "/")+"/"+base, d, net)
	if o := m.owner(); o != nil && o.keepsOthers(m, name) {
		m.branches(n)
	}
}

// rsync runs rsync(1): local paths are read and written, host:path connects,
// --delete removes, -e and friends run programs.
func (m *machine) rsync(args []string) {
	t := lookupTool("rsync")
	r := toolRun{m: m, t: t, start: len(m.effects), cwd: m.cwd}
	mirror := false
	r.options(args)
	for _, a := range args {
		mirror = mirror || strings.HasPrefix(a, "--del") || a == "--remove-source-files"
	}
	m.spawn(effect.OpRun, "rsync")
	for i, o := range r.operands {
		last := i == len(r.operands)-1 && i > 0
		switch c := firstByte(o, ':'); {
		case c >= 0 && firstByte(o[:c], '/') < 0:
			m.url(effect.OpSend, o, "rsync")
		case last:
			m.write(o, effect.OpCreate)
			m.touchesBelow(o)
			for _, src := range r.operands[:i] {
				if !strings.HasSuffix(src, "/") {
					m.into(effect.OpCreate, src, o)
					m.brings(src, o+"/"+lastElement(src), false)
				} else {
					m.brings(src, o, false)
				}
				if isAmong(args, "--remove-source-files") {
					m.movesTo(src, o, false)
				}
			}
			if mirror {
				m.path(effect.Delete, effect.OpRemoveTree, o)
			}
		default:
			m.read(o)
		}
	}
	if r.dry {
		r.dropWrites()
	}
}

// chmod judges a mode: one that gives away the right to write or to run as the
// owner is a change of privilege, any other a change of the file.
func (m *machine) chmod(args []string) {
	m.spawn(effect.OpRun, "chmod")
	mode := ""
	var files []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case strings.HasPrefix(a, "--ref"): // or cut short; the shortest that is not --recursive
			mode = "0644"
		case strings.HasPrefix(a, "--") || a == "-R" || a == "-v" || a == "-c" || a == "-f" || a == "-Rf" || a == "-fR":
		case mode == "":
			mode = a
		default:
			files = append(files, a)
		}
	}
	m.mode(mode)
	for _, f := range files {
		m.path(effect.Write, effect.OpChmod, f)
	}
}

// mode records a mode that gives away rights.
func (m *machine) mode(mode string) {
	if riskyMode(mode) {
		m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpPrivilege, Resource: "chmod " + show(mode)})
	}
}

// riskyMode says whether a mode may set a set-id bit or let others write.
func riskyMode(mode string) bool {
	if n, err := strconv.ParseUint(mode, 8, 16); err == nil {
		return n&06002 != 0
	}
	if mark.Has(mode) {
		return true
	}
	for _, clause := range strings.Split(mode, ",") {
		i := strings.IndexAny(clause, "+=")
		if i < 0 {
			continue
		}
		who, perm := clause[:i], clause[i+1:]
		if n, err := strconv.ParseUint(perm, 8, 16); err == nil && n&06002 != 0 {
			return true
		}
		if firstByte(perm, 's') >= 0 || firstByte(perm, 'w') >= 0 && strings.ContainsAny(who, "oa") {
			return true
		}
	}
	return false
}

// umask records a mask that lets others write what is made under it. Its symbols say
// what is left, as those of chmod do, but without a name they are for all.
func (m *machine) umask(args []string) {
	for _, mode := range args {
		if strings.HasPrefix(mode, "-") {
			continue
		}
		left := mode
		if n, err := strconv.ParseUint(mode, 8, 16); err == nil {
			left = strconv.FormatUint(0o777&^n, 8)
		} else if strings.IndexAny(mode, "+=") == 0 {
			left = "a" + mode
		}
		if riskyMode(left) {
			m.record(effect.Effect{Kind: effect.Setting, Op: effect.OpPrivilege, Resource: "umask " + show(mode)})
		}
	}
}

var mktempOptions = getopt{valued: "p", longs: "directory dry-run quiet suffix= tmpdir?"}

// newTemp begins the name that stands for one of mktemp's.
const newTemp = "tmp.new"

// NewTemp says whether a path is below what the line itself has mktemp make.
func NewTemp(p string) bool { return strings.HasPrefix(p, "/tmp/"+newTemp) && path.Clean(p) == p }

// mktemp makes a file whose name is new: the line may remove it again.
func (m *machine) mktemp(args []string) data {
	m.spawn(effect.OpRun, "mktemp")
	dir, name := "/tmp", newTemp+strconv.Itoa(len(m.files))
	opts, words := mktempOptions.read(args)
	for _, o := range opts {
		if (o.name == "p" || o.name == "tmpdir") && o.value != "" {
			if dir != "/tmp" {
				m.write(dir, effect.OpCreate) // a word that is not understood is refused, or does not count
			}
			dir = o.value
		}
	}
	for _, a := range words {
		if i := lastByte(a, '/'); i >= 0 {
			dir, name = a[:i+1], a[i+1:]
		} else {
			name = a
		}
	}
	path := trimSuffix(dir, "/") + "/" + name
	m.write(path, effect.OpCreate)
	if n := len(m.files); n > 0 {
		m.files[n-1].fresh = true
	}
	return data{text: path + "\n"}
}

// pathPart folds basename and dirname.
func pathPart(name string, args []string) data {
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && len(args[0]) > 1 {
		args = args[1:]
	}
	if len(args) == 0 {
		return unknown
	}
	p := strings.TrimRight(args[0], "/")
	i := lastByte(p, '/')
	if name == "basename" {
		p = p[i+1:]
		if len(args) > 1 {
			p = trimSuffix(p, args[1])
		}
		return data{text: p + "\n"}
	}
	switch {
	case mark.Has(p) && i < 0:
		return data{text: worst(p)}
	case i < 0:
		return data{text: ".\n"}
	case i == 0:
		return data{text: "/\n"}
	}
	return data{text: p[:i] + "\n"}
}
