import { readText } from "../code/edits/text-file.ts";
import { readWords } from "../data/own-files.ts";
import type { Repository, TreeEntry } from "../git/repository.ts";
import { likenessOf } from "../search/like-texts.ts";
import type { IssueText } from "../search/ranking-types.ts";
import { listed } from "../text/patterns.ts";
import { documentText } from "../text/shown-text.ts";

/** In the order in which they are shown. Case does not matter. */
const NAMES = ["agents.md", "claude.md", ".github/contributing.md", "contributing.md", "docs/contributing.md"];

const MAX_SIZE = 1024 * 1024;

/** What a repository says to its contributors. Untrusted: it may be wrong or written to mislead. */
export interface Guidance {
  path: string;
  /** Markdown without hidden text; a long one is cut to what bears on code, with a visible note */
  text: string;
}

/**
 * AGENTS.md, CLAUDE.md and CONTRIBUTING.md of a commit, the last also in `.github/` and `docs/`. Links (CLAUDE.md is
 * often one to AGENTS.md), duplicates, binary files and files above 1 MiB are skipped. Of a long one the sections that
 * have most to do with the issue are shown, by lunr.
 */
export async function guidanceOf(
  { entries, readBlob }: Repository,
  issue: IssueText = { title: "", body: "" },
): Promise<readonly Guidance[]> {
  const found = new Map<string, TreeEntry>();
  for (const entry of entries.values()) {
    const name = entry.path.toLowerCase();
    if (NAMES.includes(name) && isReadable(entry) && !found.has(name)) found.set(name, entry);
  }
  const guidance: Guidance[] = [];
  const seen = new Set<string>();
  const said = new Set<string>();
  let room = MAX;
  for (const name of NAMES) {
    const entry = found.get(name);
    if (entry === undefined || seen.has(entry.blob)) continue;
    seen.add(entry.blob);
    const shown = documentText(readText(await readBlob(entry.blob))?.lines.join("") ?? "").trim();
    const text = await cutGuidance(shown, { room, said, issue, isForPeople: /contributing/.test(name) });
    if (text === "") continue;
    room -= text.length;
    for (const word of wordsOf(text)) said.add(word);
    guidance.push({ path: entry.path, text });
  }
  return guidance;
}

/** The clone left out blobs without a size. */
function isReadable({ mode, size }: TreeEntry): boolean {
  return mode !== "120000" && mode !== "160000" && size !== undefined && size <= MAX_SIZE;
}

/** Characters of all guidance together: every call of the strong model pays for it. */
const MAX = 1_200;

/** Only so much of a longer text is read. */
const MAX_READ = 200_000;

/** A shorter text is shown whole. */
const SHORT = 400;

const oneOf = (kind: string, edge = String.raw`\b`): RegExp => {
  const words = readWords("guidance", kind).flat().join(" ");
  return listed(String.raw`\b`, words.replaceAll("*", String.raw`\w*`).replaceAll("-", "[\\s-]"), edge, "i");
};

const UNWANTED = oneOf("heading");

const OF_OTHERS = oneOf("other", String.raw`(?![\w-])`);

const RULE = oneOf("rule");

const PROGRAMS = readWords("guidance", "typed").flat().join("|");

const TYPED = new RegExp(String.raw`^\s*(?:[$>] )?(?:(?:${PROGRAMS})\b|\./)`);

/** `./name.js` alone is what a file is imported by. */
const TYPED_IN_TEXT = new RegExp(`\`(?:(?:${PROGRAMS})[ \`]|\\./[^\\s\`]+ )`);

const isOfOthers = (block: string): boolean => OF_OTHERS.test(block) || TYPED_IN_TEXT.test(block);

const POINT = /^\s{0,3}(?:[-*+]|\d+[.)]) /;

/** A block of which more than this part of the words is shown already says nothing new. */
const SAID = 0.6;

interface CutOptions {
  room: number;
  /** words of what is shown already */
  said: ReadonlySet<string>;
  issue: IssueText;
  /** files for agents are about code; those for people are often about issues and manners only */
  isForPeople: boolean;
}

/**
 * The paragraphs and points of a guide that carry rules on code and tests. A note says that there is more. "" when there are no rules.
 */
async function cutGuidance(text: string, { room, said, issue, isForPeople }: CutOptions): Promise<string> {
  const all = sectionsOf(text);
  const wanted = all.filter(({ heading }) => !UNWANTED.test(heading));
  const sections = filled(wanted, (block) => !isOfOthers(block));
  const isClean = blocksOf(sections) === blocksOf(all);
  const isWhole = isClean && text.length <= Math.min(room, isForPeople ? SHORT : MAX);
  if (isWhole && (!isForPeople || RULE.test(text))) return text;
  const note = `[Parts of it; ${text.length} characters in all.]`;
  const ruled = filled(sections, (block) => isRule(block, said));
  const chosen = ruled.length > 0 || isForPeople ? ruled : filled(sections);
  const shown = new Map<Section, string>();
  let left = room - note.length - 2;
  const likeness = await likenessOf(
    chosen.map((section) => ({ title: section.heading, body: joined(section) })),
    issue,
  );
  const byWorth = [...chosen.keys()].sort((a, b) => (likeness[b] ?? 0) - (likeness[a] ?? 0));
  for (const section of byWorth.map((at) => chosen[at] as Section)) {
    const whole = joined(section);
    const part = whole.length <= left ? whole : cutAtLine(whole, left);
    if (part === "") break;
    shown.set(section, part);
    left -= part.length + 2;
  }
  const parts = chosen.flatMap((section) => shown.get(section) ?? []);
  return parts.length === 0 ? "" : [...parts, note].join("\n\n");
}

interface Section {
  /** the whole line; "" before the first */
  heading: string;
  /** paragraphs, points of lists and code */
  blocks: readonly string[];
}

/** The sections that keep blocks. */
const filled = (sections: readonly Section[], keeps: (block: string) => boolean = () => true): readonly Section[] =>
  sections
    .map(({ heading, blocks }) => ({ heading, blocks: blocks.filter(keeps) }))
    .filter(({ blocks }) => blocks.length > 0);

const blocksOf = (sections: readonly Section[]) => sections.reduce((sum, { blocks }) => sum + blocks.length, 0);

const joined = ({ heading, blocks }: Section) =>
  blocks.reduce((all, one, at) => {
    const isList = POINT.test(one) && POINT.test(blocks[at - 1] ?? "");
    return all === "" ? one : `${all}${isList ? "\n" : "\n\n"}${one}`;
  }, heading);

/** Leaves out commands to type. Other code belongs to the block before it when that ends with a colon. */
function sectionsOf(text: string): readonly Section[] {
  const sections: { heading: string; blocks: string[][] }[] = [{ heading: "", blocks: [] }];
  let code: string[] = [];
  let isNew = true;
  const add = (lines: readonly string[], toLast: boolean) => {
    const blocks = sections.at(-1)?.blocks;
    const last = toLast ? blocks?.at(-1) : undefined;
    if (last) last.push(...lines);
    else if (lines.length > 0) blocks?.push([...lines]);
  };
  const isIntroduced = () => sections.at(-1)?.blocks.at(-1)?.at(-1)?.endsWith(":") === true;
  for (const line of text.slice(0, MAX_READ).split("\n")) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (code.length > 0 || mark !== undefined) {
      const isEnd = code.length > 0 && line.trim() === /[`~]+/.exec(code[0] ?? "")?.[0];
      code.push(line);
      if (!isEnd) continue;
      if (!TYPED.test(code[1] ?? "")) add(code, isIntroduced());
      [code, isNew] = [[], true];
    } else if (/^#{1,6} /.test(line)) {
      sections.push({ heading: line.trim(), blocks: [] });
      isNew = true;
    } else if (line.trim() === "") isNew = true;
    else {
      add([line.trimEnd()], !isNew && !POINT.test(line));
      isNew = false;
    }
  }
  add(code.slice(0, MAX), isIntroduced());
  return sections.map(({ heading, blocks }) => ({ heading, blocks: blocks.map((lines) => lines.join("\n")) }));
}

/** A block that has a rule and mostly new words: files for agents often repeat each other. */
function isRule(block: string, said: ReadonlySet<string>): boolean {
  if (!RULE.test(block)) return false;
  const words = wordsOf(block);
  return words.filter((word) => said.has(word)).length <= words.length * SAID;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];

/** "" when there is no room for anything useful. */
function cutAtLine(text: string, room: number): string {
  if (room < 200) return "";
  const line = text.lastIndexOf("\n", room);
  return text.slice(0, line > room / 2 ? line : room).replace(/[\ud800-\udbff]$/, "");
}
