import type { ServerResponse } from "node:http";
import type { Hold } from "../holds.ts";
import type { Call, LookedUp } from "./script.ts";

/** One call over HTTP. */
export interface ScriptedCall extends Call {
  model: string;
  /** the system text */
  system: string;
  /** the earlier exchanges, oldest first */
  earlier: readonly EarlierTurns[];
  /** JSON Schema of a structured answer */
  schema?: Readonly<Record<string, unknown>>;
  /** names of the offered tools */
  tools: readonly string[];
  /** nothing can be looked up: there are no tools, none may be called, or one is forced */
  mustAnswer: boolean;
}

/** An earlier exchange: a wrong answer and the reply to it, or (with `looked`) tool calls. */
export interface EarlierTurns {
  /** the text, which may be missing beside tool calls */
  answer: string;
  /** the text, empty if there are only results */
  reply: string;
  /** the look-ups of an exchange that called tools, in order */
  looked?: readonly LookedUp[];
}

/** One request with a key and a body. */
export interface JournalEntry {
  path: string;
  body: unknown;
  /** undefined for a request that the API would refuse */
  call: ScriptedCall | undefined;
  /** the response, whose `statusCode` counts once `writableEnded` is true */
  response: Pick<ServerResponse, "statusCode" | "writableEnded">;
}

/** A running scripted model. */
export interface ScriptedModel {
  /** for ANTHROPIC_BASE_URL */
  url: string;
  journal: readonly JournalEntry[];
  /** sentences about calls without a script, wrong scripts and invalid requests */
  faults: readonly string[];
  /** Holds matching calls until they are released. */
  hold(matches: (call: ScriptedCall) => boolean): Hold<ScriptedCall>;
  stop(): Promise<void>;
}
