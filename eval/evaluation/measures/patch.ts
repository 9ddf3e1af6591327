import type { StructuredPatch, StructuredPatchHunk } from "diff";
import { readPatch } from "../../../src/code/edits/diff.ts";

/** Nothing within a hunk begins like this: there, a sign stands before each line. */
const HEADER = /^@@ -\S+ \+\S+ @@(.*)$/gm;

/**
 * Reads a unified diff of several files, with git's headers (new, deleted, renamed, mode, binary, quoted names) or with
 * `---` and `+++` lines alone. Never throws; text that is no diff has no files.
 */
export function parsePatch(patch: string): PatchFile[] {
  const headings = [...patch.matchAll(HEADER)].map(([, heading = ""]) => heading.trim());
  let next = 0;
  return readPatch(patch).flatMap((file) => {
    const hunks = file.hunks.map((hunk) => ({ heading: headings[next++] ?? "", runs: runsOf(hunk) }));
    return file.oldFileName === undefined ? [] : [{ ...pathsOf(file), hunks }];
  });
}

/** A copy is a file that is created. */
function pathsOf({ oldFileName, newFileName, isCreate, isCopy, isDelete }: StructuredPatch) {
  return {
    oldPath: isCreate || isCopy ? undefined : withoutPrefix(oldFileName),
    newPath: isDelete ? undefined : withoutPrefix(newFileName),
  };
}

function withoutPrefix(name: string | undefined): string | undefined {
  return name === "/dev/null" ? undefined : name?.replace(/\r$/, "").replace(/^[abiwco]\//, "");
}

/** Lines of a hunk that stand together and went or came: what is between two stretches of context. */
export interface ChangeRun {
  /** 1-based line of the old file at which it begins; a pure insertion stands before this line */
  oldStart: number;
  /** lines that went */
  removed: readonly string[];
  /** lines that came */
  added: readonly string[];
  /** 1-based line of the new file at which it begins */
  newStart: number;
  /** a context line follows in the hunk; undefined in a hunk without any context */
  followed: boolean | undefined;
}

export interface PatchHunk {
  /** what stands behind the second `@@`: git's guess at the function around; "" when nothing does */
  heading: string;
  runs: readonly ChangeRun[];
}

/** What a patch does to one file. */
export interface PatchFile {
  /** path before the change; undefined for a file that is created */
  oldPath: string | undefined;
  /** path after the change; undefined for a file that is deleted */
  newPath: string | undefined;
  /** none for a change of mode or name only, and for a binary file */
  hunks: readonly PatchHunk[];
}

interface Draft {
  oldStart: number;
  newStart: number;
  removed: string[];
  added: string[];
  followed: boolean;
}

/** The lines of a hunk that went or came, those that stand together as one. */
function runsOf({ oldStart, newStart, lines }: StructuredPatchHunk): ChangeRun[] {
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
