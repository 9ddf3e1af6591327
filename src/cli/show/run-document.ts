import type { ShownRun } from "../../model/read-record.ts";
import type { RecordedCandidate } from "../../model/run-record.ts";
import { callsSection } from "./calls-section.ts";
import {
  type Block,
  type Fact,
  factsOf,
  joined,
  linkTo,
  paragraph,
  type RunDocument,
  type Section,
} from "./document.ts";
import { markdownBlocks, markdownWords, titleWords } from "./markdown.ts";
import { outcomeSection } from "./outcome-section.ts";
import { planSection } from "./plan-section.ts";
import { codeSection, proofSection } from "./work-section.ts";

/** A run as a document: what came of it, then role by role how. A part of which nothing is kept is left out. */
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
    // The id of a run of the bot begins with the name.
    subtitle: run.id.startsWith(name) ? run.id : `${name}, ${run.id}`,
    sections: sections.filter((section) => section !== undefined),
  };
}

/** The issue as the agents saw it, and the commit that they worked on. */
function issueSection({ record }: ShownRun): Section | undefined {
  if (record.start === undefined) return undefined;
  const { issue, base } = record.start;
  const rows: readonly Fact[] = [
    ["Author", issue.author],
    ["Address", linkTo(issue.url)],
    ["Base", joined([base.branch, base.commit.slice(0, 12)], " at ")],
    ["Images", (record.images ?? []).map(({ url }) => url).join("\n")],
  ];
  return {
    id: "issue",
    title: "The issue",
    body: [
      ...factsOf(rows),
      ...markdownBlocks(issue.body),
      ...issue.discussion.map(
        ({ author, body }): Block => ({ kind: "quote", who: author, body: markdownBlocks(body) }),
      ),
      ...(issue.hint === ""
        ? []
        : [{ kind: "quote", who: "Hint to the agents", body: [paragraph(issue.hint)] } as const]),
    ],
  };
}

/** The Repository Custodian (Algorithm 1): the files it looked at, and what it made of them. */
function candidatesSection({ record }: ShownRun): Section | undefined {
  if (record.candidates === undefined) return undefined;
  const { judged, note = "" } = record.candidates;
  const isNeeded = ({ relevant }: RecordedCandidate) => relevant !== false;
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

function candidatePart({ path, relevant, use, reason, reasons, summary }: RecordedCandidate): Block {
  const rows: readonly Fact[] = [
    ["Why", markdownWords(reason)],
    ["Found by", markdownWords(reasons.join("; "))],
    ["Summary", markdownWords(summary)],
  ];
  const verdict = use === "read" ? "to be read" : use || "relevant";
  return {
    kind: "part",
    title: path,
    badge: relevant === undefined ? { text: "not judged", tone: "quiet" } : { text: verdict, tone: "good" },
    fold: "closed",
    body: factsOf(rows),
  };
}

const othersPart = (files: readonly RecordedCandidate[]): Block => ({
  kind: "part",
  title: "Looked at and not relevant",
  note: `${files.length}`,
  fold: "closed",
  body: [
    { kind: "table", head: ["File", "Why not"], rows: files.map(({ path, reason }) => [path, markdownWords(reason)]) },
  ],
});

/** Characters of one part. */
const MAX = 50_000;

/** What else was kept, as it is. */
function otherSection({ record }: ShownRun): Section | undefined {
  const parts = Object.entries(record.others);
  if (parts.length === 0) return undefined;
  return {
    id: "other",
    title: "Also kept",
    body: parts.map(([part, value]): Block => {
      const text = JSON.stringify(value, undefined, 2) ?? "";
      const shown = text.length > MAX ? `${text.slice(0, MAX)}\n… (${text.length - MAX} characters more)` : text;
      return { kind: "part", title: part, fold: "closed", body: [{ kind: "code", text: shown }] };
    }),
  };
}
