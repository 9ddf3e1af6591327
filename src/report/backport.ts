import { markers } from "../model/marks.ts";
import { codeSpan, fold, plain, prose } from "../text/compose-markdown.ts";
import { disclosureLine, type Making } from "./disclosure.ts";

/** Why no backport begins. */
export const backportRefusal = {
  noBranch: "Please name at least one branch, as in `/magis backport release/4.2 release/4.1`.",
  tooMany: (most: number) => `Please name at most ${most} branches in one comment.`,
  misnamed: (names: readonly string[]) =>
    `${names.map((name) => codeSpan(name.slice(0, 60))).join(", ")} cannot be the name of a branch.`,
  closed: "This pull request was closed without a merge, so there is nothing to backport.",
} as const;

/** The answer to a command on a pull request that is still open. */
export const backportWaits = (mark: string, branches: readonly string[]) =>
  `${mark}\n\nI will bring this to ${branches.map(codeSpan).join(", ")} once it is merged. Until then, you can edit your comment to name other branches, or delete it to call this off.`;

/** A conflict that was resolved: each text a sentence of the agents. */
export interface ShownHunk {
  readonly path: string;
  readonly line: number;
  readonly differed: string;
  readonly kept: string;
  readonly why: string;
}

/** A file that a program makes, left as it is on the branch. */
export interface LeftFile {
  readonly path: string;
  /** untrusted: it may stem from the file's header */
  readonly command?: string | undefined;
}

/** A file that has another name on the branch. */
export interface MovedFile {
  readonly from: string;
  readonly to: string;
}

/** How the backport to one branch ended. */
export type BranchOutcome = { readonly branch: string } & (
  | {
      readonly kind: "opened";
      readonly pullRequest: { readonly number: number; readonly url: string };
      readonly resolved: number;
      readonly left: readonly LeftFile[];
    }
  | { readonly kind: "open already"; readonly pullRequest: { readonly number: number } }
  | { readonly kind: "already there" }
  | { readonly kind: "no such branch" }
  /** `missing`: earlier changes of these files that the branch lacks */
  | {
      readonly kind: "declined";
      readonly files: readonly { readonly path: string; readonly why: string }[];
      readonly missing: readonly MissingChange[];
      readonly commands: readonly string[];
    }
  | { readonly kind: "failed"; readonly why: string }
);

/** A change of the same files that the branch lacks, by its pull request where that is known. */
export interface MissingChange {
  readonly number?: number | undefined;
  readonly commit: string;
  readonly title: string;
}

interface BackportText {
  readonly run: string;
  readonly original: number;
  readonly branch: string;
  readonly log: readonly ShownHunk[];
  readonly left: readonly LeftFile[];
  readonly moved: readonly MovedFile[];
  readonly making: Making;
}

/** The title of a backport's pull request and of its commit. */
export const backportTitle = (branch: string, title: string) => `[Backport ${branch}] ${title}`;

/** The body of a backport's pull request; with resolved conflicts, their log. */
export function backportBody({ run, original, branch, log, left, moved, making }: BackportText): string {
  const opening = `Backport of #${original} to ${codeSpan(branch)}.`;
  return [
    markers.run(run),
    log.length > 0 ? `${opening} ${CONFLICTED}` : opening,
    log.length > 0 && `## Conflicts\n\n${log.map(hunkText).join("\n")}`,
    moved.length > 0 && `## Moved files\n\n${movedText(moved, branch)}`,
    left.length > 0 && leftText(left, branch),
    log.length + left.length > 0 && markers.resolved,
    `<sub>${log.length > 0 ? disclosureLine(making) : withoutAi(making)}</sub>`,
  ]
    .filter((part) => part)
    .join("\n\n");
}

const CONFLICTED =
  "It did not apply by itself: I resolved the conflicts below, and a QA Engineer looked at each. Please look at them too; until somebody has, this stays a draft.";

const withoutAi = ({ askedBy }: Making) =>
  `Merged by MAGIS without AI${askedBy === undefined ? "" : `, asked for by ${plain(askedBy)}`}.`;

export function hunkText({ path, line, differed, kept, why }: ShownHunk): string {
  const said = [
    ["Differed", differed],
    ["Kept", kept],
    ["Why", why],
  ].filter(([, words]) => words !== "");
  const points = said.map(([name, words = ""]) => `  - ${name}: ${oneLine(words)}`);
  return [`- ${codeSpan(`${path}:${line}`)}`, ...points].join("\n");
}

export function movedText(moved: readonly MovedFile[], branch: string): string {
  const files = moved.map(({ from, to }) => `- ${codeSpan(from)}: ${codeSpan(to)}`);
  return `These files have another name on ${codeSpan(branch)}, so their change went there:\n\n${files.join("\n")}`;
}

const oneLine = (words: string) => plain(words.replace(/\s+/g, " ").trim());

function leftText(left: readonly LeftFile[], branch: string): string {
  const files = left.map(({ path, command }) => `- ${codeSpan(path)}${command ? `: ${codeSpan(command)}` : ""}`);
  return `## Left as they are on ${codeSpan(branch)}\n\nPrograms make these files, and both sides had changed them. Please make them anew:\n\n${files.join("\n")}`;
}

interface BackportAnswer {
  readonly mark: string;
  readonly asked: string;
  readonly outcomes: readonly BranchOutcome[];
  /** the repository's own backport workflow or bot */
  readonly own?: string | undefined;
}

/** The one answer to the command: a line for each branch. Mentions the person who asked when a branch is left to people. */
export function backportAnswer({ mark, asked, outcomes, own }: BackportAnswer): {
  readonly body: string;
  readonly mention: string | undefined;
} {
  const isOpen = outcomes.some(({ kind }) => kind === "declined" || kind === "failed" || kind === "no such branch");
  const mention = isOpen && !asked.endsWith("[bot]") ? asked : undefined;
  const body = [
    mention === undefined ? mark : `${mark}\n@${mention}`,
    outcomes.map(outcomeText).join("\n"),
    ...outcomes.map(handText),
    own && `This repository also has a backport workflow of its own: ${codeSpan(own)}.`,
  ];
  return { body: body.filter((part) => part).join("\n\n"), mention };
}

function outcomeText(outcome: BranchOutcome): string {
  return `- ${codeSpan(outcome.branch)}: ${sentenceOf(outcome)}`;
}

function sentenceOf(outcome: BranchOutcome): string {
  switch (outcome.kind) {
    case "opened": {
      const { pullRequest, resolved, left } = outcome;
      const opened = `#${pullRequest.number}${resolved + left.length > 0 ? ", a draft" : ""}.`;
      const places =
        resolved === 1
          ? " I resolved one conflict: please look at it."
          : ` I resolved ${resolved} conflicts: please look at each.`;
      const made = left.length > 0 ? ` ${left.map(({ path }) => codeSpan(path)).join(", ")} must be made anew.` : "";
      return `${opened}${resolved > 0 ? places : ""}${made}`;
    }
    case "open already":
      return `#${outcome.pullRequest.number} is open already.`;
    case "already there":
      return "the change is already there, so nothing was opened.";
    case "no such branch":
      return "there is no such branch.";
    case "failed":
      return `${prose(outcome.why)} Nothing was opened.`;
    case "declined":
      return `it conflicts, and I am not sure enough to resolve that. Nothing was opened.${declinedText(outcome)}`;
  }
}

function declinedText({ files, missing }: Extract<BranchOutcome, { kind: "declined" }>): string {
  const shown = files.slice(0, MAX_SHOWN).map(({ path, why }) => `\n  - ${codeSpan(path)}: ${oneLine(why)}`);
  const more = files.length > MAX_SHOWN ? `\n  - and ${files.length - MAX_SHOWN} more files` : "";
  const names = missing.map(({ number, commit, title }) => {
    return number === undefined ? `${commit.slice(0, 8)} (${oneLine(title)})` : `#${number}`;
  });
  const earlier =
    names.length > 0 ? `\n\n  Earlier changes of these files that the branch lacks: ${names.join(", ")}.` : "";
  return `${shown.join("")}${more}${earlier}`;
}

const MAX_SHOWN = 10;

/** The commands with which a person makes the backport by hand. */
function handText(outcome: BranchOutcome): string | false {
  if (outcome.kind !== "declined" || outcome.commands.length === 0) return false;
  return fold(`By hand, for ${codeSpan(outcome.branch)}`, `\`\`\`sh\n${outcome.commands.join("\n")}\n\`\`\``);
}
