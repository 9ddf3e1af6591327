import { checkContent } from "./check-content.ts";
import { checkSchema } from "./check-schema.ts";
import { checkToolTurns } from "./check-tool-turns.ts";
import { checkTools } from "./check-tools.ts";
import { isRecord } from "./is-record.ts";
import type { MessageBody } from "./message-body.ts";

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
