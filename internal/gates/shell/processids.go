package shell

import (
	"strconv"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file follows the numbers of processes from the program that finds them to the one
// that signals them. Which numbers they are only the run time knows; what they are the
// numbers of stands on the line: what listens on a port (lsof -ti:3000), what has a name
// (pgrep -f vite, ps | grep), what a file names that a daemon wrote (cat server.pid).

// Beginnings of what a signal's effect says of its target, where that is no number.
const (
	ofPort = "port "
	ofName = "name "
	ofFile = "pidfile "
)

// processWord begins a word that stands for numbers of processes. It holds a marker
// behind that, so that it is a computed word for whoever does not know it.
const processWord = "%processes"

// processes is the text that stands for the numbers of processes, by what they are the
// numbers of: empty for any process.
func (m *machine) processes(of string) string {
	m.procs = append(m.procs, of)
	return processWord + strconv.Itoa(len(m.procs)-1) + string(rune(mark.Caller))
}

// processesOf is what the numbers that a word stands for are the numbers of.
func (m *machine) processesOf(word string) (of string, ok bool) {
	rest, ok := cutPrefix(strings.TrimSpace(word), processWord)
	if !ok {
		return "", false
	}
	digits, ok := cutSuffix(rest, string(rune(mark.Caller)))
	if !ok {
		return "", false
	}
	i, err := strconv.Atoi(digits)
	if err != nil || i < 0 || i >= len(m.procs) {
		return "", false
	}
	return m.procs[i], true
}

// findsProcesses is the output of a program that prints numbers of processes, or that
// passes them on.
func (r *toolRun) findsProcesses(args []string, in data) (string, bool) {
	m := r.m
	of, passed := m.processesOf(in.text)
	switch r.t.name {
	case "lsof":
		if port := lsofPort(args); port != "" {
			return m.processes(ofPort + port), true
		}
	case "pgrep", "pidof":
		if len(r.operands) == 1 && plainSelection(args, r.operands[0]) {
			return m.processes(ofName + r.operands[0]), true
		}
	case "cat":
		if len(args) == 1 && len(r.operands) == 1 && !mark.Has(args[0]) && strings.HasSuffix(args[0], ".pid") {
			return m.processes(ofFile + m.p.Resolve(m.cwd, args[0])), true
		}
	case "ps":
		return m.processes(""), true
	case "grep":
		if !passed {
			return "", false
		}
		if of != "" || len(args) == 2 && args[0] == "-v" {
			return in.text, true
		}
		if name := grepName(args); name != "" {
			return m.processes(ofName + name), true
		}
	case "head", "tail", "sort", "uniq", "tr":
		return in.text, passed && PassesNumbers(r.t.name, args)
	}
	return "", false
}

// PassesNumbers says whether a program of a pipe passes numbers on as they are, each on a line
// or between blanks: not a part of one, and none of its own (head(1), tail(1), sort(1),
// uniq(1), tr(1)).
func PassesNumbers(program string, args []string) bool {
	line := program + " " + strings.Join(args, " ")
	if program == "head" || program == "tail" { // -1, -n1, -n 1
		plain := len(args) == 0 || len(args) == 1 && strings.HasPrefix(args[0], "-") || len(args) == 2 && args[0] == "-n"
		return plain && strings.TrimRight(line, "0123456789 -n") == program
	}
	return strings.Contains("|sort |sort -n|sort -r|sort -u|sort -nr|sort -rn|uniq |tr \n  |tr \\n  |", "|"+line+"|")
}

// lsofPort is the port, or a list of ports with commas between them, whose processes lsof
// prints the numbers of and nothing else (lsof(8): -t, -i [46][protocol][@hostname][:port],
// -s for the state).
func lsofPort(args []string) string {
	port, terse := "", false
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-n" || a == "-P" || a == "-nP" || a == "-Pn" || strings.HasPrefix(a, "-sTCP:"):
			continue
		case a == "-t":
			terse = true
			continue
		}
		rest, ok := cutPrefix(a, "-i")
		if !ok {
			rest, ok = cutPrefix(a, "-ti")
			terse = terse || ok
		}
		if !ok || port != "" {
			return ""
		}
		if rest == "" && i+1 < len(args) {
			i++
			rest = args[i]
		}
		var from string // no other protocol and no other host's port: who talks to one is not who serves
		from, port, ok = cutAt(strings.ToLower(rest), ":")
		if from = trimPrefix(strings.TrimLeft(from, "46"), "tcp"); from != "" && from != "@localhost" && from != "@127.0.0.1" {
			return ""
		}
		for p := range strings.SplitSeq(port, ",") {
			if _, err := strconv.ParseUint(p, 10, 16); !ok || err != nil {
				return ""
			}
		}
	}
	if !terse {
		return ""
	}
	return port
}

// plainSelection says whether a finder of processes selects by one name alone, and what it
// prints is their numbers (pgrep(1), pidof(8)).
func plainSelection(args []string, name string) bool {
	for _, a := range args {
		switch a {
		case "-f", "-x", "-n", "-o", "-fx", "-xf", "-fn", "-nf", "-fo", "-of", "-s", name:
		default:
			return false
		}
	}
	return !mark.Has(name)
}

// grepName is the name that grep selects lines of ps by, if that is all it does. A letter
// in brackets keeps grep from finding itself.
func grepName(args []string) string {
	if len(args) == 2 {
		switch args[0] {
		case "-i", "-w", "-F", "-E", "-e":
			args = args[1:]
		}
	}
	if len(args) != 1 || mark.Has(args[0]) || strings.HasPrefix(args[0], "-") {
		return ""
	}
	name := args[0]
	if len(name) > 3 && name[0] == '[' && name[2] == ']' {
		name = name[1:2] + name[3:]
	}
	if strings.ContainsAny(name, `[]*+?|^$(){}\`) {
		return ""
	}
	return name
}

// printsNumbers says whether a program of awk prints the column of the numbers that ps
// prints, and all of them.
func printsNumbers(args []string) bool {
	return len(args) == 1 && (strings.ReplaceAll(args[0], " ", "") == "{print$2}" || strings.ReplaceAll(args[0], " ", "") == "{print$1}")
}

// signal records a process that is signalled.
func (m *machine) signal(word string) {
	if of, ok := m.processesOf(word); ok && of != "" {
		m.record(effect.Effect{Kind: effect.Signal, Op: effect.OpKill, Resource: show(of)})
		return
	}
	if strings.HasPrefix(word, "%") && !mark.Has(word) {
		return // a job of this very line
	}
	m.record(effect.Effect{Kind: effect.Signal, Op: effect.OpKill, Resource: show(word)})
}
