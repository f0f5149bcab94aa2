package shell

import "strings"

// clojure judges the names of aliases and the function that the words of clojure and clj
// say: an alias is the project's, and so is a function without a namespace, since it
// lies in one that the alias names; one with a namespace is any function of the class
// path (clojure.org/reference/clojure_cli, -X and -T).
func (m *machine) clojure(name string, args []string) {
	function := false
	for _, a := range args {
		switch {
		case len(a) > 2 && a[0] == '-' && a[2] == ':' && strings.IndexByte("AMXT", a[1]) >= 0:
			function = a[1] == 'X' || a[1] == 'T'
			m.clojureTask(name, a[2:])
		case function && a != "" && a[0] != '-':
			function = false
			if strings.Contains(a, "/") && a[0] != '{' {
				m.escape(name + " " + a)
			}
			m.clojureTask(name, a)
		}
	}
}

// clojureTask asks where the name of an alias or of a function says that it publishes.
func (m *machine) clojureTask(name, word string) {
	if outward(word) || releases(word) {
		m.escape(name + " " + word)
	}
}
