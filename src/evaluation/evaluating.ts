import type { RunResult } from "../model/run-state.ts";
import type { Mirror } from "../ports/repository.ts";
import type { RunReport } from "../ports/runs.ts";
import type { SourceParser } from "../ports/source-parser.ts";
import type { Instance } from "./instances.ts";
import type { Judge } from "./judge.ts";
import type { createLunrBaseline } from "./measures/baselines.ts";
import type { ResultFolder } from "./results/result-folder.ts";

/** What an evaluation works with. */
export interface EvaluationInput {
  readonly options: Pick<EvaluationOptions, "jobs" | "ablate" | "files" | "batch">;
  /** those that were chosen, in their order */
  readonly instances: readonly Instance[];
  readonly results: ResultFolder;
  /** of the repositories of all instances, by `owner/name` */
  readonly mirrors: ReadonlyMap<string, Mirror>;
  readonly solve: SolveInstance;
  /** absent: task correlation is not measured */
  readonly judge?: Judge;
  readonly parser: Pick<SourceParser, "symbols">;
  readonly baseline: ReturnType<typeof createLunrBaseline>;
  /** candidates that `--files bm25` hands on */
  readonly candidates: number;
  /** US dollars, over all instances and over one */
  readonly budget: number;
  readonly instanceBudget: number;
  /** `model_name_or_path` of the predictions */
  readonly name: string;
  progress(line: string): void;
}

/** US dollars that several instances share. */
export interface MoneyPool {
  /** what is neither spent nor held; infinite when there is no limit */
  left(): number;
  /** what is spent */
  spent(): number;
  /**
   * Holds back `wanted`, or what is left when that is less but not below `least`. Undefined when there is less than
   * `least`. What it gives back has to be settled once, with what was really used.
   */
  hold(wanted: number, least: number): { readonly money: number; settle(used: number): void } | undefined;
}

/** A pool of `total`, from which `spent` is gone already. As nothing is used that was not held, it cannot be exceeded. */
export function createMoneyPool(total: number, spent: number): MoneyPool {
  const held = new Set<{ readonly money: number }>();
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
  /** the mirror's folder */
  readonly folder: string;
  /** paths that take the place of the Custodian's search, best first */
  readonly candidates?: readonly string[];
  /** US dollars that it may use */
  readonly money: number;
  /** hears what has been spent so far, in US dollars */
  onSpend(money: number): void;
}

export interface Solved {
  /** for `git apply`; "" when no change came out */
  readonly patch: string;
  /** the patch as it was before a check sent anything back; absent: nothing was checked */
  readonly unchecked?: string;
  readonly report: RunReport;
  readonly result: RunResult;
}

/**
 * Has one instance solved by the whole workflow. Expected ends, a failed run too, are values.
 * Throws MagisError RUN_CANCELLED when the signal fires.
 */
export type SolveInstance = (instance: Instance, options: SolveOptions, signal: AbortSignal) => Promise<Solved>;

export const EVALUATION_ABLATIONS = ["qa", "hints", "meeting", "memory", "tools", "map", "lines"] as const;

export type EvaluationAblation = (typeof EVALUATION_ABLATIONS)[number];

/** What `magis eval` is asked for; what is absent is as the environment has it. */
export interface EvaluationOptions {
  /** file of SWE-bench instances */
  readonly instances?: string;
  /** folder of the repositories' clones */
  readonly mirrors?: string;
  /** folder of the results */
  readonly output: string;
  readonly filter?: string;
  readonly limit?: number;
  /** instances that are worked on at the same time */
  readonly jobs: number;
  /** all of them advance together, through message batches, at half the price */
  readonly batch?: boolean;
  /** US dollars for all instances together */
  readonly budget?: number;
  /** variables of the configuration in whose place the command line gives a value */
  readonly variables: Readonly<Record<string, string>>;
  readonly ablate: readonly EvaluationAblation[];
  /** where the candidates come from when not from the Custodian: the reference change, or plain BM25 */
  readonly files?: "gold" | "bm25";
  /** each change is checked by a command before it is graded */
  readonly check: boolean;
  readonly judge: boolean;
  readonly judgeModel?: string;
  /** command that grades the predictions */
  readonly grade?: string;
  /** file with a grader's result */
  readonly results?: string;
  /** folders of other results to stand beside these in the report */
  readonly compare: readonly string[];
  readonly reportOnly: boolean;
  /** the results that are in `output` are thrown away first */
  readonly fresh: boolean;
  /** the command line as the report shows it */
  readonly commandLine: string;
}

/** How an evaluation ended. Instances that are not finished are run by the same command given again. */
export interface EvaluationEnd {
  readonly kind: "done" | "failed" | "budget" | "interrupted";
  /** for people, one sentence or more a line */
  readonly text: string;
}
