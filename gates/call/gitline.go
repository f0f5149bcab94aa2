package call

import (
	"slices"
	"strings"
)

// gitLine is the command line of a tool of git: where it runs, its command, which of
// that command's things it is to do, then what the arguments say, where to before what.
func (b *builder) gitLine(sub string) (dir, line string) {
	var mode, first, rest []string
	for i := range b.c.Args {
		a := &b.c.Args[i]
		ws := words(withoutNumbers(a.Path))
		key := strings.Join(ws, "_")
		switch {
		case a.Value == "" || a.Value == "null" || a.Value == "false":
		case a.Value == "true":
			rest = append(rest, "--"+strings.Join(ws, "-"))
		case slices.Contains(repositoryKeys[:], key):
			dir = a.Value
		case key == "message":
			rest = append(rest, "-m", quoted(a.Value))
		case key == "mode" || key == "subcommand" || slices.Contains(verbKeys[:], key):
			mode = append(mode, gitMode(sub, a.Value)...)
		case sub != "remote" && (key == "remote" || key == "url"):
			first = append(first, quoted(a.Value))
		case strings.Trim(a.Value, "0123456789") != "":
			rest = append(rest, quoted(a.Value))
		}
	}
	line = "git "
	if dir != "" {
		line += "-C " + quoted(dir) + " "
	}
	return dir, line + sub + " " + strings.Join(slices.Concat(mode, first, rest), " ")
}

// gitMode is what a tool of git that is told which of its command's things to do puts
// behind that command (git-branch(1), git-stash(1) and so on): a word where git takes
// one, else an option.
func gitMode(sub, mode string) []string {
	switch sub {
	case "remote":
		if mode == "list" {
			return nil // git remote lists
		}
		return []string{quoted(mode)}
	case "reflog", "stash", "worktree":
		return []string{quoted(mode)}
	case "branch", "tag":
		switch mode {
		case "create":
			return nil // git branch NAME creates
		case "rename":
			return []string{"--move"}
		}
	case "rebase":
		if mode == "start" {
			return nil
		}
	}
	return []string{quoted("--" + mode)}
}
