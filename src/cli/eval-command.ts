import { z } from "zod";
import { EVALUATION_ABLATIONS, type EvaluationEnd, type EvaluationOptions } from "../evaluation/evaluating.ts";
import type { CliCommand, CliContext, CliInput, CliOption, ExitCode } from "./cli-command.ts";

const EXIT_CODES: Readonly<Record<EvaluationEnd["kind"], ExitCode>> = {
  ...{ done: 0, failed: 1, budget: 4, interrupted: 130 },
};

/**
 * `magis eval`: measures MAGIS on SWE-bench instances (paper, section 4). `evaluate` throws a MagisError for what is
 * wrong with files, configuration and results that are there.
 */
export function createEvalCommand(
  evaluate: (options: EvaluationOptions, context: CliContext) => Promise<EvaluationEnd>,
): CliCommand {
  return {
    name: "eval",
    operands: "--instances FILE --mirrors DIR",
    about: "solve SWE-bench instances, measure what comes out, and write a report",
    options: EVAL_OPTIONS,
    async run(input, context) {
      const read = readEvalOptions(input, new Date().toISOString().slice(0, 10));
      if ("fault" in read) return { exitCode: 2, text: `${read.fault}\nmagis help eval shows how it is used.` };
      const { kind, text } = await evaluate(read.options, context);
      return { exitCode: EXIT_CODES[kind], text };
    },
  };
}

/** The command line as the report shows it. A grading command may hold what is nobody's business: only its first word. */
function evalCommandLine(options: CliInput["options"]): string {
  const words = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (value === true) return [`--${name}`];
    return [`--${name}`, quoted(name === "grade" ? `${value.trim().split(/\s+/)[0]} …` : value)];
  });
  return ["magis eval", ...words].join(" ");
}

function quoted(word: string): string {
  return /^[\w./:@,*?+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The options of `magis eval`. */
const EVAL_OPTIONS = {
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

const whole = z.stringFormat("whole", /^[1-9]\d{0,5}$/, { error: "must be a whole number from 1" }).transform(Number);

const dollars = z
  .stringFormat("dollars", /^(?=.*[1-9])\d{1,6}(\.\d{1,4})?$/, { error: "must be a number of US dollars above 0" })
  .transform(Number);

const text = z.string().min(1, "must not be empty");

const list = text.transform((words) => words.split(",").map((word) => word.trim()));

const among = <const T extends string>(...names: readonly T[]) =>
  z.enum(names, { error: `must be ${names.join(" or ")}` });

const ablations = list.pipe(
  z.array(z.enum(EVALUATION_ABLATIONS, { error: `must be some of ${EVALUATION_ABLATIONS.join(", ")}` })),
);

const shape = z.strictObject({
  ...{ instances: text, mirrors: text, output: text, filter: text, limit: whole, jobs: whole },
  ...{ budget: dollars, "instance-budget": dollars, ablate: ablations, files: among("gold", "bm25") },
  ...{ profile: among("lean", "paper"), candidates: whole, rounds: whole, model: text, "fast-model": text },
  ...{ judge: z.literal(true), "judge-model": text, grade: text, results: text, compare: list },
  ...{ "report-only": z.literal(true), fresh: z.literal(true) },
});

/** What the command line asks for, or what is wrong with it in a sentence. `today` names the default folder: YYYY-MM-DD. */
function readEvalOptions(
  { operands, options }: CliInput,
  today: string,
): { readonly options: EvaluationOptions } | { readonly fault: string } {
  if (operands.length > 0)
    return { fault: `magis eval takes no ${JSON.stringify(operands[0])}: name files by options.` };
  const { data, error } = shape.partial().safeParse(options);
  if (!data) {
    const [first] = error.issues;
    return { fault: `--${String(first?.path[0])} ${first?.message}.` };
  }
  const { judge, fresh, jobs = 2, output = `./eval-results/${today}`, ablate = [], compare = [], ...rest } = data;
  const { "instance-budget": instanceBudget, "fast-model": fastModel, ...more } = rest;
  const { "judge-model": judgeModel, "report-only": reportOnly, ...same } = more;
  const fault = contradiction(data);
  if (fault !== undefined) return { fault };
  const given = Object.entries({ ...same, instanceBudget, fastModel, judgeModel }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    options: {
      ...(Object.fromEntries(given) as Partial<EvaluationOptions>),
      ...{ output, jobs, compare, ablate: [...new Set(ablate)].sort() },
      ...{ judge: judge === true || judgeModel !== undefined, reportOnly: reportOnly === true, fresh: fresh === true },
      commandLine: evalCommandLine(options),
    },
  };
}

function contradiction(data: { readonly [Name in keyof z.output<typeof shape>]?: unknown }): string | undefined {
  if (data.grade && data.results) return "--grade and --results cannot be given together.";
  if (data["report-only"]) {
    if (data.fresh) return "--report-only and --fresh cannot be given together.";
    return data.output ? undefined : "--report-only needs --output: the folder with the results.";
  }
  if (!data.instances) return "Name the instances: --instances FILE.";
  return data.mirrors ? undefined : "Name the folder of the repositories' clones: --mirrors DIR.";
}
