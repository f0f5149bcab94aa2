package gates

import (
	"encoding/json"
	"testing"

	"github.com/gbt-policy/gbt/gates/call"
)

// twins are pairs of inline code: the first touches known places of the workspace or
// nothing at all, the second is the nearest that does not.
var pythonTwins = [][2]string{
	{"p = 'src/a'\ns = open(p).read()\nopen(p, 'w').write(s)", "p = 'src/a'\nfor p in open('l'): pass\nopen(p, 'w').write('x')"},
	{"for p in ['a', 'b']: open(p, 'w').write('x')", "for p in ['a', '/etc/b']: open(p, 'w').write('x')"},
	{"for n in ('a', 'b'):\n    with open(f'src/{n}.py', 'w') as f: f.write(n)", "for n in ('a', '../../b'):\n    with open(f'src/{n}.py', 'w') as f: f.write(n)"},
	{"for i in range(3): open('src/m_%d.py' % i, 'w')", "for i in input(): open('src/m_%s.py' % i, 'w')"},
	{"E = {'a': 1, 'b': 2}\nfor k, v in E.items(): open(k, 'a').write(str(v))", "E = {'a': 1}\nE[input()] = 2\nfor k, v in E.items(): open(k, 'a').write(str(v))"},
	{"l = []\nl.append('a')\nfor p in l: open(p, 'w')", "l = ['a']\ng = l\ng.append(input())\nfor p in l: open(p, 'w')"},
	{"l = ['a']\nprint(len(l))\nfor p in l: open(p, 'w')", "l = ['a']\ndef f(x): x.append(input())\nf(l)\nfor p in l: open(p, 'w')"},
	{"E = {'a': ['b']}\nfor k, v in E.items(): print(v)\nfor q in E['a']: open(q, 'w')", "E = {'a': ['b']}\nfor k, v in E.items(): v.append(input())\nfor q in E['a']: open(q, 'w')"},
	{"def f(p, s): open(p, 'w').write(s)\nf('a', 'x')\nf(p='b', s='y')", "def f(p, s): open(p, 'w').write(s)\nf('a', 'x')\ng = f\ng('/etc/x', 'y')"},
	{"def f(p): open(p, 'w')\nf('a')", "def d(fn): return lambda *a: fn('/etc/x')\n@d\ndef f(p): open(p, 'w')\nf('a')"},
	{"p = 'a'\nif p == 'b': p = 'c'\nopen(p, 'w')", "p = 'a'\nmatch input():\n    case p: pass\nopen(p, 'w')"},
	{"p = 'a' if 1 else 'b'\nopen(p, 'w')", "p = 'a'\nprint(p := input())\nopen(p, 'w')"},
	{"p = None\np = 'a'\nopen(p, 'w')", "class A:\n    def __invert__(self): return input()\np = 'a'\np = ~A()\nopen(p, 'w')"},
	{"import os\nopen(os.path.join('a', 'b'), 'w')", "import os\nopen(os.path.join('a', '..', '..', 'b'), 'w')"},
	{"import os\nopen(os.path.join('a', 'b'), 'a')", "import os\nos.path.join = lambda *a: '/etc/x'\nopen(os.path.join('a', 'b'), 'a')"},
	{"import os\nopen(os.path.splitext('a/b.c')[0] + '.d', 'w')", "import os\nopen(os.environ['X'], 'w')"},
	{"import os\nos.makedirs('src/gen', exist_ok=True)", "import os\nos.makedirs(os.path.expanduser('~/gen'), exist_ok=True)"},
	{"import os\nfor d, _, fs in os.walk('src'):\n    for f in fs: print(open(os.path.join(d, f)).read())", "import os\nfor d, _, fs in os.walk('/home/u'):\n    for f in fs: print(open(os.path.join(d, f)).read())"},
	{"import os\nfor f in os.listdir('src'): open(os.path.join('src', f.replace('.a', '.b')), 'w')", "import os\nfor f in os.listdir('src'): open(os.path.join('src', f.replace('a', '../../b')), 'w')"},
	{"import glob\nfor f in glob.glob('src/*.py'): open(f, 'a')", "import glob\nfor f in glob.glob('src/../../*/x'): open(f, 'a')"},
	{"from pathlib import Path\np = Path('src') / 'a.py'\np.write_text(p.read_text().replace('a', 'b'))", "from pathlib import Path\np = Path.home() / '.profile'\np.write_text(p.read_text().replace('a', 'b'))"},
	{"from pathlib import Path\nfor p in Path('src').rglob('*.py'): p.write_text('x')", "from pathlib import Path\nfor p in Path('/etc').rglob('*.conf'): p.write_text('x')"},
	{"from pathlib import Path\nfor p in Path('src').rglob('*.py'): (p.parent / 'x').write_text('x')", "from pathlib import Path\nfor p in Path('/w').rglob('*'): (p.parent.parent.parent / 'x').write_text('x')"},
	{"from pathlib import Path\nPath('a.md').with_suffix('.html').write_text('x')", "from pathlib import Path\nc = type(Path('a'))\nc.__truediv__ = lambda a, b: '/etc/x'\nopen(Path('a') / 'b', 'w')"},
	{"from pathlib import Path\nb = Path('src')\nfor n in ('a', 'b'): (b / n).write_text('x')", "from pathlib import Path\nb = Path('src')\nfor n in ('a', '/etc/b'): (b / n).write_text('x')"},
	{"import shutil\nshutil.copy('a', 'b')", "import shutil\nshutil.copy('a', '../../b')"},
	{"import tempfile, os\nwith tempfile.TemporaryDirectory() as d: open(os.path.join(d, 'x'), 'w')", "import tempfile, os\nd = tempfile.mkdtemp(dir='/home/u')\nopen(os.path.join(d, 'x'), 'w')"},
	{"import tempfile, shutil\nd = tempfile.mkdtemp()\nopen(d + '/x', 'w')\nshutil.rmtree(d)", "import tempfile, shutil, os\nd = tempfile.mkdtemp()\nshutil.rmtree(os.path.dirname(d))"},
	{"d = 'src'\nprint(open(d + '/x').read())", "d = ''\nprint(open(d + '/etc/x').read())"},
	{"import os, shutil\nfor f in os.listdir('build'): print(f)", "import os, shutil\nfor f in os.listdir('/tmp'): shutil.rmtree(os.path.join('/tmp', f))"},
	{"import gzip\nfor l in gzip.open('a.gz', 'rt'): print(l)", "import gzip\nfor l in gzip.open('/var/log/a.gz', 'rt'): print(l)"},
	{"print(chr(0x2713))", "exec(chr(112) + 'rint(1)')"},
	{"print(bytes.fromhex('41').decode())", "open(bytes.fromhex('2f').decode() + 'etc/x', 'w')"},
	{"import base64\nprint(base64.b64decode('aGk='))", "import base64\nexec(base64.b64decode('aGk='))"},
	{"import base64, app\nprint(base64.b64decode('aGk='))", "import base64, app\nprint(app.run(base64.b64decode('aGk=')))"},
	{"import codecs\nprint(codecs.decode('uryyb', 'rot13'))", "import codecs\n__import__(codecs.decode('bf', 'rot13'))"},
	{"import app\nprint(chr(65))", "import app\nx = chr(65)\napp.run(x)"},
	{"print('{}'.format(chr(65)))", "s = '{0.' + chr(95) * 2 + 'x}'\nprint(s.format(print))"},
	{"import zipfile\nprint(zipfile.ZipFile('a.zip').namelist())", "import zipfile\nzipfile.ZipFile('a.zip').extractall('/etc')"},
	{"import tarfile\nprint(tarfile.open('a.tgz').getnames())", "import tarfile\ntarfile.open('a.tgz').extract('x', '/etc')"},
	{"import zipfile\nprint(zipfile.ZipFile('a.zip', 'r').read('x'))", "import zipfile\nzipfile.ZipFile('a.zip', 'w').write('/home/u/.ssh/id_rsa')"},
	{"import sqlite3\nprint(sqlite3.connect('a.db').execute('select 1').fetchall())", "import sqlite3\nsqlite3.connect('a.db').execute(\"attach '/home/u/b.db' as b\")"},
	{"import sqlite3\nt = 'a'\nprint(sqlite3.connect('a.db').execute(f'select count(*) from {input()}').fetchone())", "import sqlite3\nsqlite3.connect('a.db').executescript(input())"},
	{"import sqlite3\nc = sqlite3.connect(':memory:')\nc.execute('create table t(a)')", "import sqlite3\nc = sqlite3.connect('a.db')\nc.enable_load_extension(True)"},
	{"import sqlite3\nc = sqlite3.connect('a.db')\nc.execute('insert into t values (1)')\nc.commit()", "import sqlite3\nc = sqlite3.connect('/home/u/b.db')\nc.execute('insert into t values (1)')\nc.commit()"},
	{"import numpy as np\nprint(np.load('a.npy').shape)", "import numpy as np\nprint(np.load('a.npy', allow_pickle=True).shape)"},
	{"import numpy as np\nprint(np.load('a.npy', allow_pickle=False).shape)", "import torch\nprint(torch.load('a.pt'))"},
	{"import requests\nprint(requests.__version__)", "import requests\nprint(requests.get('https://h.example').text)"},
	{"from app.models import User\nprint(User.__table__, User.__module__)", "from app.models import User\nprint(User.__init__.__globals__)"},
	{"import xml.etree.ElementTree as ET\nprint(ET.parse('a.xml').getroot().attrib)", "import xml.etree.ElementTree as ET\nET.parse('a.xml').write(chr(47) + 'x')"},
	{"import urllib.parse\nprint(urllib.parse.urlparse('https://h.example/x').query)", "import urllib.parse\nurllib.request.urlopen('https://h.example/x')"},
	{"s = open('a').read()\nopen('a', 'w').write(s.replace('/api/v1', '/api/v2'))", "import os\nos.replace('/api/v1', 'a')"},
	{"s = open('a').read()\nprint(s.replace('http://h.example', 'https://h.example'))", "import pandas\nprint(pandas.read_csv('https://h.example'))"},
	{"from urllib.parse import urlparse\nprint(urlparse('https://h.example/x').netloc)", "from urllib.request import urlopen\nurlopen('https://h.example/x')"},
	{"import argparse\np = argparse.ArgumentParser()\np.add_argument('--how-many', type=int)\nprint(p.parse_args().how_many)", "import argparse\np = argparse.ArgumentParser()\np.add_argument('path')\nopen(p.parse_args().path, 'w')"},
	{"import tarfile\nfor m in tarfile.open('a.tgz').getmembers(): print(m.name, m.size)", "import shutil\nshutil.os.system('id')"},
	{"import unittest, app\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(app.f(1), [1])\nunittest.main()", "import unittest, app\nclass T(unittest.TestCase): pass\nunittest.main(argv=['x', 'pty.spawn'])"},
	{"import unittest\n@unittest.skip('x')\nclass T(unittest.TestCase): pass", "import unittest\nunittest.defaultTestLoader.loadTestsFromName('os.abort')"},
	{"import timeit\nprint(timeit.timeit(lambda: 1, number=9))", "import timeit\nprint(timeit.timeit('print(1)', number=9))"},
	{"import re\nprint(re.sub('/home/u', '~', open('a').read()))", "print(open('/home/u').read())"},
	{"open('.gitignore', 'a').write('x')", "import os\nopen(os.path.join('.git', 'hooks', 'pre-commit'), 'w').write('x')"},
	{"for n in ('a.env.example', 'b'): open(n)", "for n in ('.env', 'b'): print(open(n).read())"},
}

func TestPythonValues(t *testing.T) { testTwins(t, "python3 -c", pythonTwins) }

// testTwins holds that the first of each pair passes as inline code and the second
// does not.
func testTwins(t *testing.T, run string, twins [][2]string) {
	t.Helper()
	var g Guardrail
	for _, pair := range twins {
		for i, code := range pair {
			args, err := json.Marshal(map[string]string{"command": run + " " + quoted(code)})
			if err != nil {
				t.Fatal(err)
			}
			c := NewContext(call.Request{Tool: "Bash", Args: args}, State{Cwd: "/w", Home: "/home/u", Roots: []string{"/w"}})
			if d := g.Decide(&c); (d.Disposition == Approved) != (i == 0) {
				t.Errorf("%v: %s\n%v", d.Disposition, code, d.Reasons)
			}
		}
	}
}
