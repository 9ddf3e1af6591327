import type { BaseReader } from "../change/edited-tests.ts";
import { isMagisError } from "../data/error.ts";
import type { Repository } from "../git/repository.ts";
import type { PhaseContext } from "./run-context.ts";

/**
 * Reads files of the commit of the base branch that the pull request was made from; its tree is fetched with the first.
 * The tests that carry the proof (`proves`) count as if they stood there, so that an edit of them is shown. Where the
 * host has no such commit, the base is taken to be as the branch is.
 */
export function createBaseReader(
  { base, proves }: { base: string | undefined; proves: readonly string[] },
  { host, openTree, repository, signal }: PhaseContext,
): BaseReader {
  let reading: Promise<Repository["entries"] | undefined> | undefined;
  return async (path, before) => {
    if (proves.includes(path)) return before;
    reading ??= base ? entriesOf(base) : Promise.resolve(undefined);
    const entries = await reading;
    if (!entries) return before;
    const blob = entries.get(path)?.blob;
    if (blob === undefined) return undefined;
    return blob === repository.entries.get(path)?.blob ? before : ((await host.readBlob(blob)) ?? before);
  };

  async function entriesOf(commit: string): Promise<Repository["entries"] | undefined> {
    try {
      const tree = await openTree(commit, signal);
      const entries = new Map(tree.entries);
      tree.close();
      return entries;
    } catch (error) {
      if (isMagisError(error, "GIT_NOT_FOUND")) return undefined;
      throw error;
    }
  }
}
