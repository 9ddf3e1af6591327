import { markers } from "../../model/markers.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { PhaseName, RunResult } from "../../model/run-result.ts";
import type { Log } from "../../ports/log.ts";
import type { Step } from "../../ports/step.ts";
import { checkComment } from "../../report/check-comment.ts";
import { abortableTools } from "../run/abortable-tools.ts";
import type { PhaseTools } from "../run/create-phase-runner.ts";
import { failureResult } from "../run/failure-result.ts";
import { resultOfWork } from "../run/result-of-work.ts";
import type { RunTools } from "../run/run-tools.ts";
import { writeCode } from "../strategy/write-code.ts";
import { diagnose } from "./diagnose.ts";
import { failingWords } from "./failing-words.ts";
import { planRepair } from "./plan-repair.ts";
import { postCheckComment } from "./post-check-comment.ts";
import { publishRepair } from "./publish-repair.ts";
import { readSituation } from "./read-situation.ts";
import type { FailingChecks } from "./situation.ts";
import { tellRepair } from "./tell-repair.ts";

/**
 * Repairs what makes the checks of the bot's pull request fail, in one commit: read the situation, read the failures,
 * plan (the Manager), code (Algorithm 3), publish. Each is a checkpointed step. When nothing is to be done the run ends
 * without a call to the model. Never throws: an unexpected end is a result of kind `failed`, told on the pull request.
 */
export async function repairChecks(
  request: RunRequest,
  open: () => Promise<RunTools>,
  step: Step,
  log: Log,
): Promise<RunResult> {
  const head = request.work.kind === "repair" ? request.work.head : "";
  let phase: PhaseName = "plan";
  let failing: FailingChecks | undefined;
  const write = <T>(name: string, body: (tools: RunTools) => Promise<T>) =>
    step(name, async ({ signal }) => body(abortableTools(await open(), signal)));
  const work = <T>(name: string, body: (tools: PhaseTools) => Promise<T>) =>
    step(name, async ({ signal }) => {
      const tools = await open();
      signal.addEventListener("abort", () => tools.close(), { once: true });
      const repository = await tools.openRepository(head, signal);
      return body({ ...abortableTools(tools, signal), repository, prompts: tools.openPrompts(signal) });
    });

  try {
    const situation = await write("read", (tools) => readSituation(tools, request.issue, head));
    if ("nothing" in situation) return { kind: "nothing-to-change", reason: situation.nothing };
    const found = situation.failing;
    failing = found;
    const { failures, issue } = await work("diagnose", (tools) => diagnose({ ...tools, failing: found }));

    const planned = await work("plan", (tools) => planRepair({ ...tools, request, failing: found, failures, issue }));
    const { plan, reason } = planned;
    if (plan.tasks.length === 0) return await notRepaired(found, reason);

    phase = "code";
    const coded = await work("code", (tools) => writeCode({ ...tools, tracker: SILENT, issue, plan }));
    const early = resultOfWork(coded);
    if (early?.kind === "budget-reached") return await end(early);
    if (early && "reason" in early) return await notRepaired(found, early.reason);

    phase = "publish";
    const published = await work("publish", (tools) =>
      publishRepair({ ...tools, request, failing: found, planned, work: coded }),
    );
    if (!published) return { kind: "nothing-to-change", reason: "The pull request was closed or has gone on." };
    return await end({ kind: "published", ...published });
  } catch (error) {
    return await end(failureResult(error, phase, log));
  }

  async function notRepaired(found: FailingChecks, reason: string): Promise<RunResult> {
    await write("tell", async ({ host, tracker, log }) => {
      const body = checkComment.notRepaired(failingWords(found), reason, tracker.state().spend);
      await postCheckComment({ host, pullRequest: request.issue, marker: markers.checked(head), body, log });
    });
    return end({ kind: "nothing-to-change", reason });
  }

  async function end(result: RunResult): Promise<RunResult> {
    await write("end", async (tools) => {
      await tools.tracker.end(result);
      if (failing) await tellRepair({ request, failing, result }, tools);
    }).catch((error: unknown) =>
      log.error({ error, result: result.kind }, "the end of the repair could not be told on the pull request"),
    );
    return result;
  }
}

/** The comment on the pull request is written when all is done: there is nothing to keep true meanwhile. */
const silent = async () => undefined;
const SILENT = { task: silent, addTasks: silent, detail: silent };
