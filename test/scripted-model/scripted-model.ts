import type { ServerResponse } from "node:http";
import type { Hold } from "./create-holds.ts";
import type { ScriptedCall } from "./scripted-call.ts";

/** One request with a key and a body, in the order of arrival. */
export interface JournalEntry {
  readonly path: string;
  readonly body: unknown;
  /** undefined for a request the API would refuse */
  call: ScriptedCall | undefined;
  /** how it is answered: `statusCode` once `writableEnded` */
  readonly response: Pick<ServerResponse, "statusCode" | "writableEnded">;
}

/** A running scripted model. */
export interface ScriptedModel {
  /** for ANTHROPIC_BASE_URL */
  readonly url: string;
  readonly journal: readonly JournalEntry[];
  /** sentences about calls without a script, wrong scripts and requests the API would refuse */
  readonly faults: readonly string[];
  /** Keeps the calls that match waiting until they are released. */
  hold(matches: (call: ScriptedCall) => boolean): Hold;
  stop(): Promise<void>;
}
