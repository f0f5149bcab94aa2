import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { BaseClient, Client, Guard, Permit, TransportError, overLines, type Ask, type Decision, type Transport } from "../src/index.js";
import { maxOutput } from "../src/guard.js";
import { prepare, serve, token, type Running } from "./server.js";

const env = { cwd: "/srv/app", roots: ["/srv/app"] };
const task = "Fix the failing unit test in this package";
const fetching = { command: "curl -s https://example.org/x -o x" };

const made = prepare();
let server: Running;
let client: Client;
before(async () => {
  server = await serve(made.gbt, made.policy, `unix://${join(made.policy, "..", "g")}`);
  client = new Client({ address: server.address, token });
});
after(async () => {
  await server.stop();
  made.remove();
});

test("what is approved runs and is told, what is not does not", async () => {
  const guard = await Guard.start(client, task, env);
  assert.equal(guard.brief(), "");
  guard.words = "let me read the source";
  assert.equal(await guard.run("bash", { command: "cat parser.py" }, () => "def parse(s): ..."), "def parse(s): ...");
  assert.match(guard.brief(), /Fix the failing unit test/);
  const held = await guard.run("bash", { command: "rm -rf /" }, () => assert.fail("it ran"));
  assert.ok(held instanceof Permit && !held.allowed && held.decision?.disposition === "rejected");
  assert.match(held.message, /^Not run: \[protected\/delete\]/);
  assert.deepEqual(guard.stopped, [held]);
  const trace = (await guard.session.get()).trace ?? [];
  assert.deepEqual(trace.map((t) => t.op), ["check", "propose", "check", "observe", "check", "observe"]);
  assert.deepEqual(trace.filter((t) => t.op === "observe").map((t) => t.ok), [true, false]);
  assert.equal((await guard.session.get()).status.stats.unapproved, 0);
  assert.ok((await guard.finish()).findings.length > 0);
});

test("a call that fails is told with its error", async () => {
  const guard = await Guard.start(client, task, env);
  await assert.rejects(guard.run("bash", { command: "ls" }, () => Promise.reject(new Error("no shell"))), /no shell/);
  await assert.rejects(guard.run("bash", { command: "ls" }, () => 7, () => { throw new Error("no text"); }), /no text/);
  assert.equal(await guard.run("bash", { command: "ls" }, () => 7), 7);
  assert.equal((await guard.session.get()).status.stats.calls, 3);
});

for (const [name, ask, ran] of [
  ["nobody is asked", undefined, false],
  ["the user says no", () => false, false],
  ["the user says something else", (() => "yes") as unknown as Ask, false],
  ["the user says yes", () => true, true],
] as const) {
  test(`consent: ${name}`, async () => {
    const asked: Decision[] = [];
    const wrapped: Ask | undefined = ask && ((tool, args, decision) => {
      asked.push(decision);
      return (ask as Ask)(tool, args, decision);
    });
    const guard = await Guard.start(client, task, env, wrapped ? { ask: wrapped } : {});
    const out = await guard.run("bash", fetching, () => "done");
    assert.equal(out === "done", ran);
    assert.equal(asked.length, ask === undefined ? 0 : 1);
    assert.equal(guard.stopped.length, ran ? 0 : 1);
    const ops = ((await guard.session.get()).trace ?? []).map((t) => t.op);
    assert.deepEqual(ops, ran ? ["check", "propose", "check", "confirm", "check", "observe"] : ask ? ["check", "confirm", "observe"] : ["check", "observe"]);
  });
}

test("calls wait for the one that runs", async () => {
  const guard = await Guard.start(client, task, env);
  const order: string[] = [];
  const slow = guard.run("bash", { command: "cat a.py" }, async () => {
    order.push("first begins");
    await new Promise((resolve) => setTimeout(resolve, 50));
    order.push("first ends");
  });
  const held = guard.run("bash", { command: "rm -rf /" }, () => order.push("never"));
  const next = guard.run("bash", { command: "cat b.py" }, () => order.push("third"));
  await Promise.all([slow, held, next]);
  assert.deepEqual(order, ["first begins", "first ends", "third"]);
});

test("a call ends once", async () => {
  const guard = await Guard.start(client, task, env);
  const permit = await guard.begin("bash", { command: "ls" });
  await guard.end(permit, { output: "x".repeat(3 * maxOutput) });
  await assert.rejects(guard.end(permit), RangeError);
  await assert.rejects(guard.end(new Permit(true, "", permit.call)), RangeError);
});

test("what cannot be sent does not run", async () => {
  const guard = await Guard.start(client, task, env);
  const permit = await guard.begin("bash", { command: 7n });
  assert.ok(!permit.allowed && permit.message.startsWith("Not run: the policy could not be asked"));
  assert.equal(await guard.run("bash", { command: "ls" }, () => "ran"), "ran");
});

// A transport that answers as the server does, until it is told otherwise.
function between(change: (op: string, answer: unknown) => unknown): BaseClient {
  const lines = spawned();
  return new BaseClient(async (request) => change(request.operation.name, await lines(request)));
}

const processes: { kill(): void }[] = [];
after(() => processes.forEach((p) => p.kill()));

/** The lines of `gbt serve --stdio`. */
function spawned(): Transport {
  const p = spawn(made.gbt, ["serve", "--stdio", "--policy", made.policy], { stdio: ["pipe", "pipe", "ignore"] });
  processes.push(p);
  const waiting: ((line: string) => void)[] = [];
  createInterface(p.stdout).on("line", (line) => waiting.shift()?.(line));
  return overLines((line) => new Promise((resolve) => {
    waiting.push(resolve);
    p.stdin.write(`${line}\n`);
  }));
}

test("it goes over lines as over HTTP", async () => {
  const told = async (c: BaseClient) => {
    const s = await c.start({ id: "equal", text: task, checks: [{ id: "tests", text: "pytest -q" }] }, env);
    const call = { tool: "bash", args: { command: "ls" } };
    const out: unknown[] = [await c.policy(), await s.propose("look around"), await s.check(call), await s.observe(call, { output: "x" })];
    out.push(await s.check({ tool: "bash", args: fetching }), await s.finish(), await s.report("tests", true), await s.finish(), (await s.get()).trace);
    out.push(await c.checkCall({ ...call, env }, { task: "t", untrusted: ["u"] }));
    await s.delete();
    for (const refused of [() => s.check(call), () => s.check({ tool: "" }), () => c.resume("never-was")]) {
      out.push(await refused().catch((e: unknown) => ({ ...(e as object), said: String(e) })));
    }
    return out;
  };
  assert.deepEqual(await told(new BaseClient(spawned())), await told(client));
});

test("a call that the policy wants replaced is held back, or only told", async () => {
  const recover = (op: string, answer: unknown) => {
    if (op === "propose") return { ...(answer as object), verdict: "recover", brief_text: "Do this instead." };
    return op === "check" ? { ...(answer as object), in_macro: false } : answer;
  };
  const guard = await Guard.start(between(recover), task, env);
  const held = await guard.run("bash", { command: "ls" }, () => assert.fail("it ran"));
  assert.ok(held instanceof Permit && held.message === "Not run. Do this instead.");
  assert.equal(guard.brief(), "Do this instead.");
  const lax = await Guard.start(between(recover), task, env, { steer: false });
  assert.equal(await lax.run("bash", { command: "ls" }, () => "ran"), "ran");
});

test("a run that is lost runs no more", async () => {
  let lost = false;
  const guard = await Guard.start(
    between((op, answer) => {
      if (op === "observe" && lost) throw new TransportError("gone");
      return answer;
    }),
    task, env,
  );
  lost = true;
  assert.equal(await guard.run("bash", { command: "ls" }, () => "ran"), "ran");
  lost = false;
  const held = await guard.run("bash", { command: "ls" }, () => assert.fail("it ran"));
  assert.ok(held instanceof Permit && held.message.startsWith("Not run: the policy server lost track of this run"));
});

for (const broken of ["", "not json", "[]", "null", "{}", '{"jsonrpc":"2.0","id":1}', '{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":1,"error":"no"}', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x","data":{}}}']) {
  test(`a broken line is no permission: ${broken}`, async () => {
    await assert.rejects(new BaseClient(overLines(() => broken)).checkCall({ tool: "ls" }), { name: "ProtocolError" });
  });
}
