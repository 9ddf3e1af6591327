import type { Budget } from "./spend.ts";

export type Ablation = "qa" | "hints" | "meeting" | "memory" | "tools" | "map";

/** What is decided about a run: by the repository's maintainers, and where they say nothing by the bot's. */
export interface RunSettings extends Pick<RepositorySettings, "branch" | "commit" | "signOff" | "baseBranch"> {
  /** `k` of the paper: how many files the Custodian looks at */
  readonly candidates: number;
  /** `n_max` of the paper: rounds of review */
  readonly reviewRounds: number;
  /** how many commits may repair failing checks in one pull request; 0: none */
  readonly ciRounds: number;
  readonly draft: boolean;
  /** `paper` keeps to the paper's form call by call, without tools, map and last review; `lean` asks together */
  readonly profile: "lean" | "paper";
  /** parts that are left out, to see what they are worth */
  readonly ablate: readonly Ablation[];
}

/** What was decided for one run by whoever asked for it: it holds over the repository's own file. */
export interface Chosen
  extends Partial<Pick<RepositorySettings, "candidates" | "reviewRounds" | "effort">>,
    Partial<Pick<RunSettings, "profile" | "ablate">> {
  readonly models?: Partial<RepositorySettings["models"]>;
  readonly budget?: Partial<RepositorySettings["budget"]>;
}

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

/** Complete settings of a repository. */
export type Settings = RepositorySettings;

/** What the operator of the bot allows, and what holds where a repository says nothing. */
export interface OperatorLimits {
  /** names of the models that may be named: those with a price */
  readonly models: readonly string[];
  /** the most that a run may use, and what it may use when no file says less */
  readonly budget: Budget;
  readonly defaults: Pick<
    Settings,
    "label" | "draft" | "models" | "effort" | "candidates" | "reviewRounds" | "allowedBots"
  >;
}
