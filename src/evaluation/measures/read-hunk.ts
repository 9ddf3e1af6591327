import type { ChangeRun, PatchHunk } from "./patch-file.ts";

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

interface Draft {
  readonly oldStart: number;
  readonly newStart: number;
  readonly removed: string[];
  readonly added: string[];
  followed: boolean;
}

/** The hunk whose header stands at `lines[at]`, and the place of the line after it. */
export function readHunk(lines: readonly string[], at: number): { readonly hunk: PatchHunk; readonly next: number } {
  const header = HEADER.exec((lines[at] ?? "").replace(/\r$/, "")) ?? [];
  let [oldLeft, newLeft] = [Number(header[2] ?? 1), Number(header[4] ?? 1)];
  // An empty range names the line before it.
  let oldLine = Number(header[1]) + (oldLeft === 0 ? 1 : 0);
  let newLine = Number(header[3]) + (newLeft === 0 ? 1 : 0);
  const runs: Draft[] = [];
  let open: Draft | undefined;
  let context = 0;
  let next = at + 1;
  for (; next < lines.length && (oldLeft > 0 || newLeft > 0); next += 1) {
    const line = lines[next] ?? "";
    const sign = line[0] ?? " ";
    if (sign === "\\") continue;
    if (sign !== "-" && sign !== "+") {
      if (open) open.followed = true;
      open = undefined;
      context += 1;
      oldLeft -= 1;
      newLeft -= 1;
      oldLine += 1;
      newLine += 1;
      continue;
    }
    if (!open) {
      open = { oldStart: oldLine, newStart: newLine, removed: [], added: [], followed: false };
      runs.push(open);
    }
    (sign === "-" ? open.removed : open.added).push(line.slice(1));
    if (sign === "-") {
      oldLeft -= 1;
      oldLine += 1;
    } else {
      newLeft -= 1;
      newLine += 1;
    }
  }
  const bare = context === 0;
  const read = runs.map((run): ChangeRun => ({ ...run, followed: bare ? undefined : run.followed }));
  return { hunk: { heading: (header[5] ?? "").trim(), runs: read }, next };
}
