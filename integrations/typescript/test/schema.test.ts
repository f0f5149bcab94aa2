import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";

import * as schema from "../src/schema.js";
import { type Shape } from "../src/shape.js";
import { root } from "./server.js";

interface Declared {
  $ref?: string;
  type?: string | string[];
  enum?: string[];
  required?: string[];
  properties?: Record<string, Declared>;
}
const declared = (parse(readFileSync(join(root, "docs/openapi.yaml"), "utf8")) as { components: { schemas: Record<string, Declared> } }).components.schemas;
const resolve = (d: Declared): Declared => (d.$ref === undefined ? d : (declared[d.$ref.split("/").pop() ?? ""] ?? {}));
const shapes = Object.entries(schema as Record<string, Shape<unknown>>);

test("there are shapes to compare", () => assert.ok(shapes.length > 25));

for (const [name, shape] of shapes) {
  test(`${name} is as in the document`, () => {
    const want = declared[name] ?? (name === "Delta" ? { required: ["kind"], properties: { kind: { $ref: "DeltaKind" }, resource: { type: "string" } } } : undefined);
    assert.ok(want, "the document has no such schema");
    if (shape.values !== undefined) assert.deepEqual(shape.values, want.enum);
    if (shape.fields === undefined) return;
    assert.deepEqual(Object.keys(shape.fields).sort(), Object.keys(want.properties ?? {}).sort());
    const required = Object.keys(shape.fields).filter((f) => shape.fields?.[f]?.optional === false);
    assert.deepEqual(required.sort(), [...(want.required ?? [])].sort());
    for (const [field, { shape: has }] of Object.entries(shape.fields)) {
      const d = resolve(want.properties?.[field] ?? {});
      const type = Array.isArray(d.type) ? "arguments" : d.type;
      assert.equal(has.type, type, field);
      if (has.values !== undefined) assert.deepEqual(has.values, d.enum, field);
    }
  });
}
