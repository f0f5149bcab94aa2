package shell

import (
	"slices"
	"strings"
)

// This file is about options that make a run another one than it is without them: what is agreed to
// for the one says nothing of the other (package scope).

// tellingRoles are the roles of values that may change what is run, loaded, read or sent. Those of
// files that are written are effects of their own.
const tellingRoles = string(roleCommandLine) + string(roleCommand) + string(roleCommandWords) + string(roleOwnWords) + string(roleOwnLine) + string(roleProgram) + string(roleScript) +
	string(roleSettings) + string(roleSetting) + string(roleReview) + string(roleFetches) + string(roleSendsTo) + string(roleConnects) + string(roleProbes) +
	string(roleDocument) + string(roleExpressionFile) + string(roleCMakeSetting) + string(rolePackage) + string(rolePlugin) + string(rolePlainFile) + string(roleSystem) +
	string(roleOpens) + string(roleInput) + string(roleNix) + string(roleNixExpression) + string(roleEnvFile) + string(roleDevice) + string(roleConnection) +
	string(roleListensAt) + string(roleAddresses) + string(roleDatabase) + string(roleTells)

// alikeFlags are what flags add that makes a run none other.
const alikeFlags = string(flagInPlace) + string(flagRemovesOperands) + string(flagDryRun) + string(flagInforms) + string(flagInformsAlone) + string(flagExpressionGiven) +
	string(flagRecursive) + string(flagNamesOnly) + string(flagListsFiles) + string(doesInteract) + string(doesRun) + string(roleNothing)

// tells notes an option whose value has one of these roles; one that sends a text of the line itself sends
// what anybody reads there. Not inlined, for the size of programs.
//
//go:noinline
func (r *toolRun) tells(role byte, name, value string) {
	at := strings.IndexAny(value, "@<")
	switch {
	case (role == roleReads || role == roleUpload) && r.t.act != doesSend, role == roleCookies && !strings.Contains(value, "="):
	case firstByte(tellingRoles, role) >= 0, at == 0 && (role == roleData || role == roleHeader), at >= 0 && (role == roleDataURLEncoded || role == roleFormField):
	default:
		return
	}
	r.m.tells(name + " " + show(value))
}

// tells notes an option of the current run. Not inlined, for the size of programs.
//
//go:noinline
func (m *machine) tells(option string) {
	if m.running > 0 && m.quiet == 0 {
		run := &m.runs[m.running-1]
		run.Telling = append(run.Telling, option)
	}
}

// toldAround are those of the run that starts another one: what it loads, the other one may be changed by.
func (m *machine) toldAround() []string {
	if m.running == 0 {
		return nil
	}
	return slices.Clip(m.runs[m.running-1].Telling)
}

// givingMore are programs that give what they start words of their own, such as the file that they are at
// (their manuals).
const givingMore = "git hg rg rsync scp sftp cpio install diff3 sdiff prove youtube-dl yt-dlp aria2c nano spell zip tcpdump svn dune lcov genhtml gpg ocamlc"

// withOperand is the command line of an option as it is run: where the program adds words to it, with one
// that stands for them, so that rm is seen to remove something.
func (r *toolRun) withOperand(line string) string {
	if line == "" || strings.HasPrefix(line, "ssh") || r.t.name == "git rebase" || !hasWord(givingMore, r.program()) {
		return line
	}
	return line + " '" + r.m.cwd + "'"
}
