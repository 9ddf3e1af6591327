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
  | { readonly kind: "facts"; readonly rows: readonly (readonly [string, string])[] }
  | { readonly kind: "list"; readonly items: readonly string[] }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "diff"; readonly diff: string }
  /** a speech or a comment */
  | { readonly kind: "said"; readonly who: string; readonly text: string; readonly badge?: Badge }
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
