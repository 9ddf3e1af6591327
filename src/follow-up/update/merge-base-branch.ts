import { createHash } from "node:crypto";
import { changedIn, diffOf, sideOf, unpushable } from "../../change/merge-sides.ts";
import { mergeTrees, type TreeMerge } from "../../change/merge-trees.ts";
import { createPathGuard } from "../../change/path-guard.ts";
import { type Resolved, resolveConflicts, type Unresolved } from "../../change/resolve-conflicts.ts";
import type { Sides } from "../../change/sides.ts";
import type { ChangedFile } from "../../change/working-copy.ts";
import { isMagisError } from "../../data/error.ts";
import { markers } from "../../data/marks.ts";
import type { HostPullRequest } from "../../github/code-host.ts";
import { showCheck } from "../../publish/check-run.ts";
import { formatting } from "../../publish/commit-message.ts";
import { advancePull } from "../../publish/land-commit.ts";
import { disclosureTrailer } from "../../report/disclosure.ts";
import { sayOnce } from "../../report/tracking-comment.ts";
import { leftConflictsNote, updatedNote } from "../../report/update.ts";
import { obeyAiPolicy } from "../../run/ai-policy.ts";
import type { Origin } from "../../run/origin.ts";
import type { PhaseContext } from "../../run/run-context.ts";
import { neutraliseMessage } from "../../text/neutralise.ts";

/** How the two branches stand. Plain data. */
export interface UpdateSituation {
  /** as it was read */
  pull: HostPullRequest;
  /** the tip of its base */
  tip: string;
  /** the commit that both branches began from */
  from: string;
  origin: Origin;
}

export type UpdateOutcome =
  /** `resolved`: conflicts that agents resolved; `taken`: files of the base that have to be made anew */
  | { kind: "merged"; commit: string; resolved: number; taken: number }
  /** people were told, now or before */
  | { kind: "left" }
  /** somebody pushed meanwhile */
  | { kind: "moved" };

/**
 * Merges the tip of the base, which is `run.repository`, with the pull request's branch, and pushes one commit with
 * both as parents. The merge goes into the base's tree, so that only the pull request's own files are read and changed.
 * Running it again makes nothing twice. Throws outages, and BUDGET_REACHED.
 */
export async function mergeBaseBranch(situation: UpdateSituation, run: PhaseContext): Promise<UpdateOutcome> {
  const { repository, openTree, signal, host } = run;
  const before = await openTree(situation.from, signal);
  const after = await openTree(situation.pull.head, signal);
  try {
    const sides = { base: sideOf(before, host), ours: sideOf(repository, host), theirs: sideOf(after, host) };
    const merge = await mergeTrees(sides);
    const digest = conflictDigest(merge);
    // The base moves on often, and the same conflicts would be paid for each time.
    if (digest && (await host.findOwnComment(situation.pull.number, markers.leftConflicts(digest))))
      return { kind: "left" };
    const declined = [...merge.declined, ...unpushable(merge)];
    const resolution = declined.length > 0 ? { declined } : await resolve(situation, merge, { sides, run });
    if ("declined" in resolution) return await leave(situation, digest, resolution, run);
    const files = await changedIn(repository, [...merge.files, ...resolution.files]);
    if (files.length === 0) return await leave(situation, digest, nothingLeft(merge, situation), run);
    return await push(situation, { files, merge, resolution, digest }, run);
  } finally {
    before.close();
    after.close();
  }
}

/** The same for the same conflicts, however often the base moves on elsewhere; undefined without any. */
function conflictDigest({ conflicts, declined }: TreeMerge): string | undefined {
  if (conflicts.length + declined.length === 0) return undefined;
  const places = conflicts.map(({ path, hunks }) => [
    path,
    hunks.map(({ base, ours, theirs }) => [base, ours, theirs]),
  ]);
  return digestOf(JSON.stringify([places, declined]));
}

const digestOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

interface Resolution extends Resolved {
  trailer?: string | undefined;
}

interface Left extends Unresolved {
  /** a sentence in place of the usual one */
  reason?: string;
}

async function resolve(
  { pull, origin }: UpdateSituation,
  { conflicts }: TreeMerge,
  { sides, run }: { sides: Sides; run: PhaseContext },
): Promise<Resolution | Left> {
  if (conflicts.length === 0) return { files: [], log: [] };
  const { request, prompts, parser, repository, models } = run;
  const { policy, stopped } = await obeyAiPolicy(run, {
    known: origin.policy,
    anyway: request.options?.anyway,
    overriddenBy: "setting",
  });
  if (stopped !== undefined) {
    const reason = `This branch conflicts with ${pull.base}, and AI would resolve that. ${stopped}`;
    return { reason, declined: conflicts.map(({ path }) => ({ path, why: "changed on both sides" })) };
  }
  const guard = await createPathGuard(repository, run.policy);
  const view = {
    issue: origin.issue,
    ours: `the base branch ${pull.base}`,
    theirs: `the pull request's branch ${pull.branch}`,
    change: await diffOf(sides),
  } as const;
  const resolved = await resolveConflicts({ ...view, conflicts }, { prompts, parser, guard });
  if ("declined" in resolved) return resolved;
  const { files, log } = resolved;
  return { files, log, trailer: disclosureTrailer({ models, policy }) };
}

/** A merge that leaves nothing of the pull request is for people to decide about. */
function nothingLeft({ renewed }: TreeMerge, { pull }: UpdateSituation): Left {
  const declined = renewed.map(({ path, command }) => ({
    path,
    why: command === undefined ? "a program makes it" : `a program makes it: ${command}`,
  }));
  return { reason: `Merged with ${pull.base}, nothing would be left of this change: it is there already.`, declined };
}

async function leave(
  { pull }: UpdateSituation,
  conflicts: string | undefined,
  { declined: files, reason }: Left,
  { host }: PhaseContext,
): Promise<UpdateOutcome> {
  const { number, base, branch } = pull;
  const digest = conflicts ?? digestOf(JSON.stringify([reason, files]));
  const body = leftConflictsNote({ digest, base, branch, reason, files });
  await sayOnce(host, number, markers.leftConflicts(digest), body);
  return { kind: "left" };
}

interface Merged {
  files: readonly ChangedFile[];
  merge: TreeMerge;
  resolution: Resolution;
  digest: string | undefined;
}

async function push(
  situation: UpdateSituation,
  { files, merge, resolution, digest }: Merged,
  run: PhaseContext,
): Promise<UpdateOutcome> {
  const { request, repository, host, log, record } = run;
  const { pull, tip } = situation;
  const { number, url, base } = pull;
  const message = messageOf(situation, resolution, run);
  const input = { runId: request.root, date: new Date(request.requestedAt), pull, files, merges: tip, message };
  const commit = await advancePull({ ...input, repository, host, log }).catch((error: unknown) => {
    if (!isMagisError(error, "HOST_REFUSED", "GIT_PUSH_REFUSED")) throw error;
    log.warn({ run: request.id, pullRequest: number, error }, "the host refused the merge of the base");
    return error;
  });
  if (!commit) return { kind: "moved" };
  if (isMagisError(commit)) {
    const reason = `The merge of ${base} was refused: ${commit.message}`;
    return leave(situation, digest, { reason, declined: [] }, run);
  }
  await record("commit", commit);
  const { log: hunks } = resolution;
  const { renewed: taken } = merge;
  if (hunks.length + taken.length > 0) {
    const body = updatedNote({ commit: commit.id, base, draft: pull.draft, log: hunks, taken });
    await sayOnce(host, number, markers.updated(commit.id), body);
  }
  const what = `Merges ${base} into #${number}`;
  const end = { resolved: hunks.length, taken: taken.length };
  await showCheck(run, commit.id, { what, end, pullRequest: { number, url } });
  return { kind: "merged", commit: commit.id, resolved: hunks.length, taken: merge.renewed.length };
}

/** Git's own form, whatever form the setting gives other commits. */
const AS_IT_IS = "{type}: {title}";

function messageOf({ pull }: UpdateSituation, { trailer }: Resolution, { settings, host }: PhaseContext): string {
  const own = neutraliseMessage(`Merge branch '${pull.base}' into ${pull.branch}`);
  const style = { settings: { ...settings, commit: AS_IT_IS }, host, trailer };
  return formatting(`${own}\n`, pull.number, style);
}
