import { MagisError } from "../../src/model/error.ts";
import type { PullRequestApi } from "../../src/ports/pull-requests.ts";
import { renderBody } from "../world/render-body.ts";
import type { GitObjects } from "./create-git-objects.ts";
import { fakeReviewApi } from "./fake-review-api.ts";
import type { HostState } from "./host-state.ts";

export function fakePullRequestApi(state: HostState): PullRequestApi {
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
  };
}

/** A commit and all before it, newest first. */
export function history(objects: GitObjects, commit: string | undefined): ReadonlySet<string> {
  const seen = new Set<string>();
  const next = commit === undefined ? [] : [commit];
  for (let id = next.shift(); id !== undefined; id = next.shift()) {
    if (seen.has(id)) continue;
    seen.add(id);
    next.push(...objects.commit(id).parents);
  }
  return seen;
}
