package shell

import (
	"math/rand"
	"os/exec"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"github.com/gbt-policy/gbt/gates/effect"
	"github.com/gbt-policy/gbt/internal/gates/mark"
)

// fragments are pieces of words whose expansion bash judges.
var fragments = []string{
	"a", "b c", "'x y'", `"q r"`, `\z`, `$'\x41\t'`, `$'\101\u0042'`, "$v", "${v}", "${u:-def}", "${u-}", "${v:+alt}", "${v:1}", "${v:1:2}", "${v: -2}",
	"${v/l/L}", "${v//l/L}", "${v#he}", "${v##*l}", "${v%o}", "${v%%l*}", "${v^}", "${v^^}", "${w,,}", "${!r}", "${arr[1]}", `"${arr[@]}"`, "$(echo hi)", "`echo yo`",
	"$(printf '%s-' a b)", "$(echo -e 'p\\x41')", "$(echo -n q)", "$(echo abc | rev)", "$(echo abc | tr a-c x-z)", "$(echo aGk= | base64 -d)", "$(printf '\\x68')", "{1,2}", "{a..c}x",
	"~/", `"$v"'$v'`, "\\\n", `"a\$b"`, `"a\\b"`, "$(basename /x/y.z .z)", "$(dirname /x/y)", "$((3))", "${v:0:1}", `"$(echo 'a  b')"`, "$(echo 'a  b')", "$s", `"$s"`, "$(echo x; echo y)",
	"$1", `"$@"`, "$*", "''", `""`, `"${v:-"z z"}"`, "${u:=set}", "$u", "${#}", "$(cat <<< here)", "$(if true; then echo t; fi)", "$(for i in 1 2; do echo $i; done)", "$(f one two)", "$(sed s/a/b/ <<< aXa)",
	`"${@:2}"`, `"${@: -1}"`, `"${@:-d e}"`, `"${@:1:1}"`, `"${*:2}"`, `"${arr[@]:1:2}"`, `"${arr[@]: -2}"`, `"${arr[@]:7}"`, "${@:2}", `"${@-d}"`,
}

const bashSetup = `HOME=/home/me; v=hello; w=WORLD; r=v; s='p  q'; arr=(n0 'n 1' n2); f(){ echo "<$2|$1>"; }; set -- P1 'P 2'; unset u` + "\n"

// TestWordsExpandAsInBash compares constant words with what bash makes of
// them. Words that the analysis leaves unknown are not compared, but most must
// be known.
func TestWordsExpandAsInBash(t *testing.T) {
	const seed, cases = 1, 600
	r := rand.New(rand.NewSource(seed))
	var words []string
	var script strings.Builder
	script.WriteString("probe(){ for a in \"$@\"; do printf '[%s]' \"$a\"; done; }\n")
	for range cases {
		var b strings.Builder
		for k := 1 + r.Intn(4); k > 0; k-- {
			b.WriteString(fragments[r.Intn(len(fragments))])
			if r.Intn(3) == 0 {
				b.WriteByte(' ')
			}
		}
		words = append(words, b.String())
		script.WriteString("( " + bashSetup + "probe " + b.String() + "\n) 2>/dev/null; printf '\\036'\n")
	}
	bash := exec.Command("bash", "-s")
	bash.Stdin = strings.NewReader(script.String())
	out, err := bash.Output()
	if err != nil {
		t.Fatalf("bash, the judge of this test: %v", err)
	}
	answers := strings.Split(string(out), "\x1e")
	if len(answers) != cases+1 {
		t.Fatalf("bash gave %d answers to %d words", len(answers)-1, cases)
	}
	known := 0
	for i, w := range words {
		got, ok := expandForTest(t, bashSetup+"probe "+w)
		if !ok {
			continue
		}
		known++
		if got != answers[i] {
			t.Errorf("seed %d: %q expands to %q, in bash to %q", seed, w, got, answers[i])
		}
	}
	if known < cases*6/10 {
		t.Errorf("only %d of %d words are known", known, cases)
	}
}

func expandForTest(t *testing.T, script string) (string, bool) {
	f, err := parse(script)
	if err != nil {
		t.Fatalf("%q: %v", script, err)
	}
	p := effect.Places{Cwd: "/w", Home: "/home/me"}.Normal()
	m := machine{p: &p, cwd: "/w", ifs: " \t\n"}
	for _, s := range f.Stmts[:len(f.Stmts)-1] {
		m.stmt(s, data{tty: true}, false)
	}
	call, ok := f.Stmts[len(f.Stmts)-1].Cmd.(*syntax.CallExpr)
	if !ok {
		return "", false
	}
	var fs []string
	for _, w := range call.Args[1:] {
		fs = m.fields(fs, w)
	}
	var b strings.Builder
	for _, x := range fs {
		b.WriteString("[" + x + "]")
	}
	return b.String(), !mark.Has(b.String())
}
