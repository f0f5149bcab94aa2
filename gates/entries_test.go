package gates_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/gates"
)

const (
	refundPy = "import stripe\nstripe.Refund.create(charge='x')\n"
	refundJS = "const Stripe = require('stripe');\nnew Stripe('k').refunds.create({charge: 'x'});\n"
)

// shop is a workspace with packages of its own in Python and JavaScript.
var shop = map[string]string{
	"pyproject.toml": "[project]\nname = 'shop'\n", "src/shop/__init__.py": "", "src/shop/money.py": "x = 1\n", "tools/helper.py": "x = 1\n", "docker/healthcheck.py": "x = 1\n",
	"jobs/nightly/pyproject.toml": "[project]\nname = 'nightly'\n", "jobs/nightly/src/nightly/__init__.py": "", "old.py": refundPy,
	"package.json": `{"name": "shop", "main": "tools/a.js", "scripts": {"a": "node tools/a.js"}}`, "lib/util.js": "exports.f = () => 1;\n", "packages/money/package.json": `{"name": "@shop/money"}`,
	"tsconfig.json": `{"compilerOptions": {"paths": {"@app/*": ["./src/*"], "stripe": ["./node_modules/stripe"]}}}`, "Makefile": "a:\n\tpython tools/a.py\n",
}

// TestEntries: a script that the session wrote runs unasked only with packages of others that
// are known to compute or to serve on this machine.
func TestEntries(t *testing.T) {
	for _, tt := range []struct {
		name, file, text, line string
		uses                   string // empty where the run passes
	}{
		{"a client of a service", "tools/a.py", refundPy, "python tools/a.py", "stripe"},
		{"a client of a database", "tools/a.py", "import os, psycopg\nwith psycopg.connect(os.environ['D']) as c:\n    c.execute('update a set b = 0')\n", "python3 -u tools/a.py --all", "psycopg"},
		{"in a function", "tools/a.py", "def f():\n    from stripe import Refund\n    Refund.create(charge='x')\nf()\n", "uv run tools/a.py", "stripe"},
		{"in a branch of one line", "tools/a.py", "if 1:import stripe\nstripe.Refund.create(charge='x')\n", "poetry run python tools/a.py", "stripe"},
		{"started itself", "tools/a.py", "#!/usr/bin/env python3\n" + refundPy, "./tools/a.py", "stripe"},
		{"as a module", "tools/a.py", refundPy, "python -m tools.a", "stripe"},
		{"by what find names", "tools/a.py", refundPy, `find tools -name 'a.py' -exec python3 {} \;`, "stripe"},
		{"by what the line copies", "tools/a.py", refundPy, "cp tools/a.py tools/b.py && python tools/b.py", "stripe"},
		{"by a makefile", "tools/a.py", refundPy, "make a", "stripe"},
		{"with a word that is a test's", "tools/a.py", refundPy, "python tools/a.py test", "stripe"},
		{"under coverage", "tools/a.py", refundPy, "coverage run tools/a.py", "stripe"},
		{"in a temporary directory", "/tmp/a.py", refundPy, "python /tmp/a.py", "stripe"},
		{"a directory of the package's name", "tools/a.py", "import docker\ndocker.from_env().containers.prune()\n", "python tools/a.py", "docker"},
		{"an engine of the environment's", "tools/a.py", "import os\nfrom sqlalchemy import create_engine, text\ncreate_engine(os.environ['D']).connect().execute(text('delete from a'))\n", "python tools/a.py", "sqlalchemy"},
		{"an engine under another name", "tools/a.py", "from sqlalchemy import create_engine as e\ne('postgresql://db.example/x')\n", "python tools/a.py", "sqlalchemy"},
		{"two engines", "tools/a.py", "import os\nfrom sqlalchemy import create_engine\na = create_engine('sqlite:///x.db')\nb = create_engine(os.getenv('D'))\n", "python tools/a.py", "sqlalchemy"},
		{"an engine with another host", "tools/a.py", "from sqlalchemy import create_engine\na = create_engine('postgresql://localhost/x', connect_args={'host': 'db.example'})\n", "python tools/a.py", "sqlalchemy"},
		{"an engine of a name that is given twice", "tools/a.py", "import os\nfrom sqlalchemy import create_engine\nu = 'sqlite:///x.db'\nu = os.environ['D']\na = create_engine(u)\n", "python tools/a.py", "sqlalchemy"},
		{"a table in a database", "tools/a.py", "import os\nimport pandas as pd\npd.DataFrame().to_sql('a', os.environ['D'], if_exists='replace')\n", "python tools/a.py", "pandas"},
		{"requests elsewhere", "tools/a.py", "from requests import post\npost('https://api.example/refund')\n", "python tools/a.py", "requests"},
		{"a project's commands", "tools/a.py", "from django.core.management import call_command\ncall_command('flush')\n", "python tools/a.py", "django"},
		{"inline code of a script", "tools/a.sh", "#!/bin/sh\npython3 -c 'import stripe; stripe.Refund.create(charge=1)'\n", "bash tools/a.sh", "stripe"},
		{"inline code that it starts", "tools/a.py", "import subprocess\nsubprocess.run(['python3', '-c', 'import stripe; stripe.Refund.create(charge=1)'])\n", "python tools/a.py", "stripe"},
		{"what is no module of the language", "tools/a.py", "import _mysql\n_mysql.connect()\n", "python tools/a.py", "_mysql"},
		{"JavaScript", "tools/a.js", refundJS, "node tools/a.js", "stripe"},
		{"JavaScript without an ending", "tools/a.js", refundJS, "node tools/a", "stripe"},
		{"JavaScript that a directory starts", "tools/a.js", refundJS, "node .", "stripe"},
		{"JavaScript by a script of npm", "tools/a.js", refundJS, "npm run a", "stripe"},
		{"JavaScript with Bun", "tools/a.js", refundJS, "bun tools/a.js", "stripe"},
		{"JavaScript with an option behind it", "tools/a.js", refundJS, "node tools/a.js --test", "stripe"},
		{"TypeScript", "tools/a.ts", "import Stripe from 'stripe'\nnew Stripe('k')\n", "npx tsx tools/a.ts", "stripe"},
		{"TypeScript of npm", "tools/a.ts", "import Stripe from 'npm:stripe@14'\nnew Stripe('k')\n", "deno run -A tools/a.ts", "stripe"},
		{"a scope", "tools/a.mjs", "import { S3Client } from '@aws-sdk/client-s3'\nnew S3Client({})\n", "node tools/a.mjs", "@aws-sdk/client-s3"},
		{"loaded when it runs", "tools/a.mjs", "const { default: S } = await import('stripe')\nnew S('k')\n", "node tools/a.mjs", "stripe"},
		{"by way of another package", "tools/a.mjs", "import x from 'lodash/../stripe'\nx('k')\n", "node tools/a.mjs", "stripe"},
		{"by its directory", "tools/a.mjs", "import x from '../node_modules/stripe/lib/index.js'\nx('k')\n", "node tools/a.mjs", "stripe"},

		{"tables and pictures", "tools/a.py", "import numpy as np, pandas as pd\nfrom matplotlib import pyplot as plt\nprint(np.mean(pd.read_csv('d.csv')['x']))\nplt.savefig('o.png')\n", "python tools/a.py", ""},
		{"the workspace's package", "tools/a.py", "from shop.money import x\nfrom nightly import y\nimport helper\nfrom docker.healthcheck import x as z\n", "python tools/a.py", ""},
		{"a server", "tools/a.py", "from flask import Flask\napp = Flask(__name__)\napp.run(port=5001)\n", "python tools/a.py", ""},
		{"a program with options", "tools/a.py", "import argparse, click, typer\nfrom rich.console import Console\nConsole().print(1)\n", "python tools/a.py", ""},
		{"an engine of a file", "tools/a.py", "from sqlalchemy import create_engine, select\nfrom sqlalchemy.orm import Session\nURL = 'sqlite:///dev.db'\nengine = create_engine(URL, connect_args={'check_same_thread': False})\n", "python tools/a.py", ""},
		{"an engine on this machine", "tools/a.py", "from sqlalchemy import create_engine\nengine = create_engine('postgresql://u:p@localhost:5432/dev', echo=True)\n", "python tools/a.py", ""},
		{"requests here", "tools/a.py", "import requests\nprint(requests.get('http://localhost:8000/health').status_code)\n", "python tools/a.py", ""},
		{"a table in a file", "tools/a.py", "import pandas as pd, sqlite3\nprint(pd.read_sql('select 1', sqlite3.connect('dev.db')))\n", "python tools/a.py", ""},
		{"words of a document", "tools/a.py", "'''Does what\nimport stripe\ndoes.'''\nprint(1)\n", "python tools/a.py", ""},
		{"a test", "tests/test_a.py", refundPy, "pytest tests/test_a.py", ""},
		{"a test of unittest", "tests/test_a.py", refundPy, "python -m unittest tests/test_a.py", ""},
		{"an app of a server", "app.py", "import stripe\nfrom flask import Flask\napp = Flask(__name__)\n", "flask --app app run", ""},
		{"what is only read", "tools/a.py", refundPy, "ruff check tools/a.py && cat tools/a.py", ""},
		{"another script", "tools/a.py", refundPy, "python old.py", ""},
		{"a server in JavaScript", "tools/a.mjs", "import express from 'express'\nconst app = express()\napp.listen(3000)\n", "node tools/a.mjs", ""},
		{"helpers in JavaScript", "tools/a.mjs", "import _ from 'lodash'\nimport { z } from 'zod'\nimport fs from 'node:fs'\nimport { readFile } from 'fs/promises'\nimport { f } from '../lib/util.js'\nimport { m } from '@shop/money'\nconsole.log(_.sum([1]))\n", "node tools/a.mjs", ""},
		{"types alone", "tools/a.ts", "import type Stripe from 'stripe'\nimport { a } from '@app/a'\nconsole.log(1)\n", "npx tsx tools/a.ts", ""},
		{"no test", "tools/a.js", refundJS, "node --test tools/a.js", "stripe"},
		{"a test of Node's", "test/a.test.js", refundJS, "node --test test/a.test.js", ""},
		{"addresses here", "tools/a.mjs", "import axios from 'axios'\nconst r = await axios.get('http://localhost:3000/')\nconsole.log(r.status)\n", "node tools/a.mjs", ""},
	} {
		p := inProject(t, shop)
		p.put(tt.file, tt.text)
		c, d := p.decide(tt.line)
		if asks := asksRule(d, "flow/unvetted"); asks != (tt.uses != "") || !asks && d.Disposition != gates.Approved {
			t.Errorf("%s: %v %v", tt.name, d.Disposition, d.Reasons)
		}
		if got := c.Uses(p.path(tt.file)); tt.uses != "" && got != tt.uses {
			t.Errorf("%s: uses %q", tt.name, got)
		}
	}
}

// TestEntriesWithoutAHost: where nobody looks what there is, nobody can tell the workspace's
// packages from others.
func TestEntriesWithoutAHost(t *testing.T) {
	p := inProject(t, shop)
	p.st.Exists, p.st.Names, p.st.Text = nil, nil, nil
	p.put("tools/a.py", refundPy)
	if _, d := p.decide("python tools/a.py"); d.Disposition != gates.Approved {
		t.Errorf("%v %v", d.Disposition, d.Reasons)
	}
}

// TestEntriesChanged: an edit of a script that lay there makes it the session's.
func TestEntriesChanged(t *testing.T) {
	p := inProject(t, shop)
	p.call("Edit", map[string]string{"file_path": "/home/u/p/old.py", "old_string": "'x'", "new_string": "'y'"})
	p.disk["/home/u/p/old.py"] = strings.Replace(refundPy, "'x'", "'y'", 1)
	if _, d := p.decide("python old.py"); !asksRule(d, "flow/unvetted") {
		t.Errorf("%v %v", d.Disposition, d.Reasons)
	}
}

// path is a file of the project, or one elsewhere.
func (p *project) path(name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	return "/home/u/p/" + name
}

// put has the session write a file, anywhere.
func (p *project) put(name, text string) {
	p.call("Write", map[string]string{"file_path": p.path(name), "content": text})
	p.disk[p.path(name)] = text
}

// decide is the decision on a command line.
func (p *project) decide(line string) (gates.Context, gates.Decision) {
	p.t.Helper()
	raw, err := json.Marshal(map[string]string{"command": line})
	if err != nil {
		p.t.Fatal(err)
	}
	c := gates.NewContext(gates.Request{Tool: "Bash", Args: raw}, p.st)
	return c, (&gates.Checker{}).Check(&c, nil)
}

func asksRule(d gates.Decision, rule string) bool {
	for _, r := range d.Reasons {
		if r.Rule == rule {
			return true
		}
	}
	return false
}
