import { criticalPath } from "../../model/critical-path.ts";
import type { ShownCall } from "../../model/run-shape.ts";
import { formatTime } from "./formats.ts";

/** The longest chain of calls in words: how many came one after another, and the time that takes. */
export function describePath(calls: readonly ShownCall[]): { readonly calls: string; readonly elapsed: string } {
  const path = criticalPath(calls.map(({ began, elapsed }) => ({ elapsed, ...(began !== undefined && { began }) })));
  // Without its beginning a call counts as if it had run alone, so the figures are too high rather than too low.
  const most = calls.some(({ began }) => began === undefined) ? "at most " : "";
  return { calls: `${most}${path.calls}`, elapsed: `${most}${formatTime(path.elapsed)}` };
}
