import type { StructuredPatchHunk } from "diff";
import type { ChangeRun } from "./patch-file.ts";

interface Draft {
  readonly oldStart: number;
  readonly newStart: number;
  readonly removed: string[];
  readonly added: string[];
  followed: boolean;
}

/** The lines of a hunk that went or came, those that stand together as one. */
export function runsOf({ oldStart, newStart, lines }: StructuredPatchHunk): ChangeRun[] {
  let [oldLine, newLine] = [oldStart, newStart];
  const runs: Draft[] = [];
  let open: Draft | undefined;
  let bare = true;
  for (const line of lines) {
    const [sign, text] = [line[0] ?? " ", line.slice(1)];
    if (sign === "\\") continue;
    if (sign !== "-" && sign !== "+") {
      if (open) open.followed = true;
      open = undefined;
      bare = false;
      oldLine += 1;
      newLine += 1;
      continue;
    }
    if (!open) {
      open = { oldStart: oldLine, newStart: newLine, removed: [], added: [], followed: false };
      runs.push(open);
    }
    if (sign === "-") {
      open.removed.push(text);
      oldLine += 1;
    } else {
      open.added.push(text);
      newLine += 1;
    }
  }
  return runs.map((run): ChangeRun => ({ ...run, followed: bare ? undefined : run.followed }));
}
