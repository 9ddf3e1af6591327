import { failure, paginate } from "../front/answers.ts";
import type { Answer, Call, Handler, PullState, Route } from "../state.ts";
import type { CommentFields } from "./build-comment.ts";
import { type ReviewFields, submitReview } from "./submit-review.ts";

/** Reviews and the comments in them. */
export function reviewRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}/pulls/{number}";
  return [
    ["GET", `${R}/reviews`, onPull(list)],
    ["POST", `${R}/reviews`, onPull(create)],
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
