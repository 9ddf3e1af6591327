import type { RunResult, RunState } from "../../data/run-state.ts";
import { formatSpend, NO_SPEND } from "../../data/spend.ts";
import { endOfRun } from "../../report/end-of-run.ts";
import { codeBlock, cutText, fold, prose, webLink } from "../../text/compose-markdown.ts";
import type { ExitCode } from "../cli-command.ts";

/**
 * `simple`: one job does everything. `make` has the model's key and may not write; `publish` may write and has no key.
 */
export type ActionMode = "simple" | "make" | "publish";

/** The outcome of a job. */
export interface ActionAnswer {
  /** absent: there was nothing to do */
  result?: RunResult;
  /** sentences to show beside the result, not yet made safe */
  said: readonly string[];
  state?: Pick<RunState, "spend" | "tasks">;
  /** the patch of a change that was not published */
  patch?: string;
  /** SHA-256 of the record for the publishing job */
  digest?: string;
  /** nothing was done because the configuration is wrong */
  misconfigured?: boolean;
}

/** A job is red when something is wrong, not when there was nothing to do or no change came out. */
export function actionExit({ result, misconfigured }: ActionAnswer): ExitCode {
  if (misconfigured || result?.kind === "failed") return 1;
  if (result?.kind === "budget-reached") return 4;
  if (result?.kind === "dry-run" && result.check === "red") return 5;
  return result?.kind === "cancelled" ? 130 : 0;
}

/** The job's summary in Markdown, which shows untrusted text only as text. `job` is the address of the job's page. */
export function actionSummary(answer: ActionAnswer, job: string): string {
  const { result, said, state, patch = "" } = answer;
  const paragraphs = [
    `### MAGIS: ${titleOf(answer)}`,
    result?.kind === "published" &&
      `Pull request ${webLink(`#${result.pullRequest.number}`, result.pullRequest.url)} is open.`,
    result && endOfRun(result, state?.tasks ?? [], job),
    patch && fold("The change, as a patch for <code>git apply</code>", codeBlock(cutText(patch, MAX_PATCH), "diff")),
    ...said.map((sentence) => prose(sentence)),
    result && `**Cost:** ${formatSpend(state?.spend ?? NO_SPEND)}.`,
  ];
  return `${paragraphs.filter((text) => text).join("\n\n")}\n`;
}

/** GitHub shows at most a megabyte of a step's summary. */
const MAX_PATCH = 400_000;

const TITLE: Readonly<Record<RunResult["kind"], string>> = {
  published: "a pull request is open",
  "dry-run": "a change is made, and not published",
  "nothing-to-change": "nothing to change",
  "gave-up": "it could not be resolved",
  "budget-reached": "the budget is used up",
  "awaiting-approval": "a plan waits for approval",
  asked: "questions are asked on the issue",
  cancelled: "cancelled",
  refused: "not begun",
  failed: "it failed",
};

function titleOf({ result, misconfigured }: ActionAnswer): string {
  if (result) return TITLE[result.kind];
  return misconfigured ? TITLE.failed : "nothing to do";
}

/** The job's outputs. All are present; an empty string means none. */
export function actionOutputs(answer: ActionAnswer): Readonly<Record<string, string>> {
  const { result, state, digest = "", misconfigured } = answer;
  const nothing = misconfigured ? "failed" : "nothing";
  return {
    "pull-request": result?.kind === "published" ? String(result.pullRequest.number) : "",
    result: result?.kind ?? nothing,
    cost: (state?.spend ?? NO_SPEND).money.toFixed(4),
    digest,
  };
}

/**
 * Writes each output as `name<<delimiter`, the runner's format. No value can hold the delimiter, since nobody could
 * guess it.
 */
export function outputLines(outputs: Readonly<Record<string, string>>, delimiter: string): string {
  const blocks = Object.entries(outputs).map(
    ([name, value]) => `${name}<<${delimiter}\n${value.replace(/[\r\n]+/g, " ")}\n`,
  );
  return blocks.join(`${delimiter}\n`).concat(`${delimiter}\n`);
}
