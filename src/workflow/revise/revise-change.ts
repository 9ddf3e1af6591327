import type { RunRequest } from "../../domain/run/run-request.ts";
import type { RunResult } from "../../domain/run/run-result.ts";
import type { Log } from "../../ports/log.ts";
import type { Step } from "../../ports/step.ts";
import type { RunTools } from "../run-tools.ts";

export async function reviseChange(
  _request: RunRequest,
  _open: () => Promise<RunTools>,
  _step: Step,
  _log: Log,
): Promise<RunResult> {
  return { kind: "nothing-to-change", reason: "" };
}
