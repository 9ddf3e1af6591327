import type { IssueSnapshot } from "../../../data/discussion.ts";

/** Characters of an issue that are read, and comments of it. */
const MAX_TEXT = 40_000;

const MAX_COMMENTS = 20;

/** Code spans, quoted texts and options: a program takes them verbatim. */
const LITERALS = [
  /`([^`\n]{3,60})`/g,
  /(?<!<<[-~]?)"([^"\n]{3,60})"/g,
  /(?<!\w|<<[-~]?)'([^'\n]{3,60})'(?!\w)/g,
  /(?:^|\s)(--?[a-z][\w-]{2,40})/gm,
];

const MAX_LITERALS = 200;

const MAX_RESPELT = 3;

const WORD = /[\p{L}\p{N}_$][\p{L}\p{N}_$-]{2,59}/gu;

/** Shorter literals are often alike by accident. */
const LEAST = 5;

/** `update:modelValue` and `update:model-value` are easily taken for the same. */
const plainOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** A literal of the issue that a change lacks, and how the change spells it. */
export interface RespeltLiteral {
  literal: string;
  variant: string;
}

const literalsIn = (text: string): readonly string[] =>
  LITERALS.flatMap((form) => [...text.matchAll(form)].map(([, literal = ""]) => literal.trim()));

const WORDS = /([\p{L}\p{N}]+)/u;

/**
 * Finds literals of the issue that the added lines do not have, and spell otherwise: by case, hyphens or other marks.
 * Compares whole literals only. `added`: the added lines of all files.
 */
export function respeltLiterals(
  { title, body, discussion }: Pick<IssueSnapshot, "title" | "body" | "discussion">,
  added: string,
): readonly RespeltLiteral[] {
  // The example may be a comment's.
  const comments = discussion.slice(0, MAX_COMMENTS).map((one) => one.body);
  const text = [title, body, ...comments].join("\n").slice(0, MAX_TEXT);
  const written = [...literalsIn(added), ...(added.match(WORD) ?? [])];
  const variants = new Map(written.map((one) => [plainOf(one), one] as const));
  // The row of a table writes `|` as `\\|`.
  const unescaped = text.replace(/^[ \t]*\|.*/gm, (row) => row.replaceAll("\\|", "|"));
  const literals = [...new Set(literalsIn(unescaped))].slice(0, MAX_LITERALS);
  return literals
    .filter((literal) => plainOf(literal).length >= LEAST && !added.includes(literal) && !/\s/.test(literal))
    .flatMap((literal) => {
      const variant = variants.get(plainOf(literal));
      // Marks at the ends belong to the language, and any word may begin a sentence.
      const inner = (one: string) => one.split(WORDS).slice(1, -1).join("").slice(1);
      return variant === undefined || inner(variant) === inner(literal) ? [] : [{ literal, variant }];
    })
    .slice(0, MAX_RESPELT);
}
