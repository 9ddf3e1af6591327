import { markers } from "../data/marks.ts";
import { codeBlock, codeSpan, paragraphs, plain } from "../text/compose-markdown.ts";
import { counted, ended } from "../text/counted.ts";

/** A conflict that was resolved: each text a sentence of the agents. */
interface ShownHunk {
  path: string;
  line: number;
  differed: string;
  kept: string;
  why: string;
}

/** A file that a program makes, taken as it is on the base. */
interface LeftFile {
  path: string;
  /** untrusted: it may stem from the file's header */
  command?: string | undefined;
}

interface Updated {
  commit: string;
  base: string;
  log: readonly ShownHunk[];
  /** the pull request is one */
  draft: boolean;
  /** files that a program makes, taken as they are on the base */
  taken: readonly LeftFile[];
}

/** Posted on the pull request when a merge of its base left something for people to look at. */
export function updatedNote({ commit, base, log, draft, taken }: Updated): string {
  const conflicts = counted(log.length, "conflict");
  const files = taken.map(({ path, command }) => `- ${codeSpan(path)}${command ? `: ${codeSpan(command)}` : ""}`);
  const stays = draft ? "; until somebody has, this stays a draft" : "";
  return paragraphs(
    markers.updated(commit),
    `I merged ${codeSpan(base)} into this branch (${commit.slice(0, 7)}).`,
    log.length > 0 &&
      `I resolved ${conflicts}, and a QA Engineer looked at the result. Please look at it too${stays}.\n\n${log.map(hunkText).join("\n")}`,
    taken.length > 0 &&
      `Both sides had changed these generated files. I took the versions of ${codeSpan(base)}: please generate them again${log.length > 0 ? "" : stays}.\n\n${files.join("\n")}`,
  );
}

function hunkText({ path, line, differed, kept, why }: ShownHunk): string {
  const said = [
    ["Differed", differed],
    ["Kept", kept],
    ["Why", why],
  ].filter(([, words]) => words !== "");
  const points = said.map(([name, words = ""]) => `  - ${name}: ${oneLine(words)}`);
  return [`- ${codeSpan(`${path}:${line}`)}`, ...points].join("\n");
}

const oneLine = (words: string) => plain(words.replace(/\s+/g, " ").trim());

export interface LeftConflicts {
  /** the same for the same conflicts */
  digest: string;
  base: string;
  branch: string;
  /** why nothing was merged, in a sentence; absent: it conflicts, and the files say why that was not resolved */
  reason?: string | undefined;
  files: readonly { path: string; why: string }[];
}

const MAX_SHOWN = 10;

/** Posted on the pull request when its conflicts with the base are left to people. */
export function leftConflictsNote({ digest, base, branch, reason, files }: LeftConflicts): string {
  const shown = files.slice(0, MAX_SHOWN).map(({ path, why }) => `- ${codeSpan(path)}: ${oneLine(why)}`);
  const more = files.length > MAX_SHOWN ? [`- and ${counted(files.length - MAX_SHOWN, "more file")}`] : [];
  const commands = ["git fetch origin", `git switch ${branch}`, `git merge origin/${base}`];
  const isPlain = [branch, base].every((name) => /^[\w./-]+$/.test(name));
  return paragraphs(
    markers.leftConflicts(digest),
    reason === undefined
      ? `This branch conflicts with ${codeSpan(base)}. ${UNSURE}`
      : `${ended(plain(reason))} I changed nothing.`,
    [...shown, ...more].join("\n"),
    reason === undefined && isPlain && `By hand:\n\n${codeBlock(commands.join("\n"), "sh")}`,
  );
}

const UNSURE = "I am not sure enough how to resolve that, so I changed nothing:";
