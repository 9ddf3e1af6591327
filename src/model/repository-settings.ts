import type { Budget } from "./budget.ts";

type Effort = "low" | "medium" | "high" | "xhigh" | "max";

/** What one repository has decided, complete: its file over the organisation's over the operator's and the defaults. */
export interface RepositorySettings {
  readonly label: string;
  /** absent: the repository's default branch */
  readonly baseBranch?: string;
  readonly draft: boolean;
  readonly approval: "none" | "required";
  readonly models: Readonly<Record<"fast" | "strong", string>>;
  /** absent where the model's own default is to hold */
  readonly effort: Readonly<Partial<Record<"fast" | "strong", Effort>>>;
  readonly candidates: number;
  readonly reviewRounds: number;
  readonly budget: Budget;
  readonly ignore: readonly string[];
  readonly protect: readonly string[];
  readonly unprotect: readonly string[];
  /** template of a branch's name, for `branchOf` */
  readonly branch: string;
  /** template of a commit's first line, for `commitSubject` */
  readonly commit: string;
  readonly signOff: boolean;
  readonly allowedBots: readonly string[];
  readonly ciRounds: number;
  readonly language: string;
  readonly instructions: string;
}
