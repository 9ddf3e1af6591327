import type { ShownRun } from "../../model/run-shape.ts";
import type { Block, Section } from "./block.ts";

const KNOWN = new Set(["start", "candidates", "tasks", "plan", "work", "commit"]);
/** Characters of one part. */
const MAX = 50_000;

/** What else was kept, as it is; undefined when nothing was. */
export function otherSection({ record }: ShownRun): Section | undefined {
  const parts = Object.entries(record).filter(([part]) => !KNOWN.has(part));
  if (parts.length === 0) return undefined;
  return { id: "other", title: "Also kept", body: parts.map(([part, value]) => partBlock(part, value)) };
}

function partBlock(part: string, value: unknown): Block {
  const text = JSON.stringify(value, undefined, 2) ?? "";
  const shown = text.length > MAX ? `${text.slice(0, MAX)}\n… (${text.length - MAX} characters more)` : text;
  return { kind: "fold", title: part, body: [{ kind: "code", text: shown }] };
}
