import { createHash } from "node:crypto";
import { branchName } from "../../domain/issue/branch-name.ts";
import type { IssueSnapshot } from "../../domain/issue/issue-snapshot.ts";
import { isMagisError } from "../../domain/magis-error.ts";
import type { CommitWay } from "../../domain/report/pull-request-body.ts";
import type { CodeHost } from "../../ports/code-host/code-host.ts";
import type { Log } from "../../ports/log.ts";
import type { Repository } from "../../ports/repository.ts";
import type { Base } from "../start-run.ts";
import type { ChangedFile } from "./changed-files.ts";
import { commitByApi } from "./commit-by-api.ts";
import { commitByPush } from "./commit-by-push.ts";
import { commitByStaging } from "./commit-by-staging.ts";
import { findBranch } from "./find-branch.ts";

/** What a way of making the commit works with. */
export interface Committing {
  /** a ref outside refs/heads where objects wait for their commit; one a run */
  readonly stagingRef: string;
  readonly branch: string;
  readonly base: Base;
  readonly files: readonly ChangedFile[];
  /** the tree with the change, written in memory */
  readonly tree: string;
  readonly message: string;
  /** the same at every try, so that a commit made again is the same commit */
  readonly date: Date;
  readonly repository: Repository;
  readonly host: CodeHost;
}

export interface PublishedCommit {
  readonly id: string;
  readonly branch: string;
  readonly way: CommitWay;
}

const WAYS: readonly { readonly way: CommitWay; readonly make: (committing: Committing) => Promise<string> }[] = [
  { way: "signed by GitHub", make: commitByStaging },
  { way: "signed by GitHub, through the API alone", make: commitByApi },
  { way: "pushed, unsigned", make: commitByPush },
];

/**
 * Makes the run's commit on a branch of its own, in the best way that the host takes: pushed objects with a commit that
 * the host makes and signs, everything through its API, a plain push. Never forced. A branch that already holds this
 * very change on this base is that of an earlier try and is kept.
 */
export async function publishCommit(deps: {
  readonly runId: string;
  readonly date: Date;
  readonly issue: IssueSnapshot;
  readonly base: Base;
  readonly files: readonly ChangedFile[];
  readonly message: string;
  readonly repository: Repository;
  readonly host: CodeHost;
  readonly log: Log;
}): Promise<PublishedCommit> {
  const { runId, date, issue, base, files, message, repository, host, log } = deps;
  const tree = await repository.writeTree(files.map(({ path, after }) => ({ path, content: after ?? null })));
  const { branch, holds } = await findBranch({
    host,
    name: branchName(issue.number, issue.title),
    tree,
    base: base.commit,
  });
  const stagingRef = `refs/magis/staging/${createHash("sha256").update(runId).digest("hex").slice(0, 20)}`;
  if (holds) {
    await host.deleteRef(stagingRef.replace(/^refs\//, ""));
    return { id: holds.id, branch, way: holds.verified ? "signed by GitHub" : "pushed, unsigned" };
  }
  let refusal: unknown;
  for (const { way, make } of WAYS) {
    try {
      return {
        id: await make({ stagingRef, branch, base, files, tree, message, date, repository, host }),
        branch,
        way,
      };
    } catch (error) {
      if (!isMagisError(error, "HOST_REFUSED", "HOST_NOT_FOUND", "GIT_PUSH_REFUSED", "GIT_TOKEN_REFUSED")) throw error;
      log.warn({ error, way }, "the host did not take the commit this way");
      refusal = error;
    }
  }
  throw refusal;
}
