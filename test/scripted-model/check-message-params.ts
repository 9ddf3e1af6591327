import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { type Block, type MessageBody, toBlocks } from "./message-body.ts";

const cached = {
  cache_control: z.strictObject({ type: z.literal("ephemeral"), ttl: z.string().optional() }).nullish(),
};
const id = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);

/** Text of its own, or text blocks. */
const contentOf = <T extends z.ZodType>(block: T) => z.union([z.string().min(1), z.array(block).min(1)]);

const textBlock = z.strictObject({
  type: z.literal("text"),
  text: z.string().regex(/\S/, "text content blocks must contain non-whitespace text"),
  ...cached,
});
const toolResult = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: id,
  content: z.union([z.literal(""), contentOf(textBlock)]).optional(),
  is_error: z.boolean().optional(),
  ...cached,
});
const image = z.strictObject({ type: z.literal("image"), source: z.looseObject({ type: z.string() }), ...cached });

const user = z.strictObject({
  role: z.literal("user"),
  content: contentOf(z.discriminatedUnion("type", [textBlock, image, toolResult])),
});
const assistant = z.strictObject({
  role: z.literal("assistant"),
  content: contentOf(
    z.discriminatedUnion("type", [
      textBlock,
      z.strictObject({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
      z.strictObject({ type: z.literal("redacted_thinking"), data: z.string() }),
      z.strictObject({ type: z.literal("tool_use"), id, name, input: z.looseObject({}), ...cached }),
    ]),
  ),
});

const answerSchema = z.unknown().superRefine((schema, { addIssue }) => {
  for (const fault of schemaFaults(schema, "schema")) addIssue(fault);
});

/** One instance for all schemas: none is added to it, and compiling the meta-schema takes time. */
const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false, code: { optimize: false } });

const tool = z
  .strictObject({
    name,
    description: z.string().optional(),
    input_schema: z
      .looseObject({ type: z.literal("object") })
      .refine(
        (schema) => !["oneOf", "allOf", "anyOf"].some((keyword) => keyword in schema),
        "no oneOf at the top level",
      )
      .refine((schema) => ajv.validateSchema(schema) === true, "must match JSON Schema draft 2020-12"),
    strict: z.boolean().optional(),
    ...cached,
  })
  .superRefine(({ strict, input_schema }, { addIssue }) => {
    for (const fault of strict === true ? schemaFaults(input_schema, "input_schema") : []) addIssue(fault);
  });

const alone = { disable_parallel_tool_use: z.boolean().optional() };
const toolChoice = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  z.strictObject({ type: z.enum(["auto", "any"]), ...alone }),
  z.strictObject({ type: z.literal("tool"), name, ...alone }),
]);

/** The fields of a request that we send. A sampling parameter, which the API no longer takes, is unknown like any other. */
const params = z
  .strictObject({
    model: z.string().min(1),
    max_tokens: z.int().positive().max(128_000),
    stream: z.literal(true),
    system: contentOf(textBlock).optional(),
    messages: z.array(z.discriminatedUnion("role", [user, assistant])).min(1),
    tools: z.array(tool).optional(),
    tool_choice: toolChoice.optional(),
    output_config: z
      .strictObject({
        effort: z.enum(["low", "medium", "high", "xhigh", "max"]).nullish(),
        format: z.strictObject({ type: z.literal("json_schema"), schema: answerSchema }).nullish(),
      })
      .nullish(),
  })
  .superRefine((body, { addIssue }) => {
    for (const fault of turnFaults(body as MessageBody)) addIssue(fault);
  });

/** The API's objections to a body of POST /v1/messages; undefined when it has none. */
export function checkMessageParams(body: unknown): string | undefined {
  const { error } = params.safeParse(body);
  return error && z.prettifyError(error);
}

const KEYWORDS = new Set(
  "type properties required additionalProperties items enum const anyOf allOf $ref $defs description title format minItems default".split(
    " ",
  ),
);

/** The API's objections to the JSON Schema of a structured answer. */
function schemaFaults(schema: unknown, path: string): string[] {
  if (typeof schema !== "object" || schema === null) return [`${path}: Input should be an object`];
  const { properties = {}, $defs = {}, items, anyOf = [], allOf = [], ...own } = schema as Record<string, object>;
  const faults = Object.keys(schema)
    .filter((keyword) => !KEYWORDS.has(keyword))
    .map((keyword) => `${path}: '${keyword}' is not supported`);
  if (String(own.type) === "object" && String(own.additionalProperties) !== "false")
    faults.push(`${path}: For 'object' type, 'additionalProperties' must be explicitly set to false`);
  if (Number(own.minItems) > 1) faults.push(`${path}: 'minItems' values other than 0 or 1 are not supported`);
  const parts = [properties, $defs, anyOf, allOf, items === undefined ? {} : { items }].flatMap(Object.entries);
  return [...faults, ...parts.flatMap(([part, one]) => schemaFaults(one, `${path}.${part}`))];
}

const MAX_BREAKPOINTS = 4;
const MAX_STRICT = 20;

/** The API's objections to how turns, tools and cache breakpoints go together. */
function turnFaults({ messages, system, tools = [], tool_choice: choice }: MessageBody): string[] {
  const faults: string[] = [];
  if (messages.some(({ role }, at) => role !== (at % 2 === 0 ? "user" : "assistant")))
    faults.push('messages: roles must alternate between "user" and "assistant"');
  if (messages.at(-1)?.role === "assistant") faults.push("This model does not support assistant message prefill.");
  const breakpoints = JSON.stringify([system, messages, tools]).split('"cache_control":{').length - 1;
  if (breakpoints > MAX_BREAKPOINTS) faults.push(`A maximum of 4 blocks with cache_control may be provided.`);
  if (tools.filter(({ strict }) => strict === true).length > MAX_STRICT) faults.push("tools: Too many strict tools.");
  if (new Set(tools.map((one) => one.name)).size < tools.length) faults.push("tools: Tool names must be unique.");
  if (choice && tools.length === 0) faults.push("tool_choice: may only be specified while providing tools");
  if (choice?.type === "tool" && !tools.some((one) => one.name === choice.name))
    faults.push(`tool_choice: Tool '${choice.name}' not found in provided tools`);
  const turns = messages.map((message) => toBlocks(message.content));
  turns.forEach((blocks, at) => {
    const open = callsOf(blocks).filter((call) => !resultsOf(turns[at + 1]).includes(call));
    if (open.length > 0)
      faults.push(`messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks: ${open.join(", ")}.`);
    const results = resultsOf(blocks);
    const calls = callsOf(turns[at - 1]);
    if (results.some((result) => !calls.includes(result)) || new Set(results).size < results.length)
      faults.push(`messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks.`);
    if (blocks.findLastIndex(isResult) >= results.length)
      faults.push(`messages.${at}: \`tool_result\` blocks must come first.`);
  });
  const all = turns.flatMap(callsOf);
  if (new Set(all).size < all.length) faults.push("messages: `tool_use` ids must be unique");
  if (all.length > 0 && tools.length === 0) faults.push("Requests which have tool use blocks must define tools.");
  return faults;
}

const isResult = (block: Block) => block.type === "tool_result";

const callsOf = (blocks: readonly Block[] = []) =>
  blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));

const resultsOf = (blocks: readonly Block[] = []) =>
  blocks.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
