import { accountOf } from "../account-of.ts";
import { failure } from "../front/answers.ts";
import { announce } from "../hooks/announce.ts";
import type { Actor, Answer, PullState, RepositoryState, Review, ReviewComment, Thread, WorldState } from "../state.ts";
import { buildComment, type CommentFields } from "./build-comment.ts";
import { renderPull } from "./render-pull.ts";

export interface ReviewFields {
  event?: "APPROVE" | "REQUEST_CHANGES" | "COMMENT";
  body: string;
  commitId?: string | undefined;
  comments: CommentFields[];
  /** Set if the comments are replies. */
  thread?: Thread;
}

export interface Submitted {
  review: Review;
  comments: ReviewComment[];
}

const STATES = { APPROVE: "APPROVED", REQUEST_CHANGES: "CHANGES_REQUESTED", COMMENT: "COMMENTED" };

/**
 * Makes a review with its comments, all or nothing, and announces both. As on GitHub, a single comment is a review too,
 * and nobody can approve or reject their own pull request.
 */
export async function submitReview(
  state: WorldState,
  repo: RepositoryState,
  actor: Actor,
  pull: PullState,
  fields: ReviewFields,
): Promise<Submitted | Answer> {
  const refusal = await refusalOf(repo, actor, pull, fields);
  if (refusal !== undefined) return refusal;
  const id = state.nextId();
  const comments: ReviewComment[] = [];
  for (const one of fields.comments) {
    const built = await buildComment(state, repo, actor, { pull, reviewId: id, thread: fields.thread }, one);
    if (!("node_id" in built)) return built as Answer;
    comments.push(built);
  }
  const now = new Date().toISOString();
  const review: Review = {
    id,
    node_id: `PRR_${id}`,
    user: await accountOf(state, actor.login),
    body: fields.body,
    state: fields.event === undefined ? "PENDING" : STATES[fields.event],
    html_url: `${state.url}/${repo.owner}/${repo.name}/pull/${pull.number}#pullrequestreview-${id}`,
    submitted_at: fields.event === undefined ? undefined : now,
    commit_id: fields.commitId ?? pull.headSha,
    author_association: actor.kind === "user" ? "COLLABORATOR" : "NONE",
  };
  repo.reviews.push({ pull: pull.number, row: review });
  for (const comment of comments) {
    if (fields.thread !== undefined) fields.thread.comments.push(comment);
    else
      repo.threads.push({
        id: `PRRT_${comment.id}`,
        pull: pull.number,
        resolvedBy: undefined,
        outdated: false,
        comments: [comment],
      });
  }
  if (fields.event !== undefined) await announceReview(state, repo, actor, pull, { review, comments });
  return { review, comments };
}

async function refusalOf(
  repo: RepositoryState,
  actor: Actor,
  pull: PullState,
  fields: ReviewFields,
): Promise<Answer | undefined> {
  const { event, body, comments, commitId } = fields;
  const own = actor.login === pull.author;
  if (own && event === "APPROVE")
    return failure(422, "Unprocessable Entity", ["Can not approve your own pull request"]);
  if (own && event === "REQUEST_CHANGES")
    return failure(422, "Unprocessable Entity", ["Can not request changes on your own pull request"]);
  if (body === "" && comments.length === 0 && event !== "APPROVE")
    return failure(422, "Unprocessable Entity", ["Review can not be empty"]);
  if (commitId === undefined) return undefined;
  const sha = await repo.bare.resolve(`${commitId}^{commit}`);
  const part = sha !== undefined && (await repo.bare.isAncestor(sha, pull.headSha));
  return part ? undefined : failure(422, "Unprocessable Entity", ["Commit is not part of the pull request"]);
}

async function announceReview(
  state: WorldState,
  repo: RepositoryState,
  actor: Actor,
  pull: PullState,
  made: Submitted,
) {
  const pull_request = await renderPull(state, repo, pull.number);
  const review = { ...made.review, state: made.review.state.toLowerCase(), body: made.review.body || null };
  await announce(state, repo, actor.login, "pull_request_review", { action: "submitted", review, pull_request });
  for (const comment of made.comments) {
    const payload = { action: "created", comment, pull_request };
    await announce(state, repo, actor.login, "pull_request_review_comment", payload);
  }
}
