package gates

import "testing"

var nodeFamily = family{
	lang: "node",
	sinks: []sink{
		{"child_process", "execSync", `"touch x"`}, {"child_process", "spawn", `"sh"`}, {"child_process", "fork", `"x"`}, {"fs", "rmSync", `"src"`}, {"fs", "cpSync", `"a", "b"`}, {"fs", "openSync", `"a", "w"`}, {"os", "setPriority", "1"}, {"net", "connect", "80"},
		{"dns", "lookup", `"a.h.example"`}, {"http", "get", `"http://h.example"`}, {"vm", "runInThisContext", `"1"`}, {"inspector", "open", "1"}, {"worker_threads", "Worker", `"x"`}, {"cluster", "fork", ""}, {"repl", "start", ""}, {"v8", "setFlagsFromString", `"--x"`},
		{"module", "createRequire", `"x"`}, {"dgram", "createSocket", `"udp4"`}, {"tls", "connect", "443"}, {"readline", "createInterface", ""},
	},
	ways: []string{
		`require("«M»").«F»(«A»)`, `require("node:«M»").«F»(«A»)`, `const m = require("«M»"); m.«F»(«A»)`, `const {«F»} = require("«M»"); «F»(«A»)`, `const {«F»: s} = require("«M»"); s(«A»)`, `const {["«1»" + "«2»"]: s} = require("«M»"); s(«A»)`, `require("«M»")["«F»"](«A»)`,
		`require("«M»")["«1»" + "«2»"](«A»)`, `const k = "«F»"; require("«M»")[k](«A»)`, `require("«m1»" + "«m2»").«F»(«A»)`, "require(`«M»`).«F»(«A»)", "require(`${\"«m1»\"}«m2»`).«F»(«A»)", `const r = require; r("«M»").«F»(«A»)`, `[require][0]("«M»").«F»(«A»)`, `(0, require)("«M»").«F»(«A»)`,
		`require.call(null, "«M»").«F»(«A»)`, `Reflect.apply(require, null, ["«M»"]).«F»(«A»)`, `import("«M»").then(m => m.«F»(«A»))`, `import m from "«M»"; m.«F»(«A»)`, `import * as m from "«M»"`, `(async () => (await import("«M»")).«F»(«A»))()`, `process.mainModule.require("«M»").«F»(«A»)`, `process.getBuiltinModule("«M»").«F»(«A»)`,
		`module.require("«M»").«F»(«A»)`, `module.constructor._load("«M»").«F»(«A»)`, `globalThis.require("«M»")`, `globalThis["req" + "uire"]("«M»")`, `global.process.mainModule`, `this.require("«M»")`, `this["requ" + "ire"]("«M»").«F»(«A»)`, `const g = this; g["eval"]("1")`, `(function () { return this })()["«M»"]`,
		`eval("require('«M»').«F»(1)")`, `(0, eval)("1")`, `const e = eval; e("1")`, `globalThis["ev" + "al"]("1")`, `Function("return process")()`, `new Function("return require")()("«M»")`, `[].constructor.constructor("return process")()`, `[]["constructor"]["constructor"]("1")()`,
		`[]["const" + "ructor"]["const" + "ructor"]("1")()`, `const c = "const" + "ructor"; const f = [][c][c]; f("1")()`, `const c = ["con", "structor"].join(""); const f = (() => 1)[c]; f("return 1")()`, `const f = [].map["\x63onstructor"]; f("1")()`, `const f = [].map["\u{63}onstructor"]; f("1")()`,
		"const c = `con${\"structor\"}`; const f = [].map[c]; f`1``${1}`", "const c = `con${\"structor\"}`; [\"1\"].map([].map[c])", `const c = "con".concat("structor"); ["1"].forEach((() => 1)[c])`, `let f; for (const c of ["con" + "structor"]) f = f ? f : [][c]; f("1")`, `const {constructor: f} = () => 1; f("1")()`,
		`const {constructor} = () => 1; constructor("1")()`, `(({constructor: f}) => f("1")())(() => 1)`, `(async () => {}).constructor("1")()`, `(function* () {}).constructor("1")`, `Object.getPrototypeOf(async () => {}).constructor("1")()`, `Object.getOwnPropertyDescriptor(Object.getPrototypeOf(() => 1), "x")`,
		`class X extends Function {} new X("1")()`, `new (class extends Function {})("1")()`, `Reflect.get(() => 1, "x")`, `new Proxy({}, {})`, `__proto__.x`, `({}).__proto__.x`, `({}).__lookupGetter__("x")`, `Error.prepareStackTrace = (e, s) => s[0].getThis(); new Error().stack`,
		"\\u0065val(\"1\")", "var \\u0065 = 1; require(\"«M»\").«F»(«A»)", `require /* x */ ("«M»") . «F» («A»)`, "require\n(\"«M»\")\n.«F»(«A»)", `require?.("«M»")?.«F»?.(«A»)`, `("«M»", require)("«M»")["«F»"]?.(«A»)`, `var «M»; «M».«F»(«A»)`, `if (0) { var «M» } «M».«F»(«A»)`, `«M».«F»(«A»)`,
		`const f = «M».«F»; f(«A»)`, `[«M»].map(m => m.«F»(«A»))`, `({m: «M»}).m.«F»(«A»)`, "`${require(\"«M»\").«F»(«A»)}`", "`${`${«M».«F»(«A»)}`}`", `console.log(/"/.test("x"), require("«M»").«F»(«A»), "")`, `if (1) /"/.test(""); require("«M»").«F»(«A») //"`, `x = 1 /* " */; require("«M»").«F»(«A»)`,
		`[1].map(async _ => require("«M»").«F»(«A»))`, `({toString() { return require("«M»").«F»(«A») }}) + ""`, `({get x() { return «M».«F»(«A») }}).x`, `class A { static { «M».«F»(«A») } }`, `class A { x = «M».«F»(«A») } new A()`, `label: for (;;) { «M».«F»(«A»); break label }`, `with (process) { exit() }`, `with (require("«M»")) { «F»(«A») }`,
		`try { throw require } catch (r) { r("«M»").«F»(«A») }`, `((r = require) => r("«M»").«F»(«A»))()`, `[...[require]][0]("«M»")`, `process["main" + "Module"]`, `process.binding("spawn_sync")`, `process["bind" + "ing"]("x")`, `process.dlopen({}, "x")`, `process.kill(1)`, `process.env.HOME`, `fetch("http://h.example/?" + 1)`,
		`new WebSocket("ws://h.example")`, `new XMLHttpRequest()`, `WebAssembly.compile(1)`, `Deno.run({})`, `class A { static [Symbol.hasInstance] = «M».«F» }`, `try { 1 } catch { «M».«F»(«A») }`, `Bun.spawn([])`, `<!-- "` + "\nrequire(\"«M»\").«F»(«A») // \"", `const fs = require("fs"); fs["rm" + "Sync"]("src")`, `const fs = require("fs"), k = "rmSync"; fs[k]("src")`, `const {promises: p} = require("fs"); p.rm("src")`, `require("fs").promises.rm("src")`,
	},
}

func TestInlineJavaScriptReachesNothing(t *testing.T) { testFamily(t, &nodeFamily) }

var harmlessNode = []string{
	`console.log(1 + 1)`, `console.log(process.version)`, `console.log(process.argv)`, `console.log(process.platform, process.arch)`, `console.log(require("./package.json").version)`, `console.log(Object.keys(require("./package.json").dependencies))`, `console.log(JSON.stringify({a: 1}, null, 2))`,
	`console.log([1, 2, 3].map(x => x * 2))`, `console.log([3, 1, 2].sort((a, b) => a - b))`, `console.log("abc".toUpperCase())`, `console.log("a-b-c".split("-").join("+"))`, `console.log(Math.max(1, 2, 3))`, `console.log(new Date().toISOString())`, `console.log(Date.now())`, `for (let i = 0; i < 3; i++) console.log(i)`,
	`const a = [1, 2]; console.log(a[0], a.length)`, `const o = {a: 1}; for (const k in o) console.log(k, o[k])`, `for (const [k, v] of Object.entries({a: 1})) console.log(k, v)`, `const {a, b} = {a: 1, b: 2}; console.log(a + b)`, "const n = 3; console.log(`n is ${n + 1}`)", `function f(x) { return x * 2 } console.log(f(2))`,
	`const f = (x) => x + 1; console.log(f(1))`, `console.log([1, 2, 3].reduce((a, b) => a + b, 0))`, `console.log("a1b2".match(/\d/g))`, `console.log("aXb".replace(/x/i, "-"))`, `console.log(/^a/.test("abc"))`, `console.log(parseInt("ff", 16))`, `console.log((255).toString(16))`, `console.log(new Set([1, 1, 2]).size)`,
	`const m = new Map(); m.set("a", 1); console.log(m.get("a"))`, `class P { constructor(x) { this.x = x } }`, `console.log(typeof 1)`, `console.log(0.1 + 0.2)`, `console.log(encodeURIComponent("a b"))`, `console.log(new URL("https://a.example/b?c=1").pathname.length)`, `console.log(Buffer.from("hi").toString("base64"))`,
	`const fs = require("fs"); console.log(fs.readFileSync("a.txt", "utf8"))`, `const fs=require("fs"); const d=JSON.parse(fs.readFileSync("a.json")); console.log(d.items.length)`, `console.log(require("fs").existsSync("a.txt"))`, `console.log(require("fs").readdirSync("src").length)`, `require("fs").writeFileSync("out.txt", "x")`,
	`const path = require("path"); console.log(path.join("a", "b"))`, `console.log(require("path").extname("a.js"))`, `console.log(require("crypto").createHash("sha256").update("a").digest("hex"))`, `console.log(require("crypto").randomUUID())`, `console.log(require("util").inspect({a: {b: 1}}, {depth: 5}))`, `setTimeout(() => console.log("x"), 10)`,
	`(async () => { await Promise.resolve(1); console.log("done") })()`, `Promise.all([1, 2]).then(x => console.log(x))`, `try { JSON.parse("{") } catch (e) { console.log(e.message) }`, `console.log([..."abc"].reverse().join(""))`, `console.log(Array.from({length: 3}, (_, i) => i))`, `console.log("x".padStart(5, "0"))`,
	`const xs = [1, 2, 3]; let t = 0; for (let i = 0; i < xs.length; i++) t += xs[i]; console.log(t)`, `const c = {}; for (const w of "a b a".split(" ")) c[w] = (c[w] || 0) + 1; console.log(c)`, `console.log(require("./lib/util").format(1))`, `const {greet} = require("./index"); console.log(greet("a"))`, `const x = 5; console.log(x > 3 ? "yes" : "no")`,
	`console.log("rm -rf /")`, `console.log("child_process")`, `process.exit(0)`, `const a = 10, b = 4; console.log(a / b, (a + b) / 2)`, `console.log([1, [2, [3]]].flat(Infinity))`, `console.log(structuredClone({a: 1}))`, `console.log(new Intl.NumberFormat("en").format(12345))`, `let s = ""; while (s.length < 3) s += "a"; console.log(s)`,
	`const sum = (...xs) => xs.reduce((a, b) => a + b); console.log(sum(1, 2))`, `console.log({...{a: 1}, b: 2})`, `switch (2) { case 1: console.log("a"); break; default: console.log("b") }`, `console.log([1, 2, 3].includes(2))`, `console.log(isNaN("a"))`, `const p = require("./package.json"); console.log(p.name + "@" + p.version)`, `process.stdout.write("hi\n")`,
}

func TestHarmlessInlineJavaScript(t *testing.T) { testHarmless(t, "node", harmlessNode) }
