import type { CodeHost, HostComment, HostIssue } from "../../src/ports/code-host.ts";
import { createFakeRepository } from "./create-fake-repository.ts";
import { createFaults } from "./create-faults.ts";
import { createGitObjects } from "./create-git-objects.ts";
import { fakeCheckApi } from "./fake-check-api.ts";
import { fakeCommitApi } from "./fake-commit-api.ts";
import { fakeIssueApi } from "./fake-issue-api.ts";
import { fakePullRequestApi } from "./fake-pull-request-api.ts";
import type { HostState } from "./host-state.ts";
import { sampleIssue } from "./sample-issue.ts";

/** Files by path: text, bytes, or a text with another mode. */
export type FakeFiles = Readonly<
  Record<string, string | Uint8Array | { readonly mode: string; readonly text: string }>
>;

/** A code host with one repository, one issue and one commit on `main`. */
export function createFakeHost(
  files: FakeFiles,
  { issue = {}, comments = [] }: { issue?: Partial<HostIssue>; comments?: readonly HostComment[] } = {},
) {
  const objects = createGitObjects();
  const edits = Object.entries(files).map(([path, file]) => {
    const { mode, text } =
      typeof file === "string" || file instanceof Uint8Array ? { mode: "100644", text: file } : file;
    return { path, mode, blob: objects.addBlob(typeof text === "string" ? new TextEncoder().encode(text) : text) };
  });
  const first = {
    tree: objects.addTree(undefined, edits),
    parents: [],
    message: "First",
    author: "ana",
    verified: false,
  };
  const commit = objects.addCommit(first, "the first");
  objects.refs.set("refs/heads/main", commit);
  const { number, title, body, author, url } = sampleIssue();
  const shown = {
    number,
    title,
    body,
    author,
    url,
    open: true,
    locked: false,
    isPullRequest: false,
    labels: [],
    assignees: [],
  };
  let last = 100;
  const state: HostState = {
    login: "magis[bot]",
    objects,
    issue: { ...shown, ...issue },
    comments: [...comments],
    relatives: [],
    minimised: [],
    checks: new Map(),
    pullRequests: [],
    changes: new Map(),
    reviews: [],
    threads: [],
    mergeability: "clean",
    annotations: new Map(),
    jobLogs: new Map(),
    otherFiles: new Map(),
    jobs: new Map(),
    artifacts: new Map(),
    unfinished: new Set<string>(),
    next: () => ++last,
  };
  const faults = createFaults();
  const host: CodeHost = faults.watch({
    login: state.login,
    cloneUrl: "https://host.example/ana/shop.git",
    cloneToken: async () => "token",
    ...fakeIssueApi(state),
    ...fakePullRequestApi(state),
    ...fakeCommitApi(state),
    ...fakeCheckApi(state),
  });
  return {
    host,
    state,
    faults,
    base: { branch: "main", commit },
    openRepository: (at = commit) => faults.watch(createFakeRepository(objects, at)),
  };
}
