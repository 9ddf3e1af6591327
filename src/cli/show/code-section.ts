import type { ShownRun } from "../../model/read-record.ts";
import type { RecordedOutcome, RecordedTask } from "../../model/run-record.ts";
import type { Badge, Block, Section } from "./block.ts";

const STATUS: Readonly<Record<string, Badge>> = {
  approved: { text: "approved", tone: "good" },
  open: { text: "open comments", tone: "warn" },
  unchanged: { text: "no change needed", tone: "plain" },
  failed: { text: "failed", tone: "bad" },
};

/** Developers and QA Engineers (Algorithm 3): each task's attempts, what was said of them, and what came of it. */
export function codeSection({ record }: ShownRun): Section {
  const frame = { id: "code", title: "Developers and QA Engineers" };
  const { outcomes = [], added = [], stopped } = record.work ?? {};
  const { tasks = [] } = record.plan ?? {};
  const stop: Block[] = stopped ? [{ kind: "text", text: stopText(stopped.limit), tone: "warn" }] : [];
  const missing: Block[] = added.map(({ id, title }) => ({
    ...{ kind: "text", tone: "warn" },
    text: `${id} was found to be missing from the plan, and added: ${title}`,
  }));
  const undone: Block[] = stopped?.unfinished.length
    ? [{ kind: "group", title: "Not finished", body: [{ kind: "list", items: stopped.unfinished }] }]
    : [];
  const nothing: Block[] =
    outcomes.length === 0 ? [{ kind: "text", text: "No task was carried out.", tone: "quiet" }] : [];
  const done = outcomes.map((outcome) =>
    outcomeBlock(
      outcome,
      [...tasks, ...added].find(({ id }) => id === outcome.taskId),
    ),
  );
  return { ...frame, body: [...stop, ...nothing, ...missing, ...done, ...undone] };
}

const stopText = (limit: string) => `The budget (${limit || "some limit"}) ended the work before all tasks were done.`;

function outcomeBlock(outcome: RecordedOutcome, task: RecordedTask | undefined): Block {
  const { taskId, path, status, qaEngineer, attempts, comments, summary } = outcome;
  const rows = [
    ["file", path],
    ["Developer", task?.developer?.title ?? ""],
    ["QA Engineer", [qaEngineer?.title, qaEngineer?.description].filter((word) => word).join(": ")],
    ["summary", summary],
  ] as const;
  const rounds = new Set(attempts.map(({ round }) => round));
  const others = comments.filter(({ round }) => !rounds.has(round));
  return {
    ...{ kind: "group", title: task?.title ? `${taskId}: ${task.title}` : `${taskId}: ${path}` },
    badge: (Object.hasOwn(STATUS, status) ? STATUS[status] : undefined) ?? { text: status || "unknown", tone: "plain" },
    body: [
      { kind: "facts", rows: rows.filter(([, value]) => value !== "") },
      ...attempts.map((attempt, at) => {
        // An attempt that was turned back has the number of the round that goes on after it.
        const isLast = !attempts.slice(at + 1).some(({ round }) => round === attempt.round);
        return attemptBlock(attempt, {
          comments: isLast ? comments.filter(({ round }) => round === attempt.round) : [],
          open: at === attempts.length - 1,
        });
      }),
      ...others.flatMap(commentBlocks),
    ],
  };
}

function attemptBlock(
  attempt: RecordedOutcome["attempts"][number],
  { comments, open }: { readonly comments: RecordedOutcome["comments"]; readonly open: boolean },
): Block {
  const { round, diff, rejected, approved, verdict } = attempt;
  const badge: Badge =
    rejected !== undefined
      ? { text: "turned back", tone: "bad" }
      : approved
        ? { text: "approved", tone: "good" }
        : { text: "not approved", tone: "warn" };
  return {
    ...{ kind: "fold", title: `Round ${round}`, badge, open },
    body: [
      ...(rejected === undefined
        ? []
        : [{ kind: "text", text: `Turned back before QA saw it: ${rejected}`, tone: "bad" } as const]),
      ...(diff === ""
        ? [{ kind: "text", text: "No change.", tone: "quiet" } as const]
        : [{ kind: "diff", diff } as const]),
      ...(verdict === "" ? [] : [{ kind: "said", who: "QA Engineer", text: verdict, markdown: true } as const]),
      ...comments.flatMap(commentBlocks),
    ],
  };
}

function commentBlocks({ path, line, body, status, reply = "" }: RecordedOutcome["comments"][number]): Block[] {
  const place = line === undefined ? path : `${path}:${line}`;
  const badge = status === "" ? undefined : ({ text: status, tone: status === "settled" ? "good" : "warn" } as const);
  const said: Block = {
    ...{ kind: "said", who: `QA Engineer on ${place}`, text: body, markdown: true },
    ...(badge && { badge }),
  };
  return reply === "" ? [said] : [said, { kind: "said", who: "Developer's reply", text: reply, markdown: true }];
}
