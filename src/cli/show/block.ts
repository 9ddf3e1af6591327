/** How something is to be taken: it shows in its colour. */
export type Tone = "plain" | "good" | "warn" | "bad" | "quiet";

/** A word or two behind a title. */
export interface Badge {
  readonly text: string;
  readonly tone: Tone;
}

interface Titled {
  readonly title: string;
  readonly badge?: Badge;
  /** a few words behind the title */
  readonly note?: string;
  readonly body: readonly Block[];
}

/** A call in time: milliseconds since the epoch, and how many it took. */
export interface Span {
  readonly lane: string;
  readonly began: number;
  readonly elapsed: number;
  readonly failed: boolean;
  readonly about: string;
}

/** What a run's document is made of. All texts are raw: who renders a block makes them safe. */
export type Block =
  | { readonly kind: "text"; readonly text: string; readonly tone?: Tone }
  /** what people wrote on the code host, and agents for one another or for it; other texts are not Markdown */
  | { readonly kind: "markdown"; readonly text: string }
  | { readonly kind: "facts"; readonly rows: readonly (readonly [string, string])[] }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "diff"; readonly diff: string }
  /** a speech or a comment */
  | {
      readonly kind: "said";
      readonly who: string;
      readonly text: string;
      readonly markdown?: boolean;
      readonly badge?: Badge;
    }
  | ({ readonly kind: "group" } & Titled)
  /** may be closed where that is possible */
  | ({ readonly kind: "fold"; readonly open?: boolean } & Titled)
  /** the first column is text, the others are numbers; the last row is a sum */
  | {
      readonly kind: "table";
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
      readonly sum: readonly string[];
    }
  /** shares of a whole, 0 to 1, one for each of the measures */
  | {
      readonly kind: "bars";
      readonly measures: readonly string[];
      readonly rows: readonly { readonly label: string; readonly shares: readonly number[] }[];
    }
  | { readonly kind: "timeline"; readonly spans: readonly Span[] };

export interface Section extends Omit<Titled, "note"> {
  /** short and safe: part of an address, and what `--part` names */
  readonly id: string;
}

/** A run, ready to be rendered. */
export interface RunDocument {
  readonly title: string;
  /** what and which run it is */
  readonly subtitle: string;
  readonly badge: Badge;
  readonly facts: readonly (readonly [string, string])[];
  readonly sections: readonly Section[];
}

/** A number with its thousands apart. */
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

/** A line of a unified diff with what it is. */
export interface ReadLine {
  readonly kind: DiffLine;
  readonly text: string;
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * Reads a unified diff by the lengths that its hunks tell, so that a removed line `-- x`, which looks like a header
 * there, is one.
 */
export function readDiff(diff: string): ReadLine[] {
  let [old, fresh] = [0, 0];
  return diff
    .replace(/\n$/, "")
    .split("\n")
    .map((text) => {
      const hunk = old <= 0 && fresh <= 0 ? HUNK.exec(text) : null;
      if (hunk) {
        [old, fresh] = [Number(hunk[1] ?? 1), Number(hunk[2] ?? 1)];
        return { kind: "hunk", text };
      }
      if (old <= 0 && fresh <= 0) return { kind: text.startsWith("\\") ? "same" : "head", text };
      if (text.startsWith("\\")) return { kind: "same", text };
      if (!text.startsWith("+")) old -= 1;
      if (!text.startsWith("-")) fresh -= 1;
      return { kind: text.startsWith("+") ? "added" : text.startsWith("-") ? "removed" : "same", text };
    });
}
