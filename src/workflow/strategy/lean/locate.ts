import pMap from "p-map";
import { unifiedDiff } from "../../../edits/diff.ts";
import { IMPORT, splitLines } from "../../../edits/text-file.ts";
import { declaredNames, outlineText } from "../../../search/outline.ts";
import { codeWords, createStemmer, lineScoresInTurns, splitIdentifier } from "../../../search/terms.ts";
import { issueTerms } from "../../../search/token-cache.ts";
import { plainNote } from "../../../text/strip-hidden.ts";
import type { JudgedFile, LocateInput, Pool, PooledFile, SummarySource } from "../../run/strategy.ts";
import { createLeanCustodian, type Shortlist, type ViewedFile } from "./custodian.ts";
import { openRepositoryView, whyNot } from "./repository-view.ts";

/** Characters of what a file declares, of an outline where no grammar tells that, and of its lines nearest to the issue. */
interface Share {
  readonly names: number;
  readonly outline: number;
  readonly matches: number;
}

const MOST: Share = { names: 450, outline: 500, matches: 350 };

/** What stands further down is rarely it. */
const SHARES: readonly (Share & { readonly first: number })[] = [
  { first: 2, ...MOST, names: 550 },
  { first: 3, ...MOST },
  { first: 6, names: 210, outline: 300, matches: 200 },
  { first: Number.POSITIVE_INFINITY, names: 120, outline: 200, matches: 120 },
];

const shareOf = (at: number): Share => SHARES.find(({ first }) => at < first) ?? MOST;

/** Of the lines that whoever comes after the Custodian is shown, however far down the file stood. */
const HITS = 400;

/** Characters that a remembered summary takes beside its text. */
const FRAME = 70;

const MAX_MATCH_LENGTH = 140;

/** Thirty words are asked for. */
const MAX_SUMMARY = 500;

/** Files that the map may add to the pool. */
const MAX_ADDED = 5;

/** How often the Custodian may look around for what the map leaves out, and the characters that it may gather. */
const TURNS = 1;

const ROOM = 6_000;

/** Blobs that are read at the same time. */
const AT_ONCE = 8;

const SOURCES: Readonly<Record<ViewedFile["kind"], SummarySource>> = {
  summary: "remembered",
  change: "updated (P1)",
  outline: "written (P2)",
};

/**
 * Algorithm 1, lines 3 to 18, in one call: the Custodian reads the remembered summaries, the outlines of files that it
 * does not know, and the map, and answers with its verdicts, the missing summaries (which are remembered), and files
 * that the search has missed.
 */
export async function shortlistTogether(
  input: LocateInput,
  { pool, map, known }: Pool,
): Promise<readonly JudgedFile[]> {
  if (pool.length === 0 && map === "") return [];
  const hints = [input.issue.hint, ...input.issue.discussion.map(({ body }) => body)];
  const terms = issueTerms({ title: input.issue.title, body: input.issue.body, hints });
  const exact = codeWords([input.issue.title, input.issue.body, ...hints].join("\n"));
  const views = await pMap(pool, (file, at) => viewOf(file, input, { terms, exact, share: shareOf(at) }), {
    concurrency: AT_ONCE,
  });
  const shown = views.map(({ path, reasons, kind, view, matches }) => {
    const isOutline = kind === "outline" && matches !== "";
    return { path, reasons, kind, view: isOutline ? `${view}\n${matches}` : view, matches: isOutline ? "" : matches };
  });
  const repositoryView = await openRepositoryView(input);
  const toolset = repositoryView.toolset(TURNS, { room: ROOM, only: ["search", "list"] });
  const isKnown = (path: string) => known(path) !== undefined || pool.some((file) => file.path === path);
  const faultOf = (path: string) => (isKnown(path) ? undefined : whyNot(path, repositoryView));
  const answer = await createLeanCustodian(input.prompts).shortlist(input.issue, shown, { map, toolset, faultOf });
  const judged = views.map(({ file, kind, summary }) => {
    const verdict = answer.files.find(({ path }) => path === file.path);
    const said = kind === "summary" ? summary : plainNote(verdict?.summary ?? "", MAX_SUMMARY) || summary;
    return {
      path: file.path,
      blob: file.blob,
      score: file.score,
      reasons: file.reasons,
      // What is not named counts as "no": a whole run is not to end for it.
      summary: said,
      source: SOURCES[kind],
      relevant: (verdict?.verdict ?? "no") !== "no",
      reason: verdict?.reason ?? "",
      names: verdict?.names ?? [],
      ...(verdict?.verdict === "read" && { use: "read" as const }),
    };
  });
  if (!input.settings.ablate.includes("memory")) {
    for (const { path, blob, summary } of judged) {
      if (summary !== "") await input.memory.update(input.repositoryId, { path, blob, summary });
    }
  }
  return [...judged, ...added(answer, pool, known)];
}

function added({ more }: Shortlist, pool: readonly PooledFile[], known: Pool["known"]): JudgedFile[] {
  const named = new Map(more.map((one) => [one.path, one]));
  return [...named.values()]
    .flatMap(({ path, reason, names, verdict }) => {
      const file = pool.some((one) => one.path === path) ? undefined : known(path);
      if (!file) return [];
      const reasons = [`named from the map: ${reason}`];
      const found = { score: 0, reasons, summary: "", source: "named from the map" as const, relevant: true, reason };
      const use = verdict === "read" ? { use: "read" as const } : {};
      return [{ path, blob: file.blob, ...found, names, ...use }];
    })
    .slice(0, MAX_ADDED);
}

/** The remembered summary; with a short difference since, for an earlier version; else the outline. */
async function viewOf(
  file: PooledFile,
  { memory, repositoryId, repository, host, settings, parser }: LocateInput,
  about: { readonly terms: ReadonlyMap<string, number>; readonly exact: ReadonlySet<string>; readonly share: Share },
) {
  const { terms, exact, share } = about;
  const { path, blob } = file;
  const content = await repository.readBlob(blob);
  const lines = splitLines(Buffer.from(content).toString("utf8"));
  const matches = matchesOf(lines, await lineScoresInTurns(lines, terms, exact), share.matches);
  const common = { file, path, reasons: shortReasons(file.reasons), matches };
  const symbols = await parser.symbols(path, lines.join(""));
  const stem = createStemmer();
  const view =
    symbols && symbols.length > 0
      ? declaredNames(symbols, (name) => splitIdentifier(name, stem), terms, share.names)
      : outlineText(lines.filter((line) => !IMPORT.test(line)).join(""), share.outline);
  const outlined = { ...common, kind: "outline" as const, view, summary: "" };
  const version = settings.ablate.includes("memory") ? undefined : await memory.recall(repositoryId, path, blob);
  if (version === undefined || version.summary.length + FRAME >= view.length) return outlined;
  const { summary } = version;
  if (version.blob === blob) return { ...common, kind: "summary" as const, view: summary, summary };
  const earlier = await host.readBlob(version.blob);
  const diff = earlier && unifiedDiff(path, earlier, content);
  const short = diff !== undefined && diff.length + summary.length + FRAME < view.length;
  return short ? { ...common, kind: "change" as const, view: `${summary}\n\n${diff}`, summary } : outlined;
}

const MAX_REASONS = 80;

/** Why a file was found, without figures: the words that it shares, what it defines, what it stands beside. */
function shortReasons(reasons: readonly string[]): string {
  const text = reasons
    .map((reason) => reason.replace(/^BM25 [\d.]+, terms: /, "words: "))
    .map((reason) => (/^changed in \w+, whose message/.test(reason) ? "changed for the issue's words" : reason))
    .join("; ");
  return text.length > MAX_REASONS ? `${text.slice(0, MAX_REASONS)}…` : text;
}

/** The lines that have most to do with the issue, in their order. */
function matchesOf(lines: readonly string[], scores: readonly number[], room: number): string {
  return [...hitsOf(lines, scores, room)]
    .sort((a, b) => a - b)
    .map((at) => `${at} | ${shortLine(lines[at - 1])}`)
    .join("\n");
}

function shortLine(line = ""): string {
  const text = line.trim();
  return text.length > MAX_MATCH_LENGTH ? `${text.slice(0, MAX_MATCH_LENGTH)}…` : text;
}

/** The 1-based lines of a file that have most to do with the issue, best first, for `most` characters. */
export function hitsOf(lines: readonly string[], scores: readonly number[], most = HITS): readonly number[] {
  const best = scores
    .flatMap((score, at) => (score > 0 ? [{ score, at }] : []))
    .sort((a, b) => b.score - a.score || a.at - b.at);
  const chosen: number[] = [];
  let room = most;
  for (const { at } of best) {
    const text = shortLine(lines[at]);
    if (text.length > room) break;
    if (IMPORT.test(lines[at] ?? "")) continue;
    room -= text.length + 8;
    chosen.push(at + 1);
  }
  return chosen;
}
