import type { PathGuard } from "../change/path-guard.ts";
import type { IssueSnapshot } from "../data/discussion.ts";
import type { AiPolicy, Candidate, MadePlan, Task } from "../data/plan.ts";
import type { JudgedFile } from "../data/run-record.ts";
import type { CallForm } from "../data/spend.ts";
import type { Inheritance, Work } from "../data/work.ts";
import type { PhaseContext } from "./run-context.ts";

/** The paper's k: how many files the Custodian judges. */
export const CANDIDATES = 10;

/** The paper's n_max: rounds of review of a task. */
export const REVIEW_ROUNDS = 3;

/** What the locating phase works with. */
export interface LocateInput extends PhaseContext {
  issue: IssueSnapshot;
  /** how many files the Custodian judges (k); else `CANDIDATES` */
  candidates?: number | undefined;
  /** paths, best first, in place of the product's own ranking: Algorithm 1 to the letter */
  ranked?: readonly string[] | undefined;
}

/** What the planning phase works with. */
export interface PlanInput extends PhaseContext {
  issue: IssueSnapshot;
  candidates: readonly Candidate[];
  /** what the repository asks of changes that AI wrote: the plan keeps it for the runs that follow */
  aiPolicy?: AiPolicy | undefined;
}

/** What the coding phase works with. */
export interface CodeInput extends PhaseContext {
  issue: IssueSnapshot;
  plan: MadePlan;
  /** tasks of the plan that a commit of their own does: the test before its fix */
  apart?: readonly Task[];
  /** what an earlier run left for tasks, by their ids */
  inherited?: ReadonlyMap<string, Inheritance>;
}

/** A file of the pool that Algorithm 1 works on, and why it is in it. */
export interface PooledFile {
  path: string;
  blob: string;
  score: number;
  reasons: readonly string[];
}

/** What the Custodian judges. */
export interface Pool {
  files: readonly PooledFile[];
  /** the repository around the best-ranked files, for what the search has missed; "" for none */
  map: string;
  /** a file that was searched, by its path */
  known(path: string): { path: string; blob: string } | undefined;
  /** why a file is not among those that were searched, as far as its content says */
  whyNot?(path: string): string | undefined;
}

/** A profile: one way to do what the paper's agents do between a ranked pool of files and a finished change. */
export interface Strategy {
  /** the calls it makes, for estimates */
  form: CallForm;
  /** Algorithm 1: the Custodian's judgement of every file of the pool, and of files that it adds */
  shortlist(input: LocateInput, pool: Pool): Promise<readonly JudgedFile[]>;
  /** Algorithm 2: tasks, the Developers who suit them, and their order; `guard` says why a file may not be touched */
  plan(input: PlanInput, guard: PathGuard): Promise<MadePlan>;
  /** Coding (3.2.2): carries out the plan; a task without a usable answer fails alone */
  code(input: CodeInput): Promise<Work>;
}
