import { MagisError } from "../../model/magis-error.ts";

/** ANSWER_INVALID for a change that cannot be made, `why` being the end of the sentence. */
export function changeError(path: string, why: string): MagisError {
  return new MagisError("ANSWER_INVALID", `The path ${JSON.stringify(path)} cannot be changed: ${why}.`, { path });
}
