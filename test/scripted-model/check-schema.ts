import { isRecord } from "./is-record.ts";

const KEYWORDS = new Set(
  "type properties required additionalProperties items enum const anyOf allOf $ref $defs description title format minItems default".split(
    " ",
  ),
);

/** The API's objections to the JSON Schema of a structured answer, as sentences. */
export function checkSchema(schema: unknown, path = "output_config.format.schema"): string[] {
  if (!isRecord(schema)) return [`${path}: Input should be an object`];
  const faults = Object.keys(schema)
    .filter((keyword) => !KEYWORDS.has(keyword))
    .map((keyword) => `${path}: '${keyword}' is not supported`);
  if (schema.type === "object" && schema.additionalProperties !== false) {
    faults.push(`${path}: For 'object' type, 'additionalProperties' must be explicitly set to false`);
  }
  if (typeof schema.minItems === "number" && schema.minItems > 1) {
    faults.push(`${path}: For 'array' type, 'minItems' values other than 0 or 1 are not supported`);
  }
  for (const keyword of ["properties", "$defs"] as const) {
    for (const [name, child] of Object.entries(isRecord(schema[keyword]) ? schema[keyword] : {})) {
      faults.push(...checkSchema(child, `${path}.${keyword}.${name}`));
    }
  }
  if (schema.items !== undefined) faults.push(...checkSchema(schema.items, `${path}.items`));
  for (const keyword of ["anyOf", "allOf"] as const) {
    const children: unknown = schema[keyword];
    if (!Array.isArray(children)) continue;
    children.forEach((child, at) => {
      faults.push(...checkSchema(child, `${path}.${keyword}.${at}`));
    });
  }
  return faults;
}
