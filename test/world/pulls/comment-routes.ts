import { failure } from "../front/answers.ts";
import type { Answer, Call, ReviewComment, Route, Thread } from "../state.ts";
import { type CommentFields, renderComment } from "./build-comment.ts";
import { submitReview } from "./submit-review.ts";

/** Single review comments: create, reply, read, edit, delete. */
export function commentRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}/pulls";
  return [
    ["POST", `${R}/{number}/comments`, create],
    ["POST", `${R}/{number}/comments/{comment}/replies`, reply],
  ];
}

function find({ repo }: Call, id: unknown): { thread: Thread; comment: ReviewComment } | undefined {
  for (const thread of repo.threads) {
    const comment = thread.comments.find((one) => String(one.id) === String(id));
    if (comment !== undefined) return { thread, comment };
  }
  return undefined;
}

async function create(call: Call): Promise<Answer> {
  const { in_reply_to: parent, commit_id, ...fields } = call.body;
  if (parent !== undefined) return answerTo(call, parent);
  const comment = { ...(fields as Partial<CommentFields>), body: String(fields.body ?? "") };
  return post(call, { commitId: commit_id as string, comments: [comment] });
}

const reply = (call: Call) => answerTo(call, call.params.comment);

async function answerTo(call: Call, parent: unknown): Promise<Answer> {
  const found = find(call, parent);
  if (found === undefined || String(found.thread.pull) !== call.params.number) return failure(404, "Not Found");
  return post(call, { thread: found.thread, comments: [{ body: String(call.body.body ?? "") }] });
}

async function post(
  call: Call,
  fields: { commitId?: string; thread?: Thread; comments: CommentFields[] },
): Promise<Answer> {
  const { state, repo, actor } = call;
  const pull = repo.pulls.get(Number(call.params.number));
  if (pull === undefined) return failure(404, "Not Found");
  const made = await submitReview(state, repo, actor, pull, { ...fields, event: "COMMENT", body: "" });
  if (!("review" in made)) return made;
  return { status: 201, body: made.comments[0] === undefined ? undefined : renderComment(repo, made.comments[0]) };
}
