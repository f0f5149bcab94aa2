package gates

import "testing"

// TestTextsOfInlinePython: a text that looks like a path is one only where it may reach something
// that opens files.
func TestTextsOfInlinePython(t *testing.T) {
	for _, code := range []string{
		"import json\nd=json.load(open('package.json'))\nfor k in ['/a','/b']:\n    print(k, d.get(k))", "from own import app\nfrom fastapi.testclient import TestClient\nc=TestClient(app)\nfor p in ['/items','/login']:\n    print(p, c.get(p).status_code)", "import re\nfor l in open('access.log'):\n    m=re.match(r'/api/(\\w+)', l)\n    if m: print('/v1/'+m.group(1))",
		"routes={'/x':'A','/y':'B'}\nprint(sorted(routes.items()), routes['/x'])", "base='/etc/app'\nprint(base + '/x', f'{base}/y', base.split('/'))", "import os\nprint(os.path.join('/usr/lib', 'a'))\nprint(os.path.basename('/var/log/x'))", "from urllib.parse import urlsplit\nu=urlsplit('https://h.example/a?b=1')\nprint(u.path == '/a', u.netloc)",
		"s=open('a.txt').read()\nassert '/etc/nginx' in s\ns=s.replace('/etc/nginx','/srv/nginx')\nopen('a.txt','w').write(s)", "import json\np='package.json'\nd=json.load(open(p))\nd['files']=['/dist','/src']\njson.dump(d, open(p,'w'), indent=2)", "x=[l for l in open('a.log') if '/health' not in l and not l.startswith('/metrics')]\nprint(len(x))",
		"from collections import Counter\nc=Counter()\nfor l in open('a.log'): c['/x' if 'x' in l else '/y']+=1\nprint(c)", `print('~/bin'.split('/'), len('../x'))`, "import pandas as pd\ndf=pd.read_csv('a.csv')\nprint(df[df['path'].isin(['/zzz','/yyy'])].shape)", "d={}\nd['/x']=1\nprint(d)",
		"import json\nd=json.load(open('package.json'))\nd['exports']={'.':'./dist/index.js','./x':'/x'}\nopen('package.json','w').write(json.dumps(d,indent=2)+'\\n')", "import networkx as nx\ng=nx.DiGraph()\ng.add_edge('/aaa','/bbb')\nprint(g.edges)", "import own\nseen=[]\nfor r in own.app.routes:\n    seen.append('/x')\nprint(seen)",
	} {
		if d := inlinePython(code, 1000); d != Approved {
			t.Errorf("%s: %v", code, d)
		}
	}
	for _, code := range []string{
		"d={'a':'/srv/notes'}\nprint(open(d['a']).read())", "import own\nprint(own.read('/srv/notes'))", "import own\nprint(own.read('/s'+'rv/notes'))", "import own\nprint(own.read(own.HOME+'/work/other/x'))", "import own\nfor p in ['/srv/notes']:\n    print(own.read(p))", "import own\nd=own.D()\nprint(d['/srv/notes'])",
		"class D(dict):\n    def __getitem__(self,k): return open(k).read()\nprint(D()['/srv/notes'])", "import re\nprint(re.sub('x', lambda m: open(m.string).read(), '/srv/xnotes'))", "import re\ndef f(m): return open(m.string).read()\nprint(re.sub('x', f, '/srv/xnotes'))", "def f(m): return open(m).read()\nprint(sorted(['/srv/notes'], key=f))",
		"def f(m): return open(m).read()\nprint(list(map(f, ['/srv/notes'])))", "def f():\n    return '/srv/notes'\nprint(open(f()).read())", "import own\nx='q/srv/notes'\ny='/qsrv/notes'.replace('q','')\nprint(own.read(y))", "import own\nprint(own.read(next(iter({'/srv/notes':1}))))", "import own\nprint(own.read(max('/srv/notes','a')))", "import own\na,b='/srv/notes',1\nprint(own.read(a))",
		"import own\n[a]=['/srv/notes']\nprint(own.read(a))", "import own\na=b='/srv/notes'\nprint(own.read(b))", "import own\nl=[]\nl.append('/srv/notes')\nprint(own.read(l[0]))", "import own\nl={}\nl['x']='/srv/notes'\nprint(own.read(l['x']))", "import own\nprint([own.read(p) for p in ['/srv/notes']])", "import own\nif (p := '/srv/notes'): print(own.read(p))",
		"import own\nown.PATH='/srv/notes'\nprint(own.go())", "import own\ndef f(p='/srv/notes'): print(own.read(p))\nf()", "import own\ndef f(p): print(own.read(p))\nf('/srv/notes')", "import own\nprint(own.read(own.ident('/srv/notes')))", "import own\nprint(f\"{own.read('/srv/notes')}\")", "import own\nx='/srv/notes'\nprint(f\"{own.read(x)}\")",
		"import own\nx='/srv/notes'\nprint((lambda: own.read(x))())", "import os\nprint(os.listdir('/srv/other'))", "from pathlib import Path\nx='/srv/other'\nfor p in Path(x).iterdir(): print(p)", "import os\nos.chdir('/srv/other')", "from pathlib import Path\nprint((Path('.')/'/srv/notes').read_text())", "import subprocess\nx='/srv/notes'\nsubprocess.run(['cat', x])",
		"import subprocess\nsubprocess.run(['cat']+['/srv/notes'])", "from subprocess import run\nrun(['cat','/srv/notes'])", "import sys\nsys.path.insert(0, '/srv/x')\nimport own\nown.f()", "import sys\nsys.path[:0]=['/srv/x']\nimport own\nown.f()", "import os\nos.environ['PYTHONPATH']='/srv/x'\nimport own", "import numpy as np\nprint(np.loadtxt('/srv/notes'))",
		"import pandas as pd\nx=['/srv/notes']\nprint(pd.concat(map(pd.read_csv, x)))", "import own\nd=own.client\nd.delete('/items/3')", "import own\nown.client.send('/items/3')", "import own\ndel own.db['/items/3']", "import own\nown.db['/items/3']=1", `print(open('.env').read())`, "x='.env'\nprint(open(x).read())", "import own\nprint(own.read('.env'))",
		"import json\nx=json.loads('[\"/srv/notes\"]')\nprint(open(x[0]).read())", "s='/srv/notes'\nfor l in [s]:\n    with open(l) as f: print(f.read())", "s='''/srv/notes'''\nprint(open(s.strip()).read())", "import itertools\nprint([open(x).read() for x in itertools.chain(['/srv/notes'])])", "import operator\nf=open\nprint(f('/srv/notes').read())",
		"import xml.etree.ElementTree as E\nt=E.ElementTree()\nt.parse('/srv/notes')", "import configparser\nc=configparser.ConfigParser()\nc.read(['/srv/notes'])\nprint(c.sections())", "import configparser\nc=configparser.ConfigParser()\nx=['/srv/notes']\nc.read(x)\nprint(c.sections())", "import zipfile\nprint(zipfile.ZipFile('/srv/x.zip').namelist())",
		"import sqlite3\nprint(sqlite3.connect('/srv/x.db').execute('select 1').fetchall())", "import argparse\na=argparse.ArgumentParser()\na.add_argument('--x', default='/srv/notes')\nprint(open(a.parse_args([]).x).read())", "from types import SimpleNamespace as S\nx=S(p='/srv/notes')\nprint(open(x.p).read())",
		"from collections import namedtuple\nA=namedtuple('A','p')\nprint(open(A('/srv/notes').p).read())", "import string\nprint(open(string.Template('/srv/$x').substitute(x='hosts')).read())", "try:\n    raise ValueError('/srv/notes')\nexcept ValueError as e:\n    print(open(e.args[0]).read())", "def g():\n    yield '/srv/notes'\nfor x in g(): print(open(x).read())",
		"import csv\nfor r in csv.reader(['/srv/notes']): print(open(r[0]).read())", "import os\nprint(open(os.path.join('/srv','notes')).read())", "import os\nx={'p':'/srv'}\nprint(os.listdir(x['p']))", "import pandas as pd\ns=pd.Series(['/qsrv/notes']).str.replace('q','')\nprint(pd.read_csv(s[0]))", "import numpy as np\ns=np.char.replace(['/qsrv/notes'],'q','')\nprint(np.loadtxt(s[0]))",
		"import numpy as np\ns=np.array(['/qsrv/notes'])[0]\nprint(np.loadtxt(s[0]+s[2:]))", "d={'/srv/notes':1}\nfor k in d: print(open(k).read())", "d={}\nd['/srv/notes']=1\nfor k in d: print(open(k).read())", "d={}\nd['/srv/notes']=1\nimport own\nown.go(d)", "import own\nx=['/srv/notes']\ny=x\nprint(own.read(y[0]))",
		"import own\nx=['/srv/notes']\ndef f():\n    global x\n    return own.read(x[0])\nprint(f())", "import own\nx='/srv/notes'\nprint(own.read(x) if x else 1)", "import own\nx=dict(p='/srv/notes')\nprint(own.read(**x))", "import own\nx=['/srv/notes']\nprint(own.read(*x))", "import own\nx=('/srv/notes',)\nown.read(*x)", "from own import *\nx='/srv/notes'\nprint(x)\nread(x)",
		"import own\nx={'a':{'p':'/srv/notes'}}\nfor v in x.values(): own.read(v['p'])", "import own, json\nx=json.loads(json.dumps({'p':'/srv/notes'}))\nown.read(x['p'])", "import json\nx=json.loads(json.dumps({'p':'/srv/notes'}))\nprint(open(x['p']).read())", "import re\nx=re.match('.*','/srv/notes').group(0)\nprint(open(x).read())", "x='/srv/notes'\nmatch x:\n    case y: print(open(y).read())",
		"import os\nx=[p for p in ('/srv/notes',) if p]\nos.remove(x[0])", "import shutil\nx='/srv/notes'\nshutil.rmtree(x)", "import contextlib\n@contextlib.contextmanager\ndef f(x): yield x\nwith f('/srv/notes') as p: print(open(p).read())", "import functools\nf=functools.partial(open,'/srv/notes')\nprint(f().read())", "from pathlib import Path\nf=Path('/srv/notes').read_text\nprint(f())",
		`print((lambda p: open(p).read())('/srv/notes'))`, "import threading\ndef f(p): print(open(p).read())\nthreading.Thread(target=f,args=('/srv/notes',)).start()", "from concurrent.futures import ThreadPoolExecutor as T\ndef f(p): return open(p).read()\nprint(list(T().map(f,['/srv/notes'])))", "import asyncio\nasync def f(p): print(open(p).read())\nasyncio.run(f('/srv/notes'))",
		"from dataclasses import dataclass\n@dataclass\nclass A:\n    p: str = '/srv/notes'\nprint(open(A().p).read())", "x=['/srv','notes']\nprint(open('/'.join(x)).read())", "x='%s/notes' % '/srv'\nprint(open(x).read())", "import io\nprint(io.open('/srv/notes').read())", "import own\nassert own.read('/srv/notes')", "import own\nif own.read('/srv/notes') == 'x': print(1)",
		"import own\nprint('a' in own.read('/srv/notes'))", "d={}\nd['p']='/srv/notes'\nprint(open(d['p']).read())", "d={}\nd['p']=['/srv/notes']\nfor k in d['p']: print(open(k).read())", "d={}\nd['a']={}\nd['a']['p']='/srv/notes'\nprint(open(d['a']['p']).read())", "import os\nos.environ['X']='/srv/notes'\nprint(open(os.environ['X']).read())",
		"import sys\nsys.argv[0]='/srv/notes'\nprint(open(sys.argv[0]).read())", "l=[0]\nm=l\nl[0]='/srv/notes'\nprint(open(m[0]).read())", "l=[]\nm=l\nm.append('/srv/notes')\nprint(open(l[0]).read())", "d={}\nx=d.setdefault('a',[])\nx.append('/srv/notes')\nprint(open(d['a'][0]).read())", "d={'a':[]}\nfor x in d.values(): x.append('/srv/notes')\nprint(open(d['a'][0]).read())",
		"import own\nown.L.append('/srv/notes')\nown.go()", "import own\nl=own.L\nl.append('/srv/notes')\nown.go()", "import own\nl=own.load()\nl['p']='/srv/notes'\nown.go()", "from own import load\nl=load()\nl['p']='/srv/notes'\nopen(l['p'])", "def f(l): l.append('/srv/notes')\nx=[]\nf(x)\nprint(open(x[0]).read())", "x=[]\ny=[x]\nx.append('/srv/notes')\nprint(open(y[0][0]).read())",
		"a=b=[]\na.append('/srv/notes')\nprint(open(b[0]).read())", "a,b=[[]]*2\na.append('/srv/notes')\nprint(open(b[0]).read())", "y=[[]]\nx=y[0]\nx.append('/srv/notes')\nprint(open(y[0][0]).read())", `with open('/srv/notes') as f: print(f.read())`, "import os\nfor e in os.scandir('/srv/other'): print(e.name)", "import os\nprint(os.stat('/srv/notes'))",
		"import shutil\nprint(shutil.disk_usage('/srv/x'))",
	} {
		if d := inlinePython(code, 1000); d == Approved {
			t.Errorf("%s: approved", code)
		}
	}
	for _, code := range []string{"import own\nprint(own.app.openapi()['/items'])", "import numpy as np\nprint(np.array(['/items']))"} {
		if d := inlinePython(code, 0); d == Approved {
			t.Errorf("%s: approved for root, who could write there", code)
		}
	}
}

// inlinePython judges code in a workspace that has a module, beside directories of others.
func inlinePython(code string, uid int) Disposition {
	files := map[string]string{"/w/own.py": "def read(p):\n    return open(p).read()\n", "/srv": "", "/home": "", "/etc": "", "/w/package.json": "{}"}
	s := State{Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u", UID: uid, GID: uid,
		Text:   func(p string) (string, bool) { text, ok := files[p]; return text, ok },
		Exists: func(p string) bool { _, ok := files[p]; return ok }, Names: func(string) []string { return nil },
	}
	return decideOwn("python3 - <<'PY'\n"+code+"\nPY", s).Disposition
}
