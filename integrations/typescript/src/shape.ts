import { ProtocolError } from "./errors.js";

/**
 * A shape says at once what a value's type is and how it is read. A client that
 * fills gaps might turn a broken answer into a permission, so a missing or wrong
 * field is an error; fields that it does not know it leaves out, as the document asks.
 */
export interface Shape<T> {
  read(value: unknown, where: string): T;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

interface Field<T> {
  readonly shape: Shape<T>;
  readonly optional: boolean;
}

/** The type of a shape's values. */
export type Infer<S> = S extends Shape<infer T> ? T : never;

type Required<F> = { readonly [K in keyof F as F[K] extends { optional: false } ? K : never]: F[K] extends Field<infer T> ? T : never };
type Optional<F> = { readonly [K in keyof F as F[K] extends { optional: true } ? K : never]?: F[K] extends Field<infer T> ? T : never };
type Simplify<T> = { [K in keyof T]: T[K] };

function wrong(where: string, want: string): never {
  throw new ProtocolError(`${where}: ${want} was expected`);
}

export const text: Shape<string> = {
  read: (v, where) => (typeof v === "string" ? v : wrong(where, "a string")),
};

export const integer: Shape<number> = {
  read: (v, where) => (Number.isSafeInteger(v) ? (v as number) : wrong(where, "an integer")),
};

export const flag: Shape<boolean> = {
  read: (v, where) => (typeof v === "boolean" ? v : wrong(where, "true or false")),
};

export function oneOf<const V extends readonly string[]>(...values: V): Shape<V[number]> {
  const read = (v: unknown, where: string) => (values.includes(v as string) ? (v as V[number]) : wrong(where, values.join(" or ")));
  return { read };
}

export function list<T>(of: Shape<T>): Shape<readonly T[]> {
  const read = (v: unknown, where: string) => (Array.isArray(v) ? v.map((x, i) => of.read(x, `${where}[${i}]`)) : wrong(where, "a list"));
  return { read };
}

export function must<T>(shape: Shape<T>): { shape: Shape<T>; optional: false } {
  return { shape, optional: false };
}

export function may<T>(shape: Shape<T>): { shape: Shape<T>; optional: true } {
  return { shape, optional: true };
}

export function object<F extends Fields>(fields: F): Shape<Simplify<Required<F> & Optional<F>>> {
  const read = (v: unknown, where: string) => {
    if (typeof v !== "object" || v === null || Array.isArray(v)) wrong(where, "an object");
    const out: Record<string, unknown> = {};
    for (const [name, field] of Object.entries(fields)) {
      if (Object.hasOwn(v, name)) out[name] = field.shape.read((v as Record<string, unknown>)[name], `${where}.${name}`);
      else if (!field.optional) throw new ProtocolError(`${where}.${name}: missing`);
    }
    return out as Simplify<Required<F> & Optional<F>>;
  };
  return { read };
}
