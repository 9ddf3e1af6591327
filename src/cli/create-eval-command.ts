import type { EvaluationEnd } from "../evaluation/evaluation-end.ts";
import type { EvaluationOptions } from "../evaluation/evaluation-options.ts";
import type { CliCommand, CliContext, ExitCode } from "./cli-command.ts";
import { EVAL_OPTIONS } from "./eval-options.ts";
import { readEvalOptions } from "./read-eval-options.ts";

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
