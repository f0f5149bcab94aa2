package hosts

import (
	"path"
	"slices"
	"strings"

	"github.com/gbt-policy/gbt/gates"
	"github.com/gbt-policy/gbt/gates/effect"
)

// Programs whose purpose is to change files that their line does not name: by a patch, by
// what a repository holds, out of an archive, by rewriting in place. Their effects list no
// write, so they are told by name. Builds and test runs are none, whatever they leave.
var (
	appliers = strings.Fields(`7z 7za ansible-playbook autopep8 black bsdtar buf clang-format codemod copier cookiecutter cpio dos2unix dpkg-deb ed ex filterdiff gpatch gunzip
		isort jscodeshift nvim patch prettier quilt rename rsync ruff rustfmt sponge tar unar unix2dos unrar unxz unzip vi vim yapf`)
	gitApplies = strings.Fields(`am apply bisect checkout checkout-index cherry-pick clean clone filter-branch filter-repo init lfs merge mergetool mv pull read-tree rebase reset restore revert rm
		sparse-checkout stash submodule subtree switch worktree`)
	subApplies = strings.Fields(`cargo-add cargo-clippy cargo-fix cargo-fmt cargo-init cargo-new cargo-remove cargo-update dart-fix dart-format dotnet-format dotnet-new gh-apply go-fix go-fmt go-generate
		go-get go-mod go-work hg-import hg-revert hg-update jj-restore mix-format svn-merge svn-patch svn-revert svn-update terraform-fmt`)
	rewrites = strings.Fields(`--apply --fix --in-place --inplace --overwrite --replace --update-snapshot --updateSnapshot --write -fix -i -w`)
)

// manyRuns is from how many programs on a line has more than the analysis lists.
const manyRuns = 256

// applies says whether a program of a call changes files of the workspace that its effects
// do not name. It errs on the side of yes: the question is then the user's.
func applies(c *gates.Context) bool {
	list := c.Runs()
	return len(list) >= manyRuns || slices.ContainsFunc(list, func(r effect.Run) bool { return applied(r.Words) })
}

// applied is applies for the words of one program, or of one that it starts (xargs,
// find -exec).
func applied(words []string) bool {
	for i, w := range words {
		name, rest := path.Base(w), words[i+1:]
		if i > 0 && !starts(words[:i]) {
			break
		}
		switch {
		case slices.Contains(appliers, name), slices.ContainsFunc(rest, rewritesIn) && i == 0 && !slices.Contains(readers, name):
			return true
		case name == "git" && slices.ContainsFunc(rest, func(s string) bool { return slices.Contains(gitApplies, s) }):
			return true
		}
		if sub := slices.IndexFunc(rest, func(s string) bool { return !strings.HasPrefix(s, "-") }); sub >= 0 && slices.Contains(subApplies, name+"-"+rest[sub]) {
			return true
		}
	}
	return false
}

// readers have options of those names that write nothing.
var readers = strings.Fields(`awk bash cat cmp column cp curl diff docker du env fgrep git egrep grep head jq kubectl ls make mkdir mv node od pgrep ps python python3 rg rm sh sort ss stat tail tree uniq wc xargs`)

// rewritesIn says whether an option lets a program write over what it reads.
func rewritesIn(w string) bool {
	name, _, _ := strings.Cut(w, "=")
	return slices.Contains(rewrites, name)
}

// starts says whether words before one may start it as a program of its own.
func starts(before []string) bool {
	switch path.Base(before[0]) {
	case "xargs", "find", "fd", "parallel", "env", "nice", "nohup", "time", "timeout", "npx", "pnpm", "yarn", "bunx", "uv", "uvx", "poetry", "pipx", "python", "python3", "bundle", "docker", "watch", "entr":
		return true
	}
	return false
}
