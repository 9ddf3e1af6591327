import type { CliInput } from "../cli-command.ts";
import { parseIssueName } from "./parse-issue-name.ts";
import type { FileIssue, HostedIssue, ResolveArgs } from "./resolve-args.ts";

interface Wrong {
  readonly fault: string;
}

/** Options that stand for a variable, what they must look like, and what is said when they do not. */
const VARIABLES = {
  profile: ["MAGIS_PROFILE", /^(lean|paper)$/, "lean or paper"],
  budget: ["MAGIS_BUDGET_MONEY", /^(?=.*[1-9])\d{1,5}(\.\d{1,6})?$/, "US dollars, such as 2.50"],
  candidates: ["MAGIS_CANDIDATES", /^([1-9]\d?|100)$/, "a whole number from 1 to 100"],
  rounds: ["MAGIS_REVIEW_ROUNDS", /^([1-9]|10)$/, "a whole number from 1 to 10"],
  model: ["MAGIS_MODEL_STRONG", /^[\w.:@/-]+$/, "the name of a model"],
  "fast-model": ["MAGIS_MODEL_FAST", /^[\w.:@/-]+$/, "the name of a model"],
} as const;

const USAGE = "Name an issue as OWNER/REPO#N or by its address, or give --repo PATH and --issue FILE.";

/** What the command line asks for, or what is wrong with it, in a sentence. */
export function readArgs({ operands, options }: CliInput): ResolveArgs | Wrong {
  const issue = readIssue(operands, text(options.repo), text(options.issue));
  if ("fault" in issue) return issue;
  const wrong = wrongTogether(options, issue);
  if (wrong !== undefined) return { fault: wrong };
  const variables: Record<string, string> = {};
  for (const [option, [variable, form, rule]] of Object.entries(VARIABLES)) {
    const value = text(options[option]);
    if (value === undefined) continue;
    if (!form.test(value)) return { fault: `--${option} must be ${rule}.` };
    variables[variable] = value;
  }
  const [base, output, record] = [text(options.base), text(options.output), text(options.record)];
  return {
    ...{ issue, variables, hint: text(options.hint) ?? "" },
    through: options.plan ? "plan" : "words",
    publish: options["open-pr"] === true,
    json: options.json === true,
    ...(base !== undefined && { base }),
    ...(output !== undefined && { output }),
    ...(record !== undefined && { record }),
  };
}

function readIssue(
  [name, ...more]: readonly string[],
  repository: string | undefined,
  file: string | undefined,
): HostedIssue | FileIssue | Wrong {
  if (more.length > 0) return { fault: "Name one issue." };
  if (name === undefined) {
    if (repository === undefined && file === undefined) return { fault: USAGE };
    if (repository === undefined) return { fault: "--issue needs --repo PATH." };
    if (file === undefined) return { fault: "--repo needs --issue FILE." };
    return { kind: "file", repository, file };
  }
  if (repository !== undefined || file !== undefined)
    return { fault: "Name an issue, or give --repo and --issue: not both." };
  return parseIssueName(name) ?? { fault: `${JSON.stringify(name)} names no issue. ${USAGE}` };
}

function wrongTogether(options: CliInput["options"], { kind }: HostedIssue | FileIssue): string | undefined {
  const given = ["base", "hint", "output", "record", "repo", "issue"].find((name) => text(options[name]) === "");
  if (given !== undefined && given !== "hint") return `--${given} is empty.`;
  if (options["open-pr"] && kind === "file") return "--open-pr needs an issue on GitHub: OWNER/REPO#N.";
  if (options["open-pr"] && options.plan) return "--plan makes no change that --open-pr could publish.";
  if (options.plan && options.output !== undefined) return "--plan makes no patch that --output could take.";
  return undefined;
}

const text = (value: string | true | undefined) => (typeof value === "string" ? value : undefined);
