import path from "node:path";
import { createRunStore } from "../src/app/in-memory.ts";
import { localCheck, openLocalRunner, QUIET } from "../src/app/local-runner.ts";
import { watchedStore } from "../src/app/run-watcher.ts";
import { MagisError } from "../src/data/error.ts";
import { createOpenLocalRepository } from "../src/git/open-local-repository.ts";
import type { CommandConfig } from "../src/settings/environment/config.ts";
import { chosenSettings } from "../src/settings/environment/operator.ts";
import { type Environment, gitEnvironment } from "../src/settings/environment/read-config.ts";
import { resolveLocally } from "../src/workflow/dry-run/dry-run.ts";
import { createDirectSolver } from "./evaluation/direct.ts";
import type { EvaluationMethod, SolveInstance, Solver } from "./evaluation/evaluating.ts";
import { type Instance, issueOfInstance } from "./evaluation/instances.ts";
import { createJudge } from "./evaluation/judge.ts";
import type { Mirror } from "./mirror.ts";

/** What the evaluation itself asks. */
const EVAL_PROMPTS = path.join(import.meta.dirname, "prompts");

/**
 * Solves and judges instances by the whole workflow of `magis resolve`, up to the patch, on the mirror's commit. Every
 * run has a store and an evolution memory of its own. Throws CONFIGURATION_INVALID, PROMPT_INVALID.
 */
export async function openEvalSolver(
  method: EvaluationMethod,
  { config, environment }: { config: CommandConfig; environment: Environment },
): Promise<Solver> {
  const judgeModel = typeof method.judge === "object" ? method.judge.name : undefined;
  if (judgeModel !== undefined && !Object.hasOwn(config.model.prices, judgeModel)) {
    const sentence = `--judge-model names ${judgeModel}, whose price is not known: add it to MAGIS_PRICES.`;
    throw new MagisError("CONFIGURATION_INVALID", sentence);
  }
  const openRepository = createOpenLocalRepository(gitEnvironment(environment), config.clone);
  if (method.locate === "paper" && config.agents.profile !== "paper") {
    throw new MagisError("CONFIGURATION_INVALID", "--locate paper needs the profile paper: --profile paper.");
  }
  const open = await openLocalRunner(config, { prompts: [EVAL_PROMPTS] });
  const withHints = !method.ablate.includes("hints");
  const solve: SolveInstance = async (instance, { mirror, candidates, ranked, memory, money, onSpend }, signal) => {
    let spent = 0;
    const watcher = {
      call: (call: { money: number }) => {
        spent += call.money;
        onSpend(spent);
      },
    };
    const [owner = "", name = ""] = instance.repository.split("/");
    const { result, patch, report, unchecked } = await resolveLocally(
      {
        id: instance.id,
        repository: { owner, name, installationId: 0 },
        name: instance.repository,
        issue: issueOfInstance(instance, withHints),
        source: { url: mirror.folder, commit: instance.baseCommit },
        requestedAt: new Date().toISOString(),
        through: "code",
        files: candidates,
        ranked,
        readBlob: (blob) => readBlob(mirror, blob),
        check: () => checkOf(instance, signal),
        chosen: {
          ...chosenSettings(config),
          ablate: method.ablate,
          budget: { ...config.budget, money },
        },
      },
      open({ openRepository, log: QUIET, watcher, memory }),
      signal,
    );
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { result, report, patch: text(patch), unchecked: unchecked && text(unchecked) };
  };
  const checkOf = (instance: Instance, signal: AbortSignal) => {
    const command = method.check ? (instance.check ?? config.check.command) : undefined;
    if (command === undefined) return undefined;
    return localCheck(command, { config, environment, signal });
  };
  const { model, prompts, parser } = open({ openRepository, log: QUIET });
  if (method.system === "direct") {
    const openStore = (onCall: (money: number) => void) =>
      watchedStore(createRunStore().store, { call: ({ money }) => onCall(money) });
    return { solve: createDirectSolver({ model, prompts, hints: withHints, openStore }), parser };
  }
  const judge = method.judge && createJudge({ model, prompts, judgeModel });
  return { solve, parser, judge };
}

/** A version that the evolution memory knows and the commit no longer holds. */
async function readBlob(mirror: Mirror, blob: string): Promise<Uint8Array | undefined> {
  let content: Uint8Array | undefined;
  await mirror
    .readBlobs([blob], (_, bytes) => {
      content = bytes;
    })
    .catch(() => undefined);
  return content;
}
