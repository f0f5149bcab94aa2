package shell

import (
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// This file is about options that make a run another one than it is without them: what is agreed to
// for the one says nothing of the other (package scope).

// tellingRoles are the roles of values that may change what is run, loaded, read or sent. Those of
// files that are written are effects of their own.
var tellingRoles = string([]byte{roleCommandLine, roleCommand, roleCommandWords, roleOwnWords, roleOwnLine, roleProgram, roleScript, roleSettings,
	roleSetting, roleReview, roleFetches, roleSendsTo, roleConnects, roleProbes, roleUpload, roleDocument, roleExpressionFile, roleCMakeSetting, rolePackage, rolePlugin,
	rolePlainFile, roleSystem, roleOpens, roleInput, roleNix, roleNixExpression, roleEnvFile, roleDevice, roleConnection, roleListensAt, roleAddresses, roleDatabase, roleTells})

// tells notes an option with a value whose role says that it changes what the run does.
func (r *toolRun) tells(role byte, name, value string) {
	file := value
	switch role {
	case roleData, roleDataURLEncoded, roleFormField, roleHeader:
		if i := strings.IndexAny(value, "@<"); i < 0 || role != roleDataURLEncoded && role != roleFormField && i > 0 {
			return // a text that stands in the line
		}
	case roleCookies:
		if strings.Contains(file, "=") {
			return
		}
	case roleReads:
		if r.t.act == doesSend {
			return // it is what is sent
		}
	default:
		if strings.IndexByte(tellingRoles, role) < 0 {
			return
		}
	}
	r.m.tells(strings.TrimRight(name+" "+show(value), " "))
}

// tellsFlag notes a flag that adds something to what the run does.
func (r *toolRun) tellsFlag(does byte, name string) {
	switch does {
	case flagInPlace, flagRemovesOperands, flagDryRun, flagInforms, flagInformsAlone, flagExpressionGiven, flagRecursive, flagNamesOnly, flagListsFiles, doesInteract, doesRun, roleNothing:
		return
	}
	r.m.tells(show(name))
}

func (m *machine) tells(option string) {
	if m.running > 0 && m.quiet == 0 {
		run := &m.runs[m.running-1]
		if !slices.Contains(run.Telling, option) {
			run.Telling = append(run.Telling, option)
		}
	}
}

// strategy asks about a way to merge that is none of git's own: git runs the program git-merge-NAME
// (git-merge(1), -s; git(1), the files that git merge looks for).
func (r *toolRun) strategy(name, value string) {
	if (name == "-s" || name == "--strategy") && hasWord("merge rebase pull cherry-pick revert", strings.TrimPrefix(r.t.name, "git ")) && strings.HasPrefix(r.t.name, "git ") &&
		!hasWord("ort recursive resolve octopus ours subtree", value) {
		r.m.escape(r.t.name + " " + name + " " + value)
	}
}

// toldAround are those of the run that starts another one: what it loads, the other one may be changed by.
func (m *machine) toldAround() []string {
	if m.running == 0 {
		return nil
	}
	return slices.Clone(m.runs[m.running-1].Telling)
}

// givingMore are programs that give what they start words of their own, such as the file that they are at
// (their manuals).
const givingMore = "git hg rg rsync scp sftp cpio install diff3 sdiff prove youtube-dl yt-dlp aria2c nano spell zip tcpdump svn dune lcov genhtml gpg ocamlc"

// withOperand is the command line of an option as it is run: where the program adds words to it, with one
// that stands for them, so that rm is seen to remove something.
func (r *toolRun) withOperand(line string) string {
	first, _, _ := cutAt(strings.TrimLeft(line, " "), " ")
	if line == "" || mark.Has(line) || r.t.name == "git rebase" || first == "ssh" || !hasWord(givingMore, r.program()) {
		return line
	}
	root := r.m.cwd
	if len(r.m.p.Roots) > 0 {
		root = r.m.p.Roots[0]
	}
	return line + " '" + strings.ReplaceAll(root, "'", "") + "'"
}
