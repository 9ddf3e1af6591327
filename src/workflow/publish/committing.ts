import type { CodeHost } from "../../ports/code-host.ts";
import type { Repository } from "../../ports/repository.ts";
import type { ChangedFile } from "../change/changed-files.ts";

/** What a way of making the commit works with. */
export interface CommitInput {
  /** a ref outside refs/heads where objects wait for their commit; one a run */
  readonly stagingRef: string;
  readonly branch: string;
  /** the commit's one parent */
  readonly parent: string;
  readonly files: readonly ChangedFile[];
  /** the tree with the change, written in memory */
  readonly tree: string;
  readonly message: string;
  /** the same at every try, so that a commit made again is the same commit */
  readonly date: Date;
  readonly repository: Repository;
  readonly host: CodeHost;
  /** Makes the branch begin at a commit that the host has made, or go on to it; never forced. */
  land(commit: string): Promise<void>;
}
