import type { LostTests, ProofVerdict, Question } from "../data/verdict.ts";

/** A change to verify. */
export interface TriedChange {
  /** the commit below it */
  base: string;
  /** the files that differ from the base; `null` deletes one; none: verify the base itself */
  files: readonly { path: string; content: Uint8Array | null }[];
  /** the commit that holds it, if it was pushed */
  commit?: string;
  /** for a whole change: the commit with only its new tests, which failed there */
  red?: string;
}

/**
 * Runs a repository's code: by its checks on the host, or by a command in a temporary copy.
 *
 * The answer to `base` is green, other-red or no-verdict; to `red` right-red, other-red, not-red or no-verdict; to
 * `green` green, right-red (a new test still fails on its assertion), other-red or no-verdict. A verifier that cannot
 * wait answers no-verdict `running` and is asked again; other answers are final for the change. Throws MagisError
 * HOST_UNREACHABLE and the like, never because of what the code did.
 */
export interface Verifier {
  verify(change: TriedChange, question: Question, signal: AbortSignal): Promise<ProofVerdict>;
  /** The tests that ran on `base` and no longer run on `head`; absent for verifiers that do not run commits. */
  lostTests?(base: string, head: string): Promise<readonly LostTests[]>;
}
