import type { Effort } from "../data/settings.ts";
import type { TokenUsage } from "../data/spend.ts";

export type ModelTier = "fast" | "strong";

/** An image in a prompt. */
export interface PromptImage {
  mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** SHA-256 of its bytes, hex; replaces them in the request's key */
  hash: string;
  /** its bytes in base64; absent when no longer available, and then the image is not shown */
  data?: string;
}

/** Part of a prompt. */
export interface PromptPart {
  text: string;
  /** the same in several calls (a file, the issue); such parts come first. Not in the request's key. */
  cache?: boolean;
  /** shown after the text */
  images?: readonly PromptImage[];
}

/** A wrong answer, sent back with a reason. */
export interface Correction {
  answer: string;
  reply: string;
}

/** A tool as the model sees it. */
export interface ToolDefinition {
  name: string;
  description: string;
  /** JSON Schema of its input, an object */
  inputSchema: Readonly<Record<string, unknown>>;
  /** the provider enforces the schema, if it can */
  strict?: true;
}

/** A look-up that the model asks for, or its answer. */
export interface ToolCall {
  /** the provider's id, repeated with the result */
  id: string;
  name: string;
  input: unknown;
}

/** A part of an answer that calls tools. Thinking is sent back unchanged: the provider requires and signs it. */
export type AnswerBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "redacted_thinking"; data: string }
  | ({ type: "tool_use" } & ToolCall);

/** The tools with which agents answer. */
const ANSWERS: ReadonlySet<string> = new Set(["plan", "change", "review", "shortlist"]);

/** The calls in an answer that look something up, without the answer itself. */
export function lookupsIn(blocks: readonly AnswerBlock[]): readonly ToolCall[] {
  return blocks.filter((block) => block.type === "tool_use").filter(({ name }) => !ANSWERS.has(name));
}

/** An answer that called tools, and their results. */
export interface ToolExchange {
  blocks: readonly AnswerBlock[];
  /** one per call, in order; `isError`: the reason why an answer is unusable */
  results: readonly { id: string; text: string; isError?: true }[];
  /** a message after the results */
  word?: string;
}

/** An earlier exchange of the same conversation. */
export type EarlierExchange = Correction | ToolExchange;

/**
 * One call. Plain data: its hash is the key by which an answer is paid for only once. Delivery options are not in it.
 */
export interface ModelRequest {
  /** e.g. `p04-define-task` */
  promptId: string;
  tier: ModelTier;
  /** the repository's choice among the models with a price; overrides the tier's configured model */
  model?: string;
  /** overrides the tier's configured effort */
  effort?: Effort;
  /** tokens, thinking included */
  maxTokens: number;
  system: string;
  parts: readonly PromptPart[];
  earlier: readonly EarlierExchange[];
  /** JSON Schema of a structured answer; absent: plain text */
  schema?: Readonly<Record<string, unknown>>;
  /** the tools that the model may call; identical in all conversations of a run that share a cache */
  tools?: readonly ToolDefinition[];
  /** the tool with which the model answers */
  answerBy?: string;
  /** forces `answerBy`, after the model has refused to call it. Not in the request's key. */
  mustAnswer?: true;
  /**
   * Cache the conversation after so many of `earlier`, because it may continue from there; 0: after the parts. Absent:
   * it ends with this answer. Not in the request's key.
   */
  keep?: number;
}

export interface ModelAnswer {
  text: string;
  /**
   * `tools`: it calls tools and waits for their results; `length`: cut off at maxTokens; `refusal`: the model declined
   */
  stop: "end" | "tools" | "length" | "refusal";
  /** when it calls tools: the whole answer, to send back with the results */
  blocks?: readonly AnswerBlock[];
  model: string;
  /** the requested effort; absent: the model's default */
  effort?: Effort;
  usage: TokenUsage;
  /** US dollars, this call's failed attempts included */
  money: number;
  /** milliseconds */
  elapsed: number;
}

/**
 * One verb: a call to a language model.
 * Throws MagisError MODEL_UNAVAILABLE (overload, network, after retries), MODEL_REJECTED (the request or key is
 * wrong), RUN_CANCELLED (aborted). `data.usage` and `data.money` of these errors hold what the call used anyway.
 */
export interface LanguageModel {
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  /** The most this request can cost: all input uncached, `maxTokens` of output. */
  worstCase(request: ModelRequest): { tokens: number; money: number };
}

/**
 * Fetches images that people uploaded to the code host. Gives undefined for one that is missing, too large, of a wrong
 * type or on another host: an image never ends a run. `token` is sent to the configured host only.
 */
export type FetchImage = (
  url: string,
  token: () => Promise<string>,
  signal: AbortSignal,
) => Promise<(PromptImage & { data: string }) | undefined>;

/** Why an upload could not be read, in a clause. */
export interface Unread {
  unread: string;
}

/** Fetches what people uploaded to the code host with an issue. */
export interface Uploads {
  fetchImage: FetchImage;
  /** Fetches a text file from the configured host, without a token. It never ends a run either. */
  fetchText(url: string, signal: AbortSignal): Promise<{ text: string } | Unread>;
}

/** A finished call with its answer and costs. Of the request only the hash is kept. */
export interface RecordedCall {
  /** SHA-256 of the request */
  key: string;
  promptId: string;
  tier: ModelRequest["tier"];
  /** absent for a call that failed */
  answer?: ModelAnswer;
  tokens: number;
  money: number;
  /** milliseconds */
  elapsed: number;
  /** start in milliseconds since the epoch; absent when not kept */
  began?: number;
  /** why it failed */
  failure?: string;
}

/** The paid calls of all runs, kept outside the engine's checkpoints. */
export interface PaidCalls {
  /** The finished call with this key, if it was already paid for. */
  recordedCall(runId: string, key: string): Promise<RecordedCall | undefined>;
  /** Waits for the database rather than lose a paid answer. */
  recordCall(runId: string, call: RecordedCall): Promise<void>;
  calls(runId: string): Promise<readonly RecordedCall[]>;
}
