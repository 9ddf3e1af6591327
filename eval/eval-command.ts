import { z } from "zod";
import type { CliCommand, CliInput, CliOption, ExitCode } from "../src/commands/cli-command.ts";
import { chosenVariables, settingOptions } from "../src/commands/setting-options.ts";
import {
  EVALUATION_ABLATIONS,
  type EvaluationEnd,
  type EvaluationOptions,
  type RunOptions,
} from "./evaluation/evaluating.ts";

const EXIT_CODES: Readonly<Record<EvaluationEnd["kind"], ExitCode>> = {
  done: 0,
  failed: 1,
  budget: 4,
  interrupted: 130,
};

const whole = z.stringFormat("whole", /^[1-9]\d{0,5}$/, { error: "must be a whole number from 1" }).transform(Number);

const dollars = z
  .stringFormat("dollars", /^(?=.*[1-9])\d{1,6}(\.\d{1,4})?$/, { error: "must be a number of US dollars above 0" })
  .transform(Number);

const filled = z.string().min(1, "must not be empty");

const list = filled.transform((text) => text.split(",").map((item) => item.trim()));

const ablations = list.pipe(
  z.array(z.enum(EVALUATION_ABLATIONS, { error: `must be some of ${EVALUATION_ABLATIONS.join(", ")}` })),
);

/** The shorter name is the budget of all instances together. */
const SETTING_NAMES = { budget: "instance-budget", check: "check-command" } as const;

/** The options of `npm run eval`. */
const EVAL_OPTIONS = [
  {
    name: "instances",
    argument: "FILE",
    description: "SWE-bench instances: JSON lines, or a JSON list or object",
    shape: filled,
  },
  {
    name: "mirrors",
    argument: "DIR",
    description: "clones of the repositories: DIR/OWNER__NAME.git, DIR/OWNER+NAME or DIR/OWNER/NAME",
    shape: filled,
  },
  {
    name: "output",
    argument: "DIR",
    description: "where the results go (default: ./eval-results/DATE); goes on with what is there",
    shape: filled,
  },
  {
    name: "filter",
    argument: "IDS",
    description: "only these ids, separated by commas; * and ? stand for letters",
    shape: filled,
  },
  { name: "limit", argument: "N", description: "only the first N of them", shape: whole },
  {
    name: "jobs",
    argument: "N",
    description: "instances at the same time (default: 2)",
    shape: whole,
  },
  { name: "budget", argument: "DOLLARS", description: "US dollars for everything; never exceeded", shape: dollars },
  {
    name: "ablate",
    argument: "PARTS",
    description: `leave out, separated by commas: ${EVALUATION_ABLATIONS.join(", ")}`,
    shape: ablations,
  },
  {
    name: "system",
    argument: "WHICH",
    description: "what solves: MAGIS, or one call of the model with --files and the issue (default: magis)",
    choices: ["magis", "direct"],
  },
  {
    name: "files",
    argument: "WHICH",
    description: "candidates from the reference change or by plain BM25, not from the Custodian",
    choices: ["gold", "bm25"],
  },
  {
    name: "locate",
    argument: "HOW",
    description: "with --profile paper: the Custodian judges the first of BM25 alone, as in Algorithm 1",
    choices: ["paper"],
  },
  {
    name: "memory",
    description: "keep the evolution memory over a repository's instances, in the order of their commits",
  },
  ...settingOptions(SETTING_NAMES),
  {
    name: "check",
    description: "check each change by the instance's own command (`check` in its line), else by --check-command",
  },
  { name: "judge", description: "have a model score the tasks against the reference change (task correlation)" },
  {
    name: "judge-model",
    argument: "NAME",
    description: "the model that judges (default: the strong one)",
    shape: filled,
  },
  {
    name: "grade",
    argument: "CMD",
    description: "command that grades {predictions} of {instances} and writes {results}",
    shape: filled,
  },
  {
    name: "results",
    argument: "FILE",
    description: "a grader's result, such as the official harness's report",
    shape: filled,
  },
  {
    name: "compare",
    argument: "DIRS",
    description: "other results to stand beside these, separated by commas: folders, or SWE-bench predictions",
    shape: list,
  },
  { name: "report-only", description: "make the report again from the results that are there" },
  { name: "fresh", description: "throw away the results that are in --output first" },
] as const satisfies readonly CliOption[];

type EvalInput = CliInput<typeof EVAL_OPTIONS>;

/** `npm run eval`: measures MAGIS on SWE-bench instances (paper, section 4). */
export const evalCommand: CliCommand<typeof EVAL_OPTIONS> = {
  waiting: "measuring",
  usage: "-- --instances FILE --mirrors DIR",
  options: EVAL_OPTIONS,
  async run(input, context) {
    const read = readEvalOptions(input, new Date().toISOString().slice(0, 10));
    if ("fault" in read) return { exitCode: 2, text: `${read.fault}\nnpm run eval -- --help shows how it is used.` };
    const { runEval } = await import("./run-eval.ts");
    const { kind, text } = await runEval(read.options, context);
    return { exitCode: EXIT_CODES[kind], text };
  },
};

/** The command line as the report shows it. A grading command may hold secrets, so only its first word appears. */
function evalCommandLine(options: EvalInput["options"]): string {
  const given = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (value === true) return [`--${name}`];
    return [`--${name}`, quoted(name === "grade" ? `${String(value).trim().split(/\s+/)[0]} …` : String(value))];
  });
  return ["npm run eval --", ...given].join(" ");
}

function quoted(word: string): string {
  return /^[\w./:@,*?+=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The parsed command line, or a sentence that says what is wrong. `today` (YYYY-MM-DD) names the default folder. */
function readEvalOptions({ options }: EvalInput, today: string): { options: EvaluationOptions } | { fault: string } {
  const fault = contradiction(options);
  if (fault !== undefined) return { fault };
  const { output = `./eval-results/${today}`, instances: file, mirrors = "", filter, limit } = options;
  const { grade, results, compare = [] } = options;
  return {
    options: {
      output,
      selection: { file, filter, limit },
      mirrors,
      report: { grade, results, compare, commandLine: evalCommandLine(options) },
      run: options["report-only"] ? undefined : runOptions(options),
    },
  };
}

function runOptions(options: EvalInput["options"]): RunOptions {
  const { budget, fresh = false, check = false } = options;
  const { ablate = [], system = "magis", files, locate, memory = false, judge, "judge-model": name } = options;
  const strong = judge ? "strong" : undefined;
  return {
    fresh,
    jobs: options.jobs ?? 2,
    budget,
    method: {
      system,
      ablate: [...new Set(ablate)].sort(),
      files,
      locate,
      memory,
      check,
      judge: name === undefined ? strong : { name },
    },
    variables: chosenVariables(options, SETTING_NAMES),
  };
}

function contradiction(options: EvalInput["options"]): string | undefined {
  if (options.grade && options.results) return "--grade and --results cannot be given together.";
  if (options["report-only"]) {
    if (options.fresh) return "--report-only and --fresh cannot be given together.";
    return options.output ? undefined : "--report-only needs --output: the folder with the results.";
  }
  if (!options.instances) return "Name the instances: --instances FILE.";
  if (!options.mirrors) return "Name the folder of the repositories' clones: --mirrors DIR.";
  return options.system === "direct" ? directContradiction(options) : methodContradiction(options);
}

function methodContradiction({ ablate = [], files, locate, memory }: EvalInput["options"]): string | undefined {
  if (locate && files) return "--locate and --files cannot be given together: with --files nothing is located.";
  if (ablate.includes("memory") && !memory) {
    return "--ablate memory needs --memory: without it each instance begins with an empty memory, and nothing changes.";
  }
  return undefined;
}

/** A single call has no parts to leave out. */
function directContradiction(options: EvalInput["options"]): string | undefined {
  if (!options.files) return "--system direct needs --files gold or --files bm25: the files that the model is given.";
  const parts = (options.ablate ?? []).filter((part) => part !== "hints");
  if (parts.length > 0) return `--system direct has no ${parts.join(", ")} to leave out; only hints.`;
  const given = (["locate", "memory", "check", "judge", "judge-model", "profile"] as const).filter(
    (name) => options[name] !== undefined,
  );
  return given.length > 0 ? `--system direct does not take --${given.join(", --")}.` : undefined;
}
