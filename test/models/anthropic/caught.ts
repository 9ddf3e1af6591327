import { MagisError } from "../../../src/data/error.ts";

/** The MagisError that `work` ends with. */
export async function caught(work: Promise<unknown>): Promise<MagisError> {
  const outcome = await work.then(
    () => "no error",
    (error: unknown) => error,
  );
  if (outcome instanceof MagisError) return outcome;
  throw new Error(`expected a MagisError, got ${String(outcome)}`);
}
