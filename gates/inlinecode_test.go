package gates_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// madeNote is a call that leaves notes of which nobody can tell what they hold.
const madeNote = `python3 -c "
import datetime
for p in ['docs/n.md', 'docs/n.json', 'docs/n.sql']:
    open(p, 'w').write(str(datetime.date.today()))
open('docs/n.md', 'w').write(str(datetime.date.today()))
open('docs/n.json', 'w').write(str(datetime.date.today()))"`

// notes is a session that made such notes, with what a project of several languages holds.
func notes(t *testing.T) *project {
	p := inProject(t, map[string]string{"docs/a.md": "# A\n", "src/a.py": "x = 1\n", "src/x.js": "exports.f = (x) => x + 1;\n", "package.json": "{}\n", "tools.py": "def load(p):\n    exec(open(p).read())\n"})
	p.st.Inline = gates.InlineReader()
	if d := p.call("Bash", map[string]string{"command": madeNote}); d.Disposition != gates.Approved {
		t.Fatalf("the notes ask: %v", d.Reasons)
	}
	for _, name := range []string{"n.md", "n.json", "n.sql"} {
		p.disk["/home/u/p/docs/"+name] = "2026-01-01"
	}
	return p
}

// TestInlineOpensOnly: what followed code opens is data to it, in each language.
func TestInlineOpensOnly(t *testing.T) {
	for _, line := range []string{
		`python3 -c "print(open('docs/n.md').read())"`,
		"python3 - <<'PY'\nimport json\nprint(json.load(open('docs/n.json')))\nPY",
		"python3 - <<'PY'\np = 'docs/n.md'\ns = open(p).read()\nassert s.count('2') == 1\nopen(p, 'w').write(s.replace('2', '3'))\nPY",
		"python3 - <<'PY'\nimport re\nfrom pathlib import Path\nfor p in ['docs/n.md', 'docs/a.md']:\n    s = Path(p).read_text()\n    print(p, len(re.findall('x', s)))\nPY",
		`python3 -c "import subprocess; print(subprocess.run(['wc', '-l', 'docs/n.md']))"`,
		`node -e 'console.log(require("fs").readFileSync("docs/n.md", "utf8").length)'`,
		`ruby -e 'puts File.read("docs/n.md").size'`,
		`php -r 'echo strlen(file_get_contents("docs/n.md"));'`,
		`perl -e 'print "docs/n.md\n"'`,
	} {
		p := notes(t)
		if d := p.call("Bash", map[string]string{"command": line}); d.Disposition != gates.Approved {
			t.Errorf("%s: asks: %v", line, d.Reasons)
		}
		p = notes(t)
		if p.st.Inline = nil; line[:4] == "pyth" && p.call("Bash", map[string]string{"command": line}).Disposition == gates.Approved {
			t.Errorf("%s: approved where nobody reads the code", line)
		}
	}
}

// TestInlineRunsData: what becomes code asks, whoever reads it.
func TestInlineRunsData(t *testing.T) {
	for _, line := range []string{
		"sh docs/n.md", ". docs/n.md", "cat docs/n.md | sh", "python3 docs/n.md", "python3 < docs/n.md", "php docs/n.md", "make -f docs/n.md", "awk -f docs/n.md docs/a.md", "chmod +x docs/n.md && ./docs/n.md", `bash -c "$(cat docs/n.md)"`, "node -r ./docs/n.md -e 1",
		`python3 -c "exec(open('docs/n.md').read())"`, `python3 -c "print(eval(open('docs/n.json').read()))"`, `python3 -c "import builtins; getattr(builtins, 'ex' + 'ec')(open('docs/n.md').read())"`, `python3 -c "__import__('runpy').run_path('docs/n.md')"`,
		`python3 -c "import runpy; runpy.run_path('docs/n.md')"`, `python3 -c "import types; types.FunctionType(compile(open('docs/n.md').read(), 'x', 'exec'), {})()"`, `python3 -c "print.__self__.__dict__['ex' + 'ec'](open('docs/n.md').read())"`,
		`python3 -c "import os; os.__dict__['sys' + 'tem'](open('docs/n.md').read())"`, `python3 -c "import sys; sys.modules['os'].system(open('docs/n.md').read())"`, `python3 -c "import subprocess; subprocess.run(open('docs/n.md').read(), shell=True)"`,
		`python3 -c "import subprocess; subprocess.run(['sh', 'docs/n.md'])"`, `python3 -c "import subprocess; subprocess.run(['sh'], stdin=open('docs/n.md'))"`, `python3 -c "import subprocess; subprocess.run(['sh'], input=open('docs/n.md').read(), text=True)"`,
		`python3 -c "import subprocess, json; subprocess.run(json.load(open('docs/n.json'))['cmd'].split())"`, `python3 -c "import os; os.system('sh docs/n.md')"`, `python3 -c "import doctest; doctest.testfile('docs/n.md')"`, `python3 -c "import pickle; pickle.load(open('docs/n.md', 'rb'))"`,
		`python3 -c "import shelve; shelve.open('docs/n.md')"`, `python3 -c "import ctypes; ctypes.CDLL('docs/n.md')"`, `python3 -c "import logging.config; logging.config.fileConfig('docs/n.md')"`, `python3 -c "import timeit; timeit.timeit(open('docs/n.md').read())"`,
		`python3 -c "import atexit; atexit.register(exec, open('docs/n.md').read())"`, `python3 -c "import sqlite3; sqlite3.connect('x.db').executescript(open('docs/n.sql').read())"`, `python3 -c "import yaml; yaml.load(open('docs/n.md'), Loader=yaml.UnsafeLoader)"`,
		`python3 -c "from tools import load; load('docs/n.md')"`, `python3 -c "import rich; rich.inspect('docs/n.md')"`, `python3 -c "import numpy; numpy.load('docs/n.md', allow_pickle=True)"`, `python3 -c "import pandas as pd; pd.read_pickle('docs/n.md')"`, `python3 -c "from jinja2 import Template; print(Template(open('docs/n.md').read()).render())"`,
		"python3 -c \"import inspect\ndef f(x): pass\nf.__annotations__ = {'x': open('docs/n.md').read()}\ninspect.signature(f, eval_str=True)\"",
		"python3 -c \"import functools\n@functools.singledispatch\ndef f(x): pass\ndef g(x: open('docs/n.md').read()): pass\nf.register(g)\"",
		"python3 -c \"import functools\n@functools.singledispatch\ndef f(x): pass\n@f.register\ndef _(x: open('docs/n.md').read()): pass\"",
		"python3 -c \"open = exec\nopen(open('docs/n.md'))\"", "python3 -c \"def open(p): return exec(p)\nopen('docs/n.md')\"", "python3 -c \"f = (lambda e: e)(exec)\nf(open('docs/n.md').read())\"", "python3 -c \"x = [exec(l) for l in open('docs/n.md')]\"",
		`python3 -c "print('{0.__class__.__init__.__globals__}'.format(open('docs/n.md')))"`, `python3 -c "print(f'{exec(open(\"docs/n.md\").read())}')"`,
		`node -e 'eval(require("fs").readFileSync("docs/n.md", "utf8"))'`, `node -e 'new Function(require("fs").readFileSync("docs/n.md", "utf8"))()'`, `node -e 'require("vm").runInThisContext(require("fs").readFileSync("docs/n.md", "utf8"))'`, `node -e 'require("./docs/n.md")'`, `node -e 'import("./docs/n.md")'`,
		`ruby -e 'load "docs/n.md"'`, `ruby -e 'eval File.read("docs/n.md")'`, `ruby -e 'require "erb"; puts ERB.new(File.read("docs/n.md")).result'`, `ruby -e 'p Marshal.load(File.binread("docs/n.md"))'`, `ruby -e 'instance_eval(File.read("docs/n.md"))'`,
		`perl -e 'do "./docs/n.md"'`, `perl -e 'require "./docs/n.md"'`, `php -r 'include "docs/n.md";'`, `php -r 'eval(file_get_contents("docs/n.md"));'`, `php -r 'echo unserialize(file_get_contents("docs/n.md"));'`,
	} {
		p := notes(t)
		if d := p.call("Bash", map[string]string{"command": line}); d.Disposition == gates.Approved {
			t.Errorf("%s: approved", line)
		}
	}
}

// TestInlineMakesCode: what code makes of such notes, or decodes, is as unknown as they are.
func TestInlineMakesCode(t *testing.T) {
	py := func(code string) string { return "python3 - <<'PY'\n" + code + "\nPY" }
	for _, row := range [][2]string{
		{py("s = open('src/a.py').read()\nopen('src/a.py', 'w').write(s + open('docs/n.md').read())"), "python3 src/a.py"},
		{py("from pathlib import Path\nt = ''.join(p.read_text() for p in Path('docs').rglob('*.md'))\nq = Path('src/a.py')\nq.write_text(q.read_text() + t)"), "python3 src/a.py"},
		{py("import shutil\nshutil.copy('docs/n.md', 'x.sh')"), "sh x.sh"},
		{py("import json\nd = json.load(open('package.json'))\nd.update(json.load(open('docs/n.json')))\njson.dump(d, open('package.json', 'w'))"), "npm test"},
		{`node -e 'const fs = require("fs"); fs.writeFileSync("src/x.js", fs.readFileSync("src/x.js", "utf8") + fs.readFileSync("docs/n.md", "utf8"))'`, "node src/x.js"},
		{"python3 -c \"import sys\ns = open('src/a.py').read()\nopen('src/a.py', 'w').write(s + sys.stdin.read())\" < docs/n.md", "python3 src/a.py"},
		{py("s = open('src/a.py').read()\nopen('src/a.py', 'w').write(s + bytes.fromhex('696d').decode())"), "python3 src/a.py"},
		{py("s = open('src/a.py').read()\nopen('src/a.py', 'w').write(s + 'so tropmi'[::-1])"), "python3 src/a.py"},
		{py("s = open('src/a.py').read()\nopen('src/a.py', 'w').write(s + ''.join(reversed('so tropmi')))"), "python3 src/a.py"},
		{py("s = open('src/a.py').read()\nopen('src/a.py', 'w').write(s + 'ab'.translate(str.maketrans('ab', 'xy')))"), "python3 src/a.py"},
		{py("chr = chr\ns = open('src/a.py').read()\nopen('src/a.py', 'w').write(s + ''.join(chr(x) for x in [105]))"), "python3 src/a.py"},
		{py("s = open('src/a.py').read()\nopen('src/a.py', 'w').write(s + bytes([105, 109]).decode())"), "python3 src/a.py"},
		{py("s = open('src/a.py').read()\nopen('src/a.py', 'w').write(s + b'abc'.decode('cp037'))"), "python3 src/a.py"},
		{py("from urllib.parse import unquote as u\ns = open('src/a.py').read()\nopen('src/a.py', 'w').write(s + u('%69'))"), "python3 src/a.py"},
		{`node -e 'const fs = require("fs"); fs.writeFileSync("src/x.js", fs.readFileSync("src/x.js", "utf8") + Buffer.from("7265", "hex").toString())'`, "node src/x.js"},
		{`perl -pi -e 'tr/a-z/b-za/' src/a.py`, "python3 src/a.py"},
		{`perl -pi -e 'y{a-z}{b-za}' src/a.py`, "python3 src/a.py"},
		{"echo aW0= | base64 -d | python3 -c \"import sys\ns = open('src/a.py').read()\nopen('src/a.py', 'w').write(s + sys.stdin.read())\"", "python3 src/a.py"},
		{"sed y/xyz/abc/ docs/a.md | python3 -c \"import sys\ns = open('src/a.py').read()\nopen('src/a.py', 'w').write(s + sys.stdin.read())\"", "python3 src/a.py"},
	} {
		p := notes(t)
		first := p.call("Bash", map[string]string{"command": row[0]})
		if d := p.call("Bash", map[string]string{"command": row[1]}); first.Disposition == gates.Approved && d.Disposition == gates.Approved {
			t.Errorf("%s; %s: approved", row[0], row[1])
		}
	}
}

// TestInlineSaysNothingDecodes: what a path or a text is called decodes nothing, and neither does an
// argument.
func TestInlineSaysNothingDecodes(t *testing.T) {
	for _, code := range []string{
		"p = 'docsy/x.py'\ns = open(p).read()\nopen(p, 'w').write(s.replace('a', 'the reverse of hex, base64 and tr/ in pack('))",
		"p = 'docsy/x.py'\ns = open(p).read()\nopen(p, 'w').write('\\n'.join(sorted(s.split('\\n'), reverse=True)))",
		"import hashlib\np = 'docsy/x.py'\ns = open(p).read()\nprint(hashlib.sha256(s.encode()).hexdigest())\nopen(p, 'w').write(s.replace('a', 'b'))",
		"p = 'docsy/x.py'\nhex_color = '#fff'\ns = open(p, encoding='utf-8').read()\nopen(p, 'w', encoding='utf-8').write(s.replace('a', hex_color))",
	} {
		p := inProject(t, map[string]string{"docsy/x.py": "x = 1\n"})
		p.st.Inline = gates.InlineReader()
		if d := p.call("Bash", map[string]string{"command": "python3 - <<'PY'\n" + code + "\nPY"}); d.Disposition != gates.Approved {
			t.Errorf("%s: asks: %v", code, d.Reasons)
		}
		if slices.ContainsFunc(p.st.Flow.Unvetted, func(u string) bool { return strings.HasSuffix(u, "/docsy/x.py") }) {
			t.Errorf("%s: leaves a file of which nobody can tell what it holds", code)
		}
		if d := p.call("Bash", map[string]string{"command": "python3 docsy/x.py"}); d.Disposition != gates.Approved {
			t.Errorf("%s: asks: %v", code, d.Reasons)
		}
	}
}

// TestScriptOpensOnly: a script of the session's that only opens such notes loads none.
func TestScriptOpensOnly(t *testing.T) {
	p := notes(t)
	p.write("scripts/see.py", "import json\nprint(open('docs/n.md').read(), json.load(open('docs/n.json')))\n")
	if d := p.call("Bash", map[string]string{"command": "python3 scripts/see.py"}); d.Disposition != gates.Approved {
		t.Errorf("asks: %v", d.Reasons)
	}
	p.write("scripts/go.py", "exec(open('docs/n.md').read())\n")
	if d := p.call("Bash", map[string]string{"command": "python3 scripts/go.py"}); d.Disposition == gates.Approved {
		t.Error("a script that runs them is approved")
	}
}
