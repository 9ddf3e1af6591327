/** How a text is coloured. */
export type Tone = "plain" | "good" | "warn" | "bad" | "quiet";

/** Characters that share one look. */
export interface Span {
  readonly text: string;
  readonly strong?: boolean;
  readonly emphasis?: boolean;
  readonly struck?: boolean;
  readonly code?: boolean;
  /** where it leads, as it was written: a renderer decides what becomes a link */
  readonly href?: string;
}

/** Running text: as it is, or in spans. Newlines stay. */
export type Words = string | readonly Span[];

/** A word or two behind a title. */
export interface Badge {
  readonly text: string;
  readonly tone: Tone;
}

/** A name and its value. */
export type Fact = readonly [string, Words];

/** A titled part of the document. */
export interface Part {
  readonly title: Words;
  readonly badge?: Badge;
  /** a few words behind the title */
  readonly note?: string;
  /** whether it can be folded away, and how it is at first */
  readonly fold?: "open" | "closed";
  readonly body: readonly Block[];
}

/** What a document is made of. */
export type Block =
  | { readonly kind: "paragraph"; readonly words: Words; readonly tone?: Tone }
  | { readonly kind: "heading"; readonly words: Words }
  | { readonly kind: "facts"; readonly rows: readonly Fact[] }
  /** `first` numbers the items from there */
  | { readonly kind: "list"; readonly items: readonly (readonly Block[])[]; readonly first?: number }
  | { readonly kind: "quote"; readonly body: readonly Block[]; readonly who?: Words; readonly badge?: Badge }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "diff"; readonly text: string }
  | { readonly kind: "rule" }
  /** with a `sum`, all columns but the first are numbers */
  | {
      readonly kind: "table";
      readonly head: readonly Words[];
      readonly rows: readonly (readonly Words[])[];
      readonly sum?: readonly Words[];
    }
  | ({ readonly kind: "part" } & Part);

export interface Section extends Part {
  /** short and safe: part of an address, and what `--part` names */
  readonly id: string;
  /** how its title is coloured */
  readonly tone?: Tone;
}

/**
 * A run as plain data, built once and rendered as text or as a page. Its texts are raw: each renderer makes them safe by
 * `mapTexts`, in one place.
 */
export interface RunDocument {
  readonly title: Words;
  readonly subtitle: string;
  readonly sections: readonly Section[];
}

/** `value`, plain data, with every text in it changed. */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  const mapped = (one: unknown): unknown => {
    if (typeof one === "string") return change(one);
    if (Array.isArray(one)) return one.map(mapped);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, item]) => [name, mapped(item)]));
  };
  return mapped(value) as T;
}

/** Running text as spans. */
export const spansOf = (words: Words): readonly Span[] => (typeof words === "string" ? [{ text: words }] : words);

/** Running text without its looks. */
export const plainText = (words: Words): string =>
  spansOf(words)
    .map(({ text }) => text)
    .join("");

export const paragraph = (words: Words, tone: Tone = "plain"): Block => ({ kind: "paragraph", words, tone });

/** The rows that have a value; no block when there is none. */
export function factsOf(rows: readonly Fact[]): Block[] {
  const told = rows.filter(([, value]) => value.length > 0);
  return told.length === 0 ? [] : [{ kind: "facts", rows: told }];
}

/** A list below a title; no block when it is empty. */
export function listOf(title: string, items: readonly Words[]): Block[] {
  const list: Block = { kind: "list", items: items.map((words) => [paragraph(words)]) };
  return items.length === 0 ? [] : [{ kind: "part", title, body: [list] }];
}

/** Parts of a sentence that are not empty. */
export const joined = (parts: readonly (string | undefined)[], by: string): string =>
  parts.filter((part) => part !== undefined && part !== "").join(by);

/** An address as a link to it. */
export const linkTo = (address: string): Words => (address === "" ? "" : [{ text: address, href: address }]);

/** `1 call`, `1,200 calls` */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${formatCount(number)} ${number === 1 ? one : many}`;

/** A number with commas between its thousands. */
export const formatCount = (number: number): string => Math.round(number).toLocaleString("en-US");

/** Milliseconds, for people: `0.4 s`, `12 s`, `2 min 10 s`. */
export function formatTime(milliseconds: number): string {
  if (milliseconds < 9_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** ISO 8601 to the minute, in UTC; the text itself when it is none. */
export function formatMoment(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return iso;
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** What a line of a unified diff is. */
export type DiffLine = "head" | "hunk" | "added" | "removed" | "same";

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Reads a unified diff by the lengths its hunks state: a removed line `-- x` looks like a header, but is none. */
export function readDiff(diff: string): { readonly kind: DiffLine; readonly text: string }[] {
  let old = 0;
  let fresh = 0;
  const kindOf = (text: string): DiffLine => {
    const inHunk = old > 0 || fresh > 0;
    const hunk = inHunk ? null : HUNK.exec(text);
    if (hunk) {
      old = Number(hunk[1] ?? 1);
      fresh = Number(hunk[2] ?? 1);
      return "hunk";
    }
    if (text.startsWith("\\")) return "same";
    if (!inHunk) return "head";
    if (!text.startsWith("+")) old -= 1;
    if (!text.startsWith("-")) fresh -= 1;
    if (text.startsWith("+")) return "added";
    return text.startsWith("-") ? "removed" : "same";
  };
  return diff
    .replace(/\n$/, "")
    .split("\n")
    .map((text) => ({ kind: kindOf(text), text }));
}
