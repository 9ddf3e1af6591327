/** A check run or a commit status: both say how one thing fared on a commit. */
export interface Check {
  /** id of the check run; absent for a commit status */
  readonly checkRunId?: number;
  /** id of the Actions job behind it, whose log can be read */
  readonly jobId?: number;
  readonly name: string;
  /** neutral also when it was cancelled or given up; pending also when it waits for a person to act */
  readonly state: "pending" | "passed" | "failed" | "neutral";
  /** it is neutral only because it was cancelled or given up, and so no sign that all is well */
  readonly stopped?: boolean;
  /** made by the app itself */
  readonly byApp: boolean;
  /** what it says of itself, title and summary; "" when nothing */
  readonly summary: string;
  readonly url: string;
}

/** What a check has to say about lines of a file. */
export interface Annotation {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: "notice" | "warning" | "failure";
  readonly message: string;
}

/** What the app's own check run shows. */
export interface CheckReport {
  readonly name: string;
  readonly status: "in_progress" | "completed";
  readonly conclusion?: "success" | "neutral" | "failure" | "cancelled" | "action_required";
  readonly title: string;
  /** Markdown */
  readonly summary: string;
}

/** Checks of commits. Errors as in IssueApi. */
export interface CheckApi {
  /**
   * The latest check runs and statuses of a commit, one for each name, and the app's own apart.
   * Of several with one name, one that is pending stands for all, else one that failed.
   */
  checksOf(commit: string): Promise<readonly Check[]>;
  annotationsOf(checkRunId: number): Promise<readonly Annotation[]>;
  /** The log of an Actions job as text, unpacked in memory; undefined when it is gone. Cut to its last `mostBytes`. */
  jobLog(jobId: number, mostBytes: number): Promise<string | undefined>;
  /** Creates the app's check run of that name on `head`, or updates the one that is there. */
  reportCheck(head: string, report: CheckReport): Promise<void>;
}
