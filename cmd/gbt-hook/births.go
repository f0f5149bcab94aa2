package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/keeps"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file remembers what programs made that calls of the session ran: names that were not there when
// a call began and are there when it has ended, born in its time. A program says nowhere what it made;
// the file system does, by the birth of a file. An editor that saves a file puts a new one, with a new
// birth, in the place of the old one: so it counts what was there before, by a list of names. What is
// left is somebody's own new file of the very same moments in the very same directories; so calls that
// take long, that wait for an answer, or that stay in the background count for nothing.

// births is what programs of the session made.
type births struct {
	Open []openBirth `json:",omitempty"`
	Made []madeEntry `json:",omitempty"` // the newest stand last
}

// openBirth is a call that may be running. The names that were there before it are in a file of their
// own: they are read once, and the session's file before every call.
type openBirth struct {
	Key    string
	At     int64    // in milliseconds
	Words  []string `json:",omitempty"` // where the call was asked about: of directories it makes those of these names alone
	Asked  bool     `json:",omitempty"`
	Gone   []string `json:",omitempty"` // what it deletes by its words
	Intact []string `json:",omitempty"` // what earlier calls made and nobody changed since
}

// madeEntry is a file, or a directory with what was born below it in the same time.
type madeEntry struct {
	Path     string
	Born     int64
	From, To int64
}

// Bounds of what is remembered, and of what one call looks at.
const (
	maxBirthOpen  = 8
	maxBirthMade  = 200
	maxBirthNew   = 64 // of one call; one that makes more in one place makes none
	maxBirthNames = 2000
	maxBirthTime  = time.Minute
	maxBirthLook  = 3 * time.Millisecond
)

func (b *births) empty() bool { return len(b.Open)+len(b.Made) == 0 }

// makes says whether a call runs programs that may make files, and does nothing else that brings
// files of somebody's anywhere. What runs code from elsewhere counts where the user was asked about it.
func makes(c *gates.Context, asked bool) bool {
	if c.Elsewhere != "" || c.Doubt != "" || gates.Later(c) || stays(c) || slices.ContainsFunc(c.Runs(), func(r effect.Run) bool { return r.Background || r.Contained }) {
		return false
	}
	runs := false
	for i := range c.Effects {
		switch e := &c.Effects[i]; {
		case slices.Contains(carriers, e.Program) || e.Program == "patch" || e.Deferred:
			return false
		case e.Kind == effect.Read, e.Kind == effect.List, e.Kind == effect.Delete, e.Kind == effect.Network:
		case e.Kind == effect.Write && (e.Op == effect.OpCreate || e.Op == effect.OpModify):
		case e.Kind == effect.Spawn && (e.Op != effect.OpEscape || asked) && e.Op != effect.OpInteractive:
			runs = runs || !keeps.Program(e.Program, keeps.Others) || e.Op != effect.OpRun
		default:
			return false
		}
	}
	return runs
}

// stays says whether an argument has the host run the call in the background.
func stays(c *gates.Context) bool {
	return slices.ContainsFunc(c.Args, func(a gates.Arg) bool {
		return strings.Contains(strings.ToLower(a.Path), "background") && a.Value != "false"
	})
}

// begin notes a call that may run from now on, with what lies where it works. beside says that another
// one may be running that brings files.
func (b *births) begin(key, file string, c *gates.Context, d *gates.Decision, beside bool) error {
	b.drop(file, func(o *openBirth) bool { return o.Key == key })
	if !makes(c, d.Disposition != gates.Approved) {
		if d.Disposition != gates.Approved || changesNames(c) { // whose a name is that comes meanwhile, nobody knows
			b.settle(file)
		}
		return nil
	}
	if beside {
		return nil
	}
	dirs := []string{c.Cwd}
	o := openBirth{Key: key, Asked: d.Disposition != gates.Approved}
	for _, r := range c.Runs() {
		if !slices.Contains(dirs, r.Cwd) {
			dirs = append(dirs, r.Cwd)
		}
		if o.Asked {
			for _, w := range r.Words[1:] {
				o.Words = append(o.Words, path.Base(strings.TrimSuffix(w, "/")))
			}
		}
	}
	for i := range c.Effects {
		if e := &c.Effects[i]; e.Kind == effect.Delete {
			o.Gone = append(o.Gone, e.Resource)
		}
	}
	dirs = slices.DeleteFunc(dirs, func(dir string) bool {
		return !filepath.IsAbs(dir) || mark.Has(dir) || !slices.ContainsFunc(c.Roots, func(r string) bool { return mark.Under(dir, r) })
	})
	if len(dirs) == 0 || len(o.Words)+len(o.Gone) > maxBirthNew {
		return nil
	}
	for i := range b.Made {
		if m := &b.Made[i]; m.intact() {
			o.Intact = append(o.Intact, m.Path)
		}
	}
	data, err := json.Marshal(namesBelow(dirs, time.Now().Add(maxBirthLook)))
	if err == nil {
		err = os.WriteFile(namesFile(file, key), data, 0o600)
	}
	o.At = time.Now().UnixMilli() // after the look
	b.Open = append(b.Open, o)
	b.Open = b.Open[max(0, len(b.Open)-maxBirthOpen):]
	return err
}

// changesNames says whether a call may bring files under other names.
func changesNames(c *gates.Context) bool {
	return slices.ContainsFunc(c.Effects, func(e gates.Effect) bool {
		return slices.Contains(carriers, e.Program) && e.Kind != effect.Read && e.Kind != effect.List || e.Kind == effect.Write && (e.Op == effect.OpMove || e.Op == effect.OpLink)
	})
}

// namesFile is where the names are kept that were there before a call.
func namesFile(file, key string) string { return file + ".names-" + key }

// namesBelow lists what lies in directories and below them, the nearest first, up to a bound of names
// and of time. Not entered are links, what tools fill, and what begins with a dot.
func namesBelow(dirs []string, until time.Time) map[string][]string {
	out, left := map[string][]string{}, maxBirthNames
	for queue := dirs; len(queue) > 0 && left > 0; queue = queue[1:] {
		if _, seen := out[queue[0]]; seen || len(out) > 0 && time.Now().After(until) {
			continue
		}
		f, err := os.Open(queue[0])
		if err != nil {
			continue
		}
		list, err := f.ReadDir(left + 1)
		f.Close()
		if left -= len(list); err != nil && len(list) > 0 || left < 0 {
			break // not known as a whole
		}
		names := make([]string, len(list))
		for i, e := range list {
			names[i] = e.Name()
			if e.IsDir() && names[i][0] != '.' && !slices.Contains(filled, names[i]) {
				queue = append(queue, path.Join(queue[0], names[i]))
			}
		}
		slices.Sort(names)
		out[queue[0]] = names
	}
	return out
}

// filled are directories that tools fill with more than a look may take: what lies there is deleted as
// what is made again, or installed again.
var filled = []string{"build", "dist", "node_modules", "out", "target", "vendor", "venv"}

// end notes what a call made that has run.
func (b *births) end(key, file string, ran bool, now time.Time) {
	i := slices.IndexFunc(b.Open, func(o openBirth) bool { return o.Key == key })
	if i < 0 {
		return
	}
	o := b.Open[i]
	b.Open = slices.Delete(b.Open, i, i+1)
	data, err := os.ReadFile(namesFile(file, key))
	os.Remove(namesFile(file, key))
	var before map[string][]string
	window := [2]int64{o.At, now.UnixMilli()}
	if took := window[1] - o.At; err != nil || json.Unmarshal(data, &before) != nil || !ran || took < 0 || took > maxBirthTime.Milliseconds() {
		return
	}
	var made []madeEntry
	for dir, was := range before {
		f, err := os.Open(dir)
		if err != nil {
			return // what was there is gone, or elsewhere
		}
		list, err := f.ReadDir(maxBirthNames + maxBirthNew + 1)
		f.Close()
		if err != nil && len(list) > 0 || len(list) > len(was)+maxBirthNew {
			continue
		}
		left := len(was)
		for _, e := range list {
			full := path.Join(dir, e.Name())
			if _, there := slices.BinarySearch(was, e.Name()); there {
				left--
			} else if born := bornAt(full); within(window, born) && (!o.Asked || e.IsDir() && slices.Contains(o.Words, e.Name())) {
				made = append(made, madeEntry{full, born, o.At, window[1]})
			}
		}
		for _, name := range was { // something that was there is gone: it may be what came
			if left > 0 && !exists(path.Join(dir, name)) && !slices.ContainsFunc(o.Gone, func(g string) bool { return mark.Under(path.Join(dir, name), g) }) {
				return
			}
		}
	}
	for k := range b.Made {
		m := &b.Made[k]
		info, err := os.Lstat(m.Path)
		if born := bornAt(m.Path); err == nil && info.Mode().IsRegular() && slices.Contains(o.Intact, m.Path) && (born == m.Born || within(window, born)) && within(window, info.ModTime().UnixMilli()) && !o.Asked {
			m.Born, m.To = born, window[1]
		}
	}
	slices.SortFunc(made, func(a, b madeEntry) int { return strings.Compare(a.Path, b.Path) })
	b.Made = slices.DeleteFunc(b.Made, func(m madeEntry) bool {
		return slices.ContainsFunc(made, func(n madeEntry) bool { return n.Path == m.Path })
	})
	b.Made = append(b.Made, made...)
	b.Made = b.Made[max(0, len(b.Made)-maxBirthMade):]
}

// settle forgets the calls of which nobody told before the user spoke again: they did not run.
func (b *births) settle(file string) { b.drop(file, func(*openBirth) bool { return true }) }

func (b *births) drop(file string, which func(*openBirth) bool) {
	b.Open = slices.DeleteFunc(b.Open, func(o openBirth) bool {
		if which(&o) {
			os.Remove(namesFile(file, o.Key))
			return true
		}
		return false
	})
}

// intact says whether a file is what a call made of it.
func (m *madeEntry) intact() bool {
	info, err := os.Lstat(m.Path)
	return err == nil && info.Mode().IsRegular() && bornAt(m.Path) == m.Born && sinceUnchanged(info, m.end())
}

func (m *madeEntry) end() int64 { return time.UnixMilli(m.To).Add(clockSlack).UnixNano() }

// atOnce says whether a line deletes at once: before it does, it only looks, prints and deletes, in no
// loop. What lies there later may be another file.
func atOnce(c *gates.Context) bool {
	list := c.Runs()
	for k, r := range slices.Backward(list) {
		if r.Words[0] == "rm" || r.Words[0] == "find" {
			list = list[:k]
			break
		}
	}
	return !gates.GoesOn(c.Command) && !slices.ContainsFunc(list, func(r effect.Run) bool {
		return !gates.Looks(&r) && !slices.Contains([]string{"rm", "rmdir"}, r.Words[0])
	})
}

// took says whether all that a deletion takes was made by a program of the session in the time of one
// call, and is as that call left it: no file is called as secrets are, none belongs to a version
// control, is somebody else's or a mount, and git holds none.
func (b *births) took(full string) bool {
	if real, err := filepath.EvalSymlinks(filepath.Dir(full)); err != nil || real != filepath.Dir(full) {
		return false
	}
	i := slices.IndexFunc(b.Made, func(m madeEntry) bool { return mark.Under(full, m.Path) })
	if i < 0 || bornAt(b.Made[i].Path) != b.Made[i].Born || tracks(full) {
		return false
	}
	m := &b.Made[i]
	for at := filepath.Dir(full); len(at) > len(m.Path); at = filepath.Dir(at) {
		if !within([2]int64{m.From, m.To}, bornAt(at)) {
			return false
		}
	}
	above, err := os.Lstat(filepath.Dir(m.Path))
	if err != nil {
		return false
	}
	l, n := litter{user: os.Getuid()}, 0
	if l.disk, _, err = placeOf(above); err != nil || mountedBelow(full) {
		return false
	}
	secrets := looker{places: effect.Places{}.Normal()}
	err = filepath.WalkDir(full, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if n++; err != nil || n > maxLooked || !l.plain(p, info) || linked(info) && !d.IsDir() || secrets.secret(p) || ownNamed(d.Name()) ||
			p != m.Path && !within([2]int64{m.From, m.To}, bornAt(p)) || !d.IsDir() && !sinceUnchanged(info, m.end()) {
			return fs.ErrInvalid
		}
		return nil
	})
	return err == nil && n > 0
}

// ownNamed says whether people give such a name to what they write by hand: what is left as a risk is
// their own new file, and these they would miss most.
func ownNamed(name string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r < 'a' || r > 'z' }), func(w string) bool {
		return slices.Contains([]string{"backup", "bak", "diary", "draft", "drafts", "env", "key", "keys", "local", "my", "note", "notes", "orig", "private", "scratch", "secret", "secrets", "todo"}, w)
	})
}

// tracks says whether git holds something at a path or below it, or nobody can tell.
func tracks(full string) bool {
	top, index, err := indexAbove(full)
	if top == "" && os.IsNotExist(err) {
		return false
	}
	x := gitIndex{top: top, want: full, entries: map[string]indexEntry{}}
	return err != nil && !os.IsNotExist(err) || len(index) > 0 && x.read(index) != nil || len(x.entries) > 0
}
