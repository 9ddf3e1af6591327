import type { LogPlace } from "../workflow/repair/find-places.ts";

/** A failed check with all that is known of the failure. Untrusted text, hidden characters stripped. */
export interface FailedCheck {
  readonly name: string;
  /** what it says of itself, or "" */
  readonly summary: string;
  readonly annotations: readonly {
    readonly path: string;
    readonly line: number;
    readonly message: string;
  }[];
  /** the part of its log that tells the failure; "" when there is none to read */
  readonly log: string;
  /** lines of the repository's files that it names */
  readonly places: readonly LogPlace[];
}
