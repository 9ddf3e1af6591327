import { failure, paginate } from "../front/answers.ts";
import { branchMoved } from "../git/branch-moved.ts";
import { renderCommit, writeCommit } from "../git/commits.ts";
import { diffFiles } from "../git/history-routes.ts";
import type { Answer, Call, Fields, Handler, PullState, Route } from "../state.ts";
import type { CommentFields } from "./build-comment.ts";
import { registerPull, renderPull } from "./render-pull.ts";
import { type ReviewFields, submitReview } from "./submit-review.ts";

/** Pull requests: rows in emulate; heads, files and diffs from git. Reviews, and the comments in them. */
export function pullRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}/pulls";
  return [
    ["GET", R, list],
    ["POST", R, createPull],
    ["GET", `${R}/{number}`, onPull(get)],
    ["PATCH", `${R}/{number}`, onPull(update)],
    ["GET", `${R}/{number}/files`, onPull(files)],
    ["GET", `${R}/{number}/commits`, onPull(commits)],
    ["PUT", `${R}/{number}/merge`, onPull(mergePull)],
    ["GET", `${R}/{number}/reviews`, onPull(reviews)],
    ["POST", `${R}/{number}/reviews`, onPull(review)],
    ["POST", `${R}/{number}/comments`, onPull(comment)],
  ];
}

function onPull(act: (call: Call, pull: PullState) => Promise<Answer>): Handler {
  return async (call) => {
    const pull = call.repo.pulls.get(Number(call.params.number));
    return pull === undefined ? failure(404, "Not Found") : act(call, pull);
  };
}

async function list({ state, repo, actor, path, query }: Call): Promise<Answer> {
  const { status, headers, body } = await state.emulate.ask("GET", `${path}?${query}`, { token: actor.token });
  if (status !== 200) return { status, body };
  const rows = await Promise.all((body as { number: number }[]).map(({ number }) => renderPull(state, repo, number)));
  return { status, body: rows, headers };
}

async function get({ state, repo }: Call, pull: PullState): Promise<Answer> {
  return { status: 200, body: await renderPull(state, repo, pull.number) };
}

async function update({ state, repo, actor, path, body }: Call, pull: PullState): Promise<Answer> {
  const { draft: _graphqlOnly, ...changes } = body;
  if (changes.state === "open" && !pull.open) {
    const head = await repo.bare.tip(`refs/heads/${pull.headRef}`);
    if (head === undefined || pull.mergeCommit !== undefined) return failure(422, "Validation Failed");
    pull.headSha = head;
  }
  if (changes.state !== undefined) pull.open = changes.state === "open";
  const answer = await state.emulate.ask("PATCH", path, { body: changes, token: actor.token });
  return answer.status === 200 ? { status: 200, body: await renderPull(state, repo, pull.number) } : answer;
}

async function files(call: Call, pull: PullState): Promise<Answer> {
  const merge = await call.repo.bare.fixed("merge-base", pull.baseSha, pull.headSha);
  return paginate(call, await diffFiles(call.repo, merge, pull.headSha));
}

const MAX_COMMITS = 250;

async function commits(call: Call, pull: PullState): Promise<Answer> {
  const listed = await call.repo.bare.fixed("rev-list", "--reverse", `${pull.baseSha}..${pull.headSha}`);
  const shas = listed.split("\n").filter(Boolean).slice(0, MAX_COMMITS);
  return paginate(call, await Promise.all(shas.map((sha) => renderCommit(call.state, call.repo, sha))));
}

const invalid = (field: string) =>
  failure(422, "Validation Failed", [{ resource: "PullRequest", field, code: "invalid" }]);
const custom = (message: string) =>
  failure(422, "Validation Failed", [{ resource: "PullRequest", code: "custom", message }]);

/** `POST pulls`: both branches must exist and differ, without another open pull request for the two. */
async function createPull(call: Call): Promise<Answer> {
  const { state, repo, actor, body, path } = call;
  const [base, head] = [String(body.base), String(body.head).replace(`${repo.owner}:`, "")];
  if (typeof body.title !== "string" || body.title.trim() === "") return invalid("title");
  const [onto, tip] = [await repo.bare.tip(`refs/heads/${base}`), await repo.bare.tip(`refs/heads/${head}`)];
  if (onto === undefined) return invalid("base");
  if (tip === undefined) return invalid("head");
  const same = [...repo.pulls.values()].find((pull) => pull.open && pull.headRef === head && pull.baseRef === base);
  if (same !== undefined) return custom(`A pull request already exists for ${repo.owner}:${head}.`);
  const ahead = await repo.bare.fixed("rev-list", "--count", `${onto}..${tip}`);
  if (ahead === "0") return custom(`No commits between ${base} and ${head}`);
  await nameBranches(call, [base, head]);
  const made = await state.emulate.ask("POST", path, { body: { ...body, head }, token: actor.token });
  if (made.status !== 201) return made;
  const row = made.body as Fields & {
    number: number;
    head: { ref: string };
    base: { ref: string };
    user: { login: string };
  };
  await registerPull(repo, row);
  return { status: 201, body: await renderPull(state, repo, row.number) };
}

/** Registers the branches' names, which emulate needs; git knows their commits. */
async function nameBranches({ state, repo }: Call, names: string[]): Promise<void> {
  const at = `/repos/${repo.owner}/${repo.name}`;
  const { default_branch } = (await state.emulate.ask("GET", at)).body as { default_branch: string };
  const anchor = (await state.emulate.ask("GET", `${at}/branches/${default_branch}`)).body as {
    commit: { sha: string };
  };
  for (const name of names)
    await state.emulate.ask("POST", `${at}/git/refs`, { body: { ref: `refs/heads/${name}`, sha: anchor.commit.sha } });
}

const CLOSES = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #(\d+)/gi;

/** `PUT pulls/{n}/merge`: a real merge in git; into the default branch, it closes the issues it names. */
async function mergePull(call: Call, pull: PullState): Promise<Answer> {
  const { state, repo, actor, path } = call;
  const row = await renderPull(state, repo, pull.number);
  if (!pull.open) return failure(405, "Pull Request is not mergeable");
  if (row.draft === true) return failure(405, "Pull Request is still a draft");
  const tree = await repo.bare.git("merge-tree", "--write-tree", pull.baseSha, pull.headSha).catch(() => undefined);
  if (tree === undefined) return failure(405, "Pull Request is not mergeable");
  const message = `Merge pull request #${pull.number} from ${repo.owner}/${pull.headRef}\n\n${String(row.title)}`;
  const before = pull.baseSha;
  const parents = [before, pull.headSha];
  const sha = await writeCommit(state, repo, actor, { tree, parents, message });
  await repo.bare.git("update-ref", `refs/heads/${pull.baseRef}`, sha, before);
  pull.open = false;
  pull.mergeCommit = sha;
  const merged = await state.emulate.ask("PUT", path, { body: {}, token: actor.token });
  if (merged.status !== 200) throw new Error(`emulate did not merge: ${JSON.stringify(merged.body)}`);
  await branchMoved(state, repo, actor, { ref: `refs/heads/${pull.baseRef}`, before, after: sha });
  if (pull.baseRef === repo.defaultBranch) await closeIssues(call, String(row.body ?? ""));
  return { status: 200, body: { sha, merged: true, message: "Pull Request successfully merged" } };
}

async function closeIssues({ state, repo, actor }: Call, text: string): Promise<void> {
  for (const [, number] of text.matchAll(CLOSES)) {
    const path = `/repos/${repo.owner}/${repo.name}/issues/${number}`;
    await state.emulate.ask("PATCH", path, {
      body: { state: "closed", state_reason: "completed" },
      token: actor.token,
    });
  }
}

async function reviews(call: Call, pull: PullState): Promise<Answer> {
  const rows = call.repo.reviews.filter((one) => one.pull === pull.number).map(({ row }) => row);
  return paginate(call, rows);
}

async function review({ state, repo, actor, body }: Call, pull: PullState): Promise<Answer> {
  const made = await submitReview(state, repo, actor, pull, {
    body: String(body.body ?? ""),
    commitId: body.commit_id as string | undefined,
    comments: (body.comments ?? []) as CommentFields[],
    event: body.event as ReviewFields["event"],
  });
  return "review" in made ? { status: 200, body: made.review } : made;
}

/** A comment of its own, or an answer in a thread. */
async function comment({ state, repo, actor, body: given }: Call, pull: PullState): Promise<Answer> {
  const { in_reply_to: parent, commit_id, ...fields } = given;
  const thread = repo.threads.find(
    (one) => one.pull === pull.number && one.comments.some(({ id }) => String(id) === String(parent)),
  );
  if (parent !== undefined && thread === undefined) return failure(404, "Not Found");
  const body = String(fields.body ?? "");
  const said = thread
    ? { thread, comments: [{ body }] }
    : { commitId: commit_id as string, comments: [{ ...fields, body }] };
  const made = await submitReview(state, repo, actor, pull, { ...said, event: "COMMENT", body: "" });
  if (!("review" in made)) return made;
  return { status: 201, body: made.comments[0] };
}
