import type { EarlierExchange, ModelRequest } from "../../ports/language-model.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import type { ModelPrice } from "./model-price.ts";
import { priceOfUsage } from "./price-of-usage.ts";

/** What the provider adds to every request, and to a message or block. */
const TOKENS_OF_A_REQUEST = 50;
const TOKENS_OF_A_PART = 10;
/** The most that the largest models take an image for, scaled down as they do. */
const TOKENS_OF_AN_IMAGE = 5_000;
/** The provider explains a structured answer to the model in words of its own. */
const TOKENS_OF_A_SCHEMA = 500;
/** It tells the model how to call tools as well. */
const TOKENS_OF_TOOLS = 600;

/**
 * The most one attempt at `request` can cost: tokens, and US dollars at `price` with nothing read from the cache
 * (all input written to it when any part is marked for caching, or something was looked up). Linear in `maxTokens`.
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
  for (const text of texts) input += TOKENS_OF_A_PART + estimateTokens(text);

  const images = request.parts.flatMap((part) => part.images ?? []).filter(({ data }) => data !== undefined);
  input += images.length * TOKENS_OF_AN_IMAGE;

  const cached = request.parts.some((part) => part.cache === true) || request.earlier.some((one) => "blocks" in one);
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
    // Thinking that is not shown is in the signature, encrypted: longer there than as text.
    if (block.type === "thinking") return block.thinking + block.signature;
    return block.id + block.name + JSON.stringify(block.input);
  });
  return [...blocks, ...exchange.results.map(({ id, text }) => id + text)];
}
