import { readText, splitLines, stripTerminator } from "../code/edits/text-file.ts";
import type { SourceParser } from "../code/source-parser.ts";
import { isAnswerError, isMagisError } from "../data/error.ts";
import {
  createMergeAgents,
  type HunkView,
  type MergeResolution,
  type MergeView,
  type ProposedHunk,
} from "../models/merge-agents.ts";
import type { PromptRunner } from "../models/prompt-runner.ts";
import { checkChange } from "./check-change.ts";
import type { MergedFile, TreeMerge } from "./merge-trees.ts";
import type { PathGuard } from "./path-guard.ts";

/** A conflict that the agents resolved, for people to look at. */
export interface ResolvedHunk {
  path: string;
  /** the line of the target's file at which it begins */
  line: number;
  /** what the two sides did, what was kept and why, each in a sentence */
  differed: string;
  kept: string;
  why: string;
}

export interface Resolved {
  files: readonly MergedFile[];
  log: readonly ResolvedHunk[];
}

/** Why the conflicts stay with people: a clause for each file. */
export interface Unresolved {
  declined: readonly { path: string; why: string }[];
}

interface Input extends MergeView {
  conflicts: TreeMerge["conflicts"];
}

interface Tools {
  prompts: PromptRunner;
  parser: SourceParser;
  guard: PathGuard;
}

/** People merge more files, more places, or longer ones. */
const MAX_FILES = 10;

const MAX_HUNKS = 30;

/** lines of a side */
const MAX_LINES = 200;

/**
 * Has a Developer resolve the conflicts of a merge and a QA Engineer look at every place. All or nothing: a place that is
 * unclear, refused by QA or breaks the syntax of its file is for people, with all others. Throws what the model's port
 * throws, and BUDGET_REACHED.
 */
export async function resolveConflicts(input: Input, tools: Tools): Promise<Resolved | Unresolved> {
  const { conflicts, issue, ours, theirs, change } = input;
  const tooLarge = whyTooLarge(input, tools.guard);
  if (tooLarge.length > 0) return { declined: tooLarge };
  if (conflicts.length === 0) return { files: [], log: [] };
  const view = { issue, ours, theirs, change };
  const places = placesOf(conflicts);
  const made = await resolveByAgents(view, places, input, tools);
  if ("declined" in made) return made;
  const chosen = places.map(({ id, path, line }) => {
    const { lines = "", differed = "", kept = "", why = "" } = made.find((one) => one.id === id) ?? {};
    return { path, line, lines, differed, kept, why };
  });
  const files = filesOf(conflicts, places, chosen);
  const broken = await firstBroken(files, conflicts, tools.parser);
  if (broken.length > 0) return { declined: broken };
  return { files, log: chosen.map(({ lines: _, ...shown }) => shown) };
}

/** A place with its number in the merge. */
interface Place extends HunkView {
  line: number;
}

/** The agents see \n alone: a file's own line endings are put back. */
const asText = (lines: readonly string[]) => lines.join("").replaceAll("\r\n", "\n");

function placesOf(conflicts: Input["conflicts"]): readonly Place[] {
  return conflicts
    .flatMap(({ path, hunks }) => hunks.map((hunk) => ({ path, hunk })))
    .map(({ path, hunk }, at) => ({
      id: String(at + 1),
      path,
      base: asText(hunk.base),
      ours: asText(hunk.ours),
      theirs: asText(hunk.theirs),
      before: asText(hunk.before),
      after: asText(hunk.after),
      line: hunk.line,
    }));
}

function whyTooLarge({ conflicts }: Input, guard: PathGuard): Unresolved["declined"] {
  const every = (why: string) => conflicts.map(({ path }) => ({ path, why }));
  if (conflicts.length > MAX_FILES) return every("too many files conflict");
  if (conflicts.reduce((sum, { hunks }) => sum + hunks.length, 0) > MAX_HUNKS) return every("too many places conflict");
  return conflicts.flatMap(({ path, hunks }) => {
    const refused = guard({ path, action: "modify" })?.reason;
    if (refused !== undefined) return [{ path, why: refused }];
    const isLong = hunks.some((hunk) => [hunk.ours, hunk.theirs].some((side) => side.length > MAX_LINES));
    return isLong ? [{ path, why: "the conflict is too long" }] : [];
  });
}

async function resolveByAgents(
  view: MergeView,
  places: readonly Place[],
  { conflicts }: Input,
  { prompts, parser }: Tools,
): Promise<readonly ProposedHunk[] | Unresolved> {
  const agents = createMergeAgents(prompts);
  const declined = (ids: readonly { id: string; why: string }[]) => ({
    declined: ids.map(({ id, why }) => ({ path: places.find((one) => one.id === id)?.path ?? "", why })),
  });
  try {
    const { hunks } = await agents.resolve(view, places, async (answer) => {
      const fault = faultOf(answer, places);
      // With other places open, a whole file cannot be parsed yet.
      if (fault !== undefined || answer.hunks.some(({ unclear }) => unclear)) return fault;
      const files = filesOf(
        conflicts,
        places,
        places.map((place) => answerOf(answer, place)),
      );
      return (await firstBroken(files, conflicts, parser))[0]?.why;
    });
    const unclear = hunks.filter((one) => one.unclear);
    if (unclear.length > 0) return declined(unclear);
    const shown = places.map((place) => {
      const { lines = "", why = "" } = hunks.find(({ id }) => id === place.id) ?? {};
      return { ...place, lines, why };
    });
    const review = await agents.review(view, shown, () => undefined);
    const refused = review.hunks.filter(({ right }) => !right);
    return refused.length > 0 ? declined(refused) : hunks;
  } catch (error) {
    if (!isAnswerError(error)) throw error;
    return { declined: conflicts.map(({ path }) => ({ path, why: "the agents found no usable merge" })) };
  }
}

const answerOf = ({ hunks }: MergeResolution, place: Place) => ({
  lines: hunks.find(({ id }) => id === place.id)?.lines ?? "",
});

const MARKER = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/m;

/** What is wrong with an answer, in words for the Developer. */
function faultOf({ hunks }: MergeResolution, places: readonly Place[]): string | undefined {
  for (const place of places) {
    const answer = hunks.find(({ id }) => id === place.id);
    if (!answer || answer.unclear) continue;
    if (MARKER.test(answer.lines) && !MARKER.test(place.ours + place.theirs))
      return `Place ${place.id} has conflict markers. Write the lines as they shall be.`;
    const lost = unaccounted(place, answer);
    if (lost.length > 0) {
      const list = lost.slice(0, 10).map((line) => `- ${JSON.stringify(line)}`);
      return `Place ${place.id}: a side added or took out these lines, and neither the result nor \`left\` says so:\n${list.join("\n")}`;
    }
  }
  return undefined;
}

/**
 * The lines of a side's change that are neither in the result nor named as left: none is dropped silently. A line may
 * stand several times on a side, so they are counted.
 */
export function unaccounted(
  { base, ours, theirs }: Pick<HunkView, "base" | "ours" | "theirs">,
  { lines, left }: Pick<ProposedHunk, "lines" | "left">,
): readonly string[] {
  const [old, own, other, made] = [base, ours, theirs, lines].map(countLines) as [Counts, Counts, Counts, Counts];
  const named = countLines(left.join("\n"));
  return [...new Set([...old.keys(), ...own.keys(), ...other.keys()])].filter((line) => {
    const [was, here, there, now] = [old, own, other, made].map((counts) => counts.get(line) ?? 0) as Four;
    const isLost = now < Math.max(addedTo(was, here, there), addedTo(was, there, here));
    return (isLost || now > allowed(was, here, there)) && !named.has(line);
  });
}

type Four = [was: number, here: number, there: number, now: number];

type Counts = ReadonlyMap<string, number>;

/** How often a line has to stand in the result because `side` added it, less what `other` took out. */
const addedTo = (was: number, side: number, other: number) => (side > was ? side - Math.max(0, was - other) : 0);

/** How often it may stand there when a side took it out. */
function allowed(was: number, here: number, there: number): number {
  if (here >= was && there >= was) return Number.POSITIVE_INFINITY;
  return here < was && there < was ? Math.min(here, there) : Math.max(0, here + there - was);
}

/** Lines without their indentation, which a merge may change; without blank ones and lone brackets. */
function countLines(text: string): Counts {
  const counts = new Map<string, number>();
  for (const line of splitLines(text).map((one) => stripTerminator(one).trim()))
    if (/[\p{L}\p{N}]/u.test(line)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** The merged files with the chosen lines in place of the conflicts. */
function filesOf(
  conflicts: Input["conflicts"],
  places: readonly Place[],
  chosen: readonly { lines: string }[],
): readonly MergedFile[] {
  return conflicts.map(({ path, mode, hunks, resolve }) => {
    const own = places.flatMap((place, at) => (place.path === path ? [chosen[at]?.lines ?? ""] : []));
    const lines = hunks.map((hunk, at) => withEndings(own[at] ?? "", hunk));
    return { path, mode, content: resolve(lines) };
  });
}

/** The lines of an answer with the file's line endings. At a file's end, it ends as both sides end. */
function withEndings(text: string, { ours, theirs, after, before }: Input["conflicts"][number]["hunks"][number]) {
  const eol = [...ours, ...theirs, ...before].some((line) => line.endsWith("\r\n")) ? "\r\n" : "\n";
  const lines = splitLines(text).map((line) => stripTerminator(line) + eol);
  const isOpen = (side: readonly string[]) => side.length > 0 && !/[\r\n]$/.test(side.at(-1) ?? "");
  const last = lines.at(-1);
  if (last === undefined || after.length > 0 || !isOpen(ours) || !isOpen(theirs)) return lines;
  return [...lines.slice(0, -1), stripTerminator(last)];
}

/** What a resolution broke: conflict markers, or the syntax of a file whose target parses. */
async function firstBroken(
  files: readonly MergedFile[],
  conflicts: Input["conflicts"],
  parser: SourceParser,
): Promise<Unresolved["declined"]> {
  for (const [at, { path, content }] of files.entries()) {
    const conflict = conflicts[at];
    const after = content && readText(content)?.lines.join("");
    if (!conflict || after === undefined) continue;
    const before = textWith(conflict, "ours");
    const why = await checkChange({ parser, path, before, after });
    if (why !== undefined) return [{ path, why }];
  }
  return [];
}

function textWith({ hunks, resolve }: Input["conflicts"][number], side: "ours" | "theirs"): string {
  try {
    return readText(resolve(hunks.map((hunk) => hunk[side])))?.lines.join("") ?? "";
  } catch (error) {
    if (!isMagisError(error, "ANSWER_INVALID")) throw error;
    return "";
  }
}
