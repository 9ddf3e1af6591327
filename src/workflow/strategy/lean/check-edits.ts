import { checkIntervals, normaliseReplacement, replaceIntervals } from "../../../edits/line-edits.ts";
import { withoutNumber } from "../../../edits/numbered.ts";
import { stripTerminator, type TextFile, writeText } from "../../../edits/text-file.ts";
import { isMagisError } from "../../../model/error.ts";
import type { LineEdit } from "../../../model/work.ts";
import type { SourceParser } from "../../../ports/source-parser.ts";
import { checkChange } from "../../change/check-change.ts";
import type { ChangeOfFile } from "./agents.ts";

type Edits = readonly ChangeOfFile["edits"][number][];

/** The file with the edits in place, or what is wrong with them in words the Developer can act on. */
export type CheckedEdits = { readonly content: Uint8Array } | { readonly reason: string };

/**
 * Puts edits in place (Algorithm 3, split and replace) and checks the result: intervals in range, anchors where they
 * should be, something changed, no conflict markers, and a file that parsed before parses still. `file`: the file as the
 * Developer saw it; of a new one an empty text. `isNew`: it does not exist yet.
 */
export async function checkEdits(
  written: Edits,
  { path, file, isNew, parser }: { path: string; file: TextFile; isNew: boolean; parser: SourceParser },
): Promise<CheckedEdits> {
  const edits = written.map((edit) => placed(edit, file.lines));
  const checked = checkIntervals(edits, file.lines.length);
  if ("reason" in checked) return checked;
  const misplaced = edits.flatMap((edit) => anchorFault(edit, file.lines) ?? []);
  if (misplaced.length > 0) return { reason: misplaced.join("\n") };
  const lineEdits: LineEdit[] = [...edits]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map(({ start, end, text }) => {
      const place = { path, file, interval: { start, end } };
      // An empty text deletes; to make a line empty, its text is a newline.
      return { start, end, text: text === "" ? "" : normaliseReplacement(text, place) };
    });
  const changed = replaceIntervals(file, lineEdits);
  const [before, after] = [file.lines.join(""), changed.lines.join("")];
  if (before === after) return { reason: "The new lines are the same as the old ones: nothing was changed." };
  const fault = await checkChange({ parser, path, before: isNew ? undefined : before, after });
  if (fault !== undefined) return { reason: fault };
  try {
    return { content: writeText(changed) };
  } catch (error) {
    if (!isMagisError(error)) throw error;
    return { reason: error.message };
  }
}

/** A number shorter than this may stand in many places by accident. */
const TELLING = 8;

/** What an anchor quotes: without the number before it, unless the file has such a line with one. */
const quotedBy = (anchor: string, lines: readonly string[]) =>
  lines.some((line) => line.trim() === anchor.trim()) ? anchor.trim() : withoutNumber(anchor);

/** Numbers are easily wrong; the line itself is not. Where it stands in one place alone, that is the place. */
function placed(edit: Edits[number], lines: readonly string[]): Edits[number] {
  const wanted = quotedBy(edit.anchor, lines);
  if (wanted.length < TELLING || stripTerminator(lines[edit.start - 1] ?? "").trim() === wanted) return edit;
  const places = lines.flatMap((line, at) => (line.trim() === wanted ? [at + 1] : []));
  const [only] = places;
  if (only === undefined || places.length > 1) return edit;
  return { ...edit, start: only, end: only + (edit.end - edit.start) };
}

function anchorFault({ start, end, anchor }: Edits[number], lines: readonly string[]): string | undefined {
  const wanted = quotedBy(anchor, lines);
  const found = stripTerminator(lines[start - 1] ?? "").trim();
  if (wanted === found || wanted === "") return undefined;
  const places = lines.flatMap((line, at) => (line.trim() === wanted ? [at + 1] : []));
  const where =
    places.length > 0 && places.length <= 5
      ? ` That line is ${places.length === 1 ? "number" : "at"} ${places.join(", ")}.`
      : " No such line is in the file.";
  return `The edit ${start} to ${end} has the anchor \`${wanted}\`, but line ${start} is \`${found}\`.${places.length > 5 ? "" : where} Give the right lines.`;
}
