import { EVALUATION_ABLATIONS } from "../evaluation/evaluation-options.ts";
import type { CliOption } from "./cli-command.ts";

/** The options of `magis eval`. */
export const EVAL_OPTIONS = {
  instances: { value: "FILE", about: "SWE-bench instances: JSON lines, or a JSON list or object" },
  mirrors: { value: "DIR", about: "clones of the repositories: DIR/OWNER__NAME.git, DIR/OWNER+NAME or DIR/OWNER/NAME" },
  output: { value: "DIR", about: "where the results go (default: ./eval-results/DATE); goes on with what is there" },
  filter: { value: "IDS", about: "only these ids, separated by commas; * and ? stand for letters" },
  limit: { value: "N", about: "only the first N of them" },
  jobs: { value: "N", about: "instances at the same time (default: 2)" },
  budget: { value: "DOLLARS", about: "US dollars for everything; never exceeded" },
  "instance-budget": { value: "DOLLARS", about: "US dollars for each instance (default: MAGIS_BUDGET_MONEY)" },
  ablate: { value: "PARTS", about: `leave out, separated by commas: ${EVALUATION_ABLATIONS.join(", ")}` },
  files: { value: "gold|bm25", about: "candidates from the reference change or by plain BM25, not from the Custodian" },
  profile: { value: "lean|paper", about: "the form of the workflow" },
  candidates: { value: "N", about: "candidate files (k)" },
  rounds: { value: "N", about: "rounds of review (n_max)" },
  model: { value: "NAME", about: "the model that plans, writes and reviews" },
  "fast-model": { value: "NAME", about: "the model that locates files" },
  judge: { about: "have a model score the tasks against the reference change (task correlation)" },
  "judge-model": { value: "NAME", about: "the model that judges (default: the strong one)" },
  grade: { value: "CMD", about: "command that grades {predictions} of {instances} and writes {results}" },
  results: { value: "FILE", about: "a grader's result, such as the official harness's report" },
  compare: { value: "DIRS", about: "other results to stand beside these in the report, separated by commas" },
  "report-only": { about: "make the report again from the results that are there" },
  fresh: { about: "throw away the results that are in --output first" },
} as const satisfies Readonly<Record<string, CliOption>>;
