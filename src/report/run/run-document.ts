import type { ShownRun } from "../../data/read-record.ts";
import type { JudgedFile } from "../../data/run-record.ts";
import { callsSection } from "./calls-section.ts";
import {
  code,
  type Element,
  type Fact,
  factsOf,
  folded,
  h,
  joined,
  linkTo,
  paragraph,
  quote,
  type RunDocument,
  type Section,
} from "./document.ts";
import { markdownNodes, markdownWords, titleWords } from "./markdown.ts";
import { outcomeSection } from "./outcome-section.ts";
import { planSection } from "./plan-section.ts";
import { codeSection, proofSection } from "./work-section.ts";

/** A run as a document: the outcome, then how it came about, role by role. Parts without a record are left out. */
export function runDocument(run: ShownRun): RunDocument {
  const name = `${run.repository}${run.number === undefined ? "" : `#${run.number}`}`;
  const sections = [
    outcomeSection(run),
    issueSection(run),
    candidatesSection(run),
    planSection(run),
    codeSection(run),
    proofSection(run),
    callsSection(run),
    otherSection(run),
  ];
  return {
    title: run.title === "" ? name || run.id : titleWords(run.title),
    // The id of a bot's run begins with the repository's name.
    subtitle: run.id.startsWith(name) ? run.id : `${name}, ${run.id}`,
    sections: sections.filter((section) => section !== undefined),
  };
}

/** The issue as the agents saw it, and their base commit. */
function issueSection({ record }: ShownRun): Section | undefined {
  if (record.start === undefined) return undefined;
  const { issue, base } = record.start;
  const rows: readonly Fact[] = [
    ["Author", issue.author],
    ["Address", linkTo(issue.url)],
    ["Base", joined([base.branch, base.commit.slice(0, 12)], " at ")],
    ["Images", (record.images ?? []).map(({ asset }) => asset).join("\n")],
  ];
  return {
    id: "issue",
    title: "The issue",
    body: [
      ...factsOf(rows),
      ...markdownNodes(issue.body),
      ...issue.discussion.map(({ author, body }) => quote(author, markdownNodes(body))),
      ...(issue.hint === "" ? [] : [quote("Hint to the agents", [paragraph(issue.hint)])]),
    ],
  };
}

/** The Repository Custodian (Algorithm 1): the files it looked at, and how it judged them. */
function candidatesSection({ record }: ShownRun): Section | undefined {
  if (record.candidates === undefined) return undefined;
  const { judged, note = "" } = record.candidates;
  const isNeeded = ({ relevant }: JudgedFile) => relevant !== false;
  const others = judged.filter((file) => !isNeeded(file));
  return {
    id: "candidates",
    title: "Repository Custodian: the files",
    body: [
      ...(note === "" ? [] : [paragraph(note, "warn")]),
      ...(judged.length === 0 ? [paragraph("No file was found.", "quiet")] : []),
      ...judged.filter(isNeeded).map(candidatePart),
      ...(others.length === 0 ? [] : [othersPart(others)]),
    ],
  };
}

function candidatePart({ path, relevant, use, reason, reasons, summary }: JudgedFile): Element {
  const rows: readonly Fact[] = [
    ["Why", markdownWords(reason)],
    ["Found by", markdownWords(reasons.join("; "))],
    ["Summary", markdownWords(summary)],
  ];
  const verdict = use === "read" ? "to be read" : use || "relevant";
  const isJudged = relevant !== undefined;
  const badge = { text: isJudged ? verdict : "not judged", tone: isJudged ? "good" : "quiet" } as const;
  return folded({ title: [h("code", {}, path)], badge }, factsOf(rows));
}

const othersPart = (files: readonly JudgedFile[]): Element =>
  folded(
    { title: "Looked at and not relevant", note: `${files.length}` },
    factsOf(files.map(({ path, reason }) => [path, reason === "" ? "–" : markdownWords(reason)])),
  );

/** Characters of one part. */
const MAX = 50_000;

/** The rest of the record, unformatted. */
function otherSection({ record }: ShownRun): Section | undefined {
  const parts = Object.entries(record.others);
  if (parts.length === 0) return undefined;
  return {
    id: "other",
    title: "Also kept",
    body: parts.map(([title, value]) => {
      const text = JSON.stringify(value, undefined, 2) ?? "";
      const shown = text.length > MAX ? `${text.slice(0, MAX)}\n… (${text.length - MAX} characters more)` : text;
      return folded({ title }, [code(shown)]);
    }),
  };
}
