import type { RunResult } from "../../model/run-result.ts";
import type { ExitCode } from "../cli-command.ts";

const CODES: Readonly<Record<RunResult["kind"], ExitCode>> = {
  published: 0,
  "dry-run": 0,
  "awaiting-approval": 0,
  failed: 1,
  refused: 1,
  "nothing-to-change": 3,
  "gave-up": 3,
  "budget-reached": 4,
  cancelled: 130,
};

/** The exit code that tells how a run ended. */
export const exitCodeOf = ({ kind }: Pick<RunResult, "kind">): ExitCode => CODES[kind];
