import { isMagisError } from "../../model/error.ts";
import { backportBranch, markers } from "../../model/marks.ts";
import type { AiPolicy } from "../../model/plan.ts";
import type { Base } from "../../model/run-record.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { CodeHost } from "../../ports/code-host.ts";
import { type BranchOutcome, backportBody, backportTitle } from "../../report/backport.ts";
import { disclosureTrailer } from "../../report/disclosure.ts";
import { neutraliseMessage } from "../../text/neutralise.ts";
import { changedIn, diffOf, sideOf, unpushable } from "../change/merge-sides.ts";
import { mergeTrees, type TreeMerge } from "../change/merge-trees.ts";
import { createPathGuard } from "../change/path-guard.ts";
import { type KnownHunk, type Resolved, resolveConflicts, type Unresolved } from "../change/resolve-conflicts.ts";
import type { Sides } from "../change/sides.ts";
import { formatting } from "../publish/commit-message.ts";
import { publishCommit } from "../publish/land-commit.ts";
import { openPullRequest } from "../publish/publish-change.ts";
import { obeyAiPolicy } from "../run/ai-policy.ts";
import type { PhaseTools } from "../run/phase-runner.ts";
import { missingChanges } from "./missing-changes.ts";
import { ownWorkflow } from "./own-workflow.ts";
import type { Merged } from "./read-merged.ts";

interface Input {
  readonly request: RunRequest;
  readonly merged: Merged;
  readonly target: Base;
  /** what was resolved for newer branches */
  readonly known: readonly KnownHunk[];
}

interface Made {
  readonly outcome: BranchOutcome;
  readonly resolved: readonly KnownHunk[];
  /** the repository's own backport workflow */
  readonly own?: string | undefined;
}

/** A branch that fails for one of these fails alone. */
const ALONE = [
  "HOST_REFUSED",
  "HOST_NOT_FOUND",
  "GIT_PUSH_REFUSED",
  "GIT_BRANCH_MOVED",
  "GIT_NOT_FOUND",
  "GIT_PACK_TOO_LARGE",
  "BLOB_MISSING",
  "ANSWER_INVALID",
] as const;

/**
 * Brings a merged change to one branch, whose tip is `tools.repository`: a three-way merge from the commit before the
 * merge, agents for what conflicts, then a branch and a pull request. Opens nothing for an empty result, and nothing when
 * anything is unclear. Running it again makes nothing twice. Throws outages, and BUDGET_REACHED.
 */
export async function backportToBranch(input: Input, tools: PhaseTools): Promise<Made> {
  const { branch } = input.target;
  try {
    const open = await openAlready(input, tools.host);
    if (open) return { outcome: { branch, kind: "open already", pullRequest: open }, resolved: [] };
    return await mergeInto(input, tools);
  } catch (error) {
    if (!isMagisError(error, ...ALONE)) throw error;
    tools.log.warn({ run: input.request.id, branch, error }, "the backport to this branch failed");
    return { outcome: { branch, kind: "failed", why: error.message }, resolved: [] };
  }
}

/** The open pull request of an earlier command for this branch. */
async function openAlready({ request, merged, target }: Input, host: Pick<CodeHost, "findOwnPullRequests">) {
  const pulls = await host.findOwnPullRequests(backportBranch(merged.number, target.branch), "open");
  const found = pulls.find(({ base, body }) => base === target.branch && !body.includes(markers.run(request.root)));
  return found && { number: found.number };
}

async function mergeInto(input: Input, tools: PhaseTools): Promise<Made> {
  const { merged, target } = input;
  const { repository, openTree, signal, host } = tools;
  const before = await openTree(merged.before, signal);
  const after = await openTree(merged.after, signal);
  try {
    const sides = { base: sideOf(before, host), ours: sideOf(repository, host), theirs: sideOf(after, host) };
    const own = await ownWorkflow(sides.theirs);
    const merge = await mergeTrees(sides, { made: "ours" });
    const declined = [...merge.declined, ...unpushable(merge)];
    const resolution = declined.length > 0 ? { declined } : await resolve(input, merge, { sides, tools });
    if ("stopped" in resolution)
      return { outcome: { branch: target.branch, kind: "failed", why: resolution.stopped }, resolved: [], own };
    if ("declined" in resolution) {
      const paths = [...resolution.declined, ...merge.conflicts].map(({ path }) => path);
      const missing = await missingChanges(paths, { before, target: repository }, host);
      const commands = byHand(merged, target.branch);
      const files = resolution.declined;
      return { outcome: { branch: target.branch, kind: "declined", files, missing, commands }, resolved: [], own };
    }
    const outcome = await publish(input, { merge, ...resolution }, tools);
    return { outcome, resolved: resolution.known, own };
  } finally {
    before.close();
    after.close();
  }
}

interface Resolution extends Resolved {
  readonly known: readonly KnownHunk[];
  /** what the repository asks of changes that AI wrote; absent where none did */
  readonly policy?: AiPolicy | undefined;
}

async function resolve(
  { merged, target, known }: Input,
  { conflicts }: TreeMerge,
  { sides, tools }: { readonly sides: Sides; readonly tools: PhaseTools },
): Promise<Resolution | Unresolved | { readonly stopped: string }> {
  if (conflicts.length === 0) return { files: [], log: [], known: [] };
  const { prompts, parser, repository } = tools;
  const { policy, stopped } = await obeyAiPolicy(tools, { overriddenBy: "setting" });
  if (stopped !== undefined) return { stopped: `It conflicts, and AI would resolve that. ${stopped}` };
  const guard = await createPathGuard(repository, tools.policy);
  const view = {
    issue: merged.issue,
    aim: "backport",
    ours: `the branch ${target.branch}`,
    theirs: `pull request #${merged.number}, merged into ${merged.into}`,
    change: await diffOf(sides),
  } as const;
  const resolved = await resolveConflicts({ ...view, conflicts, earlier: known }, { prompts, parser, guard });
  return "declined" in resolved ? resolved : { ...resolved, policy };
}

async function publish(
  { request, merged, target }: Input,
  { merge, files: made, log: hunks, policy }: Resolution & { readonly merge: TreeMerge },
  { repository, host, settings, models, log }: PhaseTools,
): Promise<BranchOutcome> {
  const { branch } = target;
  const files = await changedIn(repository, [...merge.files, ...made]);
  const { renewed: left, moved } = merge;
  if (files.length === 0 && left.length > 0) {
    const why = (command: string | undefined) => (command ? `run ${command}` : "a program makes it");
    const made = left.map(({ path, command }) => ({ path, why: why(command) }));
    return { branch, kind: "declined", files: made, missing: [], commands: [] };
  }
  if (files.length === 0) return { branch, kind: "already there" };
  const byAgents = hunks.length > 0;
  const making = { models, askedBy: request.actor, policy };
  const style = { settings, login: host.login, author: host.author };
  const title = backportTitle(branch, merged.title);
  const commit = await publishCommit({
    runId: request.root,
    date: new Date(request.requestedAt),
    files,
    message: messageOf(merged, branch, { ...style, trailer: byAgents ? disclosureTrailer(making) : undefined }),
    name: backportBranch(merged.number, branch),
    base: target,
    repository,
    host,
    log,
  });
  const marker = markers.run(request.root);
  const pullRequest = await openPullRequest({
    host,
    marker,
    head: commit.id,
    title,
    branch: commit.branch,
    base: branch,
    draft: byAgents || left.length > 0,
    body: backportBody({ run: request.root, original: merged.number, branch, log: hunks, left, moved, making }),
  });
  return { branch, kind: "opened", pullRequest, resolved: hunks.length, left };
}

function messageOf(
  { number, title, commits }: Merged,
  branch: string,
  { settings, ...who }: Parameters<typeof formatting>[2],
): string {
  const picked = commits.map((commit) => `(cherry picked from commit ${commit})`).join("\n");
  const own = neutraliseMessage(`${backportTitle(branch, title)}\n\nBackport of #${number} to ${branch}.`);
  const signed = { ...settings, commit: AS_IT_IS };
  return formatting(`${own}\n\n${picked}\n`, number, { ...who, settings: signed });
}

/** The original's title stays as people wrote it. */
const AS_IT_IS = "{type}: {title}";

/** The commands for a person; a name that a shell would take apart is left to them. */
function byHand({ number, commits, before, after, isMerge }: Merged, branch: string): readonly string[] {
  if (!/^[\w./-]+$/.test(branch)) return [];
  const picked = commits.length > 1 ? `${before}..${after}` : after;
  return [
    "git fetch origin",
    `git switch --create backport-${number}-to-${branch} origin/${branch}`,
    `git cherry-pick -x ${isMerge ? "-m 1 " : ""}${picked}`,
  ];
}
