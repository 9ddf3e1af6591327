import pMap from "p-map";
import { unifiedDiff } from "../../../code/edits/diff.ts";
import { IMPORT, splitLines } from "../../../code/edits/text-file.ts";
import type { LocateInput, PooledFile } from "../../../run/strategy.ts";
import { groupOf } from "../../../search/classify-file.ts";
import { declarationsOf } from "../../../search/declarations.ts";
import { declaredNames } from "../../../search/outline.ts";
import { COMMENT, splitIdentifier } from "../../../search/terms.ts";
import { cutEnd } from "../../../text/cut.ts";
import { type AboutIssue, aboutIssue, nearnessOf } from "./about-issue.ts";
import { nearestLines } from "./declarations.ts";

/**
 * Characters for the names that a file declares (its beginning where it declares none), and as many for its nearest
 * lines. Lower ranks get less: they are rarely chosen.
 */
function shareOf(at: number): number {
  if (at < 3) return 450;
  return at < 6 ? 210 : 120;
}

/** Characters that a remembered summary costs beside its text. */
const FRAME = 70;

/** A file as the Custodian sees it when it judges many at once. */
export interface ViewedFile {
  path: string;
  reasons: string;
  /** `change`: an earlier version's summary with the difference since */
  kind: "summary" | "change" | "outline";
  view: string;
  /** its lines that have most to do with the issue, numbered; "" for none */
  matches: string;
}

/** Blobs that are read at the same time. */
const AT_ONCE = 8;

/** A file of the pool, what is shown of it, and its remembered summary ("" for none). */
interface PooledView {
  file: PooledFile;
  shown: ViewedFile;
  summary: string;
}

/** Shows the Custodian the pool by rank. */
export async function viewForCustodian(
  input: LocateInput,
  pool: readonly PooledFile[],
): Promise<readonly PooledView[]> {
  const about = aboutIssue(input.issue, input.request.repository.name);
  return pMap(
    pool,
    async (file, at) => {
      const seen = await viewPooled(file, input, about, shareOf(at));
      const { path, reasons, kind, view, matches, summary } = seen;
      // Both are the file's own words, and fenced as one; a summary is a colleague's.
      const isOutline = kind === "outline" && matches !== "";
      const text = isOutline ? { view: `${view}\n${matches}`.trimStart(), matches: "" } : { view, matches };
      return { file, summary, shown: { path, reasons, kind, ...text } };
    },
    { concurrency: AT_ONCE },
  );
}

/** Shows the remembered summary, with a short diff if it is of an earlier version; else the outline. */
async function viewPooled(
  file: PooledFile,
  { memory, request, repository, host, settings, parser }: LocateInput,
  about: AboutIssue,
  share: number,
) {
  const { path, blob } = file;
  const content = await repository.readBlob(blob);
  const lines = splitLines(Buffer.from(content).toString("utf8"));
  const scores = await nearnessOf(path, lines, about);
  const own = licenceEnd(lines);
  const matches = matchesOf(
    lines,
    scores.map((score, at) => (at < own ? 0 : score)),
    share,
  );
  const common = { path, reasons: shortReasons(file.reasons), matches };
  const symbols = await declarationsOf(path, lines, parser);
  const beginning = () => {
    const text = lines.slice(own).filter((line) => !IMPORT.test(line));
    return isData(path) && matches !== "" ? "" : cutEnd(text.join("").trim(), share);
  };
  const hasNames = symbols !== undefined && symbols.length > 0;
  const view = hasNames ? declaredNames(symbols, (name) => splitIdentifier(name), about.terms, share) : beginning();
  const outlined = { ...common, kind: "outline" as const, view, summary: "" };
  const version = settings.ablate.includes("memory") ? undefined : await memory.recall(request.repository, path, blob);
  if (version === undefined || version.summary.length + FRAME >= view.length) return outlined;
  const { summary } = version;
  if (version.blob === blob) return { ...common, kind: "summary" as const, view: summary, summary };
  const earlier = await host.readBlob(version.blob);
  const diff = earlier && unifiedDiff(path, earlier, content);
  const short = diff !== undefined && diff.length + summary.length + FRAME < view.length;
  return short ? { ...common, kind: "change" as const, view: `${summary}\n\n${diff}`, summary } : outlined;
}

/** A schema or table begins alike whatever is in it. */
const isData = (path: string) => groupOf(path) === "data";

/** How many lines at the top are the comment with a licence, which says nothing about a file. */
function licenceEnd(lines: readonly string[]): number {
  let closing = "";
  const end = lines.findIndex((line) => {
    const text = line.trim();
    const isInside = closing !== "";
    if (!isInside) closing = BLOCKS.find(([opening]) => text.startsWith(opening))?.[1] ?? "";
    const isComment = isInside || closing !== "" || text === "" || COMMENT.test(line);
    if (closing !== "" && text.slice(isInside ? 0 : 2).includes(closing)) closing = "";
    return !isComment;
  });
  const comment = lines.slice(0, Math.max(0, end));
  return comment.some((line) => LICENCE.test(line)) ? comment.length : 0;
}

const BLOCKS = [
  ["/*", "*/"],
  ["<!--", "-->"],
  ['"""', '"""'],
] as const;

const LICENCE = /\b(?:licen[cs]ed?|copyright|SPDX)\b/i;

const MAX_REASONS = 80;

/** Why the search found a file, without figures. */
function shortReasons(reasons: readonly string[]): string {
  const plain = reasons.map((reason) => reason.replace(/^BM25 [\d.]+, terms: /, "words: "));
  const [first = "", ...others] = plain;
  return others.reduce((text, one) => (text.length + one.length < MAX_REASONS ? `${text}; ${one}` : text), first);
}

/** Characters of a line that is shown. */
const MAX_MATCH = 140;

/** The lines nearest to the issue, in file order, up to `most` characters. */
function matchesOf(lines: readonly string[], scores: readonly number[], most: number): string {
  const chosen: { at: number; row: string }[] = [];
  let left = most;
  for (const at of nearestLines({ lines, scores })) {
    const text = (lines[at - 1] ?? "").trim();
    const row = `${at}|${text.length > MAX_MATCH ? `${text.slice(0, MAX_MATCH)}…` : text}`;
    if (row.length > left) break;
    left -= row.length;
    chosen.push({ at, row });
  }
  return chosen
    .sort((a, b) => a.at - b.at)
    .map(({ row }) => row)
    .join("\n");
}
