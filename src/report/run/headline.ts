import type { ShownResult, ShownRun } from "../../data/read-record.ts";
import { isUnfinished, type RunStatus, statusOf, statusSince } from "../../data/run-status.ts";
import { beginning } from "../../text/counted.ts";
import { type Badge, joined, type Tone } from "./document.ts";

/** A run's status, as a person would say it. */
export function headline(run: ShownRun): Badge {
  const { state, standing } = run;
  if (state?.result === undefined || isUnfinished(standing)) return { text: unfinished(run), tone: "warn" };
  const { result } = state;
  const end = Object.hasOwn(ENDS, result.kind) ? ENDS[result.kind] : undefined;
  if (end === undefined) return { text: `Ended: ${result.kind.replaceAll("-", " ")}`, tone: "plain" };
  return { text: typeof end.text === "string" ? end.text : end.text(result, run), tone: toneOf(result, end.tone) };
}

/** The same in few words, from what a list knows about a run. */
export function shortHeadline({ end: kind, pullRequest, standing }: ListedRun): Badge {
  if (kind === undefined || isUnfinished(standing))
    return { text: standing ? statusSince(standing) : "not ended", tone: "plain" };
  const { short, tone } = (Object.hasOwn(ENDS, kind) ? ENDS[kind] : undefined) ?? { short: kind, tone: "plain" };
  return { text: pullRequest === undefined ? short : `pull request #${pullRequest}`, tone };
}

/** What a list knows about a run. */
interface ListedRun {
  end?: string | undefined;
  pullRequest?: number | undefined;
  standing?: RunStatus | undefined;
}

interface End {
  tone: Tone;
  text: string | ((result: ShownResult, run: ShownRun) => string);
  /** for lists */
  short: string;
}

const ENDS: Readonly<Record<string, End>> = {
  published: { tone: "good", text: publishedHeadline, short: "pull request" },
  "dry-run": {
    tone: "good",
    text: unpublishedHeadline,
    short: "made, not published",
  },
  "nothing-to-change": { tone: "plain", text: unchangedHeadline, short: "nothing to change" },
  "gave-up": { tone: "bad", text: "Gave up, nothing written", short: "gave up" },
  asked: { tone: "warn", text: "Questions asked, waiting for answers", short: "waiting for answers" },
  "budget-reached": {
    tone: "warn",
    text: ({ limit }) => `Stopped: its ${joined([LIMITS.get(limit), "budget"], " ")} is used up`,
    short: "budget used up",
  },
  "awaiting-approval": { tone: "warn", text: "Plan made, waiting for approval", short: "waiting for approval" },
  cancelled: { tone: "warn", text: cancelledHeadline, short: "cancelled" },
  refused: { tone: "warn", text: "Refused, nothing written", short: "refused" },
  failed: { tone: "bad", text: "Failed", short: "failed" },
};

const LIMITS: ReadonlyMap<string, string> = new Map([
  ["money", "money"],
  ["tokens", "token"],
  ["minutes", "time"],
]);

/** The ends that a run can have, with the words of lists. */
export const SHORT_ENDS: readonly (readonly [kind: string, words: string])[] = Object.entries(ENDS).map(
  ([kind, { short }]) => [kind, short],
);

function unpublishedHeadline({ made, check }: ShownResult): string {
  if (made === "plan") return "Plan made, nothing written";
  return check === "red" ? "Patch made, not published: its check fails" : "Patch made, not published";
}

function publishedHeadline({ pullRequest, proof, withheld }: ShownResult, { work }: ShownRun): string {
  const name = pullRequest === undefined ? "the pull request" : `pull request #${pullRequest.number}`;
  if (work === "revise") return `Review answered on ${name}`;
  if (work === "repair") return `Repair of failing checks pushed to ${name}`;
  if (work === "update") return `Base merged into ${name}`;
  const opened = `${beginning(name)} opened`;
  if (withheld !== "") return `${opened} with the test alone`;
  if (proof?.proved) return `${opened}, its fix proved by a test`;
  return proof?.failed ? `${opened}, its checks fail` : opened;
}

function unchangedHeadline(_: ShownResult, { work }: ShownRun): string {
  if (work === "revise") return "Nothing changed on the pull request";
  if (work === "update") return "Nothing to merge";
  return work === "repair" ? "Checks not repaired" : "Nothing to change";
}

function cancelledHeadline({ by, because = "" }: ShownResult, { work = "resolve" }: ShownRun): string {
  if (because !== "") return `Stopped: the ${work === "resolve" ? "issue" : "pull request"} was ${because}`;
  return by === "" ? "Cancelled" : `Cancelled by ${by}`;
}

/** A change that fails its check, or has open comments, is not plain good news. */
function toneOf({ kind, openThreads, openComments, check, proof }: ShownResult, tone: Tone): Tone {
  const isMade = kind === "published" || kind === "dry-run";
  if (!isMade) return tone;
  const isFailing = check === "red" || (proof?.failed ?? "") !== "";
  return isFailing || openThreads + openComments > 0 ? "warn" : tone;
}

/** A run that works, waits or is queued. */
function unfinished({ standing, state, requestedAt }: ShownRun): string {
  const now = standing ?? statusOf(state, requestedAt);
  const isBegun = state === undefined || state.phases.some(({ status }) => status !== "waiting");
  if (now === undefined || (now.is === "working" && !isBegun)) return "Not begun";
  return beginning(statusSince(now));
}
