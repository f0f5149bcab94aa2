package shell_test

import (
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/shell"
)

// TestCode: scripts that differ in comments and in what they plainly say have one code, and those
// that may do something else have another.
func TestCode(t *testing.T) {
	const first = "#!/bin/sh\n# one\nset -e # two\nif ok; then\n\techo \"is ok\" >&2\nelse\n\techo no; exit 1\nfi\nrm -rf \"$D\"\n"
	for text, same := range map[string]bool{
		first: true,
		"#!/bin/sh\nset -e\nif ok; then\n\techo all good >&2 # now\nelse\n\techo 'not # ok'; exit 1\nfi\n# at the end\nrm -rf \"$D\"\n": true,
		"#!/bin/bash\n# one\nset -e\nif ok; then\n\techo \"is ok\" >&2\nelse\n\techo no; exit 1\nfi\nrm -rf \"$D\"\n":                   false,
		"#!/bin/sh\nset -e\nif ok; then\n\techo \"is ok\" >&2\nelse\n\techo no; exit 2\nfi\nrm -rf \"$D\"\n":                            false,
		"#!/bin/sh\nset -e\nif ok; then\n\techo \"is ok\" >&2\nelse\n\techo no # ; exit 1\nfi\nrm -rf \"$D\"\n":                         false,
		"#!/bin/sh\nset -e\nif ok; then\n\techo \"is ok\" >&2\nelse\n\techo no; exit 1\nfi\nrm -rf \"$E\"\n":                            false,
		"#!/bin/sh\nset -e\nif true; then\n\techo \"is ok\" >&2\nelse\n\techo no; exit 1\nfi\nrm -rf \"$D\"\n":                          false,
	} {
		a, ok := shell.Code(first)
		b, also := shell.Code(text)
		if !ok || !also || (a == b) != same {
			t.Errorf("%q: %v %v, %q and %q", text, ok, also, a, b)
		}
	}
	if a, _ := shell.Code("#!/bin/sh\ncat \\\n# one\nrm x\n"); a != "#!/bin/sh\ncat \\\n\nrm x\n" {
		t.Errorf("a line that goes on: %q", a)
	}
	for _, line := range []string{
		"echo WORD > f", "echo WORD | sh", "x=$(echo WORD)", "A=1 echo WORD", "echo \"$(WORD)\"", "echo $WORD", "echo \"${X:=WORD}\"", "echo `WORD`", "echo -n WORD", "echo WORD*", "echo ~WORD", "echo '{\"decision\":\"WORD\"}'",
		"printf -v WORD x", "printf '\\x7bWORD'", "printf %d 'a[$(WORD)]'", "{ echo WORD; } | sh", "{ echo WORD; } > f", "(echo WORD) > f", "if x; then echo WORD; fi > f", "for i in 1; do echo WORD; done | sh", "while x; do echo WORD; done < f | sh",
		"f() { echo WORD; }\nf | sh", "exec > f\necho WORD", "exec 3>f\necho WORD", "echo() { sh -c \"$*\"; }\necho WORD", "printf() { eval \"$@\"; }\nprintf WORD", ". ./lib.sh\necho WORD", "source lib.sh; echo WORD", "alias echo=eval; echo WORD", "eval 'echo() { sh -c \"$1\"; }'; echo WORD",
		"enable -n echo; echo WORD", "trap 'x' DEBUG; echo WORD", "$X > f; echo WORD", "echo WORD &", "cat <<E\nWORD\nE", "cat <<E\n# WORD\nE", "x='\n# WORD\n'", "bash -c 'echo WORD'", "sh <<E\necho WORD\nE", "./say WORD", "/bin/echo WORD", "command echo WORD", "echo ok; rm WORD", "case $1 in\nWORD) echo x;;\nesac",
		"echo WORD 2>f", "echo WORD > 2", "echo WORD >&3", "coproc { echo WORD; }", "f() { echo x; }; f WORD", "echo $'WORD'", "echo $\"WORD\"", "time echo WORD | sh", "! echo WORD | sh", "x=WORD", "export X=WORD", "echo ${#WORD}", "builtin exec >f; echo WORD", "command exec >f; echo WORD", "echo a >&2 >f WORD",
	} {
		a, ok := shell.Code("#!/bin/sh\n" + replaced(line, "one") + "\n")
		b, also := shell.Code("#!/bin/sh\n" + replaced(line, "two") + "\n")
		if ok && also && a == b {
			t.Errorf("%q: whatever stands for WORD, the code is %q", line, a)
		}
	}
}

func replaced(line, word string) string { return strings.ReplaceAll(line, "WORD", word) }
