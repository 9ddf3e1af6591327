import { unifiedDiff } from "../../code/edits/diff.ts";
import { readText } from "../../code/edits/text-file.ts";
import type { SourceParser } from "../../code/source-parser.ts";
import { openComments, type QaComment, withWriter } from "../../data/work.ts";
import type { WorkReview } from "./agents.ts";
import { checkEdits, type TaskProgress, type TeamInput } from "./develop-task.ts";
import { lookupRoom, type Overlay, viewDiff, viewForQa } from "./view/view.ts";

/** How often the QA Engineers may look around before deciding. */
const TURNS = 1;

interface ReviewInput extends TeamInput {
  team: readonly TaskProgress[];
  /** the change as it stands */
  overlay: Overlay;
  round: number;
  lastRound: number;
}

/** The outcome of a review: the team with comments and verdicts, and what is missing. */
export interface ReviewOfWork {
  team: readonly TaskProgress[];
  approved: boolean;
  missing: WorkReview["missing"];
  /** variants of the example that the reviewers did not work out */
  unfollowed: readonly string[];
}

/**
 * Algorithm 3, the QA Engineers' part (P11), for the change as a whole: the diffs, the code around them, and uses of
 * what changed. New comments mean another round, whatever the decision; an approval without comments settles all open
 * ones.
 */
export async function reviewTogether(deps: ReviewInput): Promise<ReviewOfWork> {
  const { issue, plan, team, qaEngineer, repositoryView, overlay, round, lastRound } = deps;
  const earlier = team.flatMap(({ comments }) => openComments(comments));
  const changed = team.filter(({ change, unchanged }) => change !== undefined || unchanged !== undefined);
  const changes = await Promise.all(changed.map((one) => underReview(one, deps)));
  const { seen, ...shown } = await viewForQa(changed, deps);
  // A later round shows only what changed since.
  const above = round === 1 ? seen : undefined;
  const review = await qaEngineer.reviewWork(
    {
      issue,
      view: plan.view ?? null,
      reason: plan.reason,
      agreed: plan.agreed,
      apart: deps.apart ?? [],
      notes: (plan.notes ?? []).join("\n"),
      round,
      lastRound,
      earlier,
      changes,
      ...shown,
    },
    (answer) => faultOf(answer, changed, earlier),
    repositoryView.toolset(TURNS, { overlay, room: lookupRoom(team.length), rare: true, seen: above }),
  );
  const { comments, missing } = withoutPresent(review, changed);
  const approved = review.approved && comments.length === 0 && missing.length === 0;
  const settled = new Set(approved ? earlier.map(({ id }) => id) : review.settled);
  return {
    team: await Promise.all(
      team.map(async (progress) => {
        if (!changed.includes(progress)) return progress;
        const own = comments.filter(({ path }) => path === progress.task.path);
        const seen = judged(progress, own, { verdict: review.verdict, approved, settled, round });
        return mended(seen, own, { round, parser: deps.parser });
      }),
    ),
    approved,
    missing,
    unfollowed: review.unfollowed,
  };
}

/** What a review calls missing although the change has it is a comment on that file. */
function withoutPresent(
  { comments, missing }: WorkReview,
  changed: readonly TaskProgress[],
): Pick<WorkReview, "comments" | "missing"> {
  const isPresent = ({ path }: { path: string }) => changed.some(({ task }) => task.path === path);
  const onPresent = missing.filter(isPresent).map(({ path, words }) => ({ path, body: words, line: null, edits: [] }));
  return { comments: [...comments, ...onPresent], missing: missing.filter((one) => !isPresent(one)) };
}

/** The most lines that reviewers may mend themselves; more is a Developer's work. */
const MAX_MENDED = 20;

/** Applies what the reviewers mended themselves, and settles those comments. */
async function mended(
  progress: TaskProgress,
  comments: WorkReview["comments"],
  { round, parser }: { round: number; parser: SourceParser },
): Promise<TaskProgress> {
  const { task, before, change } = progress;
  const file = change?.content && readText(change.content);
  const small = comments.map(
    ({ edits }) => edits.reduce((sum, { text }) => sum + text.split("\n").length, 0) <= MAX_MENDED,
  );
  const edits = comments.flatMap((comment, at) => (small[at] ? comment.edits : []));
  if (!change || !file || edits.length === 0) return progress;
  const checked = await checkEdits(edits, { path: task.path, file, isNew: false, parser });
  if ("reason" in checked || checked.doubt !== undefined) return progress;
  const ids = comments.flatMap((comment, at) =>
    small[at] && comment.edits.length > 0 ? [commentId(task.id, round, at)] : [],
  );
  const { content } = checked;
  const diff = unifiedDiff(task.path, before, content);
  const settled = progress.comments.map((comment) =>
    ids.includes(comment.id) ? { ...comment, status: "settled" as const, mended: true } : comment,
  );
  const approved = openComments(settled).length === 0;
  const attempts = progress.attempts.map((attempt, at) =>
    at === progress.attempts.length - 1 ? { ...attempt, diff, approved } : attempt,
  );
  const writers = withWriter(progress.writers, "qa");
  return { ...progress, change: { ...change, content, diff }, writers, comments: settled, attempts };
}

const commentId = (task: string, round: number, at: number) => `${task}-r${round}-${at + 1}`;

/** What to review: in a later round only what changed since the last one. */
async function underReview(
  { task, qaEngineer, before, change, unchanged = "", reviewed }: TaskProgress,
  { parser, plan: { view } }: Pick<ReviewInput, "parser" | "plan">,
) {
  const last = Math.max(...reviewed.keys(), 0);
  const since = reviewed.has(last) ? reviewed.get(last) : before;
  const versions = { path: task.path, before: since, after: change?.content, view };
  const diff = change ? await viewDiff(versions, parser) : "";
  const summary = change?.summary ?? unchanged;
  if (last === 0 || !change) return { task, qaEngineer, diff, summary };
  if (diff === "")
    return { task, qaEngineer, diff, summary: `Nothing since round ${last}, when you saw this change: ${summary}` };
  return { task, qaEngineer, diff: `Since round ${last}:\n${diff}`, summary };
}

function judged(
  progress: TaskProgress,
  comments: WorkReview["comments"],
  {
    verdict,
    approved,
    settled,
    round,
  }: Pick<WorkReview, "verdict" | "approved"> & { settled: ReadonlySet<string>; round: number },
): TaskProgress {
  const { task, change } = progress;
  const made = comments.map(
    ({ line, body }, index): QaComment => ({
      id: commentId(task.id, round, index),
      taskId: task.id,
      round,
      path: task.path,
      body,
      status: "open",
      line: change?.content === undefined ? undefined : (line ?? undefined),
    }),
  );
  const known = progress.comments.map((comment) =>
    settled.has(comment.id) ? { ...comment, status: "settled" as const } : comment,
  );
  const all = [...known, ...made];
  const diff = change?.diff ?? "";
  const last = progress.attempts.at(-1);
  // A change approved before and not touched since had no further round: replace its verdict.
  const isSame = made.length === 0 && last?.approved === true && last.diff === diff;
  const before = isSame ? progress.attempts.slice(0, -1) : progress.attempts;
  const approvedNow = approved || openComments(all).length === 0;
  const attempt = { round: isSame ? last.round : round, diff, verdict, approved: approvedNow };
  return {
    ...progress,
    // If QA comments, a Developer who saw nothing to do is asked again.
    unchanged: made.length > 0 ? undefined : progress.unchanged,
    comments: all,
    attempts: [...before, attempt],
    reviewed: new Map([...progress.reviewed, [round, change?.content]]),
  };
}

function faultOf(
  { comments, missing, approved, settled }: WorkReview,
  changed: readonly TaskProgress[],
  earlier: readonly QaComment[],
): string | undefined {
  const open = earlier.filter(({ id }) => !settled.includes(id));
  if (!approved && comments.length + missing.length + open.length === 0) {
    return "A change that is not approved needs at least one comment, or a missing task, that says what must be put right.";
  }
  for (const { path, line } of comments) {
    const progress = changed.find(({ task }) => task.path === path);
    if (!progress) return `No task is on ${path}: what must change there belongs under \`missing\`.`;
    const { change, before } = progress;
    const content = change ? change.content : before;
    const count = (content && readText(content)?.lines.length) ?? 0;
    // A deleted file has no lines: ignore the line, the comment is about the file.
    if (count > 0 && line !== null && (line < 1 || line > count)) {
      return `Line ${line} is not in ${path}, which has ${count} lines.`;
    }
  }
  return undefined;
}
