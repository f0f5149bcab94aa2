package shell

import (
	"fmt"
	"math/rand"
	"strings"
)

// This file makes scripts. They play with a few variables, functions, directories and files, so that
// what one statement leaves behind is what another one uses.

// grammar makes statements by chance.
type grammar struct {
	r     *rand.Rand
	dash  bool // what dash runs, too
	n     int  // of the targets
	depth int
	calls int // how deep in functions, which call none
}

// makeScript makes a script for a shell.
func makeScript(seed int64) (shell string, list []*node) {
	g := &grammar{r: rand.New(rand.NewSource(seed))}
	shell = "bash"
	if g.r.Intn(4) == 0 {
		shell, g.dash = "sh", true
	}
	list = append(list, leaf("X=%s", g.target()))
	if g.r.Intn(2) == 0 {
		list = append(list, leaf("Y=%s Z=%s", g.target(), g.target()))
	}
	if g.r.Intn(3) == 0 {
		list = append(list, leaf("C=%s", g.pick("cat", "'rm -rf'", "rm")))
	}
	if g.r.Intn(3) == 0 {
		list = append(list, g.file())
	}
	for k := 1 + g.r.Intn(4); k > 0; k-- {
		list = append(list, g.stmt())
	}
	for k := 1 + g.r.Intn(2); k > 0; k-- {
		list = append(list, g.sink())
	}
	return shell, list
}

func (g *grammar) pick(words ...string) string { return words[g.r.Intn(len(words))] }

func (g *grammar) one(n int) bool { return g.r.Intn(n) == 0 }

// target is a path that nothing else has.
func (g *grammar) target() string {
	g.n++
	return fmt.Sprintf(g.pick("t%d", "t%d", "a/t%d", "@R@/h/t%d", "@R@/h/t%d", "../t%d"), g.n)
}

func (g *grammar) variable() string { return g.pick("X", "X", "X", "Y", "Z") }

// word is a word of which the reader knows the value, or might.
func (g *grammar) word() string {
	v := g.variable()
	switch g.r.Intn(26) {
	case 0, 1, 2, 3, 4, 5:
		return g.target()
	case 6, 7, 8, 9, 10, 11, 12:
		return `"$` + v + `"`
	case 13:
		return fmt.Sprintf(`"${%s%s%s}"`, v, g.pick(":-", "-", ":+", "+", ":=", "="), g.target())
	case 14:
		return fmt.Sprintf(`"${%s%s}"`, v, g.pick("#*/", "##*/", "%/*", "%%[0-9]*", "%1", "#t"))
	case 15:
		return g.pick(`"$1"`, `"$2"`, `"$@"`, `"$*"`, `"${1:-`+g.target()+`}"`, `$*`)
	case 16:
		return `"$(echo ` + g.target() + `)"`
	case 17:
		return `"$(cat f9)"`
	case 18:
		return `"$(` + g.inner() + `)"`
	case 19:
		return "$" + v
	case 20:
		if g.dash {
			return "'" + g.target() + "'"
		}
		return g.pick(`"${A[0]}"`, `"${A[1]}"`, `"${A[@]}"`, `"${!N}"`, `"${X/t1/u}"`, `"${X/#t/a}"`, `"${X//[0-9]/5}"`, `"${X:0:2}"`, `"${A[-1]}"`, "{t1,t2}", `"${A[*]}"`, `"${#X}"`)
	case 21:
		if g.calls > 0 {
			return `"$(echo "$` + v + `")"`
		}
		return `"$(f)"`
	case 22:
		return "~/" + fmt.Sprintf("t%d", g.r.Intn(9))
	case 23:
		return g.pick(`"$(printf %s `+g.target()+`)"`, "`echo "+g.target()+"`", "$((1+1))", "t*", "a/f?", `"${X%"${X#?}"}"`)
	case 24:
		return fmt.Sprintf(`"${%s:-$%s}"`, v, g.variable())
	}
	return fmt.Sprintf(`"%s$%s"`, g.pick("a/", "x", ""), v)
}

// inner is a list within a substitution.
func (g *grammar) inner() string {
	return g.pick("X="+g.target()+`; echo "$X"`, "cd a; pwd", "false; echo "+g.target(), "echo "+g.target()+" | cat", "cd nope && pwd", `cd a && echo "$PWD/t1"`, "true && echo "+g.target(), "false || echo "+g.target(),
		"if false; then echo "+g.target()+"; else echo "+g.target()+"; fi", "exit; echo "+g.target(), "echo "+g.target()+"; exit", `f() { echo `+g.target()+`; }; f`)
}

// sink does something with words, which is what is compared.
func (g *grammar) sink() *node {
	switch g.r.Intn(16) {
	case 0, 1, 2, 3, 4:
		return leaf("rm -rf %s", g.word())
	case 5, 6:
		return leaf("cat %s", g.word())
	case 7:
		return leaf("curl -s http://%s.example/", g.pick("h1", `"$X"`, `"$Y"`))
	case 8:
		return leaf("echo a > %s", g.target())
	case 9:
		return leaf(`echo a > "$%s"`, g.variable())
	case 10, 11:
		return &node{text: g.pick("bash s0.sh", "sh s0.sh", ". ./s0.sh", "bash s1.sh", "sh s1.sh", ". ./s1.sh", "bash s1.sh "+g.word(), `bash "$S"`, "bash a/s0.sh", "bash ../s0.sh")}
	case 12:
		return leaf("git push %s main", g.word())
	case 13:
		return leaf("$C %s", g.word())
	case 14:
		if g.calls > 0 {
			break
		}
		return leaf("%s %s", g.pick("f", "f", "g", "l"), g.word())
	}
	return leaf("touch %s", g.word())
}

// assignment gives a variable a value, in one of many ways.
func (g *grammar) assignment() *node {
	v, w := g.variable(), g.word()
	ways := []string{"%s=%s", "%s=%s", "%s=%s", "%s=%s", "export %s=%s", ": ${%s:=%s}", "read %s <<E\n%s\nE", "eval %s=%s", "readonly %s=%s", "for %s in %s; do :; done", "%s=%s true", "%s=%s true", "echo %[2]s | read %[1]s",
		"while read -r %s; do :; done <<E\n%s\nE", "unset %s", "shift", "set -- %[2]s", "set -- a %[2]s", "IFS=: read -r %s Q <<E\n%s:q\nE", "S=s1.sh", "C=cat", "C='rm -rf'", "C=f", "command export %s=%s", "command eval %s=%s", "set -- %s %s", "getopts x: %[1]s -x",
		"%s=%s <nope", "export %s=%s <nope", "eval '%s=%s' <nope", ": ${%s=%s} <nope", "%s=%s >nope/x", "OPTIND=1; getopts abc: %s"}
	if !g.dash {
		ways = append(ways, "%s+=%s", "%s+=%s", "declare %s=%s", "printf -v %s %%s %s", "A=(%[2]s %[1]s)", "A[1]=%[2]s", "A+=(%[2]s)", "N=%[1]s", "declare -n R=%[1]s; R=%[2]s", "read -r %s <<< %s", "mapfile -t A <<< %[2]s", "declare -x %s=%s", "declare -g %s=%s",
			"unset A", "read -r -a A <<< %[2]s", "%s[0]=%s", "builtin export %s=%s", "A=(); A[0]=%[2]s", "readonly %s", "typeset -u %s", "declare -i %s", "let %[1]s=5", "((%[1]s=1))", "%s=(%s)", "unset -n %s", "declare -r %s=%s", "declare %s+=%s",
			"printf -v A[0] %%s %[2]s", "unset 'A[0]'", "{ read -r %s; } <<< %s", "shopt -s lastpipe; echo %[2]s | read -r %[1]s", "read -r %s < <(echo %s)", "IFS=/", "local %s=%s", "read -n 3 -r %s <<< %s", "read -d / -r %s <<< %s")
	}
	format := ways[g.r.Intn(len(ways))]
	text, _, _ := strings.Cut(fmt.Sprintf(format, v, w), "%!(EXTRA") // of the two words it may take one
	return &node{text: text}
}

// dir changes the directory, or does not.
func (g *grammar) dir() *node {
	ways := []string{"cd a", "cd b", "cd nope", "cd ..", "cd a/d", "cd -", "cd", "cd \"$X\"", "cd a <nope", "cd nope || cd a", "cd a && cd d", "CDPATH=a; cd d", "cd ./a", "cd @R@/w", "cd @R@/w/b", "cd a >nope/x", "cd a b", "cd ''", "cd -P a", "readonly PWD; cd a",
		"cd a 2>/dev/null", "cd nope 2>/dev/null", "cd \"\"", "cd a || exit", "cd nope || return", "cd 'a'", "cd a; cd -", "cd ../w", "eval cd a", "command cd a", "true && cd a", "false && cd a", "mkdir m; cd m", "mkdir -p m/n && cd m/n", "cd -- a", "OLDPWD=@R@/h; cd -", "HOME=@R@/w/b; cd", "cd $U", "cd a/../b"}
	if !g.dash {
		ways = append(ways, "pushd a", "pushd a >/dev/null", "popd", "pushd nope", "pushd a; popd", "pushd", "pushd -n a", "builtin cd a", "dirs", "pushd a; pushd +1")
	}
	return &node{text: g.pick(ways...)}
}
