import type { RunResult } from "../../model/run-state.ts";
import type { RunReport } from "../../ports/runs.ts";
import type { CliInput, CliOption } from "../cli-command.ts";

/** An issue on the code host, and the host that its address named, if it was an address. */
export interface HostedIssue {
  readonly kind: "hosted";
  readonly owner: string;
  readonly name: string;
  readonly number: number;
  /** e.g. `https://github.com` */
  readonly origin?: string;
}

/** An issue in a file, about any repository that git can read. */
export interface FileIssue {
  readonly kind: "file";
  /** a directory, or a URL */
  readonly repository: string;
  readonly file: string;
}

/** What `magis resolve` is asked to do. */
export interface ResolveArgs {
  readonly issue: HostedIssue | FileIssue;
  /** a branch; of a repository without a host also a tag or a commit; absent: the default branch, HEAD */
  readonly base?: string;
  /** for the agents, beside the issue; "" when there is none */
  readonly hint: string;
  readonly through: "plan" | "words";
  readonly publish: boolean;
  /** variables of the configuration in whose place the command line gives a value */
  readonly variables: Readonly<Record<string, string>>;
  /** files that are written at the end */
  readonly output?: string;
  readonly record?: string;
  readonly json: boolean;
}

/** What came of it. */
export interface ResolveAnswer {
  readonly result: RunResult;
  readonly report: RunReport;
  /** of all that is finished, for `git apply`; empty when nothing was changed */
  readonly patch: Uint8Array;
  /** of the pull request */
  readonly title?: string;
  /** Markdown */
  readonly description?: string;
  /** what people should know beside the result, a sentence each */
  readonly notes: readonly string[];
}

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

const SHORT = /^([\w.-]{1,100})\/([\w.-]{1,100})#([1-9]\d{0,11})$/;

const PATH = /^\/([\w.-]{1,100})\/([\w.-]{1,100})\/issues\/([1-9]\d{0,11})\/?$/;

/** The issue that `OWNER/REPO#N`, or the address of its page, names; undefined when it names none. */
function parseIssueName(name: string): HostedIssue | undefined {
  const short = SHORT.exec(name);
  if (short) return issueOf(short);
  const url = URL.canParse(name) ? new URL(name) : undefined;
  const long = url && /^https?:$/.test(url.protocol) ? PATH.exec(url.pathname) : undefined;
  return url && long ? { ...issueOf(long), origin: url.origin } : undefined;
}

function issueOf([, owner = "", name = "", number = ""]: RegExpExecArray): HostedIssue {
  return { kind: "hosted", owner, name, number: Number(number) };
}

/** The options of `magis resolve`, in the order in which help shows them. */
export const RESOLVE_OPTIONS = {
  repo: { value: "PATH", about: "a repository of any kind instead: a directory, or a URL" },
  issue: { value: "FILE", about: "with --repo: the issue, Markdown; its first line is the title" },
  base: { value: "REV", about: "work on this branch (with --repo also a tag or commit)" },
  hint: { value: "TEXT", about: "say something to the agents beside the issue" },
  plan: { about: "stop when the plan is made" },
  "open-pr": { about: "publish: a branch and a pull request in the name of the token's owner" },
  output: { value: "FILE", about: "write the patch there instead of printing it" },
  record: { value: "FILE", about: "write all that is known of the run there, for magis show FILE" },
  json: { about: "print one JSON object instead of the patch" },
  profile: { value: "NAME", about: "lean, or paper: the paper's form call by call" },
  budget: { value: "DOLLARS", about: "the most that the run may cost" },
  candidates: { value: "N", about: "how many files the Custodian hands on" },
  rounds: { value: "N", about: "how many rounds of review a task may take" },
  model: { value: "NAME", about: "the model that plans, writes and reviews" },
  "fast-model": { value: "NAME", about: "the model that locates files" },
} as const satisfies Readonly<Record<string, CliOption>>;
