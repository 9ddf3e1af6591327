import { failure, paginate } from "../front/answers.ts";
import type { Answer, Call, Fields, Handler, PullState, Route } from "../state.ts";
import { type CommentFields, renderComment } from "./build-comment.ts";
import { type ReviewFields, submitReview } from "./submit-review.ts";

/** Reviews and the comments in them. */
export function reviewRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}/pulls/{number}";
  return [
    ["GET", `${R}/reviews`, onPull(list)],
    ["POST", `${R}/reviews`, onPull(create)],
    ["GET", `${R}/reviews/{review}`, onPull(get)],
    ["PUT", `${R}/reviews/{review}`, onPull(update)],
    ["GET", `${R}/reviews/{review}/comments`, onPull(comments)],
  ];
}

function onPull(act: (call: Call, pull: PullState) => Promise<Answer>): Handler {
  return async (call) => {
    const pull = call.repo.pulls.get(Number(call.params.number));
    return pull === undefined ? failure(404, "Not Found") : act(call, pull);
  };
}

const rowsOf = ({ repo }: Call, pull: PullState) =>
  repo.reviews.filter((one) => one.pull === pull.number).map(({ row }) => row);
const find = (call: Call, pull: PullState) => rowsOf(call, pull).find(({ id }) => String(id) === call.params.review);

async function list(call: Call, pull: PullState): Promise<Answer> {
  return paginate(call, rowsOf(call, pull));
}

async function create({ state, repo, actor, body }: Call, pull: PullState): Promise<Answer> {
  const made = await submitReview(state, repo, actor, pull, {
    body: String(body.body ?? ""),
    commitId: body.commit_id as string | undefined,
    comments: (body.comments ?? []) as CommentFields[],
    event: body.event as ReviewFields["event"],
  });
  return "review" in made ? { status: 200, body: made.review } : made;
}

async function get(call: Call, pull: PullState): Promise<Answer> {
  const row = find(call, pull);
  return row === undefined ? failure(404, "Not Found") : { status: 200, body: row };
}

async function update(call: Call, pull: PullState): Promise<Answer> {
  const row = find(call, pull);
  if (row === undefined) return failure(404, "Not Found");
  if (row.user.login !== call.actor.login) return failure(403, "Forbidden");
  row.body = String(call.body.body);
  return { status: 200, body: row };
}

async function comments(call: Call, pull: PullState): Promise<Answer> {
  const row = find(call, pull);
  if (row === undefined) return failure(404, "Not Found");
  const all = call.repo.threads.flatMap((thread) => thread.comments);
  const mine: Fields[] = all
    .filter((one) => one.pull_request_review_id === row.id)
    .map((one) => renderComment(call.repo, one));
  return paginate(call, mine);
}
