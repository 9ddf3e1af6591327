import { isMagisError, MagisError } from "../../model/magis-error.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";
import type { Repository } from "../../ports/repository.ts";
import type { ChangedFile } from "../change/changed-files.ts";
import { makeCommit } from "./make-commit.ts";
import type { PublishedCommit } from "./publish-commit.ts";
import { stagingRef } from "./staging-ref.ts";

/**
 * Puts one commit on a branch that exists, whose tip was `head` when it was read and is `repository`'s commit. Never
 * forced: throws GIT_BRANCH_MOVED when the tip is another one by now. A tip that holds this very change on `head` is
 * that of an earlier try of the same run and is kept.
 */
export async function advanceCommit(deps: {
  readonly runId: string;
  readonly date: Date;
  readonly branch: string;
  readonly head: string;
  readonly files: readonly ChangedFile[];
  readonly message: string;
  readonly repository: Repository;
  readonly host: CodeHost;
  readonly log: Log;
}): Promise<PublishedCommit> {
  const { runId, branch, head, files, repository, host, log } = deps;
  const tree = await repository.writeTree(files.map(({ path, after }) => ({ path, content: after ?? null })));
  const ref = stagingRef(runId);
  const tip = await host.branchTip(branch);
  if (tip !== head) {
    const commit = tip === undefined ? undefined : await host.readCommit(tip);
    if (commit?.tree !== tree || commit.parents.length !== 1 || commit.parents[0] !== head) throw moved(branch);
    await host.deleteRef(ref.replace(/^refs\//, ""));
    return { id: commit.id, branch, way: commit.verified ? "signed by GitHub" : "pushed, unsigned" };
  }
  const land = async (commit: string) => {
    try {
      await host.advanceBranch(branch, commit);
    } catch (error) {
      if (isMagisError(error, "HOST_REFUSED") && (await host.branchTip(branch)) !== head) throw moved(branch);
      throw error;
    }
  };
  const made = await makeCommit({ ...deps, stagingRef: ref, parent: head, tree, land }, log);
  return { ...made, branch };
}

const moved = (branch: string) =>
  new MagisError("GIT_BRANCH_MOVED", `The branch ${branch} has moved while the work went on.`, { branch });
