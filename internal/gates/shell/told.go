package shell

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
)

// This file is about values of secrets that a line shows though it reads no file of them: a
// variable that it took from a file, and settings in which a program puts values.

// printsWords says whether a simple command prints its words.
func printsWords(c *syntax.CallExpr) bool {
	if len(c.Args) == 0 {
		return false
	}
	switch c.Args[0].Lit() {
	case "echo", "printf", "print":
		return true
	}
	return false
}

// everyShells says whether a variable is one that every shell or login has (bash(1), Shell
// Variables; POSIX 8.3): a file of secrets is not where its value is from.
func everyShells(name string) bool {
	switch name {
	case "COLUMNS", "EUID", "HOME", "HOSTNAME", "LANG", "LC_ALL", "LINES", "LOGNAME", "OLDPWD", "OSTYPE", "PATH", "PIPESTATUS", "PPID", "PWD", "RANDOM", "SECONDS", "SHELL", "SHLVL", "TERM", "TMPDIR", "UID", "USER":
		return true
	}
	return len(name) == 1 // parameters of the shell's own
}

// environs and prints are what languages call the variables that they were given, and what
// prints: common knowledge without a source.
var (
	environs = [...]string{"environ", "ENVIRON", "getenv", "process.env", "ENV["}
	prints   = [...]string{"print", "console.", "puts", "stdout", "echo", "say "}
)

// printsEnviron records that code of the line prints variables which the line has taken from
// a file of secrets and gives to programs.
func (m *machine) printsEnviron(code string) {
	holds := func(list []string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(code, s) })
	}
	if m.sourced && holds(environs[:]) && holds(prints[:]) {
		m.environ("what was taken from a file of secrets")
	}
}

// composeQuiet are options with which compose prints names, or nothing, in place of the
// services with their environment (docker compose config --help).
var composeQuiet = []string{"-q", "--quiet", "--services", "--volumes", "--images", "--profiles", "--networks", "--models", "--no-interpolate", "--hash"}

// composeSecrets records that compose prints its settings with the values of .env and of
// the environment in them.
func (r *toolRun) composeSecrets(args []string) {
	if r.t.name != "docker compose config" && r.t.name != "docker-compose config" {
		return
	}
	if !slices.ContainsFunc(args, func(a string) bool { return isAmong(composeQuiet, a) }) {
		n := len(r.m.effects)
		r.m.path(effect.Read, effect.OpRead, ".env")
		for i := n; i < len(r.m.effects); i++ {
			r.m.effects[i].Named = true
		}
	}
}
