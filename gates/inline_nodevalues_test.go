package gates

import (
	"testing"

	"github.com/gbt-policy/gbt/gates/call"
)

// nodeValuesPass touches known places of the workspace, or nothing at all.
var nodeValuesPass = []string{
	`const fs=require('fs'); const p='src/a'; fs.writeFileSync(p,fs.readFileSync(p,'utf8')+'x')`,
	`const fs=require('fs'),path=require('path'); for (const f of fs.readdirSync('src')) fs.writeFileSync(path.join('src',f),'x')`,
	"['a','b'].forEach(f => require('fs').writeFileSync(`src/${f}.js`, 'x'))",
	`const fs=require('fs'); const l=['a','b']; for (const f of l) { console.log(fs.readFileSync(f,'utf8').length) }`,
	`const fs=require('fs'); let p='a'; p='b'; fs.writeFileSync(p,'x')`,
	"const fs = require('fs');\nconst dir = 'src';\nfs.readdirSync(dir).filter(f => f.endsWith('.ts')).forEach(f => {\n  const p = dir + '/' + f\n  const s = fs.readFileSync(p, 'utf8')\n  fs.writeFileSync(p, s.replace('a', 'b'))\n})",
	"import fs from 'node:fs';\nimport path from 'path';\nconst p = path.resolve('src', 'a.json');\nfs.writeFileSync(p, JSON.stringify({a: 1}));",
	`console.log(String.fromCharCode(72))`,
	`console.log(atob('aGk='))`,
}

// nodeImportsPass are imports of what require is let through for.
var nodeImportsPass = []string{
	`import('./src/a.mjs').then(m => console.log(m.f('x')))`, `const {f} = await import("./src/a.mjs"); console.log(f(1))`, `import('path').then(p => console.log(p.join('a','b')))`,
	`import {f} from './src/a.mjs'; console.log(f(1))`, `import { f as g, h } from "./src/a.mjs"; console.log(g(h))`, `import * as a from './src/a.mjs'; console.log(a.f())`, `import a from './src/a.mjs'; console.log(a)`,
}

// nodeImportsAsk are imports of anything else.
var nodeImportsAsk = []string{
	`import('./../a.mjs')`, `import('/etc/a.mjs')`, `import('https://h.example/a.mjs')`, `import('data:text/javascript,1')`, `import(process.argv[1])`, `import('./a' + process.argv[1])`, "import(`./a`)", `import('child_process').then(({exec: e}) => e('x'))`,
	`import('./a.mjs?x')`, `import("./a\x2f..\x2f..\x2fb.mjs")`, `import {exec as e} from 'child_process'; e('x')`, `import {rmSync as r} from 'fs'; r('/home/u')`, `import('fs').then(f => f.rmSync('/home/u'))`, `import {f} from './src/a.mjs' with {type: 'json'}; f()`,
	`import {f, "a b" as g} from './src/a.mjs'; g()`, `import('./src/a.mjs').then(m => m.constructor.constructor('return process')())`, `import a, {f} from 'child_process'; f('x')`,
}

// nodeValuesAsk are the nearest that do not: a name that is given something else, a
// function that means something else, a place elsewhere.
var nodeValuesAsk = []string{
	`const fs=require('fs'); const p='../a'; fs.writeFileSync(p,'x')`,
	`const fs=require('fs'); let p='a'; p=process.argv[2]; fs.writeFileSync(p,'x')`,
	`const fs=require('fs'); let p='a'; p+=process.argv[2]; fs.writeFileSync(p,'x')`,
	`const fs=require('fs'); let p='a'; [p]=process.argv; fs.writeFileSync(p,'x')`,
	`const fs=require('fs'); let p='a'; ({p}=JSON.parse('{}')); fs.writeFileSync(p,'x')`,
	`const fs=require('fs'); const {q, p = 'a'} = JSON.parse('{}'); fs.writeFileSync(p,'x')`,
	`const fs=require('fs'); const {q: {p = 'a'}} = JSON.parse('{}'); fs.writeFileSync(p,'x')`,
	`const fs=require('fs'); const f = p => fs.writeFileSync(p,'x'); f('/etc/x'); { const p = 'a' }`,
	`const fs=require('fs'); const p='a'; function f(p) { fs.writeFileSync(p,'x') } f('/etc/x')`,
	`const fs=require('fs'); const p='a'; function f({p}) { fs.writeFileSync(p,'x') } f({p:'/etc/x'})`,
	`const fs=require('fs'); const p='a'; const f = ({p}) => fs.writeFileSync(p,'x'); f({p:'/etc/x'})`,
	`const fs=require('fs'); const p='a'; const f = (a, p) => fs.writeFileSync(p,'x'); f(1,'/etc/x')`,
	`const fs=require('fs'); let p='a'; for (p of process.argv) fs.writeFileSync(p,'x')`,
	`const fs=require('fs'); var p='a'; for (const [p] of Object.entries({})) fs.writeFileSync(p,'x')`,
	`const fs=require('fs'); var p='a'; for (const {p} of []) fs.writeFileSync(p,'x')`,
	`const fs=require('fs'); var p='a'; try { throw '/etc/x' } catch (p) { fs.writeFileSync(p,'x') }`,
	`const fs=require('fs'); var p='a'; this.p='/etc/x'; fs.writeFileSync(p,'x')`,
	`const fs=require('fs'); const l=['a']; l.push(process.argv[2]); for (const f of l) fs.writeFileSync(f,'x')`,
	`const fs=require('fs'); const l=['a']; const g=l; g.push(process.argv[2]); for (const f of l) fs.writeFileSync(f,'x')`,
	`const fs=require('fs'); const l=['a']; l[0]=process.argv[2]; for (const f of l) fs.writeFileSync(f,'x')`,
	`const fs=require('fs'),path=require('path'); path.join=()=>'/etc/x'; fs.writeFileSync(path.join('a','b'),'x')`,
	`const fs=require('fs'),path=require('path'); path['join']=()=>'/etc/x'; fs.writeFileSync(path.join('a','b'),'x')`,
	`const fs=require('fs'),path=require('path'); Object.assign(path,{join:()=>'/etc/x'}); fs.writeFileSync(path.join('a','b'),'x')`,
	`const fs=require('fs'),path=require('path'); const q=path; q.join=()=>'/etc/x'; fs.writeFileSync(path.join('a','b'),'x')`,
	`Array.prototype.filter=()=>['/etc/x']; const fs=require('fs'); for (const f of ['a'].filter(x=>x)) fs.writeFileSync(f,'x')`,
	`const fs=require('fs'),path=require('path'); fs.writeFileSync(path.join('src','..','..','x'),'x')`,
	`const fs=require('fs'),path=require('path'); fs.writeFileSync(path.resolve('src','/etc/x'),'x')`,
	`const fs=require('fs'); for (const f of fs.readdirSync('src')) fs.writeFileSync('src/'+f+'/../../../x','x')`,
	`const fs=require('fs'); for (const f of fs.readdirSync('/etc')) console.log(fs.readFileSync('/etc/'+f,'utf8'))`,
	"['a','../../b'].forEach(f => require('fs').writeFileSync(`src/${f}.js`, 'x'))",
	`const fs=require('fs'); const p='a' || process.argv[2]; fs.writeFileSync(p,'x')`,
	`const fs=require('fs'); const p=process.argv[2] ? process.argv[2] : 'a'; fs.writeFileSync(p,'x')`,
	"const fs=require('fs'); const p = 'a'\n.concat('/../../x'); fs.writeFileSync(p,'x')",
	`const fs=require('fs'); console.log(fs.readFileSync('.en'+'v','utf8'))`,
	`require(String.fromCharCode(102,115)).rmSync('src')`,
	`require('./lib').run(String.fromCharCode(47))`,
	`const fs=require('fs'); fs.writeFileSync(String.fromCharCode(47)+'etc/x','')`,
	`const fs=require('fs'); let p='a', q=1; [1].map((x,p)=>fs.writeFileSync(p,'x'))`,
	`const fs=require('fs'); const f=function(p){fs.writeFileSync(p,'x')}; f('/x'); const p='a'`,
	`const fs=require('fs'); class A { m(p) { fs.writeFileSync(p,'x') } }; new A().m('/x'); const p='a'`,
	`const fs=require('fs'); const o={ m(p) { fs.writeFileSync(p,'x') } }; o.m('/x'); const p='a'`,
	`const fs=require('fs'); let p='a'; if (1) p=process.argv[2]; fs.writeFileSync(p,'x')`,
	`const fs=require('fs'); let p='a'; 1 && (p=process.argv[2]); fs.writeFileSync(p,'x')`,
	`const fs=require('fs'); let p='a'; p ??= 'b'; p ||= process.argv[2]; fs.writeFileSync(p,'x')`,
}

func TestNodeValues(t *testing.T) {
	for want, list := range map[bool][]string{true: append(nodeValuesPass, nodeImportsPass...), false: append(nodeValuesAsk, nodeImportsAsk...)} {
		for _, code := range list {
			if got := lastApproved([]call.Request{shellCall(t, "node -e "+quoted(code))}); got != want {
				t.Errorf("approved %v: %s", got, code)
			}
		}
	}
}
