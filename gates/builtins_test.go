package gates

import "testing"

// TestIndicesThatRunAreStopped hands text with a substitution in an index to each
// builtin and expansion of bash and zsh that evaluates one (bash(1), ARITHMETIC
// EVALUATION and Arrays; zshbuiltins(1)).
func TestIndicesThatRunAreStopped(t *testing.T) {
	texts := []string{"'a[$(rm -rf x)]'", "'a[`rm -rf x`]'", "\"a[\\$(rm -rf x)]\"", "'a[0$(nc x 1)]'", "'b[a[$(rm -rf x)]]'"}
	values := []string{"%", "x=%; y=x", "x=%; z=$x; x=$z", "read -r x <<< %", "printf -v x -- %", "x=; x+=%", "declare x=%", "for x in %; do :; done"}
	sinks := []string{
		"echo $((x))", "echo $((x+1))", "echo $[x]", "((x))", "((x > 1))", "let x", "let y=x", "let \"y = x\"", "echo ${y:x}", "echo ${y:0:x}", "echo ${a[x]}", "a[x]=1", "a=([x]=1)",
		"[[ $x -eq 0 ]]", "[[ 0 -lt $x ]]", "[[ -v $x ]]", "test -v \"$x\"", "[ -v \"$x\" ]", "unset \"$x\"", "printf -v \"$x\" y", "read \"$x\"", "read -r -a \"$x\" < f", "mapfile \"$x\" < f",
		"declare \"$x=1\"", "declare -i n=\"$x\"", "typeset -i n; n=\"$x\"", "export \"$x=1\"", "local \"$x=1\"", "readonly \"$x=1\"", "wait -p \"$x\"", "getopts ab \"$x\"", "echo ${!x}",
		"for ((i=x; i<1; i++)); do :; done", "((i = x)) && ls", "while ((x)); do :; done",
	}
	var lines []string
	for _, value := range values[1:] {
		for _, sink := range sinks {
			for _, text := range texts {
				lines = append(lines, crossed([]string{value}, []string{text})[0]+"; "+sink)
			}
		}
	}
	neverApproved(t, lines, 1000)
}

// TestBuiltinsThatCompleteAreStopped hands compgen code, and reads the variables
// that it lists.
func TestBuiltinsThatCompleteAreStopped(t *testing.T) {
	lines := crossed([]string{"%", "f() { rm -rf x; }; %", "true && %", "( % )"}, []string{"compgen -F f", "compgen -F f -- a", "compgen -bF f", "compgen -W '$(rm -rf x)' a", "suspend", "suspend -f", "jobs -x rm -rf x"})
	lines = append(lines, crossed([]string{"for v in $(compgen -%); do echo \"${!v}\"; done", "compgen -% | while read -r v; do echo ${!v}; done", "compgen -% | xargs printenv"}, []string{"e", "v", "A export", "A variable"})...)
	lines = append(lines, crossed([]string{"% 'a[$(rm -rf x)]' -eq 1", "% 1 -lt 'a[$(rm -rf x)]'", "% -R 'a[$(rm -rf x)]'", "% -v 'a[$(rm -rf x)]'", "% ! -v 'a[$(rm -rf x)]'", "% -n a -a -v 'a[$(rm -rf x)]'"}, []string{"test"})...)
	lines = append(lines, "printf %d 'a[$(rm -rf x)]'", "printf '%5.2f' 'a[$(rm -rf x)]'", "rm -rf $(dirs)", "eval \"$(alias x)\"", "bash -c \"$(trap -p)\"")
	neverApproved(t, lines, 45)
}

// TestLoopsWithoutEndThatWriteAreStopped writes in loops whose condition never
// changes, and where a file feeds itself.
func TestLoopsWithoutEndThatWriteAreStopped(t *testing.T) {
	lines := crossed([]string{
		"while true; do %; done", "while :; do %; done", "while ((1)); do %; done", "while [ 1 ]; do %; done", "while [ 1 = 1 ]; do %; done", "while test x; do %; done", "while [[ x ]]; do %; done",
		"while [[ a == a ]]; do %; done", "until false; do %; done", "until ! true; do %; done", "while ! false; do %; done", "while echo x; do %; done", "for ((;;)); do %; done", "for ((;1;)); do %; done", "for ((i=0;i<9;)); do %; done",
		"while true; do if ls; then %; fi; done", "f() { while true; do %; done; }; f",
	}, []string{"echo x >> f", "cat a >> f", "echo x | tee -a f", "mkdir x; cd x", "cp a b", "dd if=a of=b"})
	lines = append(lines, crossed([]string{"%> f", "%>> f", "% | tee f", "% | cat > f", "{ %; } > f", "( % ) > f"}, []string{"while true; do echo x; done ", "for ((;;)); do echo x; done ", "until false; do ls; done ", "while echo x; do :; done "})...)
	lines = append(lines, "mkfifo p; cat p p >p", "mkfifo p && cat p > p", "cat f >> f", "cat a f >> f")
	neverApproved(t, lines, 120)
}

// TestUnknownTextIsNotArithmetic evaluates text that files and answers hold.
func TestUnknownTextIsNotArithmetic(t *testing.T) {
	neverApproved(t, crossed([]string{"x=$(cat f); %", "read -r x < f; %", "x=$(tail -n 1 f); %", "x=$(python3 y.py); %", "while read -r x; do %; done < f", "x=$(<f); %"}, []string{
		"echo $((x))", "((x > 1))", "[[ $x -gt 1 ]]", "let y=x+1", "echo ${a[x]}", "declare -i n=$x", "echo $((1 + x * 2))", "if ((x)); then ls; fi",
	}), 48)
}

// TestBuiltinsThatNameCodeAreStopped gives each option of a builtin that takes code
// or a file of it, in each form that getopt has.
func TestBuiltinsThatNameCodeAreStopped(t *testing.T) {
	lines := crossed([]string{"%", "builtin %", "command %", "true && %", "{ %; }", "if :; then %; fi", "f() { %; }; f", "eval \"%\"", "bash -c '%'"}, []string{
		"mapfile -C x -c 1 a", "mapfile -Cx a", "mapfile -tC x a", "mapfile -n 1 -C x a", "readarray -C x a", "readarray -tCx a", "trap rm\\ -rf\\ x EXIT", "trap -- nc\\ x\\ 1 INT TERM",
		"hash -p /tmp/x ls", "hash -p/tmp/x ls", "hash -rp /tmp/x ls", "enable -f ./x.so y", "enable -f./x.so y", "enable -nf ./x.so y", "enable -af x.so y", "complete -C x ls", "complete -Cx ls",
		"complete -abC x ls", "complete -o default -C x ls", "compgen -C x", "compgen -bC x y", "bind -x x", "bind -m vi -x x", "bind -f x", "bind x:y", "source /tmp/x", ". /tmp/x", "exec nc x 1",
		"fc -s x", "history -c", "history -w x", "alias ls=nc; ls", "kill -9 1",
	})
	lines = append(lines, crossed([]string{"%; ls", "%", "true && %"}, []string{
		"BASH_ALIASES[ls]=nc", "BASH_ALIASES=([ls]=nc)", "BASH_CMDS[ls]=/tmp/x", "functions[ls]=nc", "aliases[ls]=nc", "galiases[x]=nc", "commands[ls]=/tmp/x", "path=(/tmp $path)", "path+=(/tmp)",
		"fpath=(/tmp)", "declare -n r=PATH", "typeset -n r=LD_PRELOAD", "PATH=/tmp:$PATH", "declare -n r=$x",
	})...)
	neverApproved(t, lines, 300)
}

// TestOtherShellsReadTheLine has lines that bash reads as harmless and another
// shell does not.
func TestOtherShellsReadTheLine(t *testing.T) {
	neverApproved(t, []string{
		"ls *(e:'rm -rf x':)", "ls *(e,id,)", "ls **/*(e{id})", "echo *(.e:id:)", "cat x*(+f)", "for x in *(e:id:); do :; done", "ls *(oe:id:)", "rm ?(e:id:)",
		"echo x >! .envrc", "echo x >>! .envrc", "cat a >! b", "ls &>! b", "echo 'a\\' 'b; rm -rf x; echo c\\' 'd'", "printf '\\' 'x; nc y 1'", "grep 'a\\\\\\' f",
		"echo '#\\nrm -rf x' | sh", "echo '#\\nrm -rf x' > x.sh; sh x.sh", "echo \"#\\\\nnc x 1\" | bash", "echo '#\\012nc x 1' > y.sh; sh y.sh", "echo '#\\x0anc x 1' > y.sh; zsh y.sh", "=rm -rf x", "echo =(rm -rf x)",
		"rm =ls", "echo x > =ls", "cp a =ls", "cat =ls", "print -P '$(rm -rf x)'", "print -rP -- '`rm -rf x`'", "print -z rm", "print -s 'rm -rf x'", "print -v PATH .", "alias -g G='; rm -rf x'; ls G", "- rm -rf x", "ls *(#qe:id:)",
		"c=ls; echo rm | read c; $c -rf x", "echo | cd /; rm -rf tmp/x", "true | x=rm; $x -rf y", "cat \\x2fetc\\x2fshadow", "cat \\x2e\\x2e/y", "ls \\057etc", "rm \\u002e\\u002e/y", "rm a\\X2f..", "echo x >? .envrc", "echo x >>? .envrc",
		"repeat 2 rm -rf x", "x () rm -rf y; x", "echo (rm -rf x)", "ls; and rm -rf x", "begin; rm -rf x; end", "set x (rm -rf y)", "rm -rf x &; ls", "noglob rm -rf x", "nocorrect rm -rf x",
	}, 50)
}

func TestBuiltinsOfDailyWorkGoThrough(t *testing.T) {
	allApproved(t, []string{
		`echo $((1+2))`, `n=5; echo $((n*2))`, `for i in 1 2 3; do echo $((i*i)); done`, `n=$(wc -l < f); echo $((n+1))`, `c=$(grep -c x f); if [ "$c" -gt 1 ]; then echo y; fi`,
		`i=0; while ((i < 3)); do ((i++)); done`, `for ((i=0; i<3; i++)); do echo $i; done`, `echo $((RANDOM % 10))`, `a=(x y); echo ${a[0]} ${#a[@]}`, `declare -A h; h[a]=1; echo ${h[a]}`,
		`read -r x < f; echo "$x"`, `while IFS=, read -r a b; do echo "$a"; done < f.csv`, `mapfile -t a < f; echo "${#a[@]}"`, `printf -v x '%03d' 7; echo $x`, `trap 'rm -f "$tmp"' EXIT; tmp=$(mktemp); ls`,
		`hash -r`, `type ls`, `command -v go`, `set -euo pipefail; ls`, `shopt -s nullglob; ls *.go`, `export A=1; ls`, `local x=1`, `declare -i n=3; echo $n`, `let x=1+2; echo $x`, `[[ $x == a* ]] && ls`,
		`[[ -f x && -n $y ]] || ls`, `test -d src && ls src`, `x=abc; echo ${x:1:2} ${x^^} ${x/b/c} ${x%c}`, `name=x; echo ${!name}`, `wait`, `getopts ab opt`, `ls !(a|b)`, `ls *.@(go|md)`, `echo 'a\b'`,
		`echo "a\nb"`, `echo 'x' > f.txt`, `printf 'a\nb\n' > f.txt`, `pushd src && ls && popd`, `umask 022`, `ulimit -n`, `time ls`, `ls {a,b}.go`, `grep -c '\.go' f`, `sed 's/a\/b/c/' f`, `path=src/x; cat $path`,
		`while true; do curl -s localhost:3000/health && break; sleep 1; done`, `until nc -z localhost 5432; do sleep 1; done`, `while true; do date >> log; sleep 5; done`, `while [ ! -f done ]; do sleep 1; done`, `for ((i=0; i<3; i++)); do echo $i >> f; done`,
		`while true; do read -r l || break; echo "$l" >> out; done < f`, `while [ $n -lt 3 ]; do echo x >> f; n=$((n+1)); done`, `cat a b > c`, `cat a >> b`, `find . -name \*.py`, `grep foo\|bar f`, `sed s/a\ b/c/ f`, `echo a=b =`, `cat f | while read -r a b; do echo "$a"; done`, `ls | head -1 | tr -d \n`, `print hi`, `ls | grep x; cd src && ls`, `printf '%d\n' 5`, `[ "$a" -eq 1 ] && ls`,
	})
}
