import { accountOf } from "../account-of.ts";
import { failure } from "../front/answers.ts";
import { roleOf } from "../front/authorise.ts";
import type { Actor, Answer, Fields, PullState, RepositoryState, ReviewComment, Thread, WorldState } from "../state.ts";

export interface CommentFields {
  body: string;
  path?: string;
  line?: number;
  side?: "LEFT" | "RIGHT";
  start_line?: number;
  start_side?: "LEFT" | "RIGHT";
  subject_type?: string;
  /** The old form of a place, which the world does not accept. */
  position?: number;
}

interface Place {
  pull: PullState;
  reviewId: number;
  /** The thread of a reply. */
  thread?: Thread | undefined;
}

const empty = () =>
  failure(422, "Validation Failed", [{ resource: "PullRequestReviewComment", field: "body", code: "missing_field" }]);
const unresolved = (what: string) => failure(422, "Unprocessable Entity", [`${what} could not be resolved`]);

/**
 * A new review comment, or its 422: the diff must contain the file and, for a comment on lines, show the lines. Stores
 * nothing.
 */
export async function buildComment(
  state: WorldState,
  repo: RepositoryState,
  actor: Actor,
  { pull, reviewId, thread }: Place,
  fields: CommentFields,
): Promise<ReviewComment | Answer> {
  const first = thread?.comments[0];
  const place = first === undefined ? await placeOf(repo, pull, fields) : inherited(first);
  if (isAnswer(place)) return place;
  if (fields.body.trim() === "") return empty();
  const id = state.nextId();
  const now = new Date().toISOString();
  return {
    ...place,
    ...linksOf(state, repo, pull, id),
    id,
    node_id: `PRRC_${id}`,
    pull_request_review_id: reviewId,
    user: await accountOf(state, actor.login),
    body: fields.body,
    created_at: now,
    updated_at: now,
    author_association: associationOf(repo, actor),
    in_reply_to_id: first?.id,
  };
}

const isAnswer = (value: PlaceFields | Answer): value is Answer => "status" in value;

type PlaceFields = Pick<ReviewComment, "path" | "line" | "subject_type"> & Fields;

/** The place of a comment, or the refusal of it. */
async function placeOf(repo: RepositoryState, pull: PullState, fields: CommentFields): Promise<PlaceFields | Answer> {
  const { path = "", line = 0, side = "RIGHT", start_line: start, start_side: startSide = side } = fields;
  const onFile = fields.subject_type === "file";
  const lines = await commentableLines(repo, pull, path);
  if (lines === undefined) return unresolved("Path");
  const hunk = onFile ? "" : lines[side].get(line);
  if (hunk === undefined) return unresolved("Line");
  if (start !== undefined && (start >= line || !lines[startSide].has(start))) return unresolved("Start line");
  return {
    path,
    diff_hunk: hunk,
    line: onFile ? null : line,
    original_line: onFile ? null : line,
    side,
    start_line: start ?? null,
    original_start_line: start ?? null,
    start_side: start === undefined ? null : startSide,
    subject_type: onFile ? "file" : "line",
    original_commit_id: pull.headSha,
    commit_id: pull.headSha,
  };
}

function inherited(first: ReviewComment): PlaceFields {
  const names = /^(path|diff_hunk|(original_)?(line|start_line|commit_id)|side|start_side|subject_type)$/;
  const { path, line, subject_type } = first;
  return {
    ...Object.fromEntries(Object.entries(first).filter(([name]) => names.test(name))),
    path,
    line,
    subject_type,
  };
}

function linksOf(state: WorldState, repo: RepositoryState, pull: PullState, id: number) {
  const page = `${state.url}/${repo.owner}/${repo.name}/pull/${pull.number}`;
  const url = `${state.url}/repos/${repo.owner}/${repo.name}/pulls/comments/${id}`;
  return { url, html_url: `${page}#discussion_r${id}` };
}

function associationOf(repo: RepositoryState, actor: Actor): string {
  if (actor.kind !== "user") return "NONE";
  return repo.roles.has(actor.login) && roleOf(repo, actor.login) !== "none" ? "COLLABORATOR" : "NONE";
}

interface CommentableLines {
  /** The hunk up to each line number, in the form of `diff_hunk`. */
  LEFT: Map<number, string>;
  RIGHT: Map<number, string>;
}

/** The lines of `path` in the pull request's diff, on both sides, or undefined if the file is not in it. */
async function commentableLines(
  repo: RepositoryState,
  pull: PullState,
  path: string,
): Promise<CommentableLines | undefined> {
  const range = `${pull.baseSha}...${pull.headSha}`;
  const diff = await repo.bare.fixed("diff", "--no-renames", range, "--", `:(literal)${path}`);
  if (diff === "") return undefined;
  const lines: CommentableLines = { LEFT: new Map(), RIGHT: new Map() };
  let left = 0;
  let right = 0;
  let hunk = "";
  for (const line of diff.split("\n")) {
    const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (head !== null) {
      left = Number(head[1]);
      right = Number(head[2]);
      hunk = line;
      continue;
    }
    if (hunk === "") continue;
    hunk += `\n${line}`;
    if (line.startsWith("-") || line.startsWith(" ")) lines.LEFT.set(left++, hunk);
    if (line.startsWith("+") || line.startsWith(" ")) lines.RIGHT.set(right++, hunk);
  }
  return lines;
}

/**
 * Marks the threads of `pull` whose line changed between `before` and the present head, like GitHub: the comment keeps
 * `original_line`, and its `line` becomes null. A moved line gets its new number.
 */
export async function outdateThreads(repo: RepositoryState, pull: PullState, before: string): Promise<void> {
  const open = repo.threads.filter((thread) => thread.pull === pull.number && !thread.outdated);
  for (const thread of open) {
    const first = thread.comments[0];
    if (first === undefined || first.line === null || first.side === "LEFT") continue;
    const moved = await lineAfter(repo, before, pull.headSha, first.path, first.line);
    const lines = moved === undefined ? undefined : await commentableLines(repo, pull, first.path);
    const line = moved !== undefined && lines?.RIGHT.has(moved) ? moved : null;
    thread.outdated = line === null;
    for (const comment of thread.comments) {
      comment.line = line;
      comment.commit_id = line === null ? comment.commit_id : pull.headSha;
    }
  }
}

/** The number at `after` of line `line` of `path` at `before`, or undefined if it was changed or removed. */
async function lineAfter(
  repo: RepositoryState,
  before: string,
  after: string,
  path: string,
  line: number,
): Promise<number | undefined> {
  const diff = await repo.bare.git("diff", "--unified=0", "--no-renames", before, after, "--", path);
  let shift = 0;
  for (const [, start, removed = "1", , added = "1"] of diff.matchAll(
    /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm,
  )) {
    const first = Number(start) + (Number(removed) === 0 ? 1 : 0);
    if (line < first) break;
    if (line < first + Number(removed)) return undefined;
    shift += Number(added) - Number(removed);
  }
  return line + shift;
}
