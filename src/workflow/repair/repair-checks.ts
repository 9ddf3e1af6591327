import { markers } from "../../model/marks.ts";
import type { RunRequest } from "../../model/run-request.ts";
import type { PhaseName, RunResult } from "../../model/run-state.ts";
import type { Log } from "../../ports/log.ts";
import type { Step } from "../../ports/step.ts";
import { checkComment } from "../../report/check-comment.ts";
import { tellFollowUp } from "../publish/follow-up.ts";
import { failureResult, resultOfWork } from "../run/ends.ts";
import { abortableTools, type PhaseTools } from "../run/phase-runner.ts";
import { findOrigin } from "../run/record.ts";
import type { RunTools } from "../run/run-tools.ts";
import { writeCode } from "../strategy/phases.ts";
import { diagnose } from "./diagnose.ts";
import { planRepair } from "./plan-repair.ts";
import { publishRepair } from "./publish-repair.ts";
import { type FailingChecks, failingWords, postCheckComment, readSituation } from "./read-situation.ts";

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

/** Puts the repair's line into the pull request's body and the tracking comment of the run that opened it. */
async function tellRepair(
  deps: { readonly request: RunRequest; readonly failing: FailingChecks; readonly result: RunResult },
  tools: Pick<RunTools, "host" | "earlierRun" | "tracker">,
): Promise<void> {
  const { request, failing, result } = deps;
  const { pull, ours } = failing;
  const { root, issue } = await findOrigin(request, pull, tools);
  const open = (await tools.host.listThreads(pull.number)).filter(({ resolved }) => !resolved).length;
  const names = ours.map(({ name }) => name).join(", ");
  const what = `${ours.length === 1 ? "Failing check" : "Failing checks"}: ${names}`;
  const { money } = tools.tracker.state().spend;
  const followUp = { run: request.id, what, outcome: outcomeOf(result, failing), open, money };
  await tellFollowUp({ tools, root, issue: issue.number, pullRequest: pull.number, followUp });
}

function outcomeOf(result: RunResult, { earlier }: FailingChecks): string {
  if (result.kind === "published") return `repair ${earlier.length + 1}, for the checks to judge`;
  if (result.kind === "nothing-to-change" || result.kind === "gave-up") return "not repaired, nothing was changed";
  return "had to stop; the pull request's comments say why";
}
