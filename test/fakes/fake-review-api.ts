import { MagisError } from "../../src/model/error.ts";
import type { PullRequestApi } from "../../src/ports/pull-requests.ts";
import { renderBody } from "../world/render-body.ts";
import type { FakeThread, HostState } from "./host-state.ts";

type ReviewApi = Pick<
  PullRequestApi,
  | "findOwnReview"
  | "listReviews"
  | "createReview"
  | "createFileComment"
  | "listThreads"
  | "replyToThread"
  | "resolveThread"
>;

const NOW = "2026-01-02T00:00:00Z";

/** Reviews and their threads: the second half of the pull request api. */
export function fakeReviewApi({ login, reviews, threads, next }: HostState): ReviewApi {
  const thread = (id: string): FakeThread => {
    const found = threads.find((one) => one.id === id);
    if (!found) throw new MagisError("HOST_NOT_FOUND", `There is no thread ${id}.`);
    return found;
  };
  const own = (body: string) => ({ id: next(), author: login, byBot: true, body, createdAt: NOW });
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
      const submitted = { author: login, byBot: true, state: "commented", submittedAt: NOW } as const;
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
  };
}
