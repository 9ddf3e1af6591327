import { type ModelPrice, priceOfUsage } from "../data/prices.ts";
import type { Effort } from "../data/settings.ts";
import type { TokenUsage } from "../data/spend.ts";
import { type Bounds, parseJson } from "../text/bounded.ts";
import type { AnswerDraft, DraftBlock } from "./answer-draft.ts";
import type { AnswerBlock, EarlierExchange, ModelAnswer, ModelRequest } from "./language-model.ts";

/** What the provider adds to every request. */
const TOKENS_OF_A_REQUEST = 50;

/** What the provider adds to every message or block. */
const TOKENS_OF_A_PART = 10;

/** The most that the largest models count for an image, once scaled down. */
const TOKENS_OF_AN_IMAGE = 5_000;

/** The provider describes a structured answer to the model in its own words. */
const TOKENS_OF_A_SCHEMA = 500;

/** It also explains to the model how to call tools. */
const TOKENS_OF_TOOLS = 600;

/**
 * The most one attempt at `request` can cost: tokens, and US dollars at `price` with nothing read from the cache
 * (all input written to it when any part is marked for caching, or there are tools). Linear in `maxTokens`.
 */
export function worstCase(request: ModelRequest, price: ModelPrice): { tokens: number; money: number } {
  const texts = [request.system, ...request.parts.map((part) => part.text)];
  for (const exchange of request.earlier) texts.push(...textsOf(exchange));
  const { tools = [] } = request;
  for (const tool of tools) texts.push(tool.name, tool.description, JSON.stringify(tool.inputSchema));
  if (request.schema !== undefined) texts.push(JSON.stringify(request.schema));

  let input = TOKENS_OF_A_REQUEST;
  if (request.schema !== undefined) input += TOKENS_OF_A_SCHEMA;
  if (tools.length > 0) input += TOKENS_OF_TOOLS;
  if (tools.some((tool) => tool.strict)) input += TOKENS_OF_A_SCHEMA;
  for (const text of texts) input += TOKENS_OF_A_PART + estimateTokens(text);

  const images = request.parts.flatMap((part) => part.images ?? []).filter(({ data }) => data !== undefined);
  input += images.length * TOKENS_OF_AN_IMAGE;

  const cached = request.parts.some((part) => part.cache === true) || tools.length > 0;
  const usage = {
    input: cached ? 0 : input,
    cacheWrite: cached ? input : 0,
    cacheRead: 0,
    output: request.maxTokens,
  };
  return { tokens: input + request.maxTokens, money: priceOfUsage(usage, price) };
}

function textsOf(exchange: EarlierExchange): string[] {
  if (!("blocks" in exchange)) return [exchange.answer, exchange.reply];
  const blocks = exchange.blocks.map((block) => {
    if (block.type === "text") return block.text;
    if (block.type === "redacted_thinking") return block.data;
    // Hidden thinking is in the signature, encrypted, and longer there than as text.
    if (block.type === "thinking") return block.thinking + block.signature;
    return block.id + block.name + JSON.stringify(block.input);
  });
  return [...blocks, ...exchange.results.map(({ id, text }) => id + text), exchange.word ?? ""];
}

const ZERO = 48;

const NINE = 57;

const LAST_ASCII = 127;

/**
 * An upper bound for the tokens of `text`, without asking the provider: 2.5 characters a token for code and English, a
 * token for each digit, and two for each other UTF-16 unit (emoji, rare scripts).
 */
function estimateTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > LAST_ASCII) tokens += 2;
    else if (code >= ZERO && code <= NINE) tokens += 1;
    else tokens += 0.4;
  }
  return Math.ceil(tokens);
}

/**
 * The tokens an answer used, complete or broken off, as the provider reports them. The output of a broken stream, and
 * counts that a gateway leaves out, are estimated from the characters, so that no call looks free.
 */
export function usageOfDraft(draft: AnswerDraft, request: ModelRequest): TokenUsage {
  const { input, cacheWrite, cacheRead, output } = draft.usage;
  const complete = draft.finished || draft.stopReason !== undefined;
  const reported = input !== undefined || cacheWrite !== undefined || cacheRead !== undefined;
  const began = complete || reported || draft.blocks.length > 0;
  const received = Math.min(request.maxTokens, estimateTokens(draft.blocks.map(textOf).join("")));
  return {
    input: reported || !began ? (input ?? 0) : estimateInput(request),
    cacheWrite: cacheWrite ?? 0,
    cacheRead: cacheRead ?? 0,
    output: complete ? (output ?? received) : Math.max(output ?? 0, received),
  };
}

/** What the model wrote in a block. Arguments of a tool call are output too. */
function textOf(block: DraftBlock): string {
  if (block.type === "text") return block.text;
  if (block.type === "thinking") return block.thinking;
  if (block.type === "redacted_thinking") return block.data;
  return block.name + (block.json || JSON.stringify(block.input ?? {}));
}

function estimateInput(request: ModelRequest): number {
  return worstCase({ ...request, maxTokens: 0 }, { input: 0, output: 0 }).tokens;
}

/** A complete answer, and what it cost. */
export function answerOf(
  draft: AnswerDraft,
  request: ModelRequest,
  call: {
    model: string;
    effort: Effort | undefined;
    price: ModelPrice;
    elapsed: number;
  },
): ModelAnswer {
  const usage = usageOfDraft(draft, request);
  const { effort, price, elapsed } = call;
  const money = priceOfUsage(usage, price);
  const model = draft.model ?? call.model;
  return { text: textOfDraft(draft), ...endOf(draft), model, effort, usage, money, elapsed };
}

/** Why it ended. A whole answer with calls counts as a tool call, whatever reason a gateway gives. */
function endOf(draft: AnswerDraft): Pick<ModelAnswer, "stop" | "blocks"> {
  if (draft.stopReason === "refusal") return { stop: "refusal" };
  if (draft.stopReason === "max_tokens" || draft.stopReason === "model_context_window_exceeded") {
    return { stop: "length" };
  }
  const blocks = toAnswerBlocks(draft.blocks);
  return blocks.some(({ type }) => type === "tool_use") ? { stop: "tools", blocks } : { stop: "end" };
}

function textOfDraft({ blocks }: AnswerDraft): string {
  return blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/**
 * The blocks of an answer that calls tools, in order. Input that is not JSON, or is too large, stays a string, so that
 * the tool says what is wrong. Calls that name no tool are left out.
 */
function toAnswerBlocks(blocks: readonly DraftBlock[]): AnswerBlock[] {
  return blocks.flatMap((block): AnswerBlock[] => {
    if (block.type === "text") return block.text === "" ? [] : [{ type: block.type, text: block.text }];
    if (block.type === "redacted_thinking") return [{ type: block.type, data: block.data }];
    const { type } = block;
    if (type === "thinking") return [{ type, thinking: block.thinking, signature: block.signature }];
    return block.name === "" ? [] : [{ type, id: block.id, name: block.name, input: inputOf(block) }];
  });
}

/** No model writes as much at a time. */
const LARGEST_INPUT: Bounds = { length: 8 * 1024 * 1024 };

function inputOf({ input, json }: DraftBlock & { type: "tool_use" }): unknown {
  // The API streams nothing for an empty input.
  if (json.trim() === "") return input ?? {};
  const read = parseJson(json, LARGEST_INPUT);
  return read.fault === undefined ? read.value : json;
}
