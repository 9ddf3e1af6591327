import type { ShownRun } from "../../model/read-record.ts";
import type { RecordedCandidate } from "../../model/run-record.ts";
import type { Badge, Block, Section } from "./block.ts";

/** The Repository Custodian (Algorithm 1): which files it looked at, why, and what it made of them. */
export function candidatesSection({ record }: ShownRun): Section {
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
