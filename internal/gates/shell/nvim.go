package shell

import (
	"regexp"
	"strings"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file judges Neovim without a user interface, as plugins are tested: it loads files
// of the workspace, runs test files and quits (nvim(1); Neovim's starting.txt and
// editing.txt; doc/plenary-test.txt of plenary.nvim). Other commands ask: any of them
// may run anything.

// nvimQuits are commands that only end it.
var nvimQuits = []string{"cq", "cquit", "q", "q!", "qa", "qa!", "qall", "qall!", "quit", "quit!", "quitall", "quitall!"}

// nvimTests is plenary's command that runs the tests of a file or directory, with the file
// that each of its processes loads first.
var nvimTests = regexp.MustCompile(`^PlenaryBusted(?:File|Directory) ([\w./-]+)(?: *\{ *(?:(?:minimal_init|init) *= *['"]([\w./-]+)['"])?(?:[, ]*(?:sequential|timeout) *= *\w+)*[, ]*\})?$`)

// nvimLoads is a command that runs a file, or puts a directory where it looks for plugins.
var nvimLoads = regexp.MustCompile(`^(?:luafile|source|so|set (?:rtp|runtimepath)(?:\+=|\^=)) ?([\w./-]+)$`)

// nvimRuns runs Neovim so; false where its arguments hold more than is known here.
func (m *machine) nvimRuns(args []string) bool {
	quiet, loads, reads := false, []string(nil), []string(nil)
	for i := 0; i < len(args); i++ {
		command, plus := cutPrefix(args[i], "+")
		switch a := args[i]; {
		case a == "--headless":
			quiet = true
		case a == "--noplugin" || a == "--clean" || a == "-n" || a == "-R" || a == "-m" || a == "-M":
		case (a == "-u" || a == "-i") && i+1 < len(args):
			if i++; args[i] != "NONE" && (a == "-i" || args[i] != "NORC") {
				loads = append(loads, args[i])
			}
		case (a == "-S" || a == "-l") && i+1 < len(args):
			loads = append(loads, args[i+1])
			if i++; a == "-l" { // all further words are the script's
				return m.nvimStarts(true, append(loads, args[i]), reads, args[i+1:])
			}
		case (a == "-c" || a == "--cmd") && i+1 < len(args) || plus && command != "":
			if !plus {
				i++
				command = args[i]
			}
			files, ok := nvimCommand(command)
			if !ok {
				return false
			}
			loads = append(loads, files...)
		case a == "" || a[0] == '-' || a[0] == '+':
			return false
		default:
			reads = append(reads, a)
		}
	}
	return m.nvimStarts(quiet, loads, reads, nil)
}

// nvimCommand gives the files that a command runs, if it does nothing else.
func nvimCommand(command string) (files []string, ok bool) {
	if mark.Has(command) {
		return nil, false
	}
	command = strings.TrimSpace(strings.TrimLeft(command, ": "))
	if searchNames(nvimQuits, command) {
		return nil, true
	}
	if t := nvimTests.FindStringSubmatch(command); t != nil {
		if t[2] == "" {
			return t[1:2], true
		}
		return t[1:3], true
	}
	if l := nvimLoads.FindStringSubmatch(command); l != nil {
		return l[1:2], true
	}
	return nil, false
}

// nvimStarts records what it loads and shows; false with a user interface.
func (m *machine) nvimStarts(quiet bool, loads, reads, given []string) bool {
	if !quiet {
		return false
	}
	m.spawn(effect.OpRun, "nvim")
	for _, file := range loads {
		m.script(file)
	}
	for _, file := range reads {
		m.read(file)
	}
	if given != nil {
		m.givenArgs(given)
	}
	return true
}
