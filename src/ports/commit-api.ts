export interface HostCommit {
  readonly id: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: string;
  /** GitHub shows it as Verified */
  readonly verified: boolean;
}

/** Branches and git objects on the host. Errors as in IssueApi. */
export interface CommitApi {
  /** The default branch and its tip; throws HOST_NOT_FOUND for an empty repository. */
  defaultBranch(): Promise<{ readonly name: string; readonly commit: string }>;
  /** The tip of refs/heads/<branch>, if there is such a branch. */
  branchTip(branch: string): Promise<string | undefined>;
  readCommit(commit: string): Promise<HostCommit>;
  /** Content of a blob by its git id, if the host still has it. */
  readBlob(blob: string): Promise<Uint8Array | undefined>;
  /** Paths that differ between two commits, with both names of a renamed file; undefined when they cannot be compared. */
  changedPaths(base: string, head: string): Promise<readonly string[] | undefined>;
  /** A text file of a repository of the same owner, on its default branch; undefined when it is not there or out of reach. */
  readFile(repository: string, path: string): Promise<string | undefined>;
  createBlob(content: Uint8Array): Promise<string>;
  /** A tree: `base` with entries replaced; `blob: null` removes a path. */
  createTree(
    base: string,
    entries: readonly { readonly path: string; readonly mode: string; readonly blob: string | null }[],
  ): Promise<string>;
  /** Made by the app without author, committer or signature, so that GitHub signs it. */
  createCommit(message: string, tree: string, parents: readonly string[]): Promise<HostCommit>;
  createBranch(branch: string, commit: string): Promise<void>;
  /** Never forced; throws HOST_REFUSED when the branch has moved. */
  advanceBranch(branch: string, commit: string): Promise<void>;
  /** `ref` without the leading `refs/`; a ref that is not there is fine. */
  deleteRef(ref: string): Promise<void>;
}
