package shell

import (
	"slices"
	"strings"
)

// actingWords are what programs call the subcommands with which they send
// something away, take it away, open a port, or run what they are given. They are
// asked about where nobody has read which subcommands a program has. Sorted.
var actingWords = []string{
	"delete", "deploy", "destroy", "drop", "eval", "exec", "expose", "import", "install", "login", "promote", "proxy", "publish", "purge", "push", "register", "release",
	"restore", "rollback", "send", "serve", "share", "shell", "ship", "submit", "sync", "transfer", "tunnel", "undeploy", "uninstall", "unpublish", "upgrade", "upload", "yank",
}

// mayAct asks about a first operand that may be a subcommand that acts, of a
// program whose manual nobody opened. What names a path is a path.
func (r *toolRun) mayAct() {
	if !r.t.has(traitUnread) || len(r.operands) == 0 || strings.ContainsAny(r.operands[0], "/.") {
		return
	}
	switch r.role(0) {
	case roleExpression, roleJq, roleYq, roleVariable, roleProcess, roleDatabase, roleConnects, roleProbes:
		return
	}
	for part := range strings.FieldsFuncSeq(r.operands[0], separates) {
		if _, ok := slices.BinarySearch(actingWords, part); ok {
			r.m.escape(r.t.name + " " + r.operands[0])
			return
		}
	}
}
