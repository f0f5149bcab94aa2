package shell

import "testing"

// TestDeclaredLists are lists that a declaration expands from text.
func TestDeclaredLists(t *testing.T) {
	for _, declare := range []string{"declare -a", "typeset -a", "declare -ga", "export -a", "readonly -a", "f() { local -a", "declare -A", "local -a q; declare"} {
		for _, value := range []string{"'(rm x)'", "'([0]=rm [1]=x)'", `"(rm x)"`, "$'(rm x)'"} {
			for _, use := range []string{`"${c[@]}"`, `${c[*]}`, `"${c[0]}" x`, "$c x", `eval "${c[@]}"`} {
				line := declare + " c=" + value + "; " + use
				if declare[0] == 'f' {
					line += "; }; f"
				}
				if got := summary(line); !asks(got) {
					t.Errorf("%s: %q", line, got)
				}
			}
		}
	}
}
