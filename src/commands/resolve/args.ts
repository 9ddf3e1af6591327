import { z } from "zod";
import type { RunResult } from "../../data/run-state.ts";
import type { RunReport } from "../../run/runs.ts";
import type { CliInput, CliOption } from "../cli-command.ts";
import { chosenVariables, settingOptions } from "../setting-options.ts";

/** An issue on the code host. `origin` is set when it was given by its address. */
export interface HostedIssue {
  kind: "hosted";
  owner: string;
  name: string;
  number: number;
  /** e.g. `https://github.com` */
  origin?: string | undefined;
}

/** An issue in a file, about any repository that git can read. */
export interface FileIssue {
  kind: "file";
  /** a directory, or a URL */
  repository: string;
  /** `-` means standard input */
  file: string;
  /** its content, once read */
  text?: string | undefined;
}

/** The outcome of a run. */
export interface ResolveAnswer {
  result: RunResult;
  report: RunReport;
  /** everything finished, for `git apply`; empty when nothing changed */
  patch: Uint8Array;
  /** the pull request's */
  title?: string;
  /** Markdown */
  description?: string;
  /** sentences that people should read beside the result */
  notes: readonly string[];
}

interface Wrong {
  fault: string;
}

const filled = z.string().min(1, "must not be empty");

/** The options of `magis resolve`, in help's order. */
export const RESOLVE_OPTIONS = [
  {
    name: "repo",
    argument: "PATH",
    description: "a repository of any kind instead: a directory, or a URL",
    shape: filled,
  },
  {
    name: "issue",
    argument: "FILE",
    description: "with --repo: the issue, Markdown, or - for standard input; its first line is the title",
    shape: filled,
  },
  {
    name: "base",
    argument: "REV",
    description: "work on this branch (with --repo also a tag or commit)",
    shape: filled,
  },
  { name: "hint", argument: "TEXT", description: "say something to the agents beside the issue" },
  { name: "plan", description: "stop when the plan is made" },
  { name: "open-pr", description: "publish: a branch and a pull request in the name of the token's owner" },
  { name: "output", argument: "FILE", description: "write the patch there instead of printing it", shape: filled },
  {
    name: "record",
    argument: "FILE",
    description: "write all that is known of the run there, for magis show FILE",
    shape: filled,
  },
  { name: "open", description: "open the page of the run's record in the browser at the end" },
  { name: "own-check", description: "run the command that the repository's .github/magis.yml names as `check`" },
  {
    name: "check-beside",
    argument: "DIR",
    description: "where the check finds what is installed, such as node_modules (default: that of --repo)",
    shape: filled,
  },
  {
    name: "check-anyway",
    description: "go on although the check does not pass without the change, so that it can prove nothing",
  },
  { name: "no-keep", description: "do not keep the run for magis show" },
  { name: "json", description: "print one JSON object instead of the patch" },
  ...settingOptions(),
] as const satisfies readonly CliOption[];

type ResolveInput = CliInput<typeof RESOLVE_OPTIONS>;

/** The parsed command line of `magis resolve`. */
export interface ResolveArgs {
  issue: HostedIssue | FileIssue;
  options: ResolveInput["options"];
  /** settings from the command line, as variables that override the environment's */
  variables: Readonly<Record<string, string>>;
}

const USAGE = "Name an issue as OWNER/REPO#N or by its address, or give --repo PATH and --issue FILE.";

/** Parses the command line; a fault is a sentence that says what is wrong. */
export function readArgs({ operand, options }: ResolveInput): ResolveArgs | Wrong {
  const issue = readIssue(operand, options.repo, options.issue);
  if ("fault" in issue) return issue;
  const wrong = wrongTogether(options, issue);
  if (wrong !== undefined) return { fault: wrong };
  return { issue, options, variables: chosenVariables(options) };
}

function readIssue(
  name: string | undefined,
  repository: string | undefined,
  file: string | undefined,
): HostedIssue | FileIssue | Wrong {
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

function wrongTogether(options: ResolveInput["options"], { kind }: HostedIssue | FileIssue): string | undefined {
  if (options["open-pr"] && kind === "file") return "--open-pr needs an issue on GitHub: OWNER/REPO#N.";
  if (options["open-pr"] && options.plan) return "--plan makes no change that --open-pr could publish.";
  if (options.output !== undefined && options.output === options.record)
    return "--output and --record name the same file.";
  if (options.plan && options.output !== undefined) return "--plan makes no patch that --output could take.";
  return undefined;
}

const SHORT = /^([\w.-]{1,100})\/([\w.-]{1,100})#([1-9]\d{0,11})$/;

const PATH = /^\/([\w.-]{1,100})\/([\w.-]{1,100})\/issues\/([1-9]\d{0,11})\/?$/;

/** Parses `OWNER/REPO#N` or the address of an issue's page; undefined for anything else. */
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
