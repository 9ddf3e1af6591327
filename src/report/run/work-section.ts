import type { Task } from "../../data/plan.ts";
import type { ShownRun } from "../../data/read-record.ts";
import { REASON_WORDS } from "../../data/verdict.ts";
import { type Attempt, hasChange, type QaComment, type TaskOutcome, wasReviewed } from "../../data/work.ts";
import {
  type Badge,
  code,
  diff,
  type Element,
  type Fact,
  factsOf,
  folded,
  h,
  joined,
  listOf,
  type Node,
  paragraph,
  part,
  quote,
  type Section,
} from "./document.ts";
import { markdownNodes, markdownWords } from "./markdown.ts";
import { wholeDiff } from "./outcome-section.ts";
import { taskHeading } from "./plan-section.ts";

/** Developers and QA Engineers (Algorithm 3): each task's rounds, its reviews, and its outcome. */
export function codeSection(run: ShownRun): Section | undefined {
  const { record } = run;
  if (record.work === undefined) return undefined;
  const { outcomes, added = [], unfollowed = [] } = record.work;
  const tasks = [...(record.plan?.tasks ?? []), ...added];
  const shown = wholeDiff(run);
  const missing = added.map(({ id, title }) =>
    paragraph(`${id} was missing from the plan and was added: ${title}`, "warn"),
  );
  return {
    id: "code",
    title: "Developers and QA Engineers",
    body: [
      ...(outcomes.length === 0 ? [paragraph("No task was carried out.", "quiet")] : []),
      ...missing,
      ...outcomes.map((outcome) => {
        const task = tasks.find(({ id }) => id === outcome.taskId);
        return taskPart(outcome, task, shown);
      }),
      ...listOf("Not followed to its end in the review", unfollowed.map(markdownWords)),
    ],
  };
}

const STATUS: Readonly<Record<string, Badge>> = {
  approved: { text: "approved", tone: "good" },
  mended: { text: "mended by QA", tone: "good" },
  open: { text: "open comments", tone: "warn" },
  unchanged: { text: "no change needed", tone: "plain" },
  failed: { text: "failed", tone: "bad" },
};

const badgeOf = (badges: Readonly<Record<string, Badge>>, name: string): Badge =>
  (Object.hasOwn(badges, name) ? badges[name] : undefined) ?? { text: name || "unknown", tone: "plain" };

function taskPart(outcome: TaskOutcome, task: Task | undefined, patch: string): Element {
  const { taskId: id, path, status, qaEngineer, attempts, comments, summary } = outcome;
  const rows: readonly Fact[] = [
    ["File", task ? "" : path],
    ["QA Engineer", joined([qaEngineer.title, qaEngineer.description], ": ")],
  ];
  const rounds = new Set(attempts.map(({ round }) => round));
  const heading = taskHeading({ id, title: task?.title ?? "", path });
  return part({ ...heading, badge: badgeOf(STATUS, status) }, [
    ...factsOf(rows),
    ...(hasChange(outcome) || summary === "" ? [] : [paragraph(summary, status === "failed" ? "bad" : "plain")]),
    ...(hasChange(outcome) && !wasReviewed(outcome) ? [paragraph("No QA Engineer has reviewed it.", "warn")] : []),
    ...attempts.map((attempt, at) => {
      // A rejected attempt has the number of the round that follows it.
      const isLast = !attempts.slice(at + 1).some(({ round }) => round === attempt.round);
      const own = isLast ? comments.filter(({ round }) => round === attempt.round) : [];
      return attemptPart(attempt, own, patch);
    }),
    ...comments.filter(({ round }) => !rounds.has(round)).flatMap(commentNodes),
  ]);
}

function attemptPart(attempt: Attempt, comments: readonly QaComment[], patch: string): Element {
  const { round, rejected, verdict } = attempt;
  const body: Node[] = [];
  if (rejected !== undefined) body.push(paragraph(`Turned back before a QA Engineer saw it: ${rejected}`, "bad"));
  body.push(diffNode(attempt.diff, patch));
  if (verdict !== "") body.push(quote("QA Engineer", markdownNodes(verdict)));
  return folded({ title: `Round ${round}`, badge: attemptBadge(attempt) }, [
    ...body,
    ...comments.flatMap(commentNodes),
  ]);
}

function attemptBadge({ rejected, approved }: Attempt): Badge {
  if (rejected !== undefined) return { text: "turned back", tone: "bad" };
  return approved ? { text: "approved", tone: "good" } : { text: "not approved", tone: "warn" };
}

/** Nothing is shown twice: the result already has the whole change. */
function diffNode(text: string, patch: string): Element {
  if (text.trim() === "") return paragraph("No change.", "quiet");
  if (patch.includes(text.trim())) return paragraph("The change of this round is the final one.", "quiet");
  return diff(text);
}

function commentNodes({ path, line, body, status, reply = "", mended }: QaComment): Element[] {
  const place = line === undefined ? path : `${path}:${line}`;
  const badge: Badge = { text: status, tone: status === "settled" ? "good" : "warn" };
  const comment = quote(`QA Engineer on ${place}`, markdownNodes(body), badge);
  if (mended) return [comment, paragraph("The QA Engineer changed it.", "good")];
  return reply === "" ? [comment] : [comment, quote("Developer's reply", markdownNodes(reply))];
}

const VERDICTS: Readonly<Record<string, Badge>> = {
  "right-red": { text: "red, as it should be", tone: "good" },
  "not-red": { text: "not red", tone: "bad" },
  "other-red": { text: "red for another reason", tone: "bad" },
  green: { text: "green", tone: "good" },
  "no-verdict": { text: "no verdict", tone: "warn" },
};

/** The results of the repository's checks for the test alone, and for the test with the fix. */
export function proofSection({ record: { proof } }: ShownRun): Section | undefined {
  if (proof === undefined) return undefined;
  return { id: "proof", title: "Checks of the repository", body: proof.pushes.map(pushPart) };
}

type Push = NonNullable<ShownRun["record"]["proof"]>["pushes"][number];

function pushPart({ commit, stage, verdict, reason = "", checks, tests }: Push): Element {
  const { text, tone } = badgeOf(VERDICTS, verdict);
  // With the fix, only green is good news.
  const isBad = stage === "green" && verdict !== "green";
  const rows = checks.map(({ name, state, seconds, url = "", excused }): Fact => {
    const words = [excused ? `${state}, which proves nothing` : state];
    if (seconds) words.push(`${seconds} s`);
    return [name, url === "" ? words.join(", ") : [`${words.join(", ")}, `, h("a", { href: url }, url)]];
  });
  const why = Object.hasOwn(REASON_WORDS, reason) ? REASON_WORDS[reason as keyof typeof REASON_WORDS] : reason;
  const heading = {
    title: stage === "green" ? "With the fix" : "The test alone",
    note: commit.slice(0, 10),
    badge: { text: joined([text, why], ": "), tone: isBad ? "bad" : tone },
  } as const;
  const shown = tests.map(({ name, check, words }) =>
    folded({ title: name, note: check }, words === "" ? [] : [code(words)]),
  );
  return part(heading, [...factsOf(rows), ...shown]);
}
