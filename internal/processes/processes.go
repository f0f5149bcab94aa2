// Package processes says which processes of a machine a signal reaches, by the words of the
// program that sends it, or that finds their numbers. It looks at no machine itself: whoever
// has looked hands over what there is. What it says is never too little: where it does not
// know what a program would leave out, it leaves nothing out.
//
// What belongs here: what the words of signals and finders reach, and whose that is. What never
// does: a look at a machine (cmd/gbt-hook), and what a line does beside its signals (gates).
package processes

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
)

// Machine is what there is on a machine.
type Machine struct {
	// All are its processes; ok is false where some may not be seen.
	All func() (list []gates.Process, ok bool)
	// Holders are the numbers of those that have a socket with a port, as their own or as that
	// which they talk to; ok is false where one of them is not known.
	Holders func(port uint16) (ids []int, ok bool)
}

// Reached are the processes that a signal may reach: by the words of pkill, killall, fuser -k
// and kill, or of pgrep and pidof if it goes to what these find. ok is false where nobody can
// tell: of other programs, of options beyond those that are known, and of patterns that a
// regular expression of Go may read in another way.
func (m *Machine) Reached(words []string) (list []gates.Process, ok bool) {
	hits, ok := m.hits(words)
	if !ok {
		return nil, false
	}
	all, ok := m.All()
	if !ok {
		return nil, false
	}
	for i := range all {
		if hits(&all[i]) {
			list = append(list, all[i])
		}
	}
	return list, true
}

func (m *Machine) hits(words []string) (hits func(*gates.Process) bool, ok bool) {
	if len(words) == 0 || slices.ContainsFunc(words, strange) {
		return nil, false
	}
	switch args := words[1:]; words[0] {
	case "pkill":
		return finds(args, true)
	case "pgrep":
		return finds(args, false)
	case "killall":
		return called(args)
	case "pidof":
		return called(slices.DeleteFunc(slices.Clone(args), func(w string) bool { return w == "-s" || w == "-x" }))
	case "fuser":
		return m.holding(fuserPorts(args))
	case "kill":
		return numbered(args)
	}
	return nil, false
}

// strange says whether a word has signs that no word of a command line has which is known.
func strange(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return r < ' ' || r == 0x7f }) >= 0
}

// numbered is hits for kill with numbers of processes, or of groups behind a minus; of none,
// it reaches nothing.
func numbered(ids []string) (hits func(*gates.Process) bool, ok bool) {
	var one, group []int
	for _, id := range ids {
		n, ok := number(strings.TrimPrefix(id, "-"))
		switch {
		case !ok || n == 1:
			return nil, false
		case strings.HasPrefix(id, "-"):
			group = append(group, n)
		default:
			one = append(one, n)
		}
	}
	return func(p *gates.Process) bool { return slices.Contains(one, p.ID) || slices.Contains(group, p.Group) }, true
}

// holding is hits for those that have sockets with one of some ports.
func (m *Machine) holding(ports []string) (hits func(*gates.Process) bool, ok bool) {
	var all []int
	for _, s := range ports {
		port, ok := number(s)
		if !ok || port > 1<<16-1 {
			return nil, false
		}
		ids, ok := m.Holders(uint16(port))
		if !ok {
			return nil, false
		}
		all = append(all, ids...)
	}
	return func(p *gates.Process) bool { return slices.Contains(all, p.ID) }, len(ports) > 0
}

// number reads a number of which there is one way to write it, and that is not zero.
func number(s string) (n int, ok bool) {
	if s == "" || len(s) > 9 || strings.Trim(s, "0123456789") != "" || s[0] == '0' {
		return 0, false
	}
	for _, d := range s {
		n = 10*n + int(d-'0')
	}
	return n, true
}

// finds reads the words of pkill or pgrep (pgrep(1) of procps: -f, -x and -i; options that only
// choose among what is found count as choosing all; kills says that it is pkill).
func finds(words []string, kills bool) (hits func(*gates.Process) bool, ok bool) {
	var q query
	pattern, given, rest := "", false, false
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case strange(w):
			return nil, false
		case rest || !strings.HasPrefix(w, "-") || w == "-":
			if given {
				return nil, false
			}
			pattern, given = w, true
		case w == "--":
			rest = true
		case kills && signalName(w[1:]):
		case kills && w == "--signal" && i+1 < len(words) && signalName(words[i+1]):
			i++
		case strings.HasPrefix(w, "--"):
			switch w {
			case "--full":
				q.full = true
			case "--exact":
				q.whole = true
			case "--ignore-case":
				q.fold = true
			case "--newest", "--oldest", "--ignore-ancestors":
			default:
				return nil, false
			}
		default:
			takes, ok := q.flags(w[1:], kills)
			if !ok || takes && i+1 == len(words) {
				return nil, false
			}
			if takes {
				i++
			}
		}
	}
	return q.compile(pattern)
}

// flags reads letters of short options; takes says that the next word is a value.
func (q *query) flags(letters string, kills bool) (takes, ok bool) {
	for i, l := range letters {
		switch {
		case l == 'f':
			q.full = true
		case l == 'x':
			q.whole = true
		case l == 'i':
			q.fold = true
		case l == 'n', l == 'o', kills && l == 'e', !kills && (l == 'a' || l == 'l'):
		case strings.ContainsRune("uUPtsG", l):
			return i == len(letters)-1, true
		default:
			return false, false
		}
	}
	return false, true
}

// called reads the words of killall (killall(1) of psmisc).
func called(words []string) (hits func(*gates.Process) bool, ok bool) {
	var names []string
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case strange(w):
			return nil, false
		case !strings.HasPrefix(w, "-"):
			names = append(names, strings.ToLower(w))
		case signalName(w[1:]), w == "-q", w == "-e", w == "-v", w == "-w", w == "-I":
		case (w == "-s" || w == "--signal") && i+1 < len(words) && signalName(words[i+1]):
			i++
		default:
			return nil, false
		}
	}
	return func(p *gates.Process) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			short := name[:min(len(name), nameLength)]
			return strings.HasPrefix(strings.ToLower(p.Name), short) || slices.ContainsFunc(append(p.Args[:len(p.Args):len(p.Args)], p.Exe), func(a string) bool { return strings.EqualFold(path.Base(a), name) })
		})
	}, len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool { return n == "" || strings.ContainsAny(n, "/\\^$*[](){}|+?") })
}

// fuserPorts are the ports that fuser -k looks for (fuser(1)); none where it looks for others.
func fuserPorts(words []string) (out []string) {
	space := ""
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-n" && i+1 < len(words) && (words[i+1] == "tcp" || words[i+1] == "udp"):
			i++
			space = "/" + words[i]
		case w == "-k", w == "-s", w == "-v", w == "-ks", w == "-sk", w == "-vk", w == "-kv", strings.HasPrefix(w, "-") && signalName(w[1:]):
		default:
			port, ok := strings.CutSuffix(w+space, "/tcp")
			if !ok {
				port, ok = strings.CutSuffix(w+space, "/udp")
			}
			if !ok {
				return nil
			}
			out = append(out, port)
		}
	}
	return out
}

// signalName says whether a text is the name or the number of a signal (signal(7)).
func signalName(s string) bool {
	if s != "" && len(s) < 3 && strings.Trim(s, "0123456789") == "" {
		return true
	}
	return slices.Contains([]string{"HUP", "INT", "QUIT", "KILL", "USR1", "USR2", "TERM", "CONT", "STOP", "TSTP", "WINCH"}, strings.TrimPrefix(s, "SIG"))
}
