package gates

import (
	"encoding/json"
	"testing"

	"github.com/gbt-policy/gbt/gates/call"
)

var pythonFamily = family{
	lang: "python",
	sinks: []sink{
		{"os", "system", `"touch /etc/x"`}, {"os", "popen", `"touch /etc/x"`}, {"os", "remove", `"src/a"`}, {"os", "execvp", `"sh", ["sh"]`}, {"os", "rename", `"a", "/b"`}, {"os", "chmod", `"a", 0`}, {"os", "kill", "1, 9"},
		{"os", "chdir", `"/"`}, {"os", "open", `"a", 1`}, {"os", "sendfile", "1, 2, 0, 9"},
		{"pydoc", "pipepager", `"", "id"`}, {"distutils.spawn", "spawn", `["id"]`}, {"asyncio", "open_unix_connection", `"s"`}, {"logging.config", "listen", "9"}, {"concurrent.futures", "ProcessPoolExecutor", ""}, {"ssl", "get_server_certificate", `("h.example", 443)`},
		{"codecs", "open", `"/a", "w"`}, {"gzip", "open", `"/a", "w"`}, {"io", "FileIO", `"a", "w"`}, {"dbm", "open", `"a", "c"`}, {"sqlite3", "connect", `"/a"`}, {"wsgiref.simple_server", "make_server", `"", 80, None`}, {"gc", "get_referents", "1"},
		{"logging", "FileHandler", `"a"`}, {"venv", "create", `"a"`}, {"pkgutil", "get_loader", `"os"`}, {"resource", "setrlimit", "1, (1, 1)"},
		{"subprocess", "run", `["touch", "/etc/x"]`}, {"subprocess", "check_output", `"touch /etc/x", shell=True`}, {"subprocess", "Popen", `"reboot"`}, {"shutil", "rmtree", `"src"`}, {"shutil", "move", `"a", "/b"`},
		{"socket", "create_connection", `("h.example", 80)`}, {"pty", "spawn", `"sh"`}, {"ctypes", "CDLL", `"x.so"`}, {"pickle", "loads", `b"x"`}, {"runpy", "run_path", `"x"`}, {"urllib.request", "urlopen", `"http://h.example"`},
		{"builtins", "exec", `"1"`}, {"builtins", "eval", `"1"`}, {"marshal", "loads", `b"x"`}, {"smtplib", "SMTP", `"h.example"`}, {"code", "interact", ""},
	},
	ways: []string{
		"import «M»; «M».«F»(«A»)", "import «M» as o; o.«F»(«A»)", "from «M» import «F»; «F»(«A»)", "from «M» import «F» as s; s(«A»)", "from «M» import *; «F»(«A»)", "from «M» import (\n  «F» as s,\n)\ns(«A»)",
		`__import__("«M»").«F»(«A»)`, `__import__("«m1»" + "«m2»").«F»(«A»)`, `import importlib; importlib.import_module("«M»").«F»(«A»)`, `from importlib import import_module as i; i("«M»").«F»(«A»)`,
		`import «M»; getattr(«M», "«F»")(«A»)`, `getattr(__import__("«M»"), "«1»" + "«2»")(«A»)`, `import «M»; «M».__dict__["«F»"](«A»)`, `import «M»; vars(«M»)["«F»"](«A»)`, `import «M»; «M».__getattribute__("«F»")(«A»)`,
		`import sys; sys.modules["«M»"].«F»(«A»)`, `import «M»; globals()["«M»"].«F»(«A»)`, "import «M»; x = «M»; x.«F»(«A»)", "import «M»; [«M»][0].«F»(«A»)", `import «M»; {"k": «M»}["k"].«F»(«A»)`,
		"import «M»; f = «M».«F»; f(«A»)", "import «M»; (lambda f: f(«A»))(«M».«F»)", "import «M»; (lambda o: o.«F»(«A»))(«M»)", "import «M»; list(map(lambda o: o.«F»(«A»), [«M»]))", "import «M»; [o.«F»(«A») for o in [«M»]]",
		"import «M»\n@«M».«F»\ndef f(): pass", "import «M»\nclass X:\n  __getitem__ = «M».«F»\nX()[1]", "import «M»\nclass X:\n  o = «M»\nX.o.«F»(«A»)", `eval("__import__('«M»').«F»(«A»)")`, `exec("import «M»; «M».«F»(1)")`,
		`import base64; exec(base64.b64decode("eA=="))`, `exec("".join(chr(c) for c in [120]))`, `e = eval; e("1")`, `(lambda e: e("1"))(eval)`, `list(map(exec, ["1"]))`, `print(*map(eval, ["1"]))`,
		`import «M»; print(f"{«M».«F»(«A»)}")`, `print(f"{__import__('«M»').«F»(1)}")`, `print(f"{1:{__import__('«M»').«F»(1)}}")`, `print(f'''{(lambda: __import__("«M»"))()}''')`, `import «M»; (x := «M»).«F»(«A»)`, `import «M»; (f := «M».«F»)(«A»)`,
		`import operator, «M»; operator.attrgetter("«F»")(«M»)(«A»)`, `import operator, «M»; operator.methodcaller("«F»")(«M»)`, `from operator import attrgetter as a; a("«F»")`, "import functools, «M»; functools.partial(«M».«F», 1)()",
		`__builtins__.__import__("«M»").«F»(«A»)`, `__builtins__["eval"]("1")`, `import builtins; builtins.eval("1")`, `import builtins as b; b.__import__("«M»")`, `().__class__.__base__.__subclasses__()`, `(lambda: 0).__globals__["__builtins__"]`,
		`print("{0.__class__.__init__.__globals__}".format(print))`, `s = "{0.gi_frame}"; print(s.format((i for i in [])))`, `import sys; sys._getframe().f_globals["«M»"]`, "import glob; glob.os.«F»(«A»)", "import random; random._os.«F»(«A»)",
		"import os; os.path.os.«F»(«A»)", "from os import path as p; p.os.«F»(«A»)", "import json; json.codecs.builtins.open", "from json import codecs", "import json.decoder as d; d.scanner.re.enum.sys", "import re; re.enum.sys.modules", "from re import enum as e; e.sys",
		"import logging; logging.os.«F»(«A»)", "import pathlib as p; p.os.«F»(«A»)", "import statistics; statistics.sys.modules", "import collections; collections._sys.modules", "from collections import _sys as s; s.modules",
		"import numpy; numpy.f2py.os.«F»(«A»)", "import numpy as np; np.os.«F»(«A»)", "from django.utils import os as o; o.«F»(«A»)", "import app; app._os.«F»(«A»)", "import app; app.x.subprocess.run(1)", "import app; app.f.__globals__",
		"def g():\n  def h():\n    import «M» as q\n    return q\n  return h\ng()().«F»(«A»)", "try:\n  import «M» as q\nexcept ImportError:\n  pass\nq.«F»(«A»)", "import asyncio, «M»\nasync def f(): «M».«F»(«A»)\nasyncio.run(f())",
		"import «M» \\\n as o\no \\\n . «F» («A»)", "import json, «M» as o, sys; o.«F»(«A»)", "if 1: import «M»; «M».«F»(«A»)", "import «M»; «M».«F»(*[1])", "import «M»; print(«M».«F»)", "import «M»; d = dict(f=«M».«F»); d['f'](1)",
		"import «M»; sorted([1], key=«M».«F»)", "import «M»; max([1], key=lambda x: «M».«F»(x))", "import «M».x as y; y.«F»(«A»)", "from «M» import x as y; y.«F»(«A»)", "import threading, «M»; threading.Thread(target=«M».«F»).start()", "import «M»;«M»  .   «F»(«A»)",
		"import pydoc; pydoc.locate('«M»').«F»(«A»)", "import pkgutil; pkgutil.resolve_name('«M»:«F»')(«A»)", "import timeit; timeit.timeit('1')", "import cProfile; cProfile.run('1')", "import inspect; inspect.currentframe().f_globals", "g = (i for i in [1]); g.gi_frame.f_globals",
		"try:\n  1/0\nexcept Exception as e:\n  e.__traceback__.tb_frame.f_globals", "import types; types.FunctionType", "import typing; typing.get_type_hints", "import dataclasses; dataclasses.make_dataclass('a', ['b'])", "import string; string.Formatter().get_field('0.__class__', [1], {})",
		"o = open; o('x')", "open('x', 'wr'[0:1])", "m = 'w'; open('/etc/x', m)", "open('/e' + 'tc/passwd').read()", "from pathlib import Path; Path('/e' 'tc').joinpath('x').read_text()", "from pathlib import Path; p = '/a'; Path(p).read_text()", "ｅｖａｌ('1')",
		"import os; os.environ['LD_PRELOAD'] = 'x'", "import os; os.environ['PATH'] = '/tmp'", "import os; os.environ.setdefault('BASH_ENV', 'x')", "import os; os.environ.update(LD_PRELOAD='x')", "import os; os.environ['a' + 'b'] = 'x'", "import os; os.environ['GIT_SSH'] = x", "from os import environ; environ['LD_PRELOAD'] = 'x'",
	},
}

func TestInlinePythonReachesNothing(t *testing.T) { testFamily(t, &pythonFamily) }

var harmlessPython = []string{
	"print(1 + 1)", "print(2 ** 10)", "print(sum(range(100)))", "import math; print(math.sqrt(2))", "from math import pi, sin; print(sin(pi / 4))", "import json; print(json.dumps({'a': 1}, indent=2))", "import json; print(json.load(open('package.json'))['version'])",
	"import json, sys; print(json.dumps(json.load(sys.stdin), indent=2))", "import sys, json; d = json.load(sys.stdin); print(d['items'][0]['name'])", "import json; d = json.load(open('a.json')); print(len(d), list(d.keys()))", "import json\nwith open('a.json') as f:\n    data = json.load(f)\nfor k, v in data.items():\n    print(k, v)",
	"print('hello'.upper())", "print(' '.join(sorted('c b a'.split())))", "print('a,b,c'.split(',')[1])", "s = 'hello'; print(s[::-1])", "print(len('abc'))", "print('%s %d' % ('a', 1))", "print('{} {}'.format('a', 1))", "x = 3; print(f'{x:>10} {x!r}')", "print(f'{1/3:.2%}')", "print(f\"{'a':*^10}\")",
	"import sys; print(sys.version)", "import sys; print(sys.path)", "import sys; print(sys.argv)", "import sys; sys.exit(0)", "import os; print(os.getcwd())", "import os; print(os.listdir('.'))", "import os; print(os.path.exists('a.txt'))", "import os; print(os.path.join('a', 'b'))", "import os; print(os.environ.get('PATH'))",
	"import os; print(os.cpu_count())", "import os\nfor r, d, f in os.walk('src'):\n    print(r, len(f))", "import platform; print(platform.python_version())", "import numpy; print(numpy.__version__)", "import numpy as np; print(np.arange(10).reshape(2, 5).sum(axis=0))", "import pandas as pd; df = pd.read_csv('a.csv'); print(df.head()); print(df.describe())",
	"import pandas as pd; print(pd.read_csv('a.csv').groupby('x')['y'].mean())", "from sympy import symbols, solve; x = symbols('x'); print(solve(x**2 - 1, x))", "import django; print(django.get_version())", "import mypkg; print(mypkg.run_report(3))", "from app.models import User; print(User(name='a').full_name())", "from app import create_app; app = create_app(); print(app.url_map)",
	"print(open('a.txt').read())", "print(open('README.md').readlines()[:3])", "with open('a.txt', 'r', encoding='utf-8') as f: print(f.read())", "open('out.txt', 'w').write('hello')", "with open('out.csv', 'w', newline='') as f:\n    f.write('a,b')", "for line in open('a.log'):\n    if 'ERROR' in line:\n        print(line.rstrip())",
	"import re; print(re.findall(r'\\d+', 'a1b22'))", "import re; print(re.sub('a', 'b', open('x.txt').read()))", "import re; m = re.match(r'(\\w+)', 'abc'); print(m.group(1))", "import re\nt = open('a.py').read()\nprint(len(re.findall(r'^def ', t, re.M)))", "from collections import Counter; print(Counter('hello').most_common(2))", "import collections; d = collections.defaultdict(list); d['a'].append(1); print(dict(d))",
	"from datetime import datetime; print(datetime.now().isoformat())", "import datetime; print(datetime.date.today() + datetime.timedelta(days=1))", "import time; print(time.time())", "import time; time.sleep(1); print('done')", "import calendar; print(calendar.month(2026, 11))", "import random; random.seed(1); print(random.randint(1, 6))", "import hashlib; print(hashlib.sha256(b'a').hexdigest())", "import hashlib; print(hashlib.md5(open('a.bin', 'rb').read()).hexdigest())",
	"import uuid; print(uuid.uuid4())", "import secrets; print(secrets.token_hex(16))", "import base64; print(base64.b64encode(b'hi').decode())", "import csv; print(list(csv.reader(open('a.csv')))[:2])", "import csv\nwith open('a.csv') as f:\n    for row in csv.DictReader(f):\n        print(row['name'])", "import itertools; print(list(itertools.permutations('abc', 2)))",
	"import textwrap; print(textwrap.dedent('  a'))", "import string; print(string.ascii_letters)", "import ast; print(ast.literal_eval('[1, 2]'))", "import ast; ast.parse(open('a.py').read()); print('ok')", "import ast; print([n.name for n in ast.walk(ast.parse(open('a.py').read())) if isinstance(n, ast.FunctionDef)])", "import tomllib; print(tomllib.load(open('pyproject.toml', 'rb'))['project']['name'])",
	"from pathlib import Path; print(Path('a.txt').read_text())", "from pathlib import Path; print([p.name for p in Path('.').glob('*.py')])", "import pathlib; print(pathlib.Path('src').exists())", "import glob; print(glob.glob('*.py'))", "import statistics; print(statistics.mean([1, 2, 3]))", "from decimal import Decimal; print(Decimal('0.1') + Decimal('0.2'))", "from fractions import Fraction; print(Fraction(1, 3))",
	"print([x * x for x in range(10) if x % 2])", "print({k: v for k, v in zip('ab', [1, 2])})", "print(max([3, 1, 2], key=lambda x: -x))", "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nprint(fib(10))", "class P:\n    def __init__(self, x):\n        self.x = x\n    def double(self):\n        return self.x * 2\nprint(P(2).double())", "try:\n    int('a')\nexcept ValueError as e:\n    print(e)",
	"from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int = 1\nprint(P())", "from enum import Enum\nclass C(Enum):\n    A = 1\nprint(C.A.name)", "from functools import lru_cache\n@lru_cache\ndef f(n):\n    return n\nprint(f(1))", "import asyncio\nasync def m():\n    await asyncio.sleep(0)\n    print('x')\nasyncio.run(m())", "assert 1 + 1 == 2", "print(bin(10), hex(255), oct(8))",
	"print(ord('a'))", "print('abc'.encode('utf-8').hex())", "print(int('ff', 16))", "print(any([0, 1]), all([1, 1]))", "a, b = 1, 2\nwhile a < 100:\n    a, b = b, a + b\nprint(a)", "print('yes' if 3 > 2 else 'no')", "print(type(1).__name__)", "print(isinstance(1, int))", "import heapq; print(heapq.nsmallest(2, [3, 1, 2]))", "import bisect; print(bisect.bisect([1, 2, 3], 2))",
	"import shlex; print(shlex.split('a \"b c\"'))", "import html; print(html.escape('<a>'))", "import unicodedata; print(unicodedata.name('a'))", "import difflib; print(list(difflib.unified_diff(['a'], ['b'])))", "import yaml; print(yaml.safe_load(open('a.yml')))", "import torch; print(torch.cuda.is_available())", "import sys\nfor line in sys.stdin:\n    print(line.strip().split()[0])", "import sys; print(sum(int(l) for l in sys.stdin))",
	"import sys; sys.path.insert(0, '.'); import mymod; print(mymod.VERSION)", "import struct; print(struct.unpack('<I', b'abcd'))", "import inspect, mymod; print(inspect.getsource(mymod.f))", "from typing import List\ndef f(x: List[int]) -> int:\n    return len(x)\nprint(f([1]))", "import ipaddress; print(ipaddress.ip_network('10.0.0.0/8').num_addresses)", "import zoneinfo; print(len(zoneinfo.available_timezones()))",
	"import matplotlib\nmatplotlib.use('Agg')\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('a.png')", "import sklearn; print(sklearn.__version__)", "from PIL import Image; im = Image.open('a.png'); print(im.size)", "import pytest; print(pytest.__version__)", "print('rm -rf /')", "print('import os; os.system()')", "# comment with os.system\nprint(1)", "print(\"don't\")", "print('''a\nb''')",
	"import logging; logging.warning('x')", "import os; os.environ['DEBUG'] = '1'; import app", "import os; os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'site.settings'); import django; django.setup()", "import pprint; pprint.pprint({'a': [1]})", "import operator; print(sorted([(2, 1)], key=operator.itemgetter(1)))", "import copy; print(copy.deepcopy([1]))", "n = 17; print(all(n % i for i in range(2, n)))", "print(round(3.14159, 2))", "print(*range(5), sep=',')", "print('a' in {'a': 1})", "import array; print(array.array('i', [1]).tolist())", "print(complex(1, 2).conjugate())",
	"print(list(enumerate(['a'])))", "print(list(reversed([1, 2])))", "print(''.join(c for c in 'a1' if c.isalpha()))", "print('a\\tb'.expandtabs(4))", "d = {}; d.setdefault('a', []).append(1); print(d)", "print(set('abc') & set('bcd'))", "from itertools import groupby\nfor k, g in groupby('aab'):\n    print(k, len(list(g)))", "if (n := len('abc')) > 2: print(n)", "lines = open('a.txt').read().splitlines(); print(len(lines), lines[-1])",
}

func TestHarmlessInlinePython(t *testing.T) { testHarmless(t, "python", harmlessPython) }

// TestCellsOfASession judges code that earlier code left names for.
func TestCellsOfASession(t *testing.T) {
	var g Guardrail
	for code, approved := range map[string]bool{
		"df = pd.read_csv('a.csv')\ndf.groupby('x').y.mean()": true, "plt.plot(x)": true, "df.head()": true, "print(os.getcwd())": true, "model.fit(X, y)": true,
		"os.open('a', 1)": false, "o = os": false, "import os as o": false, "sys._getframe()": false, "df.eval('x')": false, "np.os.system('x')": false, "f.__globals__": false, "!rm -rf src": false,
	} {
		args, err := json.Marshal(map[string]string{"code": code})
		if err != nil {
			t.Fatal(err)
		}
		c := NewContext(call.Request{Tool: "execute_ipython_cell", Args: args}, State{Cwd: "/w", Roots: []string{"/w"}})
		if d := g.Decide(&c); (d.Disposition == Approved) != approved {
			t.Errorf("%s: %v %v", code, d.Disposition, d.Reasons)
		}
	}
}
