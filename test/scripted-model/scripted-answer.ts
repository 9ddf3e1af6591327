import type { ScriptedCall } from "./scripted-call.ts";

/** The answer to one call. */
export type ScriptedAnswer =
  /**
   * a structured answer, checked against the request's schema or given as a call of the strict tool that it fits; `raw`
   * skips the check and gives it as text
   */
  | { readonly json: unknown; readonly raw?: boolean }
  /** tool calls, checked against the offered tools and their schemas; `raw` skips the check */
  | {
      readonly tools: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
      readonly text?: string;
      readonly raw?: boolean;
    }
  /** plain text; to a call with a schema or strict tools only when `raw` */
  | { readonly text: string; readonly raw?: boolean }
  | { readonly error: ApiError }
  | { readonly stop: "refusal" | "max_tokens"; readonly text?: string }
  /** ends the connection half way, or sends `overloaded` half way */
  | { readonly cut: true | "overloaded"; readonly text?: string };

/** The script. Undefined means that it knows no answer, which is a fault. */
export type Script = (call: ScriptedCall) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>;

/** An error of the API: status, type and message. */
export interface ApiError {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  /** seconds */
  readonly retryAfter?: number;
}
