package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gbt-policy/gbt/gates"
)

// This file looks at the processes of the machine right before a decision, by what Linux says
// of them in /proc (proc(5)). On other systems nobody looks.

// Bounds of what is looked at: more processes than the first, and command lines and
// environments longer than the second, count as not seen.
const (
	maxProcesses = 8000
	maxArgs      = 4 << 20
)

// ticks are those in which Linux counts times for its users on all usual machines
// (sysconf(3), _SC_CLK_TCK).
const tickMillis = 10

// watch looks at processes.
type watch struct {
	calls *calls
	mark  string // a variable that the host sets for the commands of its calls
	self  int    // the hook's own process
	all   map[int]*process
	agent int // the host's own process, which started the hook
	above map[int]bool
}

// process is what the hook reads of one.
type process struct {
	gates.Process
	parent  int
	ticks   int64 // from the start of the machine to its own
	ended   bool  // only its parent has not heard of its end
	started int64 // when, in milliseconds
}

// processes are all that run here, with who started them. ok is false where not all are seen.
func (w *watch) processes() (list []gates.Process, ok bool) {
	if !w.read() {
		return nil, false
	}
	for _, p := range w.all {
		if p.ended {
			continue
		}
		p.Start = w.starter(p)
		list = append(list, p.Process)
	}
	return list, true
}

// read reads them.
func (w *watch) read() bool {
	if w.all != nil {
		return true
	}
	dir, err := os.Open("/proc")
	if err != nil {
		return false
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return false
	}
	all := map[int]*process{}
	for _, name := range names {
		id, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		p, ok := processAt(id)
		switch {
		case ok:
			all[id] = p
		case exists("/proc/" + name):
			return false
		}
		if len(all) > maxProcesses {
			return false
		}
	}
	self, ok := all[w.self]
	if !ok {
		return false // a /proc of other processes than the hook is among
	}
	if from := machineStart(); from > 0 {
		for _, p := range all {
			p.started = from + p.ticks*tickMillis
		}
	}
	if now := time.Now().UnixMilli(); self.started > now || self.started < now-longestStart.Milliseconds() {
		for _, p := range all {
			p.started = 0 // a clock that is another's, as some containers have it
		}
	}
	w.all, w.above = all, map[int]bool{}
	for p := self; p != nil && !w.above[p.ID]; p = all[p.parent] {
		w.above[p.ID] = true
	}
	w.agent = self.parent
	if p := all[w.agent]; p != nil && isShell(p) && slices.ContainsFunc(p.Args, func(a string) bool { return strings.Contains(a, "gbt-hook") }) {
		w.agent = p.parent // hosts start the hook's command line in a shell
	}
	return true
}

// longestStart is how long before it looks the hook may have started.
const longestStart = time.Minute

// machineStart is when the machine started, in milliseconds, by the clock that the starts of
// processes are told in; zero where nobody knows.
func machineStart() int64 {
	for range 5 { // until nothing comes between the two clocks
		before := time.Now()
		text, _ := readSome("/proc/uptime", maxArgs)
		took := time.Since(before)
		up, _, _ := strings.Cut(text, " ")
		seconds, err := strconv.ParseFloat(up, 64)
		if err != nil {
			return 0
		}
		if took < 10*time.Millisecond {
			return before.UnixMilli() - int64(seconds*1000)
		}
	}
	return 0
}

// processAt reads what is said of a process. What only its user may read of it is empty where
// it is another's.
func processAt(id int) (*process, bool) {
	at := "/proc/" + strconv.Itoa(id) + "/"
	stat, ok := readProc(at + "stat")
	i, k := strings.IndexByte(stat, '('), strings.LastIndexByte(stat, ')')
	if !ok || i < 0 || k < i {
		return nil, false
	}
	f := strings.Fields(stat[k+1:]) // from the third field on: state, ppid, pgrp; 18: threads, 20: starttime
	if len(f) < 20 {
		return nil, false
	}
	p := &process{Process: gates.Process{ID: id, Name: stat[i+1 : k]}}
	p.parent, _ = strconv.Atoi(f[1])
	p.Group, _ = strconv.Atoi(f[2])
	p.ended = (f[0] == "Z" || f[0] == "X") && f[17] == "1"
	var err error
	if p.ticks, err = strconv.ParseInt(f[19], 10, 64); err != nil {
		return nil, false
	}
	args, ok := readProc(at + "cmdline")
	if !ok {
		return nil, false
	}
	if args = strings.TrimRight(args, "\x00"); args != "" {
		p.Args = strings.Split(args, "\x00")
	}
	p.Exe, _ = os.Readlink(at + "exe")
	p.Exe = strings.TrimSuffix(p.Exe, " (deleted)") // a build puts a new one in its place
	p.Cwd, _ = os.Readlink(at + "cwd")
	return p, true
}

// readProc reads a file of /proc, which has no size before it is read.
func readProc(name string) (string, bool) {
	if !exists(name) {
		return "", false
	}
	return readSome(name, maxArgs)
}

// isShell says whether a process is a shell.
func isShell(p *process) bool {
	return slices.ContainsFunc([]string{"bash", "dash", "fish", "ksh", "sh", "zsh"}, func(s string) bool { return s == p.Name || s == filepath.Base(p.Exe) })
}

// starter finds out who started a process. It is a call's own that stands below the host's
// process, in something that the host started for a call, while one ran; and what a call left
// when it ended, which the machine took over, is known by the host's variable in its
// environment, and by the time. Never are what is above the hook, what is there since before
// the session, and another user's or another container's.
func (w *watch) starter(p *process) gates.Starter {
	if w.calls == nil || w.above[p.ID] || !w.mine(p) {
		return gates.StarterUnknown
	}
	top := p
	for n := 0; ; n++ {
		above := w.all[top.parent]
		if above == nil || top.parent == w.agent || reaps(above) || n > maxProcesses {
			break
		}
		if top = above; w.above[top.ID] {
			return gates.StarterUnknown // of the terminal's, or of the user's own
		}
	}
	inCall := w.calls.ran(top.started) && w.mine(top)
	switch above := w.all[top.parent]; {
	case !inCall:
	case top.parent == w.agent && !reaps(w.all[w.agent]):
		shell := isShell(top) && len(top.Args) > 2 && strings.HasPrefix(top.Args[1], "-") && strings.HasSuffix(top.Args[1], "c")
		if w.marked(top) || w.mark == "" && shell {
			return gates.StarterCall
		}
	case above != nil && reaps(above) && w.marked(top):
		return gates.StarterGone
	}
	return gates.StarterUnknown
}

// reaps says whether a process takes over those whose parents have ended: the first one, and
// the one that systemd has for each user.
func reaps(p *process) bool {
	return p.ID == 1 || p.parent == 1 && p.Name == "systemd"
}

// marked says whether a process has the variable that the host sets for the commands of its
// calls, and the host itself has not.
func (w *watch) marked(p *process) bool {
	has := func(id int) bool {
		env, ok := readSome("/proc/"+strconv.Itoa(id)+"/environ", maxArgs)
		return ok && strings.Contains("\x00"+env, "\x00"+w.mark+"=")
	}
	_, readable := readSome("/proc/"+strconv.Itoa(w.agent)+"/environ", maxArgs)
	return w.mark != "" && readable && has(p.ID) && !has(w.agent)
}

// mine says whether a process is all the user's, in the hook's own container: another's the
// same name may stand for something else in.
func (w *watch) mine(p *process) bool {
	at := "/proc/" + strconv.Itoa(p.ID) + "/"
	status, ok := readSome(at+"status", maxArgs)
	if !ok {
		return false
	}
	user := strconv.Itoa(os.Getuid())
	found := false
	for line := range strings.Lines(status) {
		if ids, is := strings.CutPrefix(line, "Uid:"); is {
			found = !slices.ContainsFunc(strings.Fields(ids), func(id string) bool { return id != user })
		}
	}
	for _, space := range []string{"pid", "mnt"} {
		its, err := os.Readlink(at + "ns/" + space)
		if own, e := os.Readlink("/proc/self/ns/" + space); err != nil || e != nil || its != own {
			return false
		}
	}
	return found
}

// holders are the processes that have a socket with a port, as their own or as that which they
// talk to. ok is false where one of them is not seen.
func (w *watch) holders(port uint16) (ids []int, ok bool) {
	sockets, ok := socketsOn(port)
	delete(sockets, "0") // of no process any more
	if !ok || len(sockets) > 0 && !w.read() {
		return nil, false
	}
	for id := range w.all {
		if len(sockets) == 0 {
			break
		}
		list, err := os.ReadDir("/proc/" + strconv.Itoa(id) + "/fd")
		if err != nil {
			continue
		}
		for _, e := range list {
			to, err := os.Readlink("/proc/" + strconv.Itoa(id) + "/fd/" + e.Name())
			if inode, is := strings.CutPrefix(to, "socket:["); err == nil && is {
				if inode = strings.TrimSuffix(inode, "]"); sockets[inode] > 0 {
					sockets[inode]++
					ids = append(ids, id)
				}
			}
		}
	}
	for _, n := range sockets {
		if n == 1 {
			return nil, false // nobody's that the hook may look at
		}
	}
	return ids, true
}
