// Runs the page's own script and module under Node: one decision.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const [dir, policy] = process.argv.slice(2);
require(path.join(dir, "wasm_exec.js"));
require(path.join(__dirname, "page.js"));

globalThis.gbtReady = () => {
	const out = globalThis.decide(fs.readFileSync(policy).toString("base64"), "fix the bug so that the tests pass", "let me read the source file", "rm -rf /");
	const good = ["advance", "fragile", "explore"].includes(out.verdict) && out.disposition === "rejected" && out.reasons.length > 0 && out.prompt.includes("fix the bug");
	const bad = JSON.parse(globalThis.gbt("{")).ok === false && JSON.parse(globalThis.gbt(1)).ok === false;
	console.log("page:", out.verdict, out.disposition);
	process.exit(good && bad ? 0 : 1);
};
const go = new globalThis.Go();
WebAssembly.instantiate(fs.readFileSync(path.join(dir, "gbt.wasm")), go.importObject).then((m) => go.run(m.instance));
