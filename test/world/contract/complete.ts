import type { Description, Schema } from "./description.ts";

/**
 * `value` with every required field that it lacks. What no test cares for is made up from the description itself, as
 * empty as it allows: null, nothing, zero. So whatever the world says has all that GitHub says.
 */
export function complete(description: Description, schema: Schema | undefined, value: unknown): unknown {
  if (schema === undefined || value === null || typeof value !== "object") return value;
  const { items, properties = {}, required = [] } = shapeOf(description, schema, value);
  if (Array.isArray(value)) return value.map((one) => complete(description, items, one));
  const fields = Object.entries(value).map(([name, one]) => [name, complete(description, properties[name], one)]);
  const whole = Object.fromEntries(fields) as Record<string, unknown>;
  for (const name of required) if (whole[name] === undefined) whole[name] = empty(description, properties[name] ?? {});
  return whole;
}

const ALTERNATIVES = ["anyOf", "oneOf"] as const;

/** What a schema says of `value`: its references followed, and of alternatives the one that knows most of the fields. */
function shapeOf(description: Description, schema: Schema, value: object): Schema {
  const one = follow(description, schema);
  const parts = (one.allOf ?? []).map((part) => shapeOf(description, part, value));
  for (const name of ALTERNATIVES) {
    const shapes = (one[name] ?? []).map((other) => shapeOf(description, other, value));
    const known = ({ properties = {} }: Schema) => Object.keys(value).filter((key) => key in properties).length;
    parts.push(...shapes.sort((a, b) => known(b) - known(a)).slice(0, 1));
  }
  return {
    items: [one, ...parts].find(({ items }) => items)?.items,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), one.properties),
    required: [one, ...parts].flatMap(({ required = [] }) => required),
  };
}

function follow(description: Description, schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1) ?? "";
  const found = description.components.schemas?.[name];
  return found === undefined ? schema : follow(description, found);
}

const EMPTY: Record<string, unknown> = { array: [], boolean: false, integer: 0, number: 0 };
const TEXTS: Record<string, string> = { "date-time": "2026-01-01T00:00:00Z", uri: "https://github.com/" };

function empty(description: Description, schema: Schema): unknown {
  const { nullable, type, enum: choices, format = "", allOf, anyOf, oneOf } = follow(description, schema);
  const types = [type ?? "object"].flat();
  if (nullable === true || types.includes("null")) return null;
  if (choices !== undefined) return choices[0];
  const first = anyOf?.[0] ?? oneOf?.[0] ?? (type === undefined ? allOf?.[0] : undefined);
  if (first !== undefined) return empty(description, first);
  const [kind = ""] = types;
  if (kind === "string") return TEXTS[format] ?? "";
  return kind === "object" ? complete(description, schema, {}) : EMPTY[kind];
}
