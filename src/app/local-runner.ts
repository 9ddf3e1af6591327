import path from "node:path";
import { createCommandVerifier } from "../checks/local/command-verifier.ts";
import { openSandbox, type Sandbox } from "../checks/local/sandbox.ts";
import { createSourceParser } from "../code/tree-sitter/source-parser.ts";
import { MagisError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import { OWN_FOLDER } from "../data/own-files.ts";
import type { OpenRepository, Repository } from "../git/repository.ts";
import type { LanguageModel, Uploads } from "../models/language-model.ts";
import { loadPrompts } from "../models/prompt-library.ts";
import type { EvolutionMemory } from "../run/evolution-memory.ts";
import type { RunStore } from "../run/runs.ts";
import type { Verifier } from "../run/verifier.ts";
import { TokenCache } from "../search/token-cache.ts";
import type { CommandConfig } from "../settings/environment/config.ts";
import { operatorLimits, operatorSettings } from "../settings/environment/operator.ts";
import { type Environment, gitEnvironment } from "../settings/environment/read-config.ts";
import type { LocalCheck } from "../workflow/dry-run/check-work.ts";
import type { LocalDependencies } from "../workflow/dry-run/job.ts";
import { createEvolutionMemory, createRunStore } from "./in-memory.ts";
import { openModel } from "./open-model.ts";
import { type RunWatcher, watchedModel, watchedStore } from "./run-watcher.ts";

const PROMPTS = path.join(OWN_FOLDER, "prompts");

const MEMORY_VERSIONS = 20_000;

/** The parts that each run has of its own. */
export interface OwnParts {
  openRepository: OpenRepository;
  log: Log;
  watcher?: RunWatcher;
  uploads?: Uploads;
  /** shared between runs; by default a memory that ends with the run */
  memory?: EvolutionMemory;
  /** holds what is kept of the run so far; by default empty */
  store?: RunStore;
}

/** For the model, because the run's record has everything that it would log. */
export const QUIET = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Opens what runs without app and database share: model, prompts and grammars. Gives the dependencies of
 * `resolveLocally` for one run, with a store and an evolution memory of its own, both in RAM. `prompts`: further folders
 * of them. Throws PROMPT_INVALID, and what `openModel` throws.
 */
export async function openLocalRunner(
  config: CommandConfig,
  { model: given, prompts: more = [] }: { model?: LanguageModel; prompts?: readonly string[] } = {},
): Promise<(own: OwnParts) => LocalDependencies> {
  const model = given ?? (await openModel(config.model, QUIET));
  const prompts = await loadPrompts(PROMPTS, ...more);
  const parser = createSourceParser();
  const shared = {
    model,
    prompts,
    parser,
    budget: config.budget,
    settings: operatorSettings(config),
    limits: operatorLimits(config),
  };
  return ({ watcher = {}, memory = createEvolutionMemory(MEMORY_VERSIONS), store: kept, ...own }) => {
    const cache = new TokenCache();
    const store = watchedStore(kept ?? createRunStore().store, watcher);
    const watched = watchedModel(model, watcher, (promptId) => prompts.prompts.get(promptId)?.role ?? promptId);
    return { ...shared, ...own, model: watched, memory, store, tokenCache: () => cache };
  };
}

/**
 * A check that runs `command` as configured, by one verifier, made when the repository is open. Throws
 * CONFIGURATION_INVALID where the sandbox does not work: nothing is to be paid for a run whose check cannot run.
 */
export function localCheck(
  command: string,
  deps: {
    config: Pick<CommandConfig, "agents" | "check">;
    environment: Environment;
    signal: AbortSignal;
    beside?: string | undefined;
    /** where to look for the sandbox's program; the system's folders by default */
    sandboxFolders?: readonly string[];
    /** by default the run goes on */
    unproven?: LocalCheck["unproven"];
    watch?: LocalCheck["watch"];
  },
): LocalCheck {
  const { config, environment, signal, beside, sandboxFolders, unproven = "go on", watch } = deps;
  const { sandbox, show, minutes, memoryMb } = config.check;
  const shared = {
    command,
    sandbox: sandbox === "off" ? undefined : workingSandbox(sandboxFolders),
    asked: show?.split(":").filter((place) => path.isAbsolute(place)) ?? [],
    limits: { minutes, memoryMb },
    environment: gitEnvironment(environment),
  };
  let verifier: Verifier | undefined;
  const open = (repository: Repository) => {
    verifier ??= createCommandVerifier({ ...shared, repository, beside });
    return verifier;
  };
  return { command, rounds: config.agents.ciRounds, signal, open, unproven, watch };
}

function workingSandbox(folders: readonly string[] | undefined): Sandbox {
  const found = openSandbox(folders);
  if (!("missing" in found)) return found;
  const message = `The check runs in a sandbox, and ${found.missing}. Install it (apt-get install bubblewrap) and allow it to make user namespaces, or set --check-sandbox off (MAGIS_CHECK_SANDBOX): the check can then read and do what you can.`;
  throw new MagisError("CONFIGURATION_INVALID", message);
}
