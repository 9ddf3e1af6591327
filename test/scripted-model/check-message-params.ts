import { Ajv2020 } from "ajv/dist/2020.js";
import { type Block, type MessageBody, toBlocks } from "./message-body.ts";

const FIELDS = new Set(
  (
    "model max_tokens messages system stream output_config cache_control container diagnostics inference_geo metadata " +
    "service_tier speed stop_sequences thinking tool_choice tools"
  ).split(" "),
);
const EFFORTS = ["low", "medium", "high", "xhigh", "max"];
const MAX_OUTPUT = 128_000;

/** The API's objections to a body of POST /v1/messages (`counting`: of its count_tokens), as sentences. */
export function checkMessageParams(body: unknown, counting = false): string[] {
  if (!isRecord(body)) return ["Input should be a valid dictionary"];
  const faults = Object.keys(body)
    .filter((field) => !FIELDS.has(field))
    .map((field) =>
      ["temperature", "top_p", "top_k"].includes(field)
        ? `${field}: is no longer supported`
        : `${field}: Extra inputs are not permitted`,
    );
  if (typeof body.model !== "string" || body.model === "") faults.push("model: Field required");
  if (!counting) faults.push(...checkMaxTokens(body.max_tokens));
  if (body.stream !== undefined && typeof body.stream !== "boolean") faults.push("stream: Input should be a boolean");
  if (body.system !== undefined) faults.push(...checkContent(body.system, "system", "system"));
  faults.push(...checkMessages(body.messages), ...checkOutputConfig(body.output_config));
  faults.push(...checkTools(body.tools, body.tool_choice));
  // The further checks need well-formed messages.
  if (faults.length === 0) faults.push(...checkToolTurns(body as unknown as MessageBody));
  const breakpoints = JSON.stringify([body.system, body.messages, body.tools]).split('"cache_control":{').length - 1;
  if (breakpoints > 4) {
    faults.push(`A maximum of 4 blocks with cache_control may be provided. Found ${breakpoints}.`);
  }
  return faults;
}

function checkMaxTokens(value: unknown): string[] {
  if (value === undefined) return ["max_tokens: Field required"];
  if (!Number.isInteger(value)) return ["max_tokens: Input should be a valid integer"];
  if (Number(value) < 1) return ["max_tokens: Input should be greater than or equal to 1"];
  return Number(value) > MAX_OUTPUT ? [`max_tokens: ${value} > ${MAX_OUTPUT}, the most this model allows`] : [];
}

function checkMessages(messages: unknown): string[] {
  if (!Array.isArray(messages)) return ["messages: Field required"];
  if (messages.length === 0) return ["messages: at least one message is required"];
  const faults = messages.flatMap((message: unknown, at) => {
    const name = `messages.${at}`;
    if (!isRecord(message)) return [`${name}: Input should be a valid dictionary`];
    const role = at % 2 === 0 ? "user" : "assistant";
    const wrong = message.role === role ? [] : [`${name}: roles must alternate between "user" and "assistant"`];
    const extra = Object.keys(message).filter((key) => key !== "role" && key !== "content");
    const unknown = extra.map((key) => `${name}.${key}: Extra inputs are not permitted`);
    return [...wrong, ...unknown, ...checkContent(message.content, `${name}.content`, role)];
  });
  const last: unknown = messages.at(-1);
  if (isRecord(last) && last.role === "assistant") {
    faults.push(
      "This model does not support assistant message prefill. The conversation must end with a user message.",
    );
  }
  return faults;
}

function checkOutputConfig(config: unknown): string[] {
  if (config === undefined || config === null) return [];
  if (!isRecord(config)) return ["output_config: Input should be a valid dictionary"];
  const faults = Object.keys(config)
    .filter((key) => key !== "effort" && key !== "format")
    .map((key) => `output_config.${key}: Extra inputs are not permitted`);
  const { effort, format } = config;
  if (effort !== undefined && effort !== null && !EFFORTS.some((known) => known === effort)) {
    faults.push(`output_config.effort: Input should be one of ${EFFORTS.join(", ")}`);
  }
  if (format === undefined || format === null) return faults;
  if (!isRecord(format) || format.type !== "json_schema") faults.push("output_config.format.type: 'json_schema' only");
  else faults.push(...checkSchema(format.schema));
  return faults;
}

/** Fields of each kind of block; a question mark makes one optional. */
const BLOCK_FIELDS: Readonly<Record<string, string>> = {
  text: "text cache_control? citations?",
  image: "source cache_control?",
  thinking: "thinking signature",
  redacted_thinking: "data",
  tool_use: "id name input cache_control? caller?",
  tool_result: "tool_use_id content? is_error? cache_control?",
};
const KINDS = {
  system: ["text"],
  user: ["text", "image", "tool_result"],
  assistant: ["text", "thinking", "redacted_thinking", "tool_use"],
} as const;

/** The API's objections to the content of a turn or of the system prompt, as sentences that begin with `name`. */
function checkContent(content: unknown, name: string, role: keyof typeof KINDS): string[] {
  if (typeof content === "string") return content === "" ? [`${name}: text must be non-empty`] : [];
  if (!Array.isArray(content)) return [`${name}: Field required`];
  if (content.length === 0) return [`${name}: at least one block is required`];
  return content.flatMap((block: unknown, at) => checkBlock(block, `${name}.${at}`, KINDS[role]));
}

function checkBlock(block: unknown, name: string, kinds: readonly string[]): string[] {
  const kind = isRecord(block) ? kinds.find((known) => known === block.type) : undefined;
  if (!isRecord(block) || kind === undefined) return [`${name}: only ${kinds.join(", ")} is known here`];
  const fields = (BLOCK_FIELDS[kind] ?? "").split(" ");
  const known = new Set(["type", ...fields.map((field) => field.replace("?", ""))]);
  const faults = [
    ...Object.keys(block)
      .filter((key) => !known.has(key))
      .map((key) => `${name}.${key}: Extra inputs are not permitted`),
    ...fields
      .filter((field) => !field.endsWith("?") && block[field] === undefined)
      .map((field) => `${name}.${field}: Field required`),
  ];
  for (const field of ["text", "thinking", "signature", "data", "id", "name", "tool_use_id"]) {
    if (block[field] !== undefined && typeof block[field] !== "string") {
      faults.push(`${name}.${field}: Input should be a valid string`);
    }
  }
  const control = block.cache_control ?? undefined;
  if (control !== undefined && !(isRecord(control) && control.type === "ephemeral")) {
    faults.push(`${name}.cache_control: Input should be 'ephemeral'`);
  }
  return [...faults, ...checkValues(block, name, kind)];
}

function checkValues(block: Record<string, unknown>, name: string, kind: string): string[] {
  const faults: string[] = [];
  if (kind === "text" && typeof block.text === "string" && block.text.trim() === "") {
    faults.push(`${name}: text content blocks must contain non-whitespace text`);
  }
  for (const field of ["id", "tool_use_id"]) {
    const id = block[field];
    if (typeof id === "string" && !/^[a-zA-Z0-9_-]+$/.test(id)) {
      faults.push(`${name}.${field}: String should match pattern '^[a-zA-Z0-9_-]+$'`);
    }
  }
  if (kind === "tool_use" && !isRecord(block.input)) faults.push(`${name}.input: Input should be a valid dictionary`);
  if (kind === "tool_result" && block.content !== undefined && block.content !== "") {
    faults.push(...checkContent(block.content, `${name}.content`, "system"));
  }
  return faults;
}

const KEYWORDS = new Set(
  "type properties required additionalProperties items enum const anyOf allOf $ref $defs description title format minItems default".split(
    " ",
  ),
);

/** The API's objections to the JSON Schema of a structured answer, as sentences. */
function checkSchema(schema: unknown, path = "output_config.format.schema"): string[] {
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

/** One instance for all schemas: none is added to it, and compiling the meta-schema takes time. */
const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false, code: { optimize: false } });
const TOOL_FIELDS = new Set("type name description input_schema cache_control strict eager_input_streaming".split(" "));
const CHOICES = ["auto", "any", "tool", "none"];
const MAX_STRICT = 20;
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** The API's objections to the `tools` and the `tool_choice` of a body, as sentences. */
function checkTools(tools: unknown, choice: unknown): string[] {
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
    .filter((key) => !TOOL_FIELDS.has(key))
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

/** The API's objections to the answers to tool calls in a well-formed conversation, as sentences. */
function checkToolTurns({ messages, tools = [] }: Pick<MessageBody, "messages" | "tools">): string[] {
  const turns = messages.map((message) => toBlocks(message.content));
  const faults = turns.flatMap((blocks, at) => [
    ...checkAnswered(blocks, turns[at + 1] ?? [], `messages.${at}`),
    ...checkResults(blocks, turns[at - 1] ?? [], `messages.${at}`),
  ]);
  const all = turns.flatMap((blocks) => callsOf(blocks));
  if (new Set(all).size < all.length) faults.push("messages: `tool_use` ids must be unique");
  if (all.length > 0 && tools.length === 0) faults.push("Requests which have tool use blocks must define tools.");
  return faults;
}

function checkAnswered(blocks: readonly Block[], next: readonly Block[], name: string): string[] {
  const results = new Set(next.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : [])));
  const open = callsOf(blocks).filter((id) => !results.has(id));
  if (open.length === 0) return [];
  return [`${name}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}.`];
}

function checkResults(blocks: readonly Block[], before: readonly Block[], name: string): string[] {
  const calls = new Set(callsOf(before));
  const seen = new Set<string>();
  const faults: string[] = [];
  blocks.forEach((block, at) => {
    if (block.type !== "tool_result") return;
    const id = block.tool_use_id;
    if (!calls.has(id))
      faults.push(`${name}.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}.`);
    if (seen.has(id)) faults.push(`${name}.${at}: each tool_use must have a single result: ${id}.`);
    if (blocks[at - 1] !== undefined && blocks[at - 1]?.type !== "tool_result") {
      faults.push(`${name}.${at}: \`tool_result\` blocks must come first.`);
    }
    seen.add(id);
  });
  return faults;
}

function callsOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
}

/** Whether `value` is a JSON object. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
