import { Ajv2020 } from "ajv/dist/2020.js";
import { checkSchema } from "./check-schema.ts";
import { isRecord } from "./is-record.ts";

/** One instance for all schemas: none is added to it, and compiling the meta-schema takes time. */
const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false, code: { optimize: false } });
const FIELDS = new Set("type name description input_schema cache_control strict eager_input_streaming".split(" "));
const CHOICES = ["auto", "any", "tool", "none"];
const MAX_STRICT = 20;
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** The API's objections to the `tools` and the `tool_choice` of a body, as sentences. */
export function checkTools(tools: unknown, choice: unknown): string[] {
  if (tools !== undefined && !Array.isArray(tools)) return ["tools: Input should be a valid list"];
  const given: unknown[] = tools ?? [];
  const faults = given.flatMap((tool, at) => checkTool(tool, `tools.${at}`));
  const names = given.map((tool) => (isRecord(tool) ? tool.name : undefined));
  if (given.filter((tool) => isRecord(tool) && tool.strict === true).length > MAX_STRICT) {
    faults.push(`tools: At most ${MAX_STRICT} strict tools may be given.`);
  }
  if (new Set(names).size < names.length) faults.push("tools: Tool names must be unique.");
  return [...faults, ...checkChoice(choice, names)];
}

function checkTool(tool: unknown, path: string): string[] {
  if (!isRecord(tool)) return [`${path}: Input should be a valid dictionary`];
  const faults = Object.keys(tool)
    .filter((key) => !FIELDS.has(key))
    .map((key) => `${path}.${key}: Extra inputs are not permitted`);
  const { name, description, input_schema: schema } = tool;
  if (typeof name !== "string" || !NAME.test(name)) {
    faults.push(`${path}.name: String should match pattern '${NAME.source}'`);
  }
  if (description !== undefined && typeof description !== "string") {
    faults.push(`${path}.description: Input should be a valid string`);
  }
  faults.push(...checkInputSchema(schema, `${path}.input_schema`));
  if (tool.strict === true) faults.push(...checkSchema(schema, `${path}.input_schema`));
  return faults;
}

function checkInputSchema(schema: unknown, path: string): string[] {
  if (!isRecord(schema)) return [`${path}: Field required`];
  if (schema.type !== "object") return [`${path}.type: Input should be 'object'`];
  if (["oneOf", "allOf", "anyOf"].some((keyword) => keyword in schema)) {
    return [`${path}: input_schema does not support oneOf, allOf, or anyOf at the top level`];
  }
  const properties = Object.keys(isRecord(schema.properties) ? schema.properties : {});
  if (properties.some((name) => !PROPERTY.test(name))) {
    return [`${path}.properties: Property keys should match pattern '${PROPERTY.source}'`];
  }
  const valid = ajv.validateSchema(schema);
  return valid === true ? [] : [`${path}: JSON schema is invalid. It must match JSON Schema draft 2020-12`];
}

function checkChoice(choice: unknown, names: readonly unknown[]): string[] {
  if (choice === undefined) return [];
  if (!isRecord(choice) || !CHOICES.some((known) => known === choice.type)) {
    return [`tool_choice.type: Input should be one of ${CHOICES.join(", ")}`];
  }
  if (names.length === 0) return ["tool_choice: may only be specified while providing tools"];
  const known = new Set(["type", ...(choice.type === "none" ? [] : ["disable_parallel_tool_use"])]);
  if (choice.type === "tool") known.add("name");
  if (choice.type === "tool" && !names.includes(choice.name)) {
    return [`tool_choice: Tool '${String(choice.name)}' not found in provided tools`];
  }
  return Object.keys(choice)
    .filter((key) => !known.has(key))
    .map((key) => `tool_choice.${key}: Extra inputs are not permitted`);
}
