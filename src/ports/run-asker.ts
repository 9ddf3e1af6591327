/** Who asks for a run on which issue, from outside GitHub. */
export interface AskedRun {
  readonly owner: string;
  readonly name: string;
  readonly issue: number;
  /** login of the person whose permission counts */
  readonly person: string;
  /** what would follow `/magis resolve` in a comment */
  readonly hint: string;
  /** unique to the request: asked twice, it starts one run */
  readonly id: string;
  /** SHA-256 of what was signed */
  readonly digest: string;
}

/** The run that a request starts. */
export interface AcceptedRun {
  /** its id */
  readonly run: string;
  /** address of the issue */
  readonly issue: string;
  /** address of the run's page on the dashboard; absent: people on the host cannot see one */
  readonly page?: string | undefined;
}

/** `forbidden`: not this person; `conflict`: not now; `invalid`: not this issue, or not these options. */
export type AskedAnswer =
  | AcceptedRun
  | { readonly refused: "forbidden" | "conflict" | "invalid"; readonly reason: string };

/** Asks for a run by the guards of a comment. Throws what the host and the database throw. */
export type RunAsker = (asked: AskedRun) => Promise<AskedAnswer>;
