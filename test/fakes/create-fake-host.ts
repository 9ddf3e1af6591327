import { setImmediate as nextTurn } from "node:timers/promises";
import { MagisError } from "../../src/data/error.ts";
import type { Check, CheckReport, CodeHost, HostComment, HostIssue } from "../../src/github/code-host.ts";
import { renderBody } from "../world/render-body.ts";
import { createFakeRepository, createGitObjects, type GitObjects } from "./create-git-objects.ts";
import type { FakeThread, HostState } from "./host-state.ts";
import { sampleIssue } from "./sample-issue.ts";

/** Files by path: text, bytes, or a text with another mode. */
export type FakeFiles = Readonly<Record<string, string | Uint8Array | { mode: string; text: string }>>;

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
    permission: "write",
    reactions: [],
    pullsAbout: [],
    comments: [...comments],
    minimised: [],
    checks: new Map(),
    pullRequests: [],
    changes: new Map(),
    reviews: [],
    threads: [],
    mergeability: "clean",
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

const WRITE = /^(create|open[A-Z]|update|reply|resolve|advance|delete|push|react|minimise|mark|report)/;

/** The death of the process: the program must never catch it and go on. */
class Crash extends Error {}

/** Makes a port fail on demand, and counts its calls. A write takes effect a turn later, as it does over a network. */
function createFaults() {
  const refusals: { method: string; error: Error; left: number }[] = [];
  const calls: string[] = [];
  let writesLeft = Number.POSITIVE_INFINITY;
  let between: { left: number; when: "before" | "after"; act(): Promise<void> | void } | undefined;
  return {
    calls,
    /** How often `method` was called. */
    count: (method: string) => calls.filter((call) => call === method).length,
    /** Makes the next `times` calls of `method` throw `error` before they do anything. */
    refuse(method: string, error: Error, times = Number.POSITIVE_INFINITY): void {
      refusals.push({ method, error, left: times });
    },
    /** Runs `act` right before or after the `nth` write from now. */
    atWrite(nth: number, when: "before" | "after", act: () => Promise<void> | void): void {
      between = { left: nth, when, act };
    },
    /** Kills the process right after its `nth` write from now; no later call gets through. */
    crashAfter(nth: number): void {
      writesLeft = nth;
    },
    /** Starts the next process, in which nothing crashes. True if the last one crashed. */
    restart(): boolean {
      const crashed = writesLeft <= 0;
      writesLeft = Number.POSITIVE_INFINITY;
      return crashed;
    },
    watch<T extends object>(port: T): T {
      return new Proxy(port, {
        get(target, name) {
          const method: unknown = Reflect.get(target, name);
          if (typeof method !== "function" || name === "close") return method;
          return async (...values: unknown[]) => {
            if (writesLeft <= 0) throw new Crash("the process is dead");
            calls.push(String(name));
            const refusal = refusals.find((one) => one.method === name && one.left-- > 0);
            if (refusal) throw refusal.error;
            const due = between && WRITE.test(String(name)) && --between.left === 0 ? between : undefined;
            if (due?.when === "before") await due.act();
            if (WRITE.test(String(name))) await nextTurn();
            const result: unknown = await Reflect.apply(method, target, values);
            if (due?.when === "after") await due.act();
            if (WRITE.test(String(name)) && --writesLeft <= 0)
              throw new Crash(`the process died after ${String(name)}`);
            return result;
          };
        },
      });
    },
  };
}

const ENDED: Readonly<Record<NonNullable<CheckReport["conclusion"]>, Check["state"]>> = {
  success: "passed",
  neutral: "neutral",
  cancelled: "neutral",
  failure: "failed",
  action_required: "pending",
};

function fakeCheckApi(state: HostState) {
  const { checks, jobLogs, jobs, artifacts, unfinished, next } = state;
  return {
    runsOf: async (commit) => ({
      checks: checks.get(commit) ?? [],
      unfinished: unfinished.has(commit),
    }),
    jobOf: async (jobId) => jobs.get(jobId),
    artifactsOf: async (runId) =>
      (artifacts.get(runId) ?? []).map(({ id, name, zip }) => ({ id, name, bytes: zip.length })),
    async artifact(id, mostBytes) {
      const found = [...artifacts.values()].flat().find((one) => one.id === id);
      return found && found.zip.length <= mostBytes ? found.zip : undefined;
    },
    checksOf: async (commit) => checks.get(commit) ?? [],
    annotationsOf: async () => [],
    async jobLog(jobId, mostBytes) {
      const log = jobLogs.get(jobId);
      return log === undefined ? undefined : Buffer.from(log).subarray(-mostBytes).toString("utf8");
    },
    async reportCheck(head, { name, status, conclusion = "neutral", title, summary }) {
      const all = checks.get(head) ?? [];
      const own = all.find((check) => check.name === name && check.byApp);
      const state = status === "completed" ? ENDED[conclusion] : "pending";
      const said = { summary: `${title}\n\n${summary}`, url: "https://host.example/check" };
      const others = all.filter((check) => check !== own);
      checks.set(head, [...others, { checkRunId: own?.checkRunId ?? next(), name, state, byApp: true, ...said }]);
    },
  } satisfies Partial<CodeHost>;
}

const decode = (content: Uint8Array | undefined) => new TextDecoder().decode(content);

/** The host's own repository; `readFile` reads its `main`. */
const REPOSITORY = "shop";

function fakeCommitApi({ objects, login, otherFiles, pullRequests }: HostState) {
  const { refs } = objects;
  return {
    async defaultBranch() {
      const name = refs.has("refs/heads/main") ? "main" : "trunk";
      const commit = refs.get(`refs/heads/${name}`);
      if (commit === undefined) throw new MagisError("HOST_NOT_FOUND", "The repository is empty.");
      return { name, commit };
    },
    branchTip: async (branch) => refs.get(`refs/heads/${branch}`),
    readCommit: async (id) => objects.commit(id),
    readBlob: async (blob) => objects.blobs.get(blob),
    async changedPaths(base, head) {
      const [old, now] = [base, head].map((commit) => objects.tree(objects.commit(commit).tree));
      const paths = new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])]);
      const shown = (entry?: { mode: string; blob: string }) => entry && `${entry.mode} ${entry.blob}`;
      return [...paths].filter((path) => shown(old?.get(path)) !== shown(now?.get(path))).sort();
    },
    async isAncestor(commit, head) {
      const open = [head];
      const seen = new Set(open);
      for (let id = open.pop(); id !== undefined; id = open.pop()) {
        if (id === commit) return true;
        for (const parent of objects.commit(id).parents)
          if (!seen.has(parent)) {
            seen.add(parent);
            open.push(parent);
          }
      }
      return false;
    },
    async mergeBase(one, other) {
      const before = history(objects, one);
      return [...history(objects, other)].find((id) => before.has(id));
    },
    async linesSince(commit, head) {
      const [old, now] = [commit, head].map((id) => objects.tree(objects.commit(id).tree));
      const paths = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])];
      const linesOf = (blob: string | undefined) => decode(objects.blobs.get(blob ?? "")).split("\n").length - 1;
      const changed = paths.filter((path) => old?.get(path)?.blob !== now?.get(path)?.blob);
      return changed.reduce((sum, path) => sum + linesOf(old?.get(path)?.blob) + linesOf(now?.get(path)?.blob), 0);
    },
    async readFile(repository, path) {
      const own = repository === REPOSITORY;
      return own ? objects.textAt(refs.get("refs/heads/main") ?? "", path) : otherFiles.get(`${repository}/${path}`);
    },
    async listFolder(repository, path) {
      const folder = path === "" ? `${repository}/` : `${repository}/${path}/`;
      const tip = refs.get("refs/heads/main");
      const own = tip === undefined ? [] : [...(objects.tree(objects.commit(tip).tree)?.keys() ?? [])];
      const files = [...own.map((file) => `${REPOSITORY}/${file}`), ...otherFiles.keys()];
      const below = files.filter((file) => file.startsWith(folder));
      return [...new Set(below.map((file) => file.slice(folder.length).replace(/\/.*/, "")))];
    },
    createBlob: async (content) => objects.addBlob(content),
    createTree: async (base, entries) => objects.addTree(base, entries),
    async createCommit(message, tree, parents) {
      objects.tree(tree);
      return objects.commit(
        objects.addCommit({ tree, parents, message, author: login, verified: true }, "on the host"),
      );
    },
    async createBranch(branch, commit) {
      if (refs.has(`refs/heads/${branch}`)) throw new MagisError("HOST_REFUSED", `There is a branch ${branch}.`);
      refs.set(`refs/heads/${branch}`, objects.commit(commit).id);
    },
    async advanceBranch(branch, commit) {
      const tip = refs.get(`refs/heads/${branch}`);
      if (tip !== commit && !objects.commit(commit).parents.includes(tip ?? "")) {
        throw new MagisError("HOST_REFUSED", "It is not a fast-forward.");
      }
      refs.set(`refs/heads/${branch}`, commit);
      for (const [at, pull] of pullRequests.entries()) {
        if (pull.branch === branch) pullRequests[at] = { ...pull, head: commit };
      }
    },
    async deleteRef(ref) {
      refs.delete(`refs/${ref}`);
    },
  } satisfies Partial<CodeHost>;
}

const NOW = "2026-01-02T00:00:00Z";

function fakeIssueApi(state: HostState) {
  return {
    readIssue: async () => ({ html: renderBody(state.issue.body), ...state.issue }),
    pullsAbout: async () => state.pullsAbout,
    listComments: async () => state.comments.map((one) => ({ html: renderBody(one.body), ...one })),
    permissionOf: async () => state.permission,
    renderText: async (text) => renderBody(text),
    relativesOf: async () => [],
    imagesOf: async () => new Map(),
    async react(target, reaction) {
      state.reactions.push(`${reaction} on ${Object.entries(target).flat().join(" ")}`);
    },
    findOwnComment: async (_issue, marker) =>
      state.comments.find(({ author, body }) => author === state.login && body.includes(marker)),
    async createComment(_issue, body) {
      const id = state.next();
      const own = { author: state.login, byBot: true };
      const comment = { id, nodeId: `node-${id}`, ...own, body, createdAt: NOW, updatedAt: NOW };
      state.comments.push(comment);
      return comment;
    },
    async minimiseComment(nodeId) {
      state.minimised.push(nodeId);
    },
    async updateComment(id, body) {
      const at = state.comments.findIndex((comment) => comment.id === id);
      const old = state.comments[at];
      if (!old) throw new MagisError("HOST_NOT_FOUND", `There is no comment ${id}.`);
      state.comments[at] = { ...old, body };
    },
  } satisfies Partial<CodeHost>;
}

function fakePullRequestApi(state: HostState) {
  const { login, objects, pullRequests, next } = state;
  const pullRequest = (number: number) => {
    const at = pullRequests.findIndex((one) => one.number === number);
    const found = pullRequests[at];
    if (!found) throw new MagisError("HOST_NOT_FOUND", `There is no pull request #${number}.`);
    return { at, found };
  };
  return {
    findOwnPullRequests: async (prefix, wanted, base) =>
      pullRequests
        .filter((one) => one.byApp && one.branch.startsWith(prefix) && (wanted === "all" || one.open))
        .filter((one) => base === undefined || one.base === base)
        .reverse(),
    async openPullRequest({ title, body, branch, base, draft }) {
      const head = objects.refs.get(`refs/heads/${branch}`);
      if (head === undefined) throw new MagisError("HOST_REFUSED", `There is no branch ${branch}.`);
      const number = next();
      const pullRequest = {
        number,
        url: `https://host.example/pull/${number}`,
        title,
        body,
        branch,
        base,
        head,
        draft,
        open: true,
        merged: false,
        createdAt: "2026-01-01T00:00:00Z",
        author: login,
        byApp: true,
      };
      pullRequests.push(pullRequest);
      return pullRequest;
    },
    async updatePullRequest(number, change) {
      const { at, found } = pullRequest(number);
      const { state, ...words } = change;
      pullRequests[at] = { ...found, ...words, open: state ? false : found.open };
    },
    readPullRequest: async (number) => {
      const { found } = pullRequest(number);
      return { html: renderBody(found.body), ...found };
    },
    async listCommits(number) {
      const { head, base } = pullRequest(number).found;
      const before = history(objects, objects.refs.get(`refs/heads/${base}`));
      const own = [...history(objects, head)].filter((id) => !before.has(id)).reverse();
      return own.map((id) => ({ id, author: objects.commit(id).author, byApp: objects.commit(id).author === login }));
    },
    changesOf: async (number) => state.changes.get(number) ?? [],
    mergeability: async () => state.mergeability,
    async markReady(number) {
      const { at, found } = pullRequest(number);
      pullRequests[at] = { ...found, draft: false };
    },
    ...fakeReviewApi(state),
  } satisfies Partial<CodeHost>;
}

/** A commit and all before it, newest first. */
function history(objects: GitObjects, commit: string | undefined): ReadonlySet<string> {
  const seen = new Set<string>();
  const next = commit === undefined ? [] : [commit];
  for (let id = next.shift(); id !== undefined; id = next.shift()) {
    if (seen.has(id)) continue;
    seen.add(id);
    next.push(...objects.commit(id).parents);
  }
  return seen;
}

const REVIEWED_AT = "2026-01-02T00:00:00Z";

/** Reviews and their threads: the second half of the pull request api. */
function fakeReviewApi({ login, reviews, threads, next }: HostState) {
  const thread = (id: string): FakeThread => {
    const found = threads.find((one) => one.id === id);
    if (!found) throw new MagisError("HOST_NOT_FOUND", `There is no thread ${id}.`);
    return found;
  };
  const own = (body: string) => ({ id: next(), author: login, byBot: true, body, createdAt: REVIEWED_AT });
  const open = (pullRequest: number, path: string, body: string, line?: number) =>
    threads.push({
      id: `thread-${next()}`,
      resolved: false,
      pullRequest,
      path,
      line,
      comments: [own(body)],
    });
  return {
    listReviews: async (number) =>
      reviews.filter((review) => review.pullRequest === number).map((one) => ({ html: renderBody(one.body), ...one })),
    findOwnReview: async (number, marker) =>
      reviews.find(({ pullRequest, body }) => pullRequest === number && body.includes(marker)),
    async createReview(pullRequest, _head, body, lines) {
      const submitted = { author: login, byBot: true, state: "commented", submittedAt: REVIEWED_AT } as const;
      reviews.push({ id: next(), ...submitted, pullRequest, body, lines });
      for (const one of lines) open(pullRequest, one.path, one.body, one.line);
    },
    async createFileComment(pullRequest, _head, path, body) {
      open(pullRequest, path, body);
    },
    listThreads: async (number) =>
      threads
        .filter(({ pullRequest }) => pullRequest === number)
        .map((one) => ({
          outdated: false,
          diffHunk: "",
          ...one,
          comments: one.comments.map((said) => ({ html: renderBody(said.body), ...said })),
        })),
    async replyToThread(_pullRequest, { id }, body) {
      thread(id).comments.push(own(body));
    },
    async resolveThread({ id }) {
      thread(id).resolved = true;
    },
  } satisfies Partial<CodeHost>;
}
