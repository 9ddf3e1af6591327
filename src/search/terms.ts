import lunr from "lunr";
import { readList, readWords } from "../data/own-files.ts";
import { nextTurn } from "../text/next-turn.ts";

/** Plain English words with an end that the Porter stemmer looks for. It leaves all others as they are. */
const STEMMABLE = /^[a-z]+(?:[eisy]|ed|ing|al|ll|ful|er|or|ic|ant|ent|ou|ism|ion)$/;

/** Longer words are mostly names of one repository, and may be views of the text they stand in. */
const MAX_REMEMBERED = 12;

const MAX_STEMS = 50_000;

/** Of all repositories, which have most of their words in common. */
const stems = new Map<string, string>();

/**
 * The stem of a lower-case word. Returns anything but plain English words unchanged. Runs the Porter stemmer until
 * nothing changes, so that every stem is its own stem.
 */
export function stemOf(word: string): string {
  if (!STEMMABLE.test(word)) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  const shorter = lunr.stemmer(new lunr.Token(word, {})).toString();
  const found = shorter === word || shorter.length < 2 ? word : stemOf(shorter);
  if (word.length > MAX_REMEMBERED) return found;
  if (stems.size >= MAX_STEMS) stems.clear();
  stems.set(word, found);
  return found;
}

const SEGMENT = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g;

const UNICODE_SEGMENT = /\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{M}]+|[\p{Lo}\p{Lm}]+/gu;

const ASCII = /^[\x20-\x7e]*$/;

const EDGES = /^[_$]+|(?<![_$])[_$]+$/g;

/** One key for all ways to join words: `FirstArgument`, `first_argument` and `first-argument`. */
export const joinedName = (name: string): string => name.toLowerCase().replace(/(?<=.)[-_](?=.)/g, "");

/** A file's name without its extensions. */
export const stemOfPath = (path: string): string =>
  path.slice(path.lastIndexOf("/") + 1).replace(/(?<=.)\.[\s\S]*/, "");

/** `first-argument` */
export const HYPHENATED = /(?<![\w-])[A-Za-z]\w{0,40}(?:-\w{1,40}){1,8}(?![\w-])/g;

/** A text, and behind it those of its words that hyphens join, as one word each. */
export function withJoined(text: string): string {
  const joined = text.match(HYPHENATED) ?? [];
  return joined.length === 0 ? text : [text, ...joined.map(joinedName)].join(" ");
}

/**
 * The terms of an identifier: all of it in lower case, without the marks between its words, then its parts, split at camelCase, snake_case and digits.
 * `parseHTTPHeader2` gives parsehttpheader2, par, http, header. Leaves out single letters and plain numbers. `stem`
 * is applied to every term.
 */
export function splitIdentifier(identifier: string, stem: (word: string) => string = stemOf): string[] {
  const name = identifier.replace(EDGES, "");
  const words: string[] = [];
  for (const segment of name.match(ASCII.test(name) ? SEGMENT : UNICODE_SEGMENT) ?? [])
    if (segment.length > 1) words.push(stem(segment.toLowerCase()));
  const whole = joinedName(name);
  if (whole.length < 2 || /^\d/.test(whole)) return words;
  const first = stem(whole);
  return words.length === 1 && words[0] === first ? words : [first, ...words.filter((word) => word !== first)];
}

/** Words of issues that say nothing about a file: left out of queries, but counted in files. */
export const STOP_WORDS: ReadonlySet<string> = new Set(readList("stop-words").flatMap((line) => line.split(" ")));

const KEYWORDS: ReadonlySet<string> = new Set(readWords("common-names", "keyword").flat());

/** Words that stand before brackets, or in imports, and name nothing. */
export const isKeyword = (word: string): boolean => KEYWORDS.has(word);

const QUOTED = /`([^`\n]{2,80})`/g;

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]{2,}/gu;

/** `snake_case`, `camelCase`, `_private`, `PascalCase` of two words: not prose. */
const LOOKS_LIKE_CODE = /_|\$|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;

const STARTS = readList("program-starts");

/** A text without the lines that only start its examples as programs. */
export const withoutStarts = (text: string): string =>
  text.replace(/^.*$/gm, (line) => (STARTS.some((start) => line.trimStart().startsWith(start)) ? "" : line));

/** The identifiers that a text writes as code: in backticks, or spelt as no word of prose is. */
export function codeWords(written: string): ReadonlySet<string> {
  const text = withoutStarts(written);
  const quoted = [...text.matchAll(QUOTED)].flatMap(([, inner = ""]) => inner.match(IDENTIFIER) ?? []);
  const others = (text.match(IDENTIFIER) ?? []).filter((word) => LOOKS_LIKE_CODE.test(word));
  return new Set([...quoted, ...others]);
}

/** The beginning of a comment in most languages. Comments count less: most repeat what the code says. */
export const COMMENT = /^\s*(?:\/\/|\/?\*|#(?!\w)|--|"""|'''|;;)/;

const COMMENT_WEIGHT = 0.3;

/** Marks exact words among terms; no term begins with it. */
const EXACT = "=";

const EXACT_WEIGHT = 6;

const NONE: ReadonlySet<string> = new Set();

const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** How many lines are searched before yielding to other work. */
const LINES_A_TURN = 10_000;

/**
 * How relevant each line of a file is to `terms` (weights by term, from `issueTerms`): the sum of its terms' weights,
 * each divided by how many lines hold the term. Comments count less than code. Words in `exact` (identifiers that the
 * issue writes as code) count most, where they match exactly. Yields to other
 * work, since files may be large.
 */
export async function lineScores(
  lines: readonly string[],
  terms: ReadonlyMap<string, number>,
  exact: ReadonlySet<string> = NONE,
): Promise<number[]> {
  const find = createTermFinder(terms, exact);
  const found: ReadonlySet<string>[] = [];
  for (let at = 0; at < lines.length; at += LINES_A_TURN) {
    for (const line of lines.slice(at, at + LINES_A_TURN)) found.push(find(line));
    if (at + LINES_A_TURN < lines.length) await nextTurn();
  }
  const holders = new Map<string, number>();
  for (const here of found) for (const term of here) holders.set(term, (holders.get(term) ?? 0) + 1);
  const weightOf = (term: string) => (term.startsWith(EXACT) ? EXACT_WEIGHT : (terms.get(term) ?? 0));
  return found.map((here, at) => {
    const sum = [...here].reduce((all, term) => all + weightOf(term) / (holders.get(term) as number), 0);
    return COMMENT.test(lines[at] ?? "") ? sum * COMMENT_WEIGHT : sum;
  });
}

/** Gives a function that finds the terms in a text, and the words in `exact` where they match exactly. */
function createTermFinder(terms: ReadonlyMap<string, number>, exact: ReadonlySet<string>) {
  const known = new Map<string, readonly string[]>();
  const partsOf = (word: string) => {
    const parts = splitIdentifier(word).filter((term) => terms.has(term));
    known.set(word, parts);
    return parts;
  };
  return (text: string): ReadonlySet<string> => {
    let here: Set<string> | undefined;
    for (const word of text.match(WORD) ?? []) {
      const parts = known.get(word) ?? partsOf(word);
      if (parts.length === 0 && !exact.has(word)) continue;
      here ??= new Set();
      for (const term of parts) here.add(term);
      if (exact.has(word)) here.add(`${EXACT}${word}`);
    }
    return here ?? NONE;
  };
}

const CODE_WORD = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g;

/** Words or ends of sentences and lines: two words of an issue with an end between them are not a pair. */
const WORD_OR_END = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*|[.,;:!?()](?=\s)|\n/g;

const UNWANTED: readonly string[] = [""];

const MAX_CLOSE_TEXT = 100_000;

/**
 * Gives a function that finds which of `terms` stand side by side in a text, as in `issue`, however joined there: `parse
 * header`, `parse_header`, `parseHeader`. It reads the first 100,000 characters.
 */
export function createPairReader(
  issue: string,
  terms: ReadonlyMap<string, unknown>,
): (text: string) => ReadonlySet<string> {
  const partsOf = createPartFinder(terms);
  const pairsIn = (words: Iterable<RegExpMatchArray>, isWanted: (pair: string) => boolean) => {
    const pairs = new Set<string>();
    let last = "";
    for (const [word] of words) {
      for (const part of partsOf(word)) {
        if (last && part && part !== last && isWanted(`${last} ${part}`)) pairs.add(`${last} ${part}`);
        last = part;
      }
    }
    return pairs;
  };
  const wanted = pairsIn(issue.matchAll(WORD_OR_END), () => true);
  return (text) => pairsIn(text.slice(0, MAX_CLOSE_TEXT).matchAll(CODE_WORD), (pair) => wanted.has(pair));
}

/** Gives a word's parts in order; stop words, and parts that are not among `terms`, become "". */
function createPartFinder(terms: ReadonlyMap<string, unknown>): (word: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  // A stem begins like its word, so most unwanted words are known without stemming.
  const beginnings = new Set([...terms.keys()].map((term) => term.slice(0, 2)));
  const stemWanted = (word: string) => (beginnings.has(word.slice(0, 2)) ? stemOf(word) : word);
  return (word) => {
    const before = known.get(word);
    if (before) return before;
    const found = STOP_WORDS.has(word.toLowerCase()) ? [] : splitIdentifier(word, stemWanted);
    const parts = (found.length > 1 ? found.slice(1) : found).map((part) => (terms.has(part) ? part : ""));
    const kept = parts.some(Boolean) ? parts : UNWANTED;
    known.set(word, kept);
    return kept;
  };
}

/** A text's words alone, in lower case, a blank before and after each. */
export const wordsIn = (text: string): string => ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ")} `;
