import type { CodeHost } from "../../ports/code-host.ts";
import type { Log } from "../../ports/log.ts";
import type { Repository } from "../../ports/repository.ts";
import type { CommitWay } from "../../report/pull-request-body.ts";
import type { ChangedFile } from "../change/changed-files.ts";
import type { Base } from "../run/base.ts";
import { findBranch } from "./find-branch.ts";
import { makeCommit } from "./make-commit.ts";
import { stagingRef } from "./staging-ref.ts";

export interface PublishedCommit {
  readonly id: string;
  readonly branch: string;
  readonly way: CommitWay;
}

/**
 * Makes the run's commit on a branch of its own, in the best way that the host takes: pushed objects with a commit that
 * the host makes and signs, everything through its API, a plain push. Never forced. A branch that already holds this
 * very change on this base is that of an earlier try and is kept.
 */
export async function publishCommit(deps: {
  readonly runId: string;
  readonly date: Date;
  /** the branch that is wanted; another one when it is taken */
  readonly name: string;
  readonly base: Base;
  readonly files: readonly ChangedFile[];
  readonly message: string;
  readonly repository: Repository;
  readonly host: CodeHost;
  readonly log: Log;
}): Promise<PublishedCommit> {
  const { runId, date, name, base, files, message, repository, host, log } = deps;
  const tree = await repository.writeTree(files.map(({ path, after }) => ({ path, content: after ?? null })));
  const { branch, holds } = await findBranch({ host, name, tree, base: base.commit });
  const ref = stagingRef(runId);
  if (holds) {
    await host.deleteRef(ref.replace(/^refs\//, ""));
    return { id: holds.id, branch, way: holds.verified ? "signed by GitHub" : "pushed, unsigned" };
  }
  const land = (commit: string) => host.createBranch(branch, commit);
  const parent = base.commit;
  const input = { stagingRef: ref, branch, parent, files, tree, message, date, repository, host, land };
  return { ...(await makeCommit(input, log)), branch };
}
