import type { PatchFile, PatchHunk } from "./patch-file.ts";
import { readHunk } from "./read-hunk.ts";
import { unquotePath } from "./unquote-path.ts";

const HUNK = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/;

interface Draft {
  oldPath: string | undefined;
  newPath: string | undefined;
  hunks: PatchHunk[];
}

/**
 * Reads a unified diff of several files, with git's headers (new, deleted, renamed, mode, binary, quoted names) or with
 * `---` and `+++` lines alone. What is no part of a diff is skipped. Never throws.
 */
export function parsePatch(patch: string): PatchFile[] {
  const lines = patch.split("\n");
  const files: Draft[] = [];
  let withHeader = false;
  for (let at = 0; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").replace(/\r$/, "");
    const file = files.at(-1);
    if (line.startsWith("diff --git ")) {
      files.push(fromHeader(line.slice("diff --git ".length)));
      withHeader = true;
    } else if (line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ")) {
      const names = { oldPath: sideOf(line), newPath: sideOf(lines[at + 1] ?? "") };
      if (withHeader && file) Object.assign(file, names);
      else files.push({ ...names, hunks: [] });
      withHeader = false;
      at += 1;
    } else if (HUNK.test(line) && file) {
      const { hunk, next } = readHunk(lines, at);
      file.hunks.push(hunk);
      at = next - 1;
    } else if (file) readExtended(line, file);
  }
  return files;
}

/** `--- a/path` or `+++ b/path`, perhaps with a tab and a date; undefined for /dev/null. */
function sideOf(line: string): string | undefined {
  const written = line.slice(4).split("\t")[0]?.replace(/\r$/, "") ?? "";
  return written === "/dev/null" ? undefined : withoutPrefix(unquotePath(written));
}

function withoutPrefix(path: string): string {
  return path.replace(/^[abiwco]\//, "");
}

/** `a/path b/path`: for changes without hunks it is all that names the file. */
function fromHeader(names: string): Draft {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(names);
  const half = names.slice(0, (names.length - 1) / 2);
  const [a, b] = quoted ? [quoted[1] ?? "", quoted[2] ?? ""] : [half, names.slice(half.length + 1)];
  return { oldPath: withoutPrefix(unquotePath(a)), newPath: withoutPrefix(unquotePath(b)), hunks: [] };
}

function readExtended(line: string, file: Draft): void {
  if (line.startsWith("new file mode ")) file.oldPath = undefined;
  else if (line.startsWith("deleted file mode ")) file.newPath = undefined;
  else if (line.startsWith("rename from ")) file.oldPath = unquotePath(line.slice("rename from ".length));
  else if (line.startsWith("copy from ")) file.oldPath = undefined;
  else if (/^(?:rename|copy) to /.test(line)) file.newPath = unquotePath(line.replace(/^\w+ to /, ""));
}
