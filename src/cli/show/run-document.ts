import type { ShownRun } from "../../model/read-record.ts";
import type { RecordedCandidate } from "../../model/run-record.ts";
import { type Badge, type Block, formatMoment, formatTime, type RunDocument, type Section } from "./block.ts";
import { callsSection, spendFacts } from "./calls-section.ts";
import { codeSection } from "./code-section.ts";
import { planSection } from "./plan-section.ts";
import { endBadge, proofSection, resultSection } from "./result-section.ts";

/** A run, role by role, as it is shown on the terminal and in a page. */
export function runDocument(run: ShownRun): RunDocument {
  const name = `${run.repository}${run.number === undefined ? "" : `#${run.number}`}`;
  const other = otherSection(run);
  const proof = proofSection(run);
  const sections: Section[] = [
    resultSection(run),
    issueSection(run),
    candidatesSection(run),
    planSection(run),
    codeSection(run),
    ...(proof ? [proof] : []),
    callsSection(run),
    ...(other ? [other] : []),
  ];
  return {
    title: run.title === "" ? name || run.id : run.title,
    subtitle: name === "" ? run.id : `${name}, run ${run.id}`,
    badge: endBadge(run.state?.result?.kind),
    facts: facts(run).filter(([, value]) => value !== ""),
    sections,
  };
}

function facts(run: ShownRun): (readonly [string, string])[] {
  const { requestedAt, state } = run;
  const elapsed = state?.spend?.elapsed ?? 0;
  return [
    ["asked for", requestedAt === "" ? "" : formatMoment(requestedAt)],
    ...spendFacts(run),
    ["worked", elapsed > 0 ? formatTime(elapsed) : ""],
  ];
}

/** Characters of one part. */
const MAX = 50_000;

/** What else was kept, as it is; undefined when nothing was. */
function otherSection({ record }: ShownRun): Section | undefined {
  const { description, images, others } = record;
  const parts = Object.entries({ images, description, ...others }).filter(([, value]) => value !== undefined);
  if (parts.length === 0) return undefined;
  return { id: "other", title: "Also kept", body: parts.map(([part, value]) => partBlock(part, value)) };
}

function partBlock(part: string, value: unknown): Block {
  const text = JSON.stringify(value, undefined, 2) ?? "";
  const shown = text.length > MAX ? `${text.slice(0, MAX)}\n… (${text.length - MAX} characters more)` : text;
  return { kind: "fold", title: part, body: [{ kind: "code", text: shown }] };
}

/** The issue as the agents saw it, and the commit that they worked on. */
function issueSection({ record }: ShownRun): Section {
  const frame = { id: "issue", title: "The issue" };
  if (record.start === undefined) {
    return { ...frame, body: [{ kind: "text", text: "The issue's text is not kept.", tone: "quiet" }] };
  }
  const { issue, base } = record.start;
  const rows = [
    ["title", issue.title],
    ["author", issue.author],
    ["address", issue.url],
    ["base", [base.branch, base.commit.slice(0, 12)].filter((part) => part !== "").join(" at ")],
  ] as const;
  return {
    ...frame,
    body: [
      { kind: "facts", rows: rows.filter(([, value]) => value !== "") },
      { kind: "markdown", text: issue.body },
      ...issue.discussion.map(({ author, body }): Block => ({ kind: "said", who: author, text: body, markdown: true })),
      ...(issue.hint === "" ? [] : [{ kind: "said", who: "Hint to the agents", text: issue.hint } as const]),
    ],
  };
}

/** The Repository Custodian (Algorithm 1): which files it looked at, why, and what it made of them. */
function candidatesSection({ record }: ShownRun): Section {
  const { judged = [], note = "" } = record.candidates ?? {};
  const empty = record.candidates === undefined ? "No file was looked for." : "No file was found.";
  return {
    ...{ id: "candidates", title: "Repository Custodian: candidates" },
    body: [
      ...(note === "" ? [] : [{ kind: "text", text: note, tone: "warn" } as const]),
      ...(judged.length === 0 ? [{ kind: "text", text: empty, tone: "quiet" } as const] : judged.map(candidate)),
    ],
  };
}

function candidate(file: RecordedCandidate): Block {
  const summary = file.source === "" ? "summary" : `summary (${file.source})`;
  const rows = [
    ["found by", file.reasons.join("; ")],
    ["judged", file.reason],
    [summary, file.summary],
  ] as const;
  return {
    ...{ kind: "fold", title: file.path, badge: verdict(file) },
    ...(file.score !== undefined && { note: `score ${Number(file.score.toPrecision(4))}` }),
    body: [{ kind: "facts", rows: rows.filter(([, value]) => value !== "") }],
  };
}

function verdict({ use, relevant }: RecordedCandidate): Badge {
  if (relevant === undefined) return { text: "not judged", tone: "quiet" };
  if (!relevant) return { text: "not relevant", tone: "quiet" };
  return use === undefined ? { text: "relevant", tone: "good" } : { text: use, tone: "plain" };
}
