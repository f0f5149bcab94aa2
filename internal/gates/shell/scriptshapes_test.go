package shell

import (
	"fmt"
	"strings"
)

// This file has the statements of scriptgrammar_test.go that hold others.

// simple is a statement on one line.
func (g *grammar) simple() *node {
	for {
		var n *node
		switch g.r.Intn(12) {
		case 0, 1, 2, 3:
			n = g.assignment()
		case 4, 5:
			n = g.dir()
		case 6:
			n = g.flow()
		case 7:
			n = &node{text: g.pick("true", "false", ":", "[ -f f1 ]", "[ -f nope ]", `[ "$X" = x ]`, `[ -n "$X" ]`, "cat nope", "test -d a", "! true", `[ $# -gt 1 ]`, `[ -z "$U" ]`, "false | true", "(exit 3)", "cat <nope")}
		case 8:
			n = leaf("echo %s > s1.sh", g.quotedSink())
		case 9:
			n = &node{text: g.pick("{ %i; }", "( %i )", "{ %i; } <nope", "{ %i; } 2>/dev/null", "! %i", "eval '%q'", "command eval '%q'"), kids: [][]*node{{g.simple()}}}
		default:
			n = g.sink()
		}
		if !strings.Contains(n.String(), "\n") {
			return n
		}
	}
}

// quotedSink is the text of a script of one line, as a word.
func (g *grammar) quotedSink() string {
	return g.pick(fmt.Sprintf("'rm -rf t%d'", g.next()), fmt.Sprintf("'cat @R@/h/t%d'", g.next()), `'rm -rf "$1"'`, `"rm -rf $X"`, "rm -rf $X", "X="+g.target(), "cd a")
}

func (g *grammar) next() int { g.n++; return g.n }

// flow leaves something, or changes how the shell goes on.
func (g *grammar) flow() *node {
	ways := []string{"break", "continue", "return", "exit", "return 1", "exit 0", "break 2", "continue 2", "set -e", "set -u", "set -f", "set +e", "set -n", "wait", "false && exit", "true || exit", "false && return", "unset -f f", "exec", "exec 2>/dev/null", "exit --help", "return 1 2"}
	if !g.dash {
		ways = append(ways, "set -o pipefail", "shopt -s expand_aliases", "shopt -s lastpipe", "shopt -s nullglob", "enable -n cd", "shopt -s inherit_errexit")
	}
	return &node{text: g.pick(ways...)}
}

// file writes a file that others run or read.
func (g *grammar) file() *node {
	switch g.r.Intn(7) {
	case 0, 1:
		return leaf("echo %s > %s", g.quotedSink(), g.pick("s1.sh", "a/s1.sh", "s1.sh"))
	case 2:
		return &node{text: "cat > s1.sh <<'E" + fmt.Sprint(g.next()) + "'\n%l\nE" + fmt.Sprint(g.n), kids: [][]*node{g.list()}}
	case 3:
		return leaf("cat > s1.sh <<E\nrm -rf %s\nE", g.word())
	case 4:
		return leaf("echo %s > f9", g.target())
	case 5:
		if g.depth > 0 { // it may be what is running
			return leaf("echo %s >> f9", g.target())
		}
		return leaf("echo %s >> s1.sh", g.quotedSink())
	}
	return &node{text: g.pick("echo 'cat t1' | tee s1.sh", "mkdir nd; echo 'cat t2' > nd/s1.sh", "> s1.sh", "printf 'rm -rf %s\\n' t3 > s1.sh", "mv s1.sh a", "rm s1.sh", "cp s1.sh a/s1.sh")}
}

// list is a few statements.
func (g *grammar) list() []*node {
	g.depth++
	defer func() { g.depth-- }()
	var out []*node
	for k := 1 + g.r.Intn(2); k > 0; k-- {
		out = append(out, g.stmt())
	}
	if g.one(2) {
		out = append(out, g.sink())
	}
	return out
}

func (g *grammar) body() []*node { return g.list() }

// stmt is any statement.
func (g *grammar) stmt() *node {
	if g.depth > 2 {
		return g.simple()
	}
	switch k := g.r.Intn(20); {
	case k < 4:
		return g.assignment()
	case k < 6:
		return g.sink()
	case k < 7:
		return g.dir()
	case k < 8:
		return g.file()
	case k < 11:
		return g.chain()
	case k < 12:
		return g.simple()
	}
	return g.compound()
}

// chain joins statements on one line.
func (g *grammar) chain() *node {
	shape := g.pick("%i && %i", "%i && %i", "%i || %i", "%i && %i && %i", "%i || %i && %i", "%i && %i || %i", "! %i && %i", "%i; %i", "%i | %i", "%i & wait", "%i | %i | %i", "%i & %i", "! %i || %i", "{ %i && %i; } || %i", "( %i && %i ) && %i", "%i && { %i; %i; }")
	n := &node{text: shape}
	for range strings.Count(shape, "%i") {
		n.kids = append(n.kids, []*node{g.simple()})
	}
	return n
}

// compound holds lists.
func (g *grammar) compound() *node {
	shapes := []string{
		"if %i; then\n%l\nelse\n%l\nfi", "if %i; then\n%l\nfi", "if %i; then\n%l\nelif %i; then\n%l\nelse\n%l\nfi",
		"for V in 1 2; do\n%l\ndone", "for X in " + g.word() + " " + g.word() + "; do\n%l\ndone", "for V in \"$@\"; do\n%l\ndone", "for V in a; do\n%l\ndone", "for V in $X; do\n%l\ndone", "for V in; do\n%l\ndone", "for V do\n%l\ndone",
		"i=; while [ \"$i\" != xx ]; do i=x$i\n%l\ndone", "i=; until [ \"$i\" = xx ]; do i=x$i\n%l\ndone", "while false; do\n%l\ndone", "until true; do\n%l\ndone", "while true; do\n%l\nbreak\ndone", "while read -r V; do\n%l\ndone < f1",
		"echo " + g.target() + " | while read -r X; do\n%l\ndone", "while read -r X; do\n%l\ndone <<E\n" + g.target() + "\nE",
		"case " + g.pick(`"$X"`, "a", `"$1"`) + " in\n" + g.pick("a", "t*", "*") + ")\n%l\n;;\n" + g.pick("*", "b", "t*", "a") + ")\n%l\n;;\nesac",
		"{\n%l\n}", "(\n%l\n)", "{\n%l\n} <nope", "{\n%l\n} > out", "{\n%l\n} 2>/dev/null", "(\n%l\n) <nope", "{\n%l\n} | cat", "{\n%l\n} | {\n%l\n}", "{\n%l\n} &\nwait", "(\n%l\n) && %i", "{\n%l\n} && %i", "{\n%l\n} || %i",
		"f() {\n%l\n}", "f() {\n%l\n}\nf " + g.word(), "g() {\n%l\n}\ng " + g.word() + " " + g.word(), "f() {\n%l\n}\nf && %i", "f() {\n%l\n}\nf || %i", "if %i; then\nf() {\n%l\n}\nfi\nf", "f() (\n%l\n)\nf", "%i && f() {\n%l\n}\nf", "f() {\n%l\n} <nope\nf",
		"cat() {\n%l\n}", "cd() {\n%l\n}", "rm() {\n%l\n}", "unset() {\n%l\n}", "f() {\n%l\n}\nf <nope", "g() { local X=" + g.word() + "\n%l\n}\ng", "f() {\n%l\n}\n%l\nf", "f() { %i; }\ng() { f " + g.word() + "\n%l\n}\ng " + g.word(),
		"eval '%q'", "bash -c '%q' x " + g.word(), "sh -c '%q'", "trap '%q' EXIT", "bash <<'E" + fmt.Sprint(g.next()) + "'\n%l\nE" + fmt.Sprint(g.n), "cat <<'E" + fmt.Sprint(g.next()) + "' | sh\n%l\nE" + fmt.Sprint(g.n), "env X=" + g.word() + " bash -c '%q'", "X=" + g.word() + " bash -c '%q'", "export X; bash -c '%q'",
		"Y=$(\n%l\n)", "echo \"$(\n%l\n)\" > f9", "alias l=" + g.quotedSink(), "command eval '%q'", "echo '%q' > s1.sh\nbash s1.sh " + g.word(), "echo '%q' > s1.sh\n. ./s1.sh", "echo '%q' | bash", "find f1 -exec sh -c '%q' \\;", "echo " + g.word() + " | xargs rm -rf", "echo " + g.word() + " | xargs -n 1 sh -c '%q' x", "bash -c \"rm -rf $X\"", "trap '%q' EXIT; exit",
		"set -e\n%l", "(set -e\n%l\n)", "%i && {\n%l\n}", "%i || {\n%l\n}", "X=" + g.word() + " eval '%q'", "X=" + g.word() + " f", "exec > out\n%l", "sh -c 'exit; %q'", "eval \"$(echo '%q')\"", "%i &&\n%i", "cd a && {\n%l\n}", "cd nope && {\n%l\n}", "(cd a\n%l\n)", "env -C a sh -c '%q'", "trap - EXIT", "command . ./s1.sh", "set -- " + g.word() + "\n%l",
	}
	if !g.dash {
		shapes = append(shapes, "for ((i=0;i<2;i++)); do\n%l\ndone", "case a in\na)\n%l\n;&\nb)\n%l\n;;\nesac", "case a in\na)\n%l\n;;&\n*)\n%l\n;;\nesac", "while read -r X; do\n%l\ndone < <(echo "+g.target()+")", "cat <(\n%l\n)", "trap '%q' ERR\nfalse", "trap '%q' DEBUG\n:", "trap '%q' RETURN",
			"function f {\n%l\n}\nf "+g.word(), "if [[ $X == t* ]]; then\n%l\nelse\n%l\nfi", "if [[ -n $U ]]; then\n%l\nelse\n%l\nfi", "if (( 1 > 2 )); then\n%l\nelse\n%l\nfi", "[[ a == b ]] && {\n%l\n}", "shopt -s lastpipe\necho "+g.target()+" | while read -r X; do\n%l\ndone", "shopt -s expand_aliases\nalias l="+g.quotedSink()+"\nl", "select V in a b; do\n%l\ndone <<< 1",
			"! {\n%l\n} && %i", "time %i", "coproc {\n%l\n}\nwait", "{\n%l\n} |& cat", "export -f f\nbash -c f", "BASH_ENV=s1.sh bash -c ':'", "bash <<< '%q'", "exec 3<nope\n%l", "bash -s a <<'E"+fmt.Sprint(g.next())+"'\n%l\nE"+fmt.Sprint(g.n), "until [[ $((++i)) -gt 2 ]]; do\n%l\ndone", "f() { local X\n%l\n}\nf", "f() { declare X="+g.word()+"\n%l\n}\nf", "source s1.sh "+g.word())
	}
	n := &node{text: shapes[g.r.Intn(len(shapes))]}
	if g.one(3) { // the first are what most scripts consist of
		n.text = shapes[g.r.Intn(3)]
	}
	if strings.Contains(n.text, "()") || strings.Contains(n.text, "function f") || strings.Contains(n.text, "alias") {
		g.calls++
		defer func() { g.calls-- }()
	}
	for i := 0; i+1 < len(n.text); i++ {
		if n.text[i] != '%' {
			continue
		}
		switch n.text[i+1] {
		case 'l', 'q':
			n.kids = append(n.kids, g.body())
		case 'i':
			n.kids = append(n.kids, []*node{g.simple()})
		}
	}
	return n
}
