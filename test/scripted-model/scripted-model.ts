import type { ServerResponse } from "node:http";
import type { Hold } from "./create-holds.ts";
import type { ScriptedCall } from "./scripted-call.ts";

/** One request with a key and a body. */
export interface JournalEntry {
  readonly path: string;
  readonly body: unknown;
  /** undefined for a request that the API would refuse */
  call: ScriptedCall | undefined;
  /** the response, whose `statusCode` counts once `writableEnded` is true */
  readonly response: Pick<ServerResponse, "statusCode" | "writableEnded">;
}

/** A running scripted model. */
export interface ScriptedModel {
  /** for ANTHROPIC_BASE_URL */
  readonly url: string;
  readonly journal: readonly JournalEntry[];
  /** sentences about calls without a script, wrong scripts and invalid requests */
  readonly faults: readonly string[];
  /** Holds matching calls until they are released. */
  hold(matches: (call: ScriptedCall) => boolean): Hold;
  stop(): Promise<void>;
}
