import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";

import { ProtocolError } from "../src/errors.js";
import { operations, SessionInfo, Status, Way } from "../src/schema.js";
import { root } from "./server.js";

interface Declared {
  operationId: string;
  responses: Record<string, unknown>;
  parameters?: { $ref: string }[];
}
const paths = (parse(readFileSync(join(root, "docs/openapi.yaml"), "utf8")) as { paths: Record<string, Record<string, Declared>> }).paths;

test("every operation of the document is there", () => {
  const plain = ["getOpenAPI", "health", "ready", "metrics"]; // text for other programs
  const found: string[] = [];
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, declared] of Object.entries(item)) {
      if (method === "parameters" || plain.includes(declared.operationId)) continue;
      const ours = Object.values(operations).find((o) => o.name === declared.operationId);
      assert.deepEqual([ours?.method, ours?.path], [method.toUpperCase(), path]);
      assert.ok(String(ours?.status) in declared.responses);
      const keyed = JSON.stringify([item["parameters"] ?? [], declared.parameters ?? []]).includes("IdempotencyKey");
      assert.equal(ours?.keyed, keyed, declared.operationId);
      found.push(declared.operationId);
    }
  }
  assert.deepEqual(found.sort(), Object.keys(operations).sort());
});

test("a shape names the field that is wrong", () => {
  assert.deepEqual(Way.read({ up: 1, macros: ["a"], cost: 2, later: {} }, "answer"), { up: 1, macros: ["a"], cost: 2 });
  for (const [bad, says] of [
    [{ up: 1, cost: 2 }, "answer.macros: missing"],
    [{ up: 1, macros: ["a", 7], cost: 2 }, "answer.macros[1]: a string was expected"],
    [{ up: 1.5, macros: [], cost: 2 }, "answer.up: an integer was expected"],
    [[], "answer: an object was expected"],
    [undefined, "answer: an object was expected"],
  ] as const) {
    assert.throws(() => Way.read(bad, "answer"), (e) => e instanceof ProtocolError && e.message === says);
  }
  assert.throws(() => Status.read({}, "answer"), ProtocolError);
  assert.throws(() => SessionInfo.read(null, "answer"), ProtocolError);
});
