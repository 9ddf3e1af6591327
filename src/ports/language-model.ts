import type { TokenUsage } from "../model/spend.ts";

export type ModelTier = "fast" | "strong";

export type Effort = "low" | "medium" | "high" | "xhigh" | "max";

/** An image that a prompt shows. */
export interface PromptImage {
  readonly mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** SHA-256 of its bytes, hex; it stands for them in the request's key */
  readonly hash: string;
  /** its bytes in base64; absent when they cannot be had any more, and then it is not shown */
  readonly data?: string;
}

/** Part of a prompt. */
export interface PromptPart {
  readonly text: string;
  /** the same in several calls (a file, the issue); such parts come first. No part of the request's key. */
  readonly cache?: boolean;
  /** shown after the text */
  readonly images?: readonly PromptImage[];
}

/** A wrong answer that went back with a reason. */
export interface Correction {
  readonly answer: string;
  readonly reply: string;
}

/** A tool as the model is told of it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input, an object */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** the provider holds the model to the schema, where it can */
  readonly strict?: true;
}

/** What the model wants looked up, or its answer. */
export interface ToolCall {
  /** the provider's; its result names it */
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** A part of an answer that calls tools. Thinking goes back as it came: the provider asks for it, and signs it. */
export type AnswerBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | ({ readonly type: "tool_use" } & ToolCall);

/** The tools by which agents answer. */
const ANSWERS: ReadonlySet<string> = new Set(["plan", "change", "review", "shortlist"]);

/** The calls in an answer that look something up: all but the one that is the answer itself. */
export function lookupsIn(blocks: readonly AnswerBlock[]): readonly ToolCall[] {
  return blocks.filter((block) => block.type === "tool_use").filter(({ name }) => !ANSWERS.has(name));
}

/** An answer that called tools, and what they gave. */
export interface ToolExchange {
  readonly blocks: readonly AnswerBlock[];
  /** one for each call, in the order of the calls; `isError`: of an answer that cannot be used, why */
  readonly results: readonly { readonly id: string; readonly text: string; readonly isError?: true }[];
  /** said behind the results */
  readonly word?: string;
}

/** What came before in the same conversation. */
export type EarlierExchange = Correction | ToolExchange;

/** One call. Plain data: its hash, without what only says how it is sent, is the key under which the answer is paid once. */
export interface ModelRequest {
  /** e.g. `p04-define-task` */
  readonly promptId: string;
  readonly tier: ModelTier;
  /** instead of the tier's configured model: what a repository has chosen among those that have a price */
  readonly model?: string;
  /** instead of the tier's configured effort */
  readonly effort?: Effort;
  /** tokens, thinking included */
  readonly maxTokens: number;
  readonly system: string;
  readonly parts: readonly PromptPart[];
  readonly earlier: readonly EarlierExchange[];
  /** JSON Schema of a structured answer; absent: plain text */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** what the model may call; the same to the letter in all conversations of a run that are to share a cache */
  readonly tools?: readonly ToolDefinition[];
  /** the tool that is called to answer */
  readonly answerBy?: string;
  /** `answerBy` is forced: the model has refused to call it. No part of the request's key. */
  readonly mustAnswer?: true;
  /**
   * After how many of `earlier` the conversation is worth keeping in the provider's cache, since it may go on from there;
   * 0: after the parts. Absent: it ends with this answer. No part of the request's key.
   */
  readonly keep?: number;
}

export interface ModelAnswer {
  readonly text: string;
  /** `tools`: it calls tools and waits for what they give; `length`: cut off at maxTokens; `refusal`: the model declined */
  readonly stop: "end" | "tools" | "length" | "refusal";
  /** of an answer that calls tools: all of it, to be sent back with the results */
  readonly blocks?: readonly AnswerBlock[];
  readonly model: string;
  /** that it was asked for with; absent: the model's own */
  readonly effort?: Effort;
  readonly usage: TokenUsage;
  /** US dollars, this call's failed attempts included */
  readonly money: number;
  /** milliseconds */
  readonly elapsed: number;
}

/**
 * One verb: a call to a language model.
 * Throws MagisError MODEL_UNAVAILABLE (overload, network, after retries), MODEL_REJECTED (the request or key is
 * wrong), RUN_CANCELLED (aborted). `data.usage` and `data.money` of these errors hold what was used all the same.
 */
export interface LanguageModel {
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  /** The most this request can cost: all input uncached, `maxTokens` of output. */
  worstCase(request: ModelRequest): { readonly tokens: number; readonly money: number };
}

/**
 * Fetches images that people have uploaded to the code host. One that is gone, too large, of another type than it seems
 * or somewhere else is undefined: an image never ends a run. `token` is sent to the configured host only.
 */
export type FetchImage = (
  url: string,
  token: () => Promise<string>,
  signal: AbortSignal,
) => Promise<(PromptImage & { readonly data: string }) | undefined>;
