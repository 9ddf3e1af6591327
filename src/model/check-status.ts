/** How one check of a commit fared, as far as decisions need it. */
export interface CheckStatus {
  readonly name: string;
  /** neutral: it says nothing of the commit */
  readonly state: "pending" | "passed" | "failed" | "neutral";
  /** it is neutral only because somebody or something ended it early */
  readonly stopped?: boolean;
  /** made by the app itself */
  readonly byApp: boolean;
}
