// Runs the page's own script and module under Node: one decision, one session in another module.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [dir, file] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(dir, name)));
const policy = new Uint8Array(readFileSync(file));
await load("wasm_exec.js");
const { decide } = await load("page.js");
const { Module } = await load("gbt-policy/wasm.js");
const { Guard } = await load("gbt-policy/guard.js");

// An instance of the module, as the function it makes.
async function instance() {
	const ready = new Promise((resolve) => (globalThis.gbtReady = () => resolve(globalThis.gbt)));
	const go = new globalThis.Go();
	const { instance } = await WebAssembly.instantiate(readFileSync(join(dir, "gbt.wasm")), go.importObject);
	go.run(instance);
	return ready;
}

const gbt = await instance();
const out = await decide(policy, "fix the bug so that the tests pass", "let me read the source file", "rm -rf /");
assert.ok(["advance", "fragile", "explore"].includes(out.verdict) && out.disposition === "rejected" && out.reasons.length > 0 && out.prompt.includes("fix the bug"));
assert.equal(gbt(1), null);
assert.equal(JSON.parse(gbt("{")).error.code, -32700);

const module = new Module(gbt);
module.open(policy);
assert.throws(() => module.open(policy.slice(0, -1)), { code: "invalid-request" });
assert.throws(() => module.open(policy, [], { need: 1 }), { code: "invalid-request" });
assert.throws(() => module.open(policy, [], { minSequence: 2 ** 40 }), { code: "invalid-request" });
const guard = await Guard.start(module.client(), "fix the bug so that the tests pass");
assert.equal(await guard.run("bash", { command: "ls" }, () => "ran"), "ran");
assert.equal((await guard.run("bash", { command: "rm -rf /" }, () => "ran")).allowed, false);
const other = new Module(await instance());
await assert.rejects(other.client().policy(), { code: "no-policy" });
other.open(policy);
other.restore(module.save(guard.session.id));
assert.deepEqual(await (await other.client().resume(guard.session.id)).get(), await guard.session.get());
console.log("page:", out.verdict, out.disposition);
process.exit(0);
