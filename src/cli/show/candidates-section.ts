import { candidatesShape, readPart, type ShownCandidate, type ShownRun } from "../../model/run-record.ts";
import type { Badge, Block, Section } from "./block.ts";

const WORDS: readonly Badge[] = [
  { text: "change", tone: "good" },
  { text: "read", tone: "plain" },
  { text: "no", tone: "quiet" },
];

/** The Repository Custodian (Algorithm 1): which files it looked at, why, and what it made of them. */
export function candidatesSection({ record }: ShownRun): Section {
  const { judged, note } = readPart(candidatesShape, record.candidates);
  const empty = record.candidates === undefined ? "No file was looked for." : "No file was found.";
  return {
    ...{ id: "candidates", title: "Repository Custodian: candidates" },
    body: [
      ...(note === "" ? [] : [{ kind: "text", text: note, tone: "warn" } as const]),
      ...(judged.length === 0 ? [{ kind: "text", text: empty, tone: "quiet" } as const] : judged.map(candidate)),
    ],
  };
}

function candidate(file: ShownCandidate): Block {
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

function verdict({ verdict: word, use, relevant }: ShownCandidate): Badge {
  const said = [word, use, relevant].find((one) => one !== undefined);
  if (said === true) return { text: "relevant", tone: "good" };
  if (said === false) return { text: "not relevant", tone: "quiet" };
  if (said === undefined) return { text: "not judged", tone: "quiet" };
  return WORDS.find(({ text }) => text === said) ?? { text: said, tone: "plain" };
}
