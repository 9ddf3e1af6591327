import { z } from "zod";
import { EVALUATION_ABLATIONS, type EvaluationOptions } from "../evaluation/evaluation-options.ts";
import type { CliInput } from "./cli-command.ts";
import { evalCommandLine } from "./eval-command-line.ts";

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
export function readEvalOptions(
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
