import type { LostTests, ProofVerdict, Question } from "../model/verdict.ts";

/** A change that is to be tried. */
export interface TriedChange {
  /** the commit that it is made on */
  readonly base: string;
  /** the files that differ from it; `null` deletes one; none: the base itself is tried */
  readonly files: readonly { readonly path: string; readonly content: Uint8Array | null }[];
  /** the commit that holds it, where it has been pushed */
  readonly commit?: string;
  /** of a whole change: the commit that holds its new tests alone, which have failed there */
  readonly red?: string;
}

/**
 * Where code of a repository runs: its checks on the host, or a command in a copy that is thrown away.
 *
 * `base` is answered by green, other-red or no-verdict; `red` by right-red, other-red, not-red or no-verdict; `green` by green, right-red
 * (a new test still fails on its assertion), other-red or no-verdict. A verifier that cannot wait answers no-verdict `running` and is asked again;
 * any other answer is final for that change. Throws MagisError HOST_UNREACHABLE and the like, never for what the code did.
 */
export interface Verifier {
  verify(change: TriedChange, question: Question, signal: AbortSignal): Promise<ProofVerdict>;
  /** The tests that ran on one commit and do not run on another; absent where commits are not tried as such. */
  lostTests?(base: string, head: string): Promise<readonly LostTests[]>;
}
