import type { Mirror } from "../ports/mirror.ts";
import type { SourceParser } from "../ports/source-parser.ts";
import type { Judge } from "./create-judge.ts";
import type { EvaluationOptions } from "./evaluation-options.ts";
import type { Instance } from "./instance.ts";
import type { createLunrBaseline } from "./measures/create-lunr-baseline.ts";
import type { ResultFolder } from "./results/result-folder.ts";
import type { SolveInstance } from "./solve-instance.ts";

/** What an evaluation works with. */
export interface EvaluationInput {
  readonly options: Pick<EvaluationOptions, "jobs" | "ablate" | "files">;
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
