package call

import "strings"

// program returns the action of one program with its arguments. ok is false
// for words that are no program name.
func program(name string, args []string) (Action, bool) {
	path := name
	name = strings.ToLower(base(name))
	if _, known := known(name); !known && script(path) {
		return actionNamed("run"), true
	}
	if !programName(name) {
		return Action{}, false
	}
	switch name {
	case "cd", "pushd", "popd":
		return actionNamed("cd"), true
	case "set", "export", "true", "false", ":", "sleep", "wait", "exit", "source", ".", "clear", "local", "declare",
		"read", "test", "[", "[[", "alias", "unset", "shopt", "trap", "return", "history":
		return actionNamed("noop"), true
	}
	key, ok := known(name)
	if !ok {
		// Its name is a word of the log and may be anything, such as a token that was
		// pasted into a command line: actions say nothing that stands in no table.
		return actionNamed("run"), true
	}
	return refine(name, args, actionNamed(key)), true
}

// script reports whether a word runs a file by its path or extension.
func script(name string) bool {
	for _, ext := range []string{".sh", ".py", ".pl", ".rb", ".js", ".bash"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	if !strings.Contains(name, "/") {
		return false
	}
	return !strings.HasPrefix(name, "/bin/") && !strings.HasPrefix(name, "/sbin/") && !strings.HasPrefix(name, "/usr/")
}

// programName reports whether a word can be a program's name. Python and other
// code pasted into a shell is mostly not.
func programName(s string) bool {
	if s == "" || len(s) > 40 {
		return false
	}
	if s == "[" || s == "[[" || s == ":" || s == "." {
		return true
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'a' && c <= 'z', c == '_':
		case i > 0 && (c >= '0' && c <= '9' || c == '-' || c == '.' || c == '+'):
		default:
			return c >= '0' && c <= '9' && i == 0 && strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz")
		}
	}
	return true
}

// refine tells apart the uses of one program that do different things.
func refine(name string, args []string, a Action) Action {
	switch name {
	case "sed", "perl":
		if anyPrefix(args, "-i", "--in-place") {
			return actionNamed("edit")
		}
	case "git", "hg", "svn":
		return versionControl(args, a)
	case "find", "fd":
		if has(args, "-delete") || has(args, "rm") {
			return actionNamed("delete")
		}
	case "curl", "wget", "http":
		if anyPrefix(args, "-d", "--data", "-F", "--form", "-T", "--upload-file", "--post", "POST", "-XPOST", "PUT") {
			return actionNamed("remote")
		}
	case "tee":
		if len(args) > 0 && !strings.HasPrefix(args[len(args)-1], "/dev/") {
			return actionNamed("edit")
		}
	case "python", "python3":
		if i := index(args, "-m"); i >= 0 && i+1 < len(args) {
			return module(args[i+1], a)
		}
	case "npm", "yarn", "pnpm", "go", "cargo", "mvn", "gradle", "gradlew", "make", "dotnet":
		if has(args, "test") {
			return actionNamed("test")
		}
	}
	return a
}

// module is the action of python -m MODULE.
func module(name string, a Action) Action {
	switch name {
	case "pytest", "unittest", "nose", "tox":
		return actionNamed("test")
	case "pip", "venv", "ensurepip":
		return actionNamed("pkg")
	case "json.tool":
		return actionNamed("view")
	}
	return a
}

// versionControl tells looking at history from changing it and from sending it
// away. Source: git(1), section "High-level commands".
func versionControl(args []string, a Action) Action {
	for _, arg := range args {
		if arg == "" || strings.HasPrefix(arg, "-") {
			continue
		}
		switch arg {
		case "status", "diff", "log", "show", "blame", "ls-files", "grep", "describe", "rev-parse", "shortlog", "reflog", "info", "cat-file":
			return actionNamed("review")
		case "push":
			return actionNamed("remote")
		}
		return a
	}
	return a
}

//go:noinline
func index(args []string, s string) int {
	for i, a := range args {
		if a == s {
			return i
		}
	}
	return -1
}

func has(args []string, s string) bool { return index(args, s) >= 0 }

func anyPrefix(args []string, prefixes ...string) bool {
	for _, a := range args {
		for _, p := range prefixes {
			if strings.HasPrefix(a, p) {
				return true
			}
		}
	}
	return false
}
