package gates

import (
	"slices"
	"strings"
	"testing"

	"github.com/gbt-policy/gbt/internal/gates/source"
)

// ownModules are the files of a workspace whose functions inline code calls.
var ownModules = map[string]string{
	"src/price.ts":  "export const VAT = 0.19;\nexport function gross(net: number): number { return net * (1 + VAT); }\nexport function parse(s: string): number {\n  return Number(s.replace(/[^0-9.]/g, \"\"));\n}\nexport class Cart {\n  items: number[] = [];\n  add(n: number) { this.items.push(n); return this; }\n  total() { return this.items.reduce((a, b) => a + b, 0); }\n}\nexport default gross;\n",
	"src/slug.ts":   "import { lower as low } from \"./text.js\";\nimport { z } from \"zod\";\nimport type { Stats } from \"node:fs\";\nconst Kind = z.enum([\"a\", \"b\"]);\nexport type Options = { sep?: string; deep: Record<string, number> };\nexport const slugify = (s: string, o?: Options): string => low(s).split(\" \").join(o?.sep ?? \"-\");\nexport { low as lowered };\nexport * from \"./price\";\n",
	"src/text.ts":   "export function lower<T extends string>(s: T) { return s.toLowerCase(); }\n",
	"src/util.js":   "function chunk(a, n) { const r = []; for (let i = 0; i < a.length; i += n) r.push(a.slice(i, i + n)); return r; }\nmodule.exports = { chunk };\n",
	"src/mixed.ts":  "import { execSync } from \"node:child_process\";\nimport fs from \"fs\";\nimport { db } from \"./db\";\nconst run = execSync;\nexport function add(a: number, b: number) { return a + b; }\nexport function deploy(env: string) { run(`./deploy ${env}`); }\nexport const wipe = (p: string) => fs.rmSync(p);\nexport const load = async (u: string) => (await fetch(u)).json();\nexport const make = (s: string) => new Function(s);\nexport const key = () => process.env.API_KEY;\nexport const users = () => db.user.deleteMany();\nexport const pick = (o: any, k: string, v: any) => o[k](v);\nexport default { add, wipe };\n",
	"src/db.ts":     "import { PrismaClient } from \"@prisma/client\";\nexport const db = new PrismaClient();\n",
	"src/evil.ts":   "export const f = (() => 1).constructor(\"return process\");\n",
	"src/@/x.ts":    "",
	"lib/index.js":  "const cp = require(\"child_process\");\nexports.parse = s => JSON.parse(s);\nexports.run = c => cp.execSync(c);\n",
	"data/a.json":   "{}",
	"nested/go.mod": "module h.example/nested\n\nreplace h.example/app => /tmp/x\n",

	"lib/mine.rb":         "# frozen_string_literal: true\n\nrequire_relative \"mine/version\"\nmodule Mine\n  Point = Struct.new(:x, :y)\n  def self.slug(s) = s.downcase.gsub(/\\s+/, \"-\")\n  class Parser\n    attr_reader :text, :depth\n    def initialize(text) = @text = text\n    def parse\n      @text.split(\",\")\n    end\n  end\n  def self.wipe!(d)\n    system(\"rm -rf #{d}\")\n  end\nend\n",
	"lib/mine/version.rb": "module Mine\n  VERSION = \"1.0.0\"\nend\n",
	"go.mod":              "module h.example/app\n\ngo 1.23\n",
	"calc/calc.go":        "package calc\n\nimport (\n\t\"strings\"\n\n\t\"h.example/app/text\"\n)\n\nfunc Add(a, b int) int { return a + b }\nfunc Slug(s string) string { return text.Low(strings.TrimSpace(s)) }\n",
	"calc/calc_test.go":   "package calc\n\nimport \"os/exec\"\n",
	"text/text.go":        "package text\n\nimport \"strings\"\n\nfunc Low(s string) string { return strings.ToLower(s) }\n",
	"ops/ops.go":          "package ops\n\nimport \"os/exec\"\n\nfunc Wipe(d string) error { return exec.Command(\"rm\", \"-rf\", d).Run() }\n",
	"mixed/a.go":          "package mixed\n\nfunc A() {}\n",
	"mixed/b.go":          "package mixed\n\nimport \"h.example/app/ops\"\n\nfunc init() { ops.Wipe(\"x\") }\n",
	"src/rates.mts":       "import rates from \"../data/a.json\";\nexport const rate = (c: string) => (rates as Record<string, number>)[c];\n",
}

// ownState is a session in that workspace; changed are files that the session wrote.
func ownState(changed map[string]string) State {
	read := func(p string) (string, bool) {
		p = strings.TrimPrefix(p, "/w/")
		if text, ok := changed[p]; ok {
			return text, ok
		}
		text, ok := ownModules[p]
		return text, ok
	}
	s := State{
		Cwd: "/w", Roots: []string{"/w"}, Home: "/home/u", UID: 1000, GID: 1000, Text: read, Compiled: source.Reader{},
		Exists: func(p string) bool {
			_, ok := read(p)
			for name := range ownModules {
				ok = ok || strings.HasPrefix("/w/"+name, p+"/")
			}
			return ok
		},
		Names: func(dir string) (names []string) {
			for name := range ownModules {
				if rest, ok := strings.CutPrefix("/w/"+name, dir+"/"); ok && !strings.Contains(rest, "/") {
					names = append(names, rest)
				}
			}
			return names
		},
	}
	for file, text := range changed {
		s.Flow.Made = append(s.Flow.Made, Made{Path: "/w/" + file, Text: text, Known: true})
	}
	return s
}

// ownCalls are principles by which inline code passes that calls functions of the workspace, and
// the code that comes nearest to it.
var ownCalls = []struct {
	principle    string
	changed      map[string]string
	passes, asks []string
}{
	{
		"functions of TypeScript whose source only computes", nil,
		[]string{
			`npx tsx -e "import {gross} from './src/price'; console.log(gross(2))"`, `tsx --eval "import { slugify } from './src/slug.ts'; console.log(slugify('Hello World', {sep: '_', deep: {}}))"`, `npx tsx -e "import { Cart } from './src/price'; const c = new Cart(); c.add(3).add(4); console.log(c.total())"`,
			"npx tsx <<'E'\nimport { gross, parse } from './src/price';\nfor (const s of ['1.00', 'abc']) console.log(s, gross(parse(s)));\nE", "npx tsx - <<'E'\nimport gross from './src/price.ts'\nconst t0 = performance.now()\nfor (let i = 0; i < 1e6; i++) gross(i)\nconsole.log((performance.now() - t0).toFixed(1) + 'ms')\nE",
			`npx ts-node -T -e "const { gross } = require('./src/price'); console.log(gross(1))"`, `npx ts-node -O '{"module":"commonjs"}' -e "import { gross } from './src/price'; console.log(gross(1))"`, `pnpm exec tsx -e "import * as p from './src/price'; console.log(p.gross(5), p.VAT)"`, `npx tsx -e "import gross, { VAT, Cart as C } from './src/price'; console.log(gross(VAT), new C().total())"`,
			"npx tsx -e 'import { gross } from \"./src/price\"; const f = (n: number): string => `EUR ${gross(n).toFixed(2)}`; console.log([1,2,3].map(f).join(\", \"))'", `npx tsx -e 'interface P { n: number } type Q = P | null; const p: P = { n: 3 }; const m = new Map<string, number>(); console.log(p as unknown, p!.n, m.size)'`,
			`npx tsx -e "(async () => { const { gross } = await import('./src/price.ts'); console.log(gross(5)); })()"`, `npx tsx -e "import { add } from './src/mixed'; console.log(add(1, 2))"`, `npx tsx -e "import * as m from './src/mixed'; console.log(m.add(1, 2))"`, `npx tsx -e "import { parse } from './lib'; console.log(parse('1'))"`,
			`npx tsx -e "import { chunk } from './src/util'; import { z } from 'zod'; import assert from 'node:assert'; assert.deepStrictEqual(chunk([1], 1), [[1]]); console.log(z.number().parse(3))"`, `npx tsx -e "import { rate } from './src/rates.mts'; console.log(rate('EUR'))"`, `npx tsx -e "import { lowered } from './src/slug'; console.log(lowered('A'))"`,
		},
		[]string{
			`npx tsx -e "import {deploy} from './src/mixed'; deploy('prod')"`, `npx tsx -e "import {wipe} from './src/mixed'; wipe('src')"`, `npx tsx -e "import * as d from './src/mixed'; d.wipe('src')"`, `npx tsx -e "import * as d from './src/mixed'; const f = d; f.wipe('src')"`, `npx tsx -e "const d = await import('./src/mixed'); d.wipe('src')"`,
			`npx tsx -e "import {users} from './src/mixed'; await users()"`, `npx tsx -e "import {load} from './src/mixed'; load('http://h.example/')"`, `npx tsx -e "import {make} from './src/mixed'; make('process.exit()')()"`, `npx tsx -e "import {key} from './src/mixed'; console.log(key())"`, `npx tsx -e "import {pick} from './src/mixed'; pick(() => 1, 'constructor', '1')()"`,
			`npx tsx -e "import m from './src/mixed'; m.wipe('src')"`, `npx tsx -e "import {f} from './src/evil'; f()"`, `npx tsx -e "import {run} from './lib/index'; run('id')"`, `npx tsx -e "require('./lib').run('id')"`, `npx tsx -e "import {db} from './src/db'; await db.user.deleteMany()"`, `npx tsx -e "import x from 'what-pkg'; x()"`,
			`npx tsx -e "import {gross} from './src/price'; import {execSync} from 'child_process'; execSync('id')"`, `npx tsx -e "import {gross} from '../other/src/price'; gross(1)"`, `npx tsx -e "import {no} from './src/price'; no()"`, `npx tsx -e "import {no} from './src/no'; no()"`, `npx tsx -e "import {gross} from './src/price'; fetch('https://h.example/?' + gross(1))"`,
			`npx tsx -e "import {gross} from './src/price'; console.log(process.env.SECRET_KEY)"`, `npx tsx -e "import {gross} from './src/price'; (0, eval)('1')"`, `npx tsx -e "const f: any = (() => 1)['con' + 'structor']; f('return process')()"`, `npx tsx -e "const f = (x: typeof process) => x; f(process).kill(1)"`, `npx tsx -e "import {gross} from './src/price'; gross.constructor('return process')()"`,
			`npx tsx -r ./src/mixed.ts -e "console.log(1)"`, `npx tsx --import ./x.mjs -e "console.log(1)"`, `npx tsx -e "require('fs').rmSync('src', {recursive: true})"`, `npx tsx -e "import fs from 'fs'; fs.rmSync('src')"`, `npx ts-node -C ./x -e "console.log(1)"`, `npx ts-node -O '{"plugins":[{"transform":"./x"}]}' -e "console.log(1)"`,
			`echo "export const gross = () => require('child_process').execSync('id')" > src/price.ts; npx tsx -e "import {gross} from './src/price'; gross()"`, `mv src/mixed.ts src/price.ts; npx tsx -e "import {gross} from './src/price'; gross('src')"`, `cp src/mixed.ts src/text.ts; npx tsx -e "import {slugify} from './src/slug'; slugify('src')"`, `git apply x.patch; cd src && npx tsx -e "import {wipe} from './mixed'; wipe('src')"`,
			`NODE_OPTIONS='--require ./x.js' npx tsx -e "console.log(1)"`, `for i in 1 2; do npx tsx -e "import {gross} from './src/price'; gross('src')"; cp src/mixed.ts src/price.ts; done`, `X=$(cp src/mixed.ts src/price.ts) npx tsx -e "import {gross} from './src/price'; gross(1)"`,
			`sh -c 'cp src/mixed.ts src/price.ts; npx tsx -e "import {gross} from \"./src/price\"; gross(1)"'`, `{ sleep 1; npx tsx -e "import {gross} from './src/price'; gross(1)"; } & cp src/mixed.ts src/price.ts`, `npm run build && npx tsx -e "import {gross} from './src/price'; gross(1)"`, `while sleep 1; do npx tsx -e "import {gross} from './src/price'; gross(1)"; cp src/mixed.ts src/price.ts; done`, `git checkout -q x; npx tsx -e "import {gross} from './src/price'; gross(1)"`,
			`npx tsx -e "import {gross} from './src/price'; const x = gross as any; x['constr' + 'uctor']('return process')()"`, `npx tsx -e "const a = <any>process; a.kill(1)"`, `npx tsx -e "const x = 1 as unknown as (typeof import('child_process')); x.exec('id')"`, `npx tsx -e "let x: any = 1; x = require; x('child_process').execSync('id')"`,
			`npx tsx -e "console.log(true ? (1) : require('child_process').execSync('id'))"`, `npx tsx -e "const f = (a: string = require('child_process').execSync('id')) => a; f()"`, `cat x.ts | npx tsx`, `npx tsx -e "$(cat x)"`, `npx tsx -e "import {gross} from './src/price'; [1].map(gross['bind'])[0]()"`,
		},
	},
	{
		"a module that the session changed counts as it lies there, with what it does when it is loaded",
		map[string]string{"src/price.ts": "export const gross = (n: number) => n * 2;\n", "src/text.ts": "import { rmSync } from 'fs';\nrmSync('src');\nexport const lower = (s: string) => s;\n", "src/util.js": "exports.chunk = (a, k) => a[k];\n"},
		[]string{`npx tsx -e "import {gross} from './src/price'; console.log(gross(2))"`},
		[]string{`npx tsx -e "import {lower} from './src/text'; console.log(lower('a'))"`, `npx tsx -e "import {slugify} from './src/slug'; console.log(slugify('a'))"`, `npx tsx -e "import {chunk} from './src/util'; console.log(chunk([], 'x'))"`},
	},
	{
		"what is fetched from this machine, by an address that stands in the code", nil,
		[]string{
			`node -e "fetch('http://localhost:8787/').then(r => r.text()).then(console.log)"`, `node -e "fetch('http://127.0.0.1:3000/api/items', {method:'POST', headers:{'content-type':'application/json'}, body: JSON.stringify({a:1})}).then(r=>r.json()).then(j=>console.log(j))"`, `node --input-type=module -e "const r = await fetch('http://localhost:5173/'); console.log(r.status, (await r.text()).slice(0, 200))"`,
			`bun -e "const r = await fetch('http://localhost:3000/'); console.log(await r.json())"`, `deno eval "console.log(await (await fetch('http://localhost:8000/')).text())"`, `node -e "const base = 'http://localhost:3000'; fetch(base + '/items').then(r => r.json()).then(console.log)"`, "node -e 'const base = \"http://localhost:3000\"; for (const i of [1, 2]) fetch(`${base}/items/${i}`).then(r => console.log(r.status))'",
			"node -e 'for (const i of [1, 2]) fetch(`http://localhost:3000/items/${i}`).then(r => console.log(r.status))'", `npx tsx -e "const r: Response = await fetch('http://localhost:3000/'); console.log(await r.text())"`, "bun run - <<'E'\nconsole.log(await (await fetch('http://[::1]:3000/')).text())\nE",
		},
		[]string{
			`node -e "fetch('http://localhost:3000@h.example/').then(r => r.text()).then(console.log)"`, `node -e "fetch('http://localhost.h.example/').then(r => r.text())"`, `node -e "const p = process.argv[1]; fetch('http://localhost:' + p).then(r => r.text())"`, "node -e 'const p = process.argv[1]; fetch(`http://localhost:${p}/x`).then(r => r.text())'", "node -e 'const p = process.argv[1]; fetch(`http://localhost${p}/x`).then(r => r.text())'",
			`node -e "let b = 'http://localhost:3000'; b = process.argv[1]; fetch(b + '/x')"`, `node -e "const b = 'http://localhost:3000'; { const b = process.argv[1]; fetch(b + '/x') }"`, `node -e "const b = 'http://localhost:3000'; ((b) => fetch(b + '/x'))(process.argv[1])"`, `node -e "const b = 'http://localhost:3000'; fetch(b + process.argv[1])"`, `node -e "const b = 'http://localhost:3000' + process.argv[1]; fetch(b + '/x')"`,
			`bun -e "fetch('http://localhost:3000/', {method: 'POST', body: 'x', proxy: process.argv[1]})"`, `bun -e "const o = Object.fromEntries([['pro' + 'xy', process.argv[1]]]); fetch('http://localhost:3000/', o)"`, `bun -e "const o = {proxy: process.argv[1]}; fetch('http://localhost:3000/', {...o})"`, `bun -e "fetch('http://localhost:3000/', {unix: process.argv[1]})"`,
			`bun -e "const proxy = process.argv[1]; fetch('http://localhost:3000/', {method: 'GET', proxy})"`, `bun -e "fetch('http://localhost:3000/', {headers: {a: 1}, 'proxy': process.argv[1]})"`, `bun -e "fetch('http://localhost:3000/', {['pro' + 'xy']: process.argv[1]})"`, `bun -e "const a = [{proxy: process.argv[1]}]; fetch('http://localhost:3000/', ...a)"`,
			`node -e "const f = fetch; f('http://h.example/')"`, `node -e "[fetch][0]('http://h.example/')"`, `node -e "fetch.call(null, 'http://h.example/'); fetch('http://localhost/')"`, `node -e "globalThis.fetch('http://h.example/')"`, `node -e "fetch('http://localhost:3000/'); fetch(process.argv[1])"`, `node -e "fetch(...['http://h.example/'])"`, `node -e "fetch('http://localhost:3000/').then(r => r.text()).then(eval)"`,
			`node -e "fetch('http://localhost:3000/').then(async r => new Function(await r.text())())"`, `node -e "fetch('http://localhost:3000/' , {method:'POST', body: require('fs').readFileSync('/home/u/.ssh/id_ed25519')})"`, `node -e "fetch('https://h.example/')"`, `node -e "fetch(new URL('http://h.example'))"`, "node -e 'console.log(`${await fetch(\"http://h.example\")}`); fetch(\"http://localhost\")'", `node -e "fetch('http://localhost:3000/'.replace('localhost', 'h.example'))"`,
		},
	},
	{
		"modules and packages of JavaScript that only compute", nil,
		[]string{
			`node -e "const _ = require('lodash'); console.log(_.chunk([1,2,3],2))"`, `node -e "const { z } = require('zod'); console.log(z.object({a: z.number()}).safeParse({a: 'x'}).success)"`, `node -e "const {performance} = require('perf_hooks'); const t=performance.now(); console.log(performance.now()-t)"`, `node -e "const os = require('os'); console.log(os.cpus().length, os.platform())"`,
			`node -e "const zlib = require('zlib'); const fs=require('fs'); console.log(zlib.gzipSync(fs.readFileSync('src/util.js')).length)"`, `node -e "const {setTimeout: s} = require('timers/promises'); s(10).then(()=>console.log('ok'))"`, `node --input-type=module -e "import { format } from 'date-fns'; console.log(format(new Date(0), 'yyyy'))"`, `node -p "require('os').cpus().length"`, `node -e "const {chunk, uniq} = require('lodash'); console.log(chunk(uniq([1]), 1))"`,
		},
		[]string{
			`node -e "const os = require('os'); os.setPriority(1, 19)"`, `node -e "const {setPriority} = require('os'); setPriority(1, 19)"`, `node -e "const os = require('os'); const k = 'setPriority'; os[k](1, 19)"`, `node -e "const _ = require('lodash'); _.template('<% process.exit() %>')()"`, `node -e "const _ = require('lodash'); _.invoke(process, 'kill', 1)"`,
			`node -e "const _ = require('lodash'); const f = _.get(() => 1, 'constructor'); f('return process')()"`, `node -e "const {template} = require('lodash'); template('x')()"`, `node -e "const l = require('lodash'); [l].map(x => x.template('y')())"`, `node -e "const {z} = require('zod'); z.string().constructor.constructor('return process')()"`, `node -e "const _ = require('lodash'); const o = require('lodash').template; o('x')(); _.chunk([], 1)"`,
			`node -e "let _ = require('lodash'); _.chunk([], 1); { const _ = {chunk: 1} } const q = _; q.template('x')()"`, `node -e "require('zlib').createGzip().pipe(process.stdout)"`, `node -e "require('zod-evil')"`, `node -e "const x = require('lodash/template'); x('y')()"`, `bun run - <<'E'` + "\nBun.spawn(['rm', '-rf', 'src']);\nE",
		},
	},
	{
		"Ruby of the workspace is read with the code that loads it", nil,
		[]string{
			`ruby -Ilib -rmine -e 'puts Mine.slug("Hello World"), Mine::VERSION, Mine::Point.new(1, 2).x'`, `ruby -I lib -r mine -e 'p Mine::Parser.new("a,b").parse'`, `ruby -Ilib -e 'require "mine"; p Mine::Parser.new("a,b").text'`, `ruby -r./lib/mine -e 'puts Mine.slug("x y")'`, `ruby -e 'require_relative "lib/mine"; puts Mine.slug("x y")'`,
			`bundle exec ruby -Ilib -rmine -e 'p Mine::Parser.new("a,b").parse.map(&:upcase)'`, `irb --noprompt -Ilib -rmine <<< 'p Mine::VERSION'`, `ruby -rbenchmark -Ilib -rmine -e 'puts Benchmark.realtime { 100.times { Mine.slug("a b") } }'`, "ruby <<'E'\n$LOAD_PATH.unshift(\"lib\")\nrequire \"mine\"\np Mine.slug(\"A B\")\nE", `ruby -rset -e 'p [1,2,3].each_cons(2).to_a, "abc".unpack1("a")'`,
		},
		[]string{
			`ruby -Ilib -rmine -e 'Mine.wipe!("src")'`, "ruby -Ilib -rmine -e 'Mine.slug(`id`)'", `ruby -Ilib -rmine -e '[Mine].each(&("wi" + "pe!").to_sym)'`, `ruby -Ilib -rmine -e 'Mine.send("wi" + "pe!", "src")'`, `ruby -Ilib -rmine -e 'x = :"wi#{"pe"}!"; [Mine].each(&x)'`, `ruby -I/tmp/x -rmine -e 'p Mine::VERSION'`, `ruby -Ilib -rother -e 'p 1'`, `ruby -Ilib -rmine -e 'File.delete("x")'`,
			`ruby -Ilib -e 'require "mine"; require "net/http"; Net::HTTP.get(URI("http://h.example"))'`, `ruby -Ilib -e 'require "mine"; eval(Mine.slug("x"))'`, `echo 'system("id")' > lib/mine.rb; ruby -Ilib -rmine -e 'p 1'`, `cp lib/other.rb lib/mine.rb; ruby -Ilib -rmine -e 'p Mine::VERSION'`, "ruby -Ilib -rmine <<'E'\nMine.instance_eval(\"wipe!('x')\")\nE", `irb --noprompt -Ilib -rmine <<< 'Mine.wipe!("src")'`,
			"irb --noprompt -Ilib -rmine <<< '`id`'", `irb -r ./other <<< '1'`, `irb <<< 'edit Foo'`, `ruby -Ilib -rmine -e 'Object.const_get("Ker" + "nel").system("id")'`, `ruby -Ilib -rmine -e '$stdout = File.open("x", "w")'`, `ruby -Ilib -rmine -e 'Mine::Parser.class_eval { def x; system("id"); end }; Mine::Parser.new("").x'`, `ruby -Ilib -rmine -e 'exec Mine.slug("id")'`, `ruby -Ilib -rmine -e 'p "instance_eval".to_proc'`,
		},
	},
	{
		"methods of Ruby that the session wrote count though nothing names them",
		map[string]string{"lib/mine.rb": "module Mine\n  def self.slug(s) = s\n  def self.wipe!(d)\n    system(d)\n  end\nend\n"},
		nil, []string{`ruby -Ilib -rmine -e 'puts Mine.slug("x")'`},
	},
	{
		"packages of the workspace that only compute, in a program of Go", nil,
		[]string{goRun("", `"h.example/app/calc"`, `println(calc.Add(1, 2), calc.Slug("A"))`), goRun("", `"net/http"`, `r, _ := http.Get("http://localhost:8080/health"); println(r.StatusCode == http.StatusOK)`), goRun("", `"unsafe"`, `println(unsafe.Sizeof(1))`), goRun("", `"net/url"; import "runtime"; import "testing"`, `url.Parse("x"); println(runtime.NumCPU()); testing.Benchmark(func(b *testing.B) {})`)},
		[]string{
			goRun("", `"h.example/app/ops"`, `ops.Wipe("src")`), goRun("", `"h.example/app/mixed"`, `mixed.A()`), goRun("", `"h.example/app/no"`, `no.X()`), goRun("", `"h.example/other/calc"`, `calc.Add(1, 2)`), goRun("", `"net/http"`, `http.Get("http://h.example/")`), goRun("", `"net/http"`, `http.Post("http://localhost:1/", "x", nil)`), goRun("", `"net/http"`, `u := "http://localhost:1/"; http.Get(u)`),
			goRun("", `"net/http"`, `http.Get("http://localhost:1@h.example/")`), goRun("", `"net/http"`, `http.ListenAndServe(":80", nil)`), goRun("", `h "net/http"`, `h.Get("http://h.example/")`), goRun("", `. "net/http"`, `Get("http://h.example/")`), goRun("", `"net/http"`, `c := http.DefaultClient; c.Get("http://h.example/")`), goRun("", `"net/http"`, `f := http.Get; f("http://h.example/")`),
			goRun("", `"text/template"`, `t, _ := template.ParseFiles("/home/u/.ssh/id_ed25519"); t.Execute(nil, nil)`), goRun("", `"unsafe"`, `p := unsafe.Pointer(uintptr(1)); _ = p`), goRun("", `"testing"`, `testing.Main(nil, nil, nil, nil)`), goRun("cp x.go calc/calc.go; ", `"h.example/app/calc"`, `calc.Add(1, 2)`), goRun("git checkout -q x; ", `"h.example/app/calc"`, `calc.Add(1, 2)`),
			goRun("cat > calc/x.go <<'E2'\npackage calc\nimport \"os/exec\"\nfunc init() { exec.Command(\"id\").Run() }\nE2\n", `"h.example/app/calc"`, `calc.Add(1, 2)`), goRun("sed -i s/a/b/ calc/calc.go; ", `"h.example/app/calc"`, `calc.Add(1, 2)`), goRun("cd /tmp/m; ", `"h.example/app/calc"`, `calc.Add(1, 2)`), goRun("cd nested; ", `"h.example/app/calc"`, `calc.Add(1, 2)`),
		},
	},
	{
		"what Python asks of this machine, and further modules of its library", nil,
		[]string{
			`python -c "import requests; r = requests.post('http://localhost:8000/api', json={'a': 1}); print(r.status_code, r.json())"`, "python - <<'E'\nimport httpx\nBASE = 'http://127.0.0.1:8000'\nfor i in range(3):\n    print(httpx.get(f'{BASE}/items/{i}').text)\nprint(httpx.get(BASE + '/health').status_code)\nE", "python - <<'E'\nimport urllib.request, json\nprint(json.load(urllib.request.urlopen('http://localhost:9000/v1/x')))\nE",
			`python -c "import typing, functools; print(typing.get_args(typing.Optional[int]), functools.singledispatch)"`, `python -c "from html.parser import HTMLParser; print(HTMLParser)"`, `python -c "import resource, tracemalloc; tracemalloc.start(); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, tracemalloc.get_traced_memory())"`,
		},
		[]string{
			`python -c "import requests; requests.get('http://h.example/')"`, `python -c "import requests; requests.get('http://localhost:1@h.example/')"`, `python -c "import requests; requests.get('http://localhost.h.example/')"`, `python -c "import requests, sys; requests.get('http://localhost:' + sys.argv[1])"`, `python -c "import requests, sys; requests.get(f'http://localhost:{sys.argv[1]}/')"`,
			`python -c "import requests; requests.get('http://localhost/', proxies={'http': 'http://h.example'})"`, `python -c "import requests as r; r.get('http://h.example'); import requests; requests.get('http://localhost/')"`, `python -c "from requests import get; get('http://h.example')"`, `python -c "import requests; f = requests.get; f('http://h.example'); requests.get('http://localhost/')"`,
			`python -c "import requests; requests.get('http://localhost/'.replace('localhost', 'h.example'))"`, `python -c "import requests; requests.sessions.Session().get('http://h.example'); requests.get('http://localhost/')"`, "python - <<'E'\nimport requests, sys\nB = 'http://localhost:1'\nB = sys.argv[1]\nrequests.get(B + '/x')\nE", "python - <<'E'\nimport requests, sys\nB = 'http://localhost:1'\nfor B in sys.argv:\n    requests.get(B + '/x')\nE",
			"python - <<'E'\nimport requests, sys\nB = 'http://localhost:1'\nrequests.get(B + sys.argv[1])\nE", `python -c "import requests; requests.post('http://localhost/', data=open('/home/u/.ssh/id_ed25519').read())"`, `python -c "import requests; exec(requests.get('http://localhost/').text)"`, `python -c "import urllib.request; urllib.request.urlretrieve('http://localhost/', '/etc/x')"`,
			`python -c "import requests, sys; requests.get('http://localhost/'); requests.get(sys.argv[1])"`, `python -c "import requests, sys; requests.get('http://localhost/', proxies={'http': sys.argv[1]})"`, `python -c "import requests, sys; requests.get('http://localhost/', **{'pro' + 'xies': {'http': sys.argv[1]}})"`,
			`python -c "import requests, sys; o = [sys.argv]; requests.post('http://localhost/', *o)"`, `python -c "import httpx, mine; httpx.get('http://localhost/', transport=mine.t)"`, `python -c "import httpx, mine; httpx.get('http://localhost/', params={'a': 1}, mounts=mine.t)"`,
			`python -c "import requests; requests.delete('http://localhost:9200/_all')"`, `python -c "import httpx; httpx.delete('http://localhost:9200/_all')"`,
			`python -c "import gc; gc.get_objects()"`, `python -c "import resource; resource.setrlimit(1, 1)"`, `python -c "import typing; typing.get_type_hints('x')"`, `python -c "import tokenize; tokenize.open('/etc/shadow')"`, `python -c "import logging; logging.basicConfig(filename='/etc/x')"`, `python -c "import logging; logging.FileHandler('/etc/x')"`, `python -c "import tracemalloc; tracemalloc.take_snapshot().dump('/etc/x')"`,
		},
	},
}

func TestOwnCalls(t *testing.T) {
	for _, row := range ownCalls {
		t.Run(row.principle, func(t *testing.T) {
			state := ownState(row.changed)
			for _, line := range row.passes {
				if d := decideOwn(line, state); d.Disposition != Approved {
					t.Errorf("asks: %s\n%v", line, d.Reasons)
				}
			}
			for _, line := range row.asks {
				if d := decideOwn(line, state); d.Disposition == Approved {
					t.Errorf("passes: %s", line)
				}
			}
		})
	}
}

// goRun is a line that spells out a program of Go and runs it, behind another.
func goRun(before, imports, body string) string {
	return before + "cat > /tmp/x.go <<'E'\npackage main\n\nimport " + imports + "\n\nfunc main() { " + body + " }\nE\ngo run /tmp/x.go"
}

func decideOwn(line string, state State) Decision {
	c := ShellContext(line, state)
	var g Guardrail
	return g.Decide(&c)
}

// TestOwnPackagesMayChange: a program that stands for later calls is judged without what it takes
// of the workspace, which may be another one then.
func TestOwnPackagesMayChange(t *testing.T) {
	write, _, _ := strings.Cut(goRun("", `"h.example/app/calc"`, `println(calc.Add(1, 2))`), "\ngo run")
	ctx := ShellContext(write, ownState(nil))
	if after := ctx.After(); !slices.Contains(after.Unvetted, "/tmp/x.go") {
		t.Errorf("a later call may run it: %v", after.Unvetted)
	}
}
