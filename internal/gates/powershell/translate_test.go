package powershell

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestTranslate(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`Get-Content -Path '.\a.cs' -TotalCount 260`, "head -n 260 ./a.cs"},
		{`Get-Content "a b.txt" -Tail:3`, "tail -n 3 'a b.txt'"},
		{`ls -r *.cs | select -exp FullName`, "find . -iname '*.cs'"},
		{`git diff | Out-File -FilePath x.txt -Encoding UTF8`, "git diff >x.txt"},
		{`'it''s' | Set-Content x`, `printf '%s\n' 'it'\''s' >x`},
		{`"a$x b"`, `printf '%s\n' a"$(date | tr a b)"' b'`},
		{`$p = "src"; Get-ChildItem "$p\x"`, ":\nfind src/x -maxdepth 1"},
		{`cd x; npm run build`, "cd x\nnpm run build"},
		{`$env:JAVA_HOME="C:\jdk"; mvn test`, "export JAVA_HOME='C:\\jdk'\nmvn test"},
		{`Remove-Item $HOME\x -r -fo`, "rm -rf ~/x"},
		{`Remove-Item ~\*`, "rm -f ~/* ~/.*"},
		{`Get-Content ?env`, "cat ?env .env"},
		{`npm test 2>&1 | Out-Null`, "npm test 2>&1 >/dev/null"},
		{`npm test *> x.log`, "npm test >x.log 2>&1"},
		{`npm test 2> $null`, "npm test 2>/dev/null"},
		{`if (Test-Path x) { 1 } else { 2 }`, "if test -e x; then\nprintf '%s\\n' 1\nelse\nprintf '%s\\n' 2\nfi"},
		{`foreach ($f in 'a','b') { Get-Content $f }`, "for ps_1 in a b; do\ncat \"$ps_1\"\ndone"},
		{`rm -rf x`, "rm -rf x"},
		{"Get-Date <# x\n #> # y\n", "date"},
		{"Get-Content `\n a", "cat a"},
		{"Get-Content a`$b", "cat 'a$b'"},
		{"Write-Output \"a`tb`\"\"", "printf '%s\\n' 'a\tb\"'"},
		{`Get-Content “a b”`, "cat 'a b'"},
		{"@'\na'b\n'@ | Out-File x", "printf '%s\\n' 'a'\\''b' >x"},
	} {
		got, why, ok := Translate(c.line, true)
		if !ok || got != c.want {
			t.Errorf("%s\n\tgot  %q %s\n\twant %q", c.line, got, why, c.want)
		}
	}
}

// TestTimeIsLinear reads lines that nest or repeat as deep as they are long.
func TestTimeIsLinear(t *testing.T) {
	runtime.LockOSThread() // its processor time is measured
	defer runtime.UnlockOSThread()
	for _, piece := range []string{"(", "$(", "@(", "{", "$x[", `"$(`, "[int]", "!", "-not ", "a|", "a,", "$x=", "`", "'", `"`, "@'\n", "$a.b(", "if(1){", "% {", "<#", "#", ";", "a -b:", "*?[", "\n", "$x+"} {
		start := cpuTime()
		line := strings.Repeat(piece, maxLine/len(piece))
		for _, l := range []string{line, "ls " + line, "$x = " + line} {
			out, _, ok := Translate(l, true)
			if ok && len(out) > maxOut {
				t.Errorf("%q: %d bytes", piece, len(out))
			}
		}
		if d := cpuTime() - start; d > 3*time.Second {
			t.Errorf("%q: %v", piece, d)
		}
	}
}

func FuzzTranslate(f *testing.F) {
	for _, s := range []string{"Get-Content a | % { $_ }", `"$(a)" + @{b=1}`, "@\"\n$x\n\"@", "if (a) {b} else {c}", "$env:A='b'; & $c @(1,2)[0].d('e')", "a `\n -b:c 2>&1 *> d"} {
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, line string, windows bool) {
		out, why, ok := Translate(line, windows)
		if ok == (why != "") {
			t.Errorf("ok %v, why %q", ok, why)
		}
		if again, _, _ := Translate(line, windows); again != out {
			t.Errorf("%q, and %q", out, again)
		}
	})
}
