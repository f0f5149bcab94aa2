package gates

import (
	"strings"
	"testing"
)

// madeHarm are ways to bring a text that does harm to a file by texts that do not:
// in pieces, by an edit, behind an encoding, or cut out of another.
var madeHarm = []struct {
	name  string
	calls []Request
}{
	{"in pieces", []Request{chainBash("printf 'rm -rf ' > FILE"), chainBash("printf '~\\n' >> FILE")}},
	{"in pieces of three", []Request{chainBash("printf 'rm -r' > FILE; printf 'f ' >> FILE"), chainBash("echo '~/' >> FILE")}},
	{"base64 file", []Request{chainBash("echo cm0gLXJmIH4K > a.txt"), chainBash("base64 -d a.txt > FILE")}},
	{"base64 input", []Request{chainBash("echo cm0gLXJmIH4K > a.txt"), chainBash("base64 -d < a.txt > FILE")}},
	{"base64 words", []Request{chainBash("echo cm0gLXJmIH4K | base64 -d > FILE")}},
	{"openssl words", []Request{chainBash("echo cm0gLXJmIH4K | openssl enc -base64 -d > FILE")}},
	{"xxd", []Request{chainBash("echo 726d202d7266207e0a > a.txt"), chainBash("xxd -r -p a.txt FILE")}},
	{"tr", []Request{chainBash("echo 'ez -es ~' > a.txt"), chainBash("tr a-z n-za-m < a.txt > FILE")}},
	{"rev", []Request{chainBash("echo '~ fr- mr' > a.txt"), chainBash("rev a.txt > FILE")}},
	{"sed -i deletes", []Request{chainBash("echo 'rm -Xrf ~' > FILE"), chainBash("sed -i s/X// FILE")}},
	{"sed -i twice", []Request{chainBash("echo 'AA -BB ~' > FILE"), chainBash("sed -i -e s/AA/rm/ -e 's/B\\(B\\)/rf/' FILE")}},
	{"sed to a file", []Request{chainBash("echo 'rX -rf ~' > a.txt"), chainBash("sed y/X/m/ a.txt > FILE")}},
	{"sed hold", []Request{chainBash("printf 'rm -rf\\n~\\n' > a.txt"), chainBash("sed 'N;s/\\n/ /' a.txt > FILE")}},
	{"Edit", []Request{chainBash("echo 'rm -Xrf ~' > FILE"), chainTool("Edit", map[string]string{"file_path": "/w/FILE", "old_string": "X", "new_string": ""})}},
	{"paste", []Request{chainBash("echo rm > a.txt"), chainBash("echo '-rf /home/u' > b.txt"), chainBash("paste -d' ' a.txt b.txt > FILE")}},
	{"cat of two", []Request{chainBash("printf 'rm -rf ' > a.txt"), chainBash("echo '~' > b.txt"), chainBash("cat a.txt b.txt > FILE")}},
	{"tail", []Request{chainBash("printf 'cat <<E\\nhi\\nE\\nrm -rf ~\\n' > a.txt"), chainBash("tail -n 1 a.txt > FILE")}},
	{"cut", []Request{chainBash("echo 'a:rm -rf ~' > a.txt"), chainBash("cut -d: -f2 a.txt > FILE")}},
	{"awk", []Request{chainBash("echo 'a:rm -rf ~' > a.txt"), chainBash("awk -F: '{print $2}' a.txt > FILE")}},
	{"dd", []Request{chainBash("printf 'echo rm -rf ~' > a.txt"), chainBash("dd if=a.txt of=FILE bs=1 skip=5")}},
	{"python writes", []Request{chainBash(`python3 -c "open('FILE','w').write('rm -'+'rf ~')"`)}},
	{"git", []Request{chainBash("git show HEAD:a.txt > FILE")}},
	{"gunzip", []Request{chainBash("echo H4sIAAAAAAAAAyvKVdAtSlOo4wIAXWmRnQkAAAA= > a.txt"), chainBash("base64 -d a.txt | gunzip > FILE")}},
	{"printf escapes", []Request{chainBash(`printf '\x72\x6d -rf ~' > FILE`)}},
	{"echo escapes", []Request{chainBash(`echo -e '\x72\x6d -rf ~' > FILE`)}},
	{"copied", []Request{chainBash("printf 'rm -rf ' > a.txt"), chainBash("cp a.txt FILE"), chainBash("echo '~' >> FILE")}},
	{"moved", []Request{chainBash("printf 'rm -rf ' > a.txt"), chainBash("mv a.txt FILE"), chainBash("echo '~' >> FILE")}},
	{"tee", []Request{chainBash("printf 'rm -rf ' > FILE"), chainBash("echo '~' | tee -a FILE")}},
	{"split", []Request{chainBash("printf 'cat <<E\\nhi\\nE\\nrm -rf ~\\n' > a.txt"), chainBash("split -l3 a.txt FILE"), chainBash("mv FILEab FILE")}},
	{"archive", []Request{chainPlain("d/FILE", "rm -rf ~\n"), chainBash("tar cf a.tar -C d FILE"), chainBash("mkdir -p e && tar xf a.tar -C e"), chainBash("cp e/FILE FILE")}},
}

// fileRuns run a file of a shell's commands.
var fileRuns = []string{"sh FILE", "bash ./FILE", ". ./FILE", "chmod +x FILE && ./FILE", "cat FILE | sh", "sh < FILE", "cp FILE b && sh b", "for f in FIL*; do sh $f; done"}

func named(calls []Request, file string) []Request {
	out := make([]Request, len(calls))
	for i, c := range calls {
		out[i] = Request{Tool: c.Tool, Args: []byte(replaceFile(string(c.Args), file))}
	}
	return out
}

func TestMadeFilesAsk(t *testing.T) {
	for _, file := range []string{"x", "x.sh"} {
		for _, m := range madeHarm {
			for _, run := range fileRuns {
				calls := append(named(m.calls, file), chainBash(replaceFile(run, file)))
				if chainApproved(calls) {
					t.Errorf("%s, %s, %s: approved", m.name, file, run)
				}
			}
		}
	}
}

func replaceFile(s, file string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "FILE", file), "FIL*", file[:1]+"*")
}

// TestMadeHarmlessFilesPass: what a session edits, adds to and copies runs on.
func TestMadeHarmlessFilesPass(t *testing.T) {
	for name, calls := range map[string][]Request{
		"sed -i":             {chainPlain("x.sh", "echo hi\n"), chainBash("sed -i 's/hi/ho/g' x.sh"), chainBash("sh x.sh")},
		"sed -i group":       {chainPlain("x.py", "print(1)\n"), chainBash(`sed -i 's/print(\([0-9]\))/print(\1 + 1)/' x.py`), chainBash("python x.py")},
		"sed -i workspace":   {chainBash("sed -i 's/a/b/;/x/,/y/d' run.py"), chainBash("python run.py")},
		"append":             {chainPlain("x.sh", "set -e\n"), chainBash("cat >> x.sh <<'E'\necho hi\nE"), chainBash("sh x.sh")},
		"Edit":               {chainPlain("x.py", "print(1)\n"), chainTool("Edit", map[string]string{"file_path": "/w/x.py", "old_string": "1", "new_string": "2"}), chainBash("python x.py")},
		"cat of two":         {chainPlain("a.py", "x = 1\n"), chainPlain("b.py", "print(x)\n"), chainBash("cat a.py b.py > c.py"), chainBash("python c.py")},
		"formatter":          {chainPlain("x.py", "print(1)\n"), chainBash("black x.py"), chainBash("python x.py")},
		"gofmt":              {chainPlain("main.go", "package main\n\nfunc main() {}\n"), chainBash("gofmt -w main.go"), chainBash("go run .")},
		"generator":          {chainPlain("gen.py", "print('package x')\n"), chainBash("python gen.py > x.go"), chainBash("go test ./...")},
		"old version":        {chainBash("git show HEAD~1:x.go > y.go"), chainBash("go test ./...")},
		"python edits":       {chainPlain("x.py", "print(1)\n"), chainBash(`python3 -c "p='x.py'; s=open('x.py').read(); open('x.py','w').write(s.replace('1','2'))"`), chainBash("pytest -q")},
		"head":               {chainPlain("x.sh", "echo a\necho b\n"), chainBash("head -n 1 x.sh > y.sh"), chainBash("sh y.sh")},
		"log of a test":      {chainPlain("test_x.py", "def test_a():\n    assert True\n"), chainBash("pytest -q > out.txt; tail -5 out.txt"), chainBash("pytest -q test_x.py")},
		"compiled":           {chainPlain("x.c", "#include <stdio.h>\nint main(void) { puts(\"hi\"); }\n"), chainBash("gcc -o x x.c"), chainBash("./x")},
		"another copy":       {chainBash("cp a.sh y.sh"), chainBash("sh y.sh")},
		"data":               {chainPlain("a.json", "{}\n"), chainBash("jq . a.json > b.json"), chainBash("node x.js b.json")},
		"template":           {chainBash("cp .env.example config.txt"), chainBash("make build")},
		"sorted list":        {chainBash("sort words.txt > sorted.txt"), chainBash("python count.py sorted.txt")},
		"written anew":       {chainBash("echo aGk= | base64 -d > x.sh"), chainPlain("x.sh", "echo hi\n"), chainBash("sh x.sh")},
		"decoded picture":    {chainBash("base64 -d a.txt > logo.png"), chainBash("make")},
		"two here documents": {chainBash("cat > a.sh <<'E'\necho a\nE"), chainBash("cat >> a.sh <<'E'\necho b\nE"), chainBash("bash a.sh")},
	} {
		if !chainApproved(calls) {
			t.Errorf("%s asks", name)
		}
	}
}
