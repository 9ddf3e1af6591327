import type { Permission } from "../../../src/data/discussion.ts";
import type { CodeHost, HostComment, HostIssue, HostPullRequest, PullAbout } from "../../../src/github/code-host.ts";

export interface FakeHostState {
  permission: Permission;
  issue: HostIssue;
  comments: HostComment[];
  pullRequests: HostPullRequest[];
  /** of people and other bots, about the issue */
  pullsAbout: PullAbout[];
  /** thrown by the method of that name */
  failing: { [K in keyof CodeHost]?: Error };
}

/** A host in memory; `calls` has every call in order, as `method argument …`. */
export function createFakeHost(change: Partial<FakeHostState> = {}) {
  const calls: string[] = [];
  const state: FakeHostState = {
    permission: "write",
    issue: createIssue(),
    comments: [createComment(5, "/magis resolve")],
    pullRequests: [],
    pullsAbout: [],
    failing: {},
    ...change,
  };
  const record = (method: keyof CodeHost, ...values: unknown[]) => {
    calls.push(
      [method, ...values.map((value) => (typeof value === "object" ? JSON.stringify(value) : value))].join(" "),
    );
    const failure = state.failing[method];
    if (failure) throw failure;
  };
  const host: Partial<CodeHost> = {
    login: "magis[bot]",
    permissionOf: async (login) => {
      record("permissionOf", login);
      return state.permission;
    },
    readIssue: async (issue) => {
      record("readIssue", issue);
      return state.issue;
    },
    listComments: async (issue) => {
      record("listComments", issue);
      return state.comments;
    },
    pullsAbout: async (issue) => {
      record("pullsAbout", issue);
      return state.pullsAbout;
    },
    findOwnPullRequests: async (prefix, which) => {
      record("findOwnPullRequests", prefix, which);
      return state.pullRequests.filter(({ branch, open }) => branch.startsWith(prefix) && (open || which === "all"));
    },
    findOwnComment: async (issue, marker) => {
      record("findOwnComment", issue);
      return state.comments.find(({ author, body }) => author === "magis[bot]" && body.includes(marker));
    },
    createComment: async (issue, body) => {
      record("createComment", issue);
      const comment = { ...createComment(100 + state.comments.length, body), author: "magis[bot]", byBot: true };
      state.comments.push(comment);
      return comment;
    },
    react: async (target, reaction) => record("react", target, reaction),
  };
  return { host: host as CodeHost, state, calls };
}

export function createIssue(change: Partial<HostIssue> = {}): HostIssue {
  return {
    number: 3,
    title: "A fault",
    body: "It does not work.",
    author: "ada",
    url: "https://github.com/octo/cat/issues/3",
    open: true,
    locked: false,
    isPullRequest: false,
    labels: ["bug", "magis"],
    assignees: [],
    ...change,
  };
}

export function createComment(id: number, body: string): HostComment {
  const time = "2026-11-20T10:00:00Z";
  return { id, nodeId: `IC_${id}`, author: "ada", byBot: false, body, createdAt: time, updatedAt: time };
}

export function createPullRequest(branch: string, change: Partial<HostPullRequest> = {}): HostPullRequest {
  return {
    number: 9,
    url: "https://github.com/octo/cat/pull/9",
    title: "fix: a fault",
    body: "",
    open: true,
    merged: false,
    createdAt: "2026-01-01T00:00:00Z",
    draft: true,
    branch,
    head: "1".repeat(40),
    base: "main",
    author: "magis[bot]",
    byApp: true,
    ...change,
  };
}
