/** `fault`: the bot cannot do its work so. `warning`: it can, but should not be left so. `skipped`: could not be looked at. */
export type FindingLevel = "ok" | "warning" | "fault" | "skipped";

/** What one check came to: a line of the output. */
export interface Finding {
  /** what was looked at, e.g. `webhook deliveries` */
  readonly check: string;
  readonly level: FindingLevel;
  /** a sentence: how it is, or what is wrong */
  readonly text: string;
  /** a sentence: what to do */
  readonly remedy?: string;
}
