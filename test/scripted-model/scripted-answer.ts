import type { ApiError } from "./api-error.ts";
import type { ScriptedCall } from "./scripted-call.ts";

/** What one call is answered with. */
export type ScriptedAnswer =
  /**
   * a structured answer, held to the request's schema, or given by calling the strict tool that it fits; `raw` skips that
   * and gives it as text
   */
  | { readonly json: unknown; readonly raw?: boolean }
  /** tool calls, held to the tools on offer and their schemas; `raw` skips that */
  | {
      readonly tools: readonly { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
      readonly text?: string;
      readonly raw?: boolean;
    }
  /** plain text; to a call with a schema or strict tools only when `raw` */
  | { readonly text: string; readonly raw?: boolean }
  | { readonly error: ApiError }
  | { readonly stop: "refusal" | "max_tokens"; readonly text?: string }
  /** the connection ends half way, or `overloaded` is said half way */
  | { readonly cut: true | "overloaded"; readonly text?: string };

/** The script. Undefined: no answer is known, which is a fault. */
export type Script = (call: ScriptedCall) => ScriptedAnswer | undefined | Promise<ScriptedAnswer | undefined>;
