type Node = { [key: string]: unknown };

/**
 * Turns an OpenAPI 3.0 document into JSON Schema: `nullable` becomes a type, and `oneOf` becomes `anyOf`, because
 * GitHub's alternatives overlap. `lax` also drops every `required` and closed object, so that only wrong types fail.
 */
export function toJsonSchema(node: unknown, lax: boolean, named = false): unknown {
  if (Array.isArray(node)) return node.map((item) => toJsonSchema(item, lax));
  if (node === null || typeof node !== "object") return node;
  const out: Node = {};
  for (const [key, value] of Object.entries(node)) {
    if (!named && lax && (key === "required" || key === "minItems")) continue;
    if (!named && key === "nullable") continue;
    const children = !named && (key === "properties" || key === "schemas" || key === "patternProperties");
    out[!named && key === "oneOf" ? "anyOf" : key] = toJsonSchema(value, lax, children);
  }
  if (named || (node as Node).nullable !== true) return out;
  if (typeof out.type !== "string") return { anyOf: [out, { type: "null" }] };
  const choices = Array.isArray(out.enum) && !out.enum.includes(null) ? { enum: [...out.enum, null] } : {};
  return { ...out, ...choices, type: [out.type, "null"] };
}
