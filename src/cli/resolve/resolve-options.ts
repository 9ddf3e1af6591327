import type { CliOption } from "../cli-command.ts";

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
