import { readPart } from "../../model/read-part.ts";
import { startShape } from "../../model/record-shapes.ts";
import type { ShownRun } from "../../model/run-shape.ts";
import type { Block, Section } from "./block.ts";

/** The issue as the agents saw it, and the commit that they worked on. */
export function issueSection({ record }: ShownRun): Section {
  const { issue, base, refused } = readPart(startShape, record.start);
  const frame = { id: "issue", title: "The issue" };
  if (issue === undefined) {
    const text = refused === "" ? "The issue's text is not kept." : refused;
    return { ...frame, body: [{ kind: "text", text, tone: "quiet" }] };
  }
  const rows = [
    ["title", issue.title],
    ["author", issue.author],
    ["address", issue.url],
    ["base", [base?.branch, base?.commit.slice(0, 12)].filter((part) => part).join(" at ")],
  ] as const;
  return {
    ...frame,
    body: [
      { kind: "facts", rows: rows.filter(([, value]) => value !== "") },
      { kind: "text", text: issue.body },
      ...issue.discussion.map(({ author, body }): Block => ({ kind: "said", who: author, text: body })),
      ...(issue.hint === "" ? [] : [{ kind: "said", who: "Hint to the agents", text: issue.hint } as const]),
    ],
  };
}
