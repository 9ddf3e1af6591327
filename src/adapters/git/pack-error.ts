import { MagisError } from "../../model/magis-error.ts";

/** GIT_PACK_CORRUPT, with what was wrong as the end of the sentence. */
export function packError(problem: string, cause?: unknown): MagisError {
  return new MagisError("GIT_PACK_CORRUPT", `The pack the server sent is damaged: ${problem}.`, { problem }, cause);
}
