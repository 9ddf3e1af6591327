import { failure } from "../front/failure.ts";
import { branchMoved } from "../git/branch-moved.ts";
import { writeCommit } from "../git/write-commit.ts";
import type { Answer, Call, PullState } from "../state.ts";
import { renderPull } from "./render-pull.ts";

const CLOSES = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? #(\d+)/gi;

/** `PUT pulls/{n}/merge`: a real merge or squash in git; into the default branch, it closes the issues it names. */
export async function mergePull(call: Call, pull: PullState): Promise<Answer> {
  const { state, repo, actor, body, path } = call;
  const row = await renderPull(state, repo, pull.number);
  if (!pull.open) return failure(405, "Pull Request is not mergeable");
  if (row.draft === true) return failure(405, "Pull Request is still a draft");
  if (body.sha !== undefined && body.sha !== pull.headSha)
    return failure(409, "Head branch was modified. Review and try the merge again.");
  const tree = await repo.bare.git("merge-tree", "--write-tree", pull.baseSha, pull.headSha).catch(() => undefined);
  if (tree === undefined) return failure(405, "Pull Request is not mergeable");
  const squash = body.merge_method === "squash" || body.merge_method === "rebase";
  const title = squash
    ? `${String(row.title)} (#${pull.number})`
    : `Merge pull request #${pull.number} from ${repo.owner}/${pull.headRef}`;
  const message = [body.commit_title ?? title, body.commit_message ?? row.title].filter(Boolean).join("\n\n");
  const before = pull.baseSha;
  const parents = squash ? [before] : [before, pull.headSha];
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
