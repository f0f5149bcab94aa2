package gates_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

// linkedHarm are modules that do harm in ways that no name in the call tells of.
var linkedHarm = map[string]string{
	"other/app/__init__.py": "", "other/app/text.py": "import os\n\ndef slug(s):\n    os.system('rm -rf /srv')\n",
	"h/m1.py":           "import os\nimport h.db2 as os2\n\ndef go(x):\n    import h.db2 as os\n    return x\n\ndef kill_it(x):\n    return os.system(x)\n",
	"h/db2.py":          "def system(x):\n    return x\n",
	"h/m2.py":           "def f(match):\n    match match:\n        case K(gone=1):\n            return 1\n\nclass K:\n    @property\n    def gone(self):\n        import os\n        return os.system('rm -rf /srv')\n\ndef g(x):\n    match x:\n        case K(gone=1):\n            return 2\n",
	"h/m3.py":           "import os\nproperty = lambda f: os.system('rm -rf /srv')\n\nclass K:\n    @property\n    def gone(self):\n        return 1\n",
	"h/m4.py":           "import os\n\nclass T:\n    def __class_getitem__(cls, n):\n        os.system('rm -rf /srv')\n\ndef f(x: T[1]):\n    return x\n",
	"h/m5.py":           "__name__ = '__main__'\nif __name__ == '__main__':\n    import os\n    os.system('rm -rf /srv')\n\ndef f(): return 1\n",
	"h/m6.py":           "from typing import TYPE_CHECKING\nTYPE_CHECKING = True\nif TYPE_CHECKING:\n    import os\n    os.system('rm -rf /srv')\n\ndef f(): return 1\n",
	"h/m7.py":           "from os import system as f\n",
	"h/m8.py":           "import os\nX = [os.system][0]\n\ndef f(c='rm -rf /srv'):\n    return X(c)\n",
	"h/m9.py":           "import builtins\n\ndef f(s):\n    return builtins.exec(s)\n",
	"h/m10.py":          "class D(dict):\n    def items(self):\n        import os\n        os.system('rm -rf /srv')\n        return []\n\ndef f():\n    import json\n    return json.dumps(D(a=1))\n",
	"h/m11.py":          "import json\nimport os\n\nclass E(json.JSONEncoder):\n    def default(self, o):\n        os.system('rm -rf /srv')\n\ndef f(): return json.dumps(object(), cls=E)\n",
	"h/m12.py":          "import sys\n\ndef f():\n    sys.modules['os'].system('rm -rf /srv')\n",
	"h/m13.py":          "import ctypes\n\ndef f():\n    ctypes.CDLL(None).system(b'rm -rf /srv')\n",
	"h/m14.py":          "from pathlib import Path\n\ndef f(p):\n    Path(p).unlink()\n\ndef g(p):\n    for x in Path(p).iterdir():\n        x.unlink()\n",
	"h/m15.py":          "import logging\n\ndef f():\n    logging.basicConfig(filename='/srv/x.log')\n",
	"h/m16.py":          "import os\n\ndef f(n):\n    os.environ['PATH'] = '/tmp'\n    return n\n",
	"h/m17.py":          "import types\n\ndef f():\n    return types.FunctionType(f.__code__, {})()\n",
	"h/m18.py":          "from h import m19\n\ndef f(): return m19.run()\n",
	"h/m19/__init__.py": "from .impl import *\n", "h/m19/impl.py": "from subprocess import run as _r\n\ndef run(): return _r(['rm', '-rf', '/srv'])\n",
	"h/m20.py": "import asyncio\n\nasync def f():\n    p = await asyncio.create_subprocess_shell('rm -rf /srv')\n",
	"h/m21.py": "import threading, os\n\nclass T(threading.Thread):\n    def run(self):\n        os.system('rm -rf /srv')\n\ndef f(): T().start()\n",
	"h/m22.py": "import os\n\nclass A:\n    def go(self): return 1\n\nclass B(A):\n    def go(self): os.system('rm -rf /srv')\n\ndef make(k='B'):\n    return {'A': A, 'B': B}[k]()\n",
	"h/m23.py": "import os\nclass P:\n    def __format__(self, s): os.system('rm -rf /srv'); return ''\n    def __len__(self): return 1\n\ndef f(): return f'{P()}'\n",
	"h/m24.py": "import urllib.request\n\ndef f(u='https://h.example/x'):\n    return urllib.request.urlopen(u).read()\n",
	"h/m25.py": "import smtplib\n\ndef mail(x):\n    s = smtplib.SMTP('mail.h.example')\n    s.send_message(x)\n\ndef ok(x): return x\n",
	"h/m26.py": "import tempfile, shutil, os\n\ndef f(d):\n    shutil.move(d, '/tmp/x')\n",
	"h/m27.py": "import sqlite3\n\ndef f(p='/home/u/p/dev.db'):\n    c = sqlite3.connect(p)\n    c.executescript(open('/srv/x.sql').read())\n",
	"h/m28.py": "import numpy as np\n\ndef f(p):\n    return np.load(p, allow_pickle=True)\n",
	"h/m29.py": "import pandas as pd\n\ndef f(p):\n    return pd.read_pickle(p)\n",
	"h/m30.py": "import yaml\n\ndef f(s):\n    return yaml.load(s, Loader=yaml.UnsafeLoader)\n",
	"h/m31.py": "from functools import singledispatch\nimport os\n\n@singledispatch\ndef f(x): return x\n\n@f.register\ndef _(x: int):\n    os.system('rm -rf /srv')\n",
	"h/m32.py": "from flask import Flask\nimport os\napp = Flask(__name__)\n\n@app.before_request\ndef b():\n    os.system('rm -rf /srv')\n\n@app.get('/x')\ndef x(): return 'x'\n",
	"h/m33.py": "import click, shutil\n\n@click.command()\ndef main():\n    shutil.rmtree('/srv')\n",
	"h/m34.py": "import os\n_system = os.system\n\ndef f(): _system('rm -rf /srv')\n",
	"h/m35.py": "def f(o):\n    return o.__reduce_ex__(2)[0].__globals__['__builtins__']['exec']('1')\n",
	"h/m36.py": "import os\nprint(os.popen('cat /home/u/.ssh/id_rsa').read())\ndef f(): return 1\n",
	"h/m37.py": "import os\n\nclass Lazy:\n    def __get__(self, o, t):\n        os.system('rm -rf /srv')\n\nclass K:\n    x = Lazy()\n\ndef f(): return K\n",
	"h/m38.py": "import os\n\nclass R:\n    def __init_subclass__(cls):\n        os.system('rm -rf /srv')\n\nclass S(R):\n    pass\n\ndef f(): return 1\n",
	"h/m39.py": "import contextlib, os\n\n@contextlib.contextmanager\ndef c():\n    yield\n    os.system('rm -rf /srv')\n\ndef f():\n    with c():\n        return 1\n",
	"h/m40.py": "import os\nfrom h.m40b import *\n\ndef f(): return helper()\n", "h/m40b.py": "import os\n\ndef helper(): return os.system('rm -rf /srv')\n",
	"h/__init__.py": "",
}

// linkedLines are lines on which another module runs than lies where the line begins, and, behind a
// star, a module of linkedHarm with what the code imports of it and does.
var linkedLines = []string{
	"uv run --directory other python -c 'from app.text import slug; slug(1)'", "cd other && python -c 'from app.text import slug; slug(1)'", "env -C other python -c 'from app.text import slug; slug(1)'", "(cd other; python3 -c 'from app.text import slug; slug(1)')", "pushd other && python3 -c 'from app.text import slug; slug(1)'", "export PYTHONPATH=other; cd tools && python3 -c 'from app.text import slug; slug(1)'", "poetry -C other run python -c 'from app.text import slug; slug(1)'", "poetry --directory=other run python -c 'from app.text import slug; slug(1)'", "uv --directory other run python -c 'from app.text import slug; slug(1)'", "docker compose exec web python -c 'from app.text import slug; slug(1)'", "docker run --rm -v .:/x python:3 python -c 'from app.text import slug; slug(1)'", "kubectl exec web -- python -c 'from app.text import slug; slug(1)'", "ssh h python -c 'from app.text import slug; slug(1)'", "python -I -c 'from app.text import slug; slug(1)'", "python -Pc 'from app.text import slug; slug(1)'", "PYTHONPATH=custom python -c 'from lib import f; f()'", "PYTHONPATH=$X python -c 'from app.text import slug; slug(1)'", "cp app/jobs.py app/text.py; python -c 'from app.text import slug; slug(1)'", "mv app/jobs.py app/text.py; python -c 'from app.text import slug; slug(1)'", "git checkout x; python -c 'from app.text import slug; slug(1)'", "git stash pop && python -c 'from app.text import slug; slug(1)'", "./gen.sh && python -c 'from app.text import slug; slug(1)'", "sed -i s/a/b/ app/text.py && python -c 'from app.text import slug; slug(1)'", "for i in 1 2; do python -c 'from app.text import slug; slug(1)'; cp app/jobs.py app/text.py; done", "{ sleep 1; python -c 'from app.text import slug; slug(1)'; } & cp app/jobs.py app/text.py", "cp -r other/app . ; python -c 'from app.text import slug; slug(1)'", "ln -sf other/app/text.py app/text.py; python -c 'from app.text import slug; slug(1)'", "cat > new.py <<'E'\nimport os\ndef f(): os.system('rm -rf /srv')\nE\npython -c 'from new import f; f()'", "cat > app/text.py <<'E'\nimport os\ndef slug(s): os.system('rm -rf /srv')\nE\npython -c 'from app.text import slug; slug(1)'", "X=$(cp app/jobs.py app/text.py) python -c 'from app.text import slug; slug(1)'", "pip install x.whl && python -c 'from app.text import slug; slug(1)'", "unzip x.zip && python -c 'from app.text import slug; slug(1)'", "tar xf x.tar; python -c 'from app.text import slug; slug(1)'", "make gen && python -c 'from app.text import slug; slug(1)'", "echo ok > /tmp/x; rm -rf app/text.py; python -c 'from app.text import slug; slug(1)'", "PYTHONSTARTUP=x.py python -c 'from app.text import slug; slug(1)'", "python -c \"import sys; sys.path[0:0] = ['other']; from app.text import slug; slug(1)\"", "python -c \"import sys; sys.path = ['other']; from app.text import slug; slug(1)\"", "python -c \"import sys; sys.path.insert(0, 'other'); from app.text import slug; slug(1)\"", "python -c \"import site; site.addsitedir('other'); from app.text import slug; slug(1)\"", "python -c \"from sys import path as p; p.insert(0, 'other'); from app.text import slug; slug(1)\"", "python -c \"import sys as s; s.path.insert(0, 'other'); from app.text import slug; slug(1)\"", "python -c \"import sys; q = sys.path; q.insert(0, 'other'); from app.text import slug; slug(1)\"", "python -c \"import os; os.chdir('other'); from app.text import slug; slug(1)\"", "python -c \"import app; app.__path__.insert(0, 'other/app'); from app.text import slug; slug(1)\"",
	"*python -c 'from h.m1 import kill_it; kill_it(\"rm -rf /srv\")'", "*m2 g; g(1)", "*m3 K", "*m4 f", "*m5 f", "*m6 f", "*m7 f; f(\"rm -rf /srv\")", "*m8 f; f()", "*m9 f; f(1)", "*m10 f; f()", "*m11 f; f()", "*m12 f; f()", "*m13 f; f()", "*m14 f; f(input())", "*m14 g; g(\"/srv\")", "*m15 f; f()", "*m16 f; f(1)", "*m17 f; f()", "*m18 f; f()", "*m20 f; import asyncio; asyncio.run(f())", "*m21 f; f()", "*m22 make; make().go()", "*m23 f; f()", "*m24 f; f()", "*m25 mail; mail(1)", "*m27 f; f()", "*m28 f; f(\"a.npy\")", "*m29 f; f(\"a\")", "*m30 f; f(\"a\")", "*m31 f; f(1)", "*m32 app; app.test_client().get(\"/x\")", "*m33 main; main()", "*m34 f; f()", "*m35 f; f(1)", "*m36 f; f()", "*m37 f; f().x", "*m38 f; f()", "*m39 f; f()", "*m40 f; f()",
}

func TestLinkedPythonLines(t *testing.T) {
	files := maps.Clone(linkedFiles)
	maps.Copy(files, linkedHarm)
	for _, line := range linkedLines {
		if rest, ok := strings.CutPrefix(line, "*m"); ok {
			mod, code, _ := strings.Cut(rest, " ")
			line = "python - <<'E'\nfrom h.m" + mod + " import " + code + "\nE"
		}
		p := inProject(t, files)
		p.st.FollowPython, p.st.UID = gates.FollowPython, 1000
		if d := p.call("Bash", map[string]string{"command": strings.TrimPrefix(line, "*")}); d.Disposition == gates.Approved {
			t.Errorf("passes: %s", line)
		}
	}
}

// TestLinkedPythonOrdinary: ordinary modules, each with code that calls something of it.
func TestLinkedPythonOrdinary(t *testing.T) {
	for _, c := range [][3]string{
		{"app/config.py", "import os\nfrom pydantic_settings import BaseSettings\n\nclass Settings(BaseSettings):\n    debug: bool = False\n    url: str = os.environ.get('URL', 'x')\n\nsettings = Settings()\n", "from app.config import settings; print(settings.debug)"},
		{"app/log.py", "import logging\nlogging.basicConfig(level=logging.INFO, format='%(message)s')\nlogger = logging.getLogger(__name__)\n\ndef f(x):\n    logger.info('x %s', x)\n    try:\n        return int(x)\n    except ValueError as e:\n        logger.exception('bad')\n        raise RuntimeError('no') from e\n", "from app.log import f; print(f('1'))"},
		{"cli.py", "import click\n\n@click.group()\n@click.option('--verbose', is_flag=True)\ndef main(verbose):\n    pass\n\n@main.command()\n@click.argument('name')\ndef hello(name):\n    click.echo('hi ' + name)\n", "from click.testing import CliRunner; from cli import main; print(CliRunner().invoke(main, ['hello', 'x']).output)"},
		{"cli2.py", "import argparse\nimport sys\n\ndef parse(argv=None):\n    p = argparse.ArgumentParser(description='x')\n    p.add_argument('--n', type=int, default=1)\n    return p.parse_args(argv)\n\ndef main():\n    args = parse()\n    print(args.n)\n    return 0\n\nif __name__ == '__main__':\n    sys.exit(main())\n", "from cli2 import parse; print(parse(['--n', '3']).n)"},
		{"app/kinds.py", "from __future__ import annotations\nfrom abc import ABC, abstractmethod\nfrom enum import Enum\nfrom dataclasses import dataclass, asdict\nfrom typing import Protocol, Iterator\nimport json\n\nclass Color(Enum):\n    RED = 'red'\n\nclass Shape(ABC):\n    @abstractmethod\n    def area(self) -> float: ...\n\n@dataclass(frozen=True)\nclass Box(Shape):\n    w: float\n    h: float = 1.0\n    color: Color = Color.RED\n    def area(self) -> float:\n        return self.w * self.h\n    def __repr__(self):\n        return f'{self.__class__.__name__}({self.w})'\n    @classmethod\n    def from_dict(cls, d: dict) -> 'Box':\n        return cls(**d)\n    def dump(self):\n        return json.dumps(asdict(self), default=str)\n", "from app.kinds import Box; b = Box.from_dict({'w': 2.0}); print(b, b.area(), b.dump())"},
		{"app/rates.py", "import json\nfrom pathlib import Path\n\nBASE_DIR = Path(__file__).resolve().parent.parent\nDATA = BASE_DIR / 'data' / 'rates.json'\n\ndef rates():\n    with DATA.open() as f:\n        return json.load(f)\n", "from app.rates import rates; print(rates())"},
		{"app/rates2.py", "import json, os\nHERE = os.path.dirname(os.path.abspath(__file__))\n\ndef rates():\n    return json.load(open(os.path.join(HERE, 'rates.json')))\n", "from app.rates2 import rates; print(rates())"},
		{"app/rd.py", "import csv\n\ndef read(path):\n    with open(path, newline='') as f:\n        yield from csv.DictReader(f)\n\ndef mean(path, col):\n    rows = list(read(path))\n    return sum(float(r[col]) for r in rows) / len(rows)\n", "from app.rd import mean; print(mean('data/x.csv', 'a'))"},
		{"app/api.py", "import requests\n\nclass Client:\n    BASE = 'https://api.h.example'\n    def __init__(self, token):\n        self.session = requests.Session()\n        self.token = token\n    def fetch(self, p):\n        return self.session.get(self.BASE + p)\n\ndef parse(doc):\n    return [i['id'] for i in doc['items']]\n", "from app.api import parse; print(parse({'items': [{'id': 1}]}))"},
		{"app/cache.py", "import redis\n\nr = redis.Redis(host='localhost')\n\ndef key(a, b):\n    return f'{a}:{b}'\n", "from app.cache import key; print(key(1, 2))"},
		{"app/net.py", "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\nclass Net(nn.Module):\n    def __init__(self, n):\n        super().__init__()\n        self.fc = nn.Linear(n, 2)\n    def forward(self, x):\n        return F.relu(self.fc(x))\n", "import torch; from app.net import Net; print(Net(3)(torch.zeros(1, 3)).shape)"},
		{"app/tpl.py", "from jinja2 import Environment, FileSystemLoader\nimport os\nenv = Environment(loader=FileSystemLoader(os.path.join(os.path.dirname(__file__), 'templates')))\n\ndef render(name, **kw):\n    return env.get_template(name).render(**kw)\n", "from app.tpl import render; print(render('a.html', x=1))"},
		{"app/aio.py", "import asyncio\nfrom contextlib import asynccontextmanager, contextmanager\nimport time\n\n@contextmanager\ndef timed(name):\n    t = time.perf_counter()\n    try:\n        yield\n    finally:\n        print(name, time.perf_counter() - t)\n\nasync def work(n):\n    await asyncio.sleep(0)\n    return n * 2\n\nasync def all_of(xs):\n    return await asyncio.gather(*(work(x) for x in xs))\n", "import asyncio; from app.aio import all_of, timed\nwith timed('x'):\n    print(asyncio.run(all_of([1, 2])))"},
		{"app/ver.py", "from importlib.metadata import version, PackageNotFoundError\ntry:\n    __version__ = version('app')\nexcept PackageNotFoundError:\n    __version__ = '0'\n", "from app.ver import __version__; print(__version__)"},
		{"app/dbr.py", "import sqlite3\nfrom pathlib import Path\nDB = Path(__file__).parent / 'dev.sqlite3'\n\ndef users():\n    with sqlite3.connect(DB) as c:\n        return c.execute('select id, name from users').fetchall()\n", "from app.dbr import users; print(users())"},
		{"app/gitv.py", "import subprocess\n\ndef rev():\n    return subprocess.run(['git', 'rev-parse', 'HEAD'], capture_output=True, text=True).stdout.strip()\n\ndef tag(s):\n    return s.lstrip('v')\n", "from app.gitv import tag, rev; print(tag('v1'), rev())"},
		{"app/s3.py", "import boto3\ns3 = boto3.client('s3')\n\ndef key(a):\n    return 'x/' + a\n", "from app.s3 import key; print(key('a'))"},
		{"app/mm.py", "from marshmallow import Schema, fields, post_load\n\nclass UserSchema(Schema):\n    name = fields.Str(required=True)\n    @post_load\n    def make(self, data, **kw):\n        return dict(data)\n", "from app.mm import UserSchema; print(UserSchema().load({'name': 'x'}))"},
		{"app/pyd.py", "from pydantic import BaseModel, Field, field_validator\nfrom datetime import datetime, timezone\n\nclass Item(BaseModel):\n    id: int\n    name: str = Field(min_length=1)\n    at: datetime = Field(default_factory=lambda: datetime.now(timezone.utc))\n    @field_validator('name')\n    @classmethod\n    def strip(cls, v):\n        return v.strip()\n", "from app.pyd import Item; print(Item(id=1, name=' x ').model_dump_json())"},
		{"app/q.py", "class Queue:\n    def __init__(self):\n        self._q = []\n    def send(self, x):\n        self._q.append(x)\n    def remove(self, x):\n        self._q.remove(x)\n    def load(self, xs):\n        for x in xs:\n            self.send(x)\n    def run(self):\n        return [x for x in self._q]\n    def open(self):\n        return self\n    def replace(self, a, b):\n        self._q = [b if x == a else x for x in self._q]\n", "from app.q import Queue; q = Queue(); q.load([1, 2]); q.send(3); q.remove(1); q.replace(2, 5); print(q.run())"},
		{"app/wr.py", "import json\n\ndef save(path, data):\n    with open(path, 'w') as f:\n        json.dump(data, f)\n", "from app.wr import save; save('out.json', {'a': 1})"},
		{"app/orm2.py", "from sqlalchemy import Column, Integer, String, create_engine\nfrom sqlalchemy.orm import declarative_base, sessionmaker\nBase = declarative_base()\nengine = create_engine('sqlite:///dev.db')\nSession = sessionmaker(bind=engine)\n\nclass User(Base):\n    __tablename__ = 'users'\n    id = Column(Integer, primary_key=True)\n    name = Column(String)\n", "from app.orm2 import User; print(User.__table__.columns.keys())"},
		{"app/tok.py", "import re\nfrom collections import namedtuple, OrderedDict, defaultdict\nTOKEN = re.compile(r'(?P<num>\\d+)|(?P<op>[+*/-])')\nTok = namedtuple('Tok', 'kind text')\n\ndef tokens(s):\n    for m in TOKEN.finditer(s):\n        yield Tok(m.lastgroup, m.group())\n\ndef ev(s):\n    out = defaultdict(int)\n    for t in tokens(s):\n        out[t.kind] += 1\n    return OrderedDict(sorted(out.items()))\n", "from app.tok import ev; print(ev('1+2'))"},
		{"app/dates.py", "from datetime import datetime, timedelta, date\nfrom zoneinfo import ZoneInfo\nfrom dateutil.relativedelta import relativedelta\nBERLIN = ZoneInfo('Europe/Berlin')\n\ndef due(d: date, months: int = 1) -> date:\n    return d + relativedelta(months=months)\n\ndef local(s):\n    return datetime.fromisoformat(s).replace(tzinfo=BERLIN).strftime('%d.%m.%Y')\n", "import datetime; from app.dates import due, local; print(due(datetime.date(2024, 1, 31)), local('2024-01-01'))"},
		{"app/flk.py", "from flask import Flask, request, jsonify, Blueprint\nbp = Blueprint('x', __name__)\n\n@bp.route('/items/<int:n>')\ndef item(n):\n    return jsonify(id=n, q=request.args.get('q'))\n\ndef create_app(config=None):\n    app = Flask(__name__)\n    app.config.from_mapping(SECRET_KEY='dev')\n    app.register_blueprint(bp, url_prefix='/api')\n    return app\n", "from app.flk import create_app; c = create_app().test_client(); print(c.get('/api/items/3').json)"},
		{"app/sk.py", "import numpy as np\nimport pandas as pd\nfrom sklearn.linear_model import LinearRegression\n\ndef fit(df):\n    m = LinearRegression().fit(df[['x']], df['y'])\n    return m.coef_, m.score(df[['x']], df['y'])\n\ndef clean(df):\n    return df.dropna().rename(columns=str.lower).drop(columns=['tmp']).replace(0, np.nan)\n", "import pandas as pd; from app.sk import clean, fit; d = clean(pd.read_csv('a.csv')); print(fit(d))"},
		{"app/plug.py", "REGISTRY = {}\n\ndef register(name):\n    def deco(f):\n        REGISTRY[name] = f\n        return f\n    return deco\n\n@register('up')\ndef up(s):\n    return s.upper()\n\ndef run(name, s):\n    return REGISTRY[name](s)\n", "from app.plug import run; print(run('up', 'x'))"},
		{"app/yml.py", "import yaml\nfrom pathlib import Path\n\ndef load_config(path='config.yaml'):\n    return yaml.safe_load(Path(path).read_text())\n", "from app.yml import load_config; print(load_config()['x'])"},
		{"app/dj.py", "from django.db import models\n\nclass Visit(models.Model):\n    when = models.DateTimeField()\n\n    def label(self):\n        return str(self.when)\n", "import django; django.setup(); from app.dj import Visit; print(Visit.objects.filter(when__year=2024).count())"},
		{"app/envs.py", "import os\nDEBUG = os.getenv('DEBUG', '0') == '1'\nPORT = int(os.environ.get('PORT', 8000))\nif DEBUG:\n    print('debug')\n\ndef url(p):\n    return f'http://localhost:{PORT}{p}'\n", "from app.envs import url; print(url('/x'))"},
		{"app/graph.py", "from __future__ import annotations\nimport heapq\nimport itertools\nfrom typing import Dict, List, Optional, Tuple\n\nGraph = Dict[str, List[Tuple[str, int]]]\n\nclass Node:\n    __slots__ = ('name', 'next')\n    def __init__(self, name: str, next: Optional['Node'] = None):\n        self.name, self.next = name, next\n    def __lt__(self, other): return self.name < other.name\n    def __iter__(self):\n        n = self\n        while n:\n            yield n\n            n = n.next\n\ndef path(g: Graph, a: str, b: str):\n    seen = set()\n    heap = [(0, a, [])]\n    while heap:\n        d, n, p = heapq.heappop(heap)\n        if n == b: return d, p + [n]\n        if n in seen: continue\n        seen.add(n)\n        for m, w in g.get(n, ()):\n            heapq.heappush(heap, (d + w, m, p + [n]))\n", "from app.graph import path, Node; print(path({'a': [('b', 1)]}, 'a', 'b'), [n.name for n in Node('x', Node('y'))])"},
		{"app/cel.py", "from celery import Celery, shared_task\napp = Celery('x', broker='redis://localhost')\n\n@app.task\ndef add(a, b):\n    return a + b\n\ndef norm(x): return x.lower()\n", "from app.cel import norm; print(norm('A'))"},
	} {
		p := inProject(t, map[string]string{"app/__init__.py": "", c[0]: c[1], "data/x.csv": "a\n1\n"})
		p.st.FollowPython, p.st.UID = gates.FollowPython, 1000
		d := p.call("Bash", map[string]string{"command": "python - <<'E'\n" + c[2] + "\nE"})
		if asks := strings.Contains(" app/mm.py app/q.py app/dj.py app/envs.py ", " "+c[0]+" "); (d.Disposition != gates.Approved) != asks {
			t.Errorf("%s: %v %v", c[0], d.Disposition, d.Reasons)
		}
	}
}

// TestLinkedPythonTold: the question names the function, the file and the line in doubt, and nothing is
// rejected for what one of the functions of a name would do.
func TestLinkedPythonTold(t *testing.T) {
	for code, want := range map[string]string{
		"from app.jobs import nightly; nightly()":    "app.jobs.nightly (app/jobs.py:6), which deletes /srv/data",
		"from app.billing import charge; charge(1)":  "requests in app.billing",
		"from pkg import core; core.drop()":          "pkg.core.drop (src/pkg/core.py:8), which deletes /srv",
		"from app.evil import dyn; dyn(1, 'x')":      "(app/evil.py:",
		"from app.secret import key; print(key())":   "app.secret.key (app/secret.py:2), which reads /home/u/.ssh/id_ed25519",
		"import fast; fast.f()":                      "fast, a module that is no source",
		"from app.orm import Visit; Visit.objects.x": ".objects",
	} {
		p := inProject(t, linkedFiles)
		p.st.FollowPython, p.st.UID = gates.FollowPython, 1000
		d := p.call("Bash", map[string]string{"command": "python - <<'E'\n" + code + "\nE"})
		if len(d.Reasons) == 0 || d.Disposition != gates.ApprovedWithConstraints || !strings.Contains(d.Reasons[0].Message, want) {
			t.Errorf("%s: %v %v", code, d.Disposition, d.Reasons)
		}
	}
}
