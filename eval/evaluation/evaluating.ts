import type { SourceParser } from "../../src/code/source-parser.ts";
import type { RunResult } from "../../src/data/run-state.ts";
import type { EvolutionMemory } from "../../src/run/evolution-memory.ts";
import type { RunReport } from "../../src/run/runs.ts";
import type { Mirror } from "../mirror.ts";
import type { EvaluationMemory } from "./evaluation-memory.ts";
import type { Instance, InstanceSelection } from "./instances.ts";
import type { Judge } from "./judge.ts";
import type { ResultFolder } from "./results/result-folder.ts";

/** What an evaluation works with. */
export interface EvaluationInput {
  /** the chosen ones, in their order */
  instances: readonly Instance[];
  /** of the repositories of all instances, by `owner/name` */
  mirrors: ReadonlyMap<string, Mirror>;
  results: ResultFolder;
  solver: Solver;
  method: Pick<EvaluationMethod, "system" | "ablate" | "files" | "locate">;
  /** kept over the instances; absent: each begins with an empty one */
  memory?: EvaluationMemory | undefined;
  limits: EvaluationLimits;
  /** `model_name_or_path` of the predictions */
  name: string;
  progress(line: string): void;
}

/** What solves, judges and measures instances. */
export interface Solver {
  solve: SolveInstance;
  /** absent: task correlation is not measured */
  judge?: Judge | undefined;
  parser: Pick<SourceParser, "symbols">;
}

export interface EvaluationLimits {
  /** instances that are worked on at the same time */
  jobs: number;
  /** US dollars, over all instances and over one */
  budget: number;
  instanceBudget: number;
}

/** US dollars shared by several instances. */
export interface MoneyPool {
  /** neither spent nor held; infinite without a limit */
  left(): number;
  spent(): number;
  /**
   * Holds back `wanted`, or what is left if that is at least `least`; else gives undefined. Settle it once, with the
   * amount used.
   */
  hold(wanted: number, least: number): { money: number; settle(used: number): void } | undefined;
}

/** A pool of `total`, of which `spent` is gone. Only held money is spent, so it cannot be exceeded. */
export function createMoneyPool(total: number, spent: number): MoneyPool {
  const held = new Set<{ money: number }>();
  let used = spent;
  const left = () => total - used - [...held].reduce((sum, { money }) => sum + money, 0);
  return {
    left,
    spent: () => used,
    hold(wanted, least) {
      const money = Math.min(wanted, left());
      if (money < Math.min(least, wanted)) return undefined;
      const own = { money };
      held.add(own);
      const settle = (really: number) => {
        if (held.delete(own)) used += really;
      };
      return { money, settle };
    },
  };
}

export interface SolveOptions {
  mirror: Mirror;
  /** paths that replace the Custodian's search, best first */
  candidates?: readonly string[] | undefined;
  /** paths for the Custodian to judge instead of the product's own ranking, best first */
  ranked?: readonly string[] | undefined;
  /** absent: it begins with an empty one */
  memory?: EvolutionMemory | undefined;
  /** US dollars that it may use */
  money: number;
  /** receives what has been spent so far, in US dollars */
  onSpend(money: number): void;
}

export interface Solved {
  /** for `git apply`; "" when no change came out */
  patch: string;
  /** the patch as it was before a check sent anything back; absent: nothing was checked */
  unchecked?: string | undefined;
  report: RunReport;
  result: RunResult;
}

/**
 * Solves one instance by the whole workflow. Expected ends, failed runs included, are values. Throws MagisError
 * RUN_CANCELLED when the signal fires.
 */
export type SolveInstance = (instance: Instance, options: SolveOptions, signal: AbortSignal) => Promise<Solved>;

export const EVALUATION_ABLATIONS = ["qa", "hints", "meeting", "memory", "tools", "map", "lines"] as const;

export type EvaluationAblation = (typeof EVALUATION_ABLATIONS)[number];

/** What `npm run eval` was asked to do. */
export interface EvaluationOptions {
  /** folder of the results */
  output: string;
  selection: InstanceSelection;
  /** folder of the repositories' clones; "" to report only, without measuring others' predictions */
  mirrors: string;
  report: ReportOptions;
  /** absent: only make the report again, from the results that are there */
  run?: RunOptions | undefined;
}

export interface ReportOptions {
  /** command that grades the predictions */
  grade?: string | undefined;
  /** file with a grader's result */
  results?: string | undefined;
  /** others' results to compare with: folders, and files of predictions */
  compare: readonly string[];
  /** the command line as the report shows it */
  commandLine: string;
}

/** Absent values come from the environment. */
export interface RunOptions {
  /** throws away the results that are in the folder */
  fresh: boolean;
  jobs: number;
  /** US dollars for all instances together */
  budget?: number | undefined;
  method: EvaluationMethod;
  /** configuration variables that the command line overrides */
  variables: Readonly<Record<string, string>>;
}

/** How instances are solved and judged. Results of different methods are never mixed. */
export interface EvaluationMethod {
  ablate: readonly EvaluationAblation[];
  /** what solves: MAGIS, or one call of the model with the files and the issue, as in the paper's Table 2 */
  system: "magis" | "direct";
  /** what the Custodian judges: `paper` is Algorithm 1 to the letter, the first of BM25 alone */
  locate?: "paper" | undefined;
  /** one evolution memory for all instances of a repository, in the order of their commits */
  memory: boolean;
  /** where the candidates come from when not from the Custodian: the reference change, or plain BM25 */
  files?: "gold" | "bm25" | undefined;
  /** a command checks each change before it is graded */
  check: boolean;
  /** the model that judges: a name, or the strong one; absent: none */
  judge?: "strong" | { name: string } | undefined;
}

/** How an evaluation ended. The same command goes on with the unfinished instances. */
export interface EvaluationEnd {
  kind: "done" | "failed" | "budget" | "interrupted";
  /** for people, one sentence or more a line */
  text: string;
}
