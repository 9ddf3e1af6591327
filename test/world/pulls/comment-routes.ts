import { failure, paginate } from "../front/answers.ts";
import { announce } from "../hooks/announce.ts";
import type { Answer, Call, Fields, ReviewComment, Route, Thread } from "../state.ts";
import { type CommentFields, renderComment } from "./build-comment.ts";
import { renderPull } from "./render-pull.ts";
import { submitReview } from "./submit-review.ts";

/** Single review comments: create, reply, read, edit, delete. */
export function commentRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}/pulls";
  return [
    ["GET", `${R}/comments`, async (call) => list(call, () => true)],
    [
      "GET",
      `${R}/{number}/comments`,
      async (call) => list(call, (thread) => String(thread.pull) === call.params.number),
    ],
    ["POST", `${R}/{number}/comments`, create],
    ["POST", `${R}/{number}/comments/{comment}/replies`, reply],
    ["GET", `${R}/comments/{comment}`, get],
    ["PATCH", `${R}/comments/{comment}`, update],
    ["DELETE", `${R}/comments/{comment}`, remove],
  ];
}

function list(call: Call, wanted: (thread: Thread) => boolean): Answer {
  const comments = call.repo.threads.filter(wanted).flatMap((thread) => thread.comments);
  const field = call.query.get("sort") === "updated" ? "updated_at" : "id";
  const turn = call.query.get("direction") === "desc" ? -1 : 1;
  const key = (one: ReviewComment) => String(one[field]).padStart(12, "0");
  comments.sort((a, b) => turn * key(a).localeCompare(key(b)));
  const since = call.query.get("since") ?? "";
  const kept = comments.filter((one) => String(one.updated_at) >= since);
  return paginate(
    call,
    kept.map((one) => renderComment(call.repo, one)),
  );
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

async function get(call: Call): Promise<Answer> {
  const found = find(call, call.params.comment);
  return found === undefined
    ? failure(404, "Not Found")
    : { status: 200, body: renderComment(call.repo, found.comment) };
}

async function update(call: Call): Promise<Answer> {
  const found = find(call, call.params.comment);
  if (found === undefined) return failure(404, "Not Found");
  const changes = { body: { from: found.comment.body } };
  found.comment.body = String(call.body.body);
  found.comment.updated_at = new Date().toISOString();
  await tell(call, found, { action: "edited", changes });
  return { status: 200, body: renderComment(call.repo, found.comment) };
}

async function remove(call: Call): Promise<Answer> {
  const found = find(call, call.params.comment);
  if (found === undefined) return failure(404, "Not Found");
  const { thread, comment } = found;
  thread.comments.splice(thread.comments.indexOf(comment), 1);
  if (thread.comments.length === 0) call.repo.threads.splice(call.repo.threads.indexOf(thread), 1);
  await tell(call, found, { action: "deleted" });
  return { status: 204 };
}

async function tell({ state, repo, actor }: Call, found: { thread: Thread; comment: ReviewComment }, fields: Fields) {
  const pull_request = await renderPull(state, repo, found.thread.pull);
  const comment = renderComment(repo, found.comment);
  await announce(state, repo, actor.login, "pull_request_review_comment", { ...fields, comment, pull_request });
}
