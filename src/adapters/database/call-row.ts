import type { ModelAnswer } from "../../ports/language-model.ts";
import type { RecordedCall } from "../../ports/run-store.ts";

/** A row of magis.model_call, as far as it is read. */
export interface CallRow {
  readonly key: string;
  readonly prompt_id: string;
  readonly tier: RecordedCall["tier"];
  readonly answer: ModelAnswer | null;
  readonly tokens: number;
  readonly money: number;
  readonly elapsed: number;
  readonly failure: string | null;
  /** a bigint, which pg gives as text */
  readonly began: string | null;
}

export const CALL_COLUMNS = "key, prompt_id, tier, answer, tokens, money, elapsed, failure, began";

/** A call as the port has it. */
export function recordedCall(row: CallRow): RecordedCall {
  return {
    key: row.key,
    promptId: row.prompt_id,
    tier: row.tier,
    tokens: row.tokens,
    money: row.money,
    elapsed: row.elapsed,
    ...(row.answer === null ? {} : { answer: row.answer }),
    ...(row.failure === null ? {} : { failure: row.failure }),
    ...(row.began === null ? {} : { began: Number(row.began) }),
  };
}
