import type { Verb } from "../model/command.ts";
import type { RecordedCandidate, RecordedOutcome, RunRecord } from "../model/run-record.ts";
import type { RunRequest } from "../model/run-request.ts";
import type { RunState } from "../model/run-state.ts";
import { REASON_WORDS } from "../model/verdict.ts";
import { hasChange, wasReviewed } from "../model/work.ts";
import { codeSpan, cutText, fold, plain, prose } from "../text/compose-markdown.ts";
import { commandFoot, outcomeText } from "./commands.ts";

/** A stored run. */
export interface ExplainedRun {
  readonly request: RunRequest;
  /** it works or is queued */
  readonly isOpen: boolean;
  readonly state: RunState | undefined;
  readonly record: RunRecord;
}

/** The answer to `/magis explain`: why each of `runs` did what it did. For two runs it stays below GitHub's limit. */
export function explanationText(runs: readonly ExplainedRun[], verbs: readonly Verb[]): string {
  const parts = runs.length === 0 ? [NO_RUN] : runs.map(explained);
  return [...parts, `<sub>This is what is kept; no model was asked. ${commandFoot(verbs)}</sub>`].join("\n\n");
}

const NO_RUN = "Nothing is kept of any run here: there has been none, or it was so long ago that it has been deleted.";

function explained({ request, isOpen, state, record }: ExplainedRun): string {
  const sections = [
    section("Why these files", whyFiles(record)),
    section("Why this change", whyChange(record)),
    section("What was tried and given up", givenUp(record)),
    section("What the reviewers doubted", doubts(record)),
  ].filter((part) => part !== "");
  const ended = (state?.result && outcomeText(state)) ?? "How it ended is not kept.";
  if (sections.length === 0) sections.push(`Nothing is kept of how it came about${isOpen ? " so far" : ""}.`);
  return [`**${nameOf(request)}** ${isOpen ? "It is not over yet." : ended}`, ...sections].join("\n\n");
}

function nameOf({ work, actor, requestedAt }: ExplainedRun["request"]): string {
  const run = `The run of ${plain(requestedAt.replace("T", " ").slice(0, 16))} UTC`;
  switch (work.kind) {
    case "resolve":
      return `${run}, which ${plain(actor)} asked for.`;
    case "revise":
      return `${run} on the pull request, for its open feedback.`;
    case "repair":
      return `${run} on the pull request, for its failing checks.`;
    case "update":
      return `${run} on the pull request, whose base had moved on.`;
    default:
      // A kind of work that only an earlier version did.
      return `${run} on the pull request.`;
  }
}

function section(title: string, parts: readonly string[]): string {
  const content = parts.filter((part) => part !== "");
  return content.length === 0 ? "" : [`#### ${title}`, ...content].join("\n\n");
}

function whyFiles({ candidates }: RunRecord): string[] {
  if (!candidates) return [];
  const { judged, note } = candidates;
  const left = judged.filter(({ relevant }) => relevant === false);
  const kept = judged.filter((file) => !left.includes(file));
  return [
    list([...(note ? [item("Note", note)] : []), ...kept.map(candidateItem)]),
    fold(`Looked at and left out (${left.length})`, withRoom(left.map(candidateItem)).join("\n")),
  ];
}

function candidateItem({ path, use, reason, summary, reasons }: RecordedCandidate): string {
  const why = reason || summary || reasons.join("; ");
  return item(`${codeSpan(path)}${use === "read" ? ", to be known and not changed" : ""}`, why);
}

function whyChange({ plan, tasks: defined, work, description }: RunRecord): string[] {
  const cause = plan?.reason || defined?.reason || description?.problem || "";
  const changes = work
    ? work.outcomes.filter(hasChange).map(({ path, summary }) => item(codeSpan(path), summary))
    : (plan?.tasks ?? defined?.assignments ?? []).map(({ path, title }) => item(codeSpan(path), title));
  const notes = (plan?.notes ?? []).map((note) => item("Noted and left alone", note));
  return [prose(cutText(cause, MAX_CAUSE)), list([...changes, ...notes])];
}

function givenUp({ start, plan, work, proof }: RunRecord): string[] {
  const items = [
    ...[start?.anew, start?.renewed].flatMap((why) => (why ? [item("Begun again", why)] : [])),
    ...(plan?.fallback ? [item("The Manager's own order of the tasks", plan.fallback)] : []),
    ...(work?.outcomes ?? []).flatMap(attemptItems),
    ...(proof?.pushes ?? []).flatMap(pushItems),
    ...(work?.stopped?.unfinished ?? []).map((task) => item("Not finished", task)),
  ];
  return [items.length === 0 && work ? "Nothing was given up." : list(items)];
}

function attemptItems({ path, status, summary, attempts }: RecordedOutcome): string[] {
  const place = codeSpan(path);
  const items = attempts.flatMap(({ rejected, approved, verdict }, at) => {
    const which = `${place}, attempt ${at + 1} of ${attempts.length}`;
    if (rejected !== undefined) return [item(`${which}, turned back before its review`, rejected)];
    const isLast = at === attempts.length - 1;
    return approved || isLast || verdict === "" ? [] : [item(`${which}, sent back by the QA Engineer`, verdict)];
  });
  if (status === "failed") return [...items, item(`${place}, without a usable change`, summary)];
  return status === "unchanged" ? [...items, item(`${place}, left as it is`, summary)] : items;
}

type Push = NonNullable<RunRecord["proof"]>["pushes"][number];

/** Empty for a push whose checks showed what they should. */
function pushItems({ commit, stage, verdict, reason = "" }: Push): string[] {
  const isFix = stage === "green";
  if (verdict === (isFix ? "green" : "right-red")) return [];
  const why = Object.hasOwn(REASON_WORDS, reason) ? REASON_WORDS[reason as keyof typeof REASON_WORDS] : reason;
  const said = isFix ? "the checks did not pass" : "the test did not fail as it should";
  return [
    item(
      `Commit ${codeSpan(commit.slice(0, 10))}, ${isFix ? "with the fix" : "the test alone"}`,
      `${said}${why && `: ${why}`}.`,
    ),
  ];
}

function doubts({ work }: RunRecord): string[] {
  if (!work) return [];
  const items = [
    ...work.outcomes.flatMap(doubtItems),
    ...(work.unfollowed ?? []).map((variant) => item("Not followed to its end in the review", variant)),
  ];
  if (items.length > 0) return [list(items)];
  return [work.outcomes.some(wasReviewed) ? "The QA Engineers had no doubts." : "There was nothing to review."];
}

function doubtItems(outcome: RecordedOutcome): string[] {
  const { path, attempts, comments } = outcome;
  const last = attempts.at(-1);
  const verdict = last && !last.approved && last.rejected === undefined ? last.verdict : "";
  return [
    ...comments.map(({ path: file, line, status, body, reply, mended }) => {
      const place = codeSpan(line === undefined ? file : `${file}:${line}`);
      const answer = reply ? ` **Developer:** ${words(reply)}` : "";
      return `${item(`${place} (${status === "settled" ? "settled" : "open"})`, body)}${mended ? " The QA Engineer changed it." : answer}`;
    }),
    ...(verdict === "" ? [] : [item(`${codeSpan(path)}, at the end`, verdict)]),
    ...(hasChange(outcome) && !wasReviewed(outcome) ? [item(codeSpan(path), "no QA Engineer has reviewed it.")] : []),
  ];
}

const MAX_CAUSE = 1_000;

const MAX_WORDS = 500;

const words = (text: string) => plain(cutText(text, MAX_WORDS));

/** One line of a list. It begins with `name`, which is safe: others' words there could begin a block of code. */
function item(name: string, text: string): string {
  const said = words(text);
  return said === "" ? `- ${name}` : `- ${name}: ${said}`;
}

/** How many lines stay unfolded. */
const SHOWN = 6;

function list(items: readonly string[]): string {
  const lines = withRoom(items);
  const more = lines.slice(SHOWN);
  return [lines.slice(0, SHOWN).join("\n"), fold(`${more.length} more`, more.join("\n"))]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Characters of a list: a run has up to five lists, and GitHub's limit is 65,536. */
const ROOM = 5_000;

/** As many lines as fit, and the number of the others. */
function withRoom(items: readonly string[]): string[] {
  let room = ROOM;
  const end = items.findIndex((line) => {
    room -= line.length + 1;
    return room < 0;
  });
  if (end < 0) return [...items];
  return [...items.slice(0, end), `- ${items.length - end} more, which the run's record keeps`];
}
