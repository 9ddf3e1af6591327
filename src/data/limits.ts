/** Whose spending a limit holds. */
export type LimitScope = "bot" | "organisation" | "repository" | "person";

export type LimitPeriod = "day" | "month";

/** US dollars that the runs of one scope may cost together, by the day or month (UTC) in which they begin. */
export interface MoneyLimit {
  scope: LimitScope;
  period: LimitPeriod;
  most: number;
}

/** The limits beyond one run that hold for a run. */
export interface RunLimits {
  money: readonly MoneyLimit[];
  /** pull requests of the bot that may be open in the repository; absent: any number, or the run opens none */
  openPulls?: number | undefined;
}

/** The limit that kept a run from beginning. Plain data, kept with the run. */
export type LimitReached =
  | (MoneyLimit & {
      kind: "money";
      /** US dollars that ended runs have spent in this period */
      spent: number;
      /** US dollars that the run might have cost */
      needed: number;
      /** ISO 8601: when the next period begins */
      until: string;
    })
  | { kind: "open-pulls"; open: number; most: number };

/** How much of a limit of money is used. */
export interface LimitUse extends MoneyLimit {
  /** whose limit it is: `acme`, `acme/shop`, `alice`; "" for the bot's own */
  of: string;
  /** US dollars that ended runs have spent in this period */
  spent: number;
  /** US dollars for runs that have not ended */
  setAside: number;
  /** it is spent, or has kept a run from beginning in this period */
  isReached: boolean;
}

/** From this share a limit is near. */
export const NEAR = 0.8;

/** Why a run whose turn it is does not begin yet: what runs at work may still use leaves no room under a limit. */
export interface HeldBack {
  by: "budget" | "pulls";
  /** ISO 8601 */
  since: string;
  /** ISO 8601: when a new period of the limit begins; absent for open pull requests */
  until?: string | undefined;
}

/** A `HeldBack` in a row of the queue; null: nothing holds the run back. */
export interface HeldRow {
  held_by: HeldBack["by"] | null;
  held_since: Date | null;
  held_until: Date | null;
}

export function heldBack({ held_by, held_since, held_until }: HeldRow): HeldBack | undefined {
  if (held_by === null || held_since === null) return undefined;
  return { by: held_by, since: held_since.toISOString(), until: held_until?.toISOString() };
}
