package shell

import "strings"

// clojure judges the names of aliases and the function that the words of clojure and clj
// say: an alias is the project's, and so is a function without a namespace, since it
// lies in one that the alias names; one with a namespace is any function of the class
// path (clojure.org/reference/clojure_cli, -X and -T). Behind -M and what clojure.main
// takes for itself stand the words of the program that the alias names: given.
func (m *machine) clojure(name string, args []string) (own, given []string) {
	function := false
	for i, a := range args {
		switch {
		case len(a) > 2 && a[0] == '-' && a[2] == ':' && firstByte("AMXT", a[1]) >= 0:
			function = a[1] == 'X' || a[1] == 'T'
			m.clojureTask(name, a[2:])
			if n := i + 1 + mainOptions(args[i+1:]); a[1] == 'M' && n < len(args) {
				return args[:n], args[n:]
			}
		case function && a != "" && a[0] != '-':
			function = false
			if strings.Contains(a, "/") && a[0] != '{' {
				m.escape(name + " " + a)
			}
			m.clojureTask(name, a)
		}
	}
	return args, nil
}

// mainOptions is how many of the words behind -M are for clojure.main: all where the
// first is an option of its own but -m, which takes a namespace, and what is no option may
// be a script (clojure --help, init-opts and main-opts).
func mainOptions(words []string) int {
	switch {
	case len(words) == 0:
		return 0
	case words[0] == "-m" || words[0] == "--main":
		return min(2, len(words))
	case strings.HasPrefix(words[0], "--") && words[0] != "--init" && words[0] != "--eval" && words[0] != "--repl" && words[0] != "--report" && words[0] != "--help":
		return 0
	}
	return len(words)
}

// clojureTask asks where the name of an alias or of a function says that it publishes.
func (m *machine) clojureTask(name, word string) {
	if outward(word) || releases(word) {
		m.escape(name + " " + word)
	}
}
