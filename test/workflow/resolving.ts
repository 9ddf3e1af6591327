import type { RunRequest } from "../../src/model/run-request.ts";
import type { RunSettings } from "../../src/model/settings.ts";
import type { HostIssue } from "../../src/ports/code-host.ts";
import type { Step } from "../../src/ports/runs.ts";
import type { Verifier } from "../../src/ports/verifier.ts";
import { TokenCache } from "../../src/search/token-cache.ts";
import type { LocalCheck } from "../../src/workflow/dry-run/check-work.ts";
import { resolveIssue } from "../../src/workflow/resolve-issue.ts";
import { openRunTools, type RunDependencies } from "../../src/workflow/run/open-run.ts";
import { runPhases } from "../../src/workflow/run/phase-runner.ts";
import { createFakeHost, type FakeFiles } from "../fakes/create-fake-host.ts";
import { createFakeLog } from "../fakes/create-fake-log.ts";
import { createFakeMemory } from "../fakes/create-fake-memory.ts";
import type { FakeScript } from "../fakes/create-fake-model.ts";
import { createFakeStore } from "../fakes/create-fake-store.ts";
import { openPrompts } from "../fakes/open-prompts.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { sampleSettings } from "../fakes/sample-settings.ts";
import { sharedParser } from "../fakes/shared-parser.ts";

interface ResolvingOptions {
  readonly issue?: Partial<HostIssue>;
  readonly tokens?: number;
  readonly settings?: Partial<RunSettings>;
  readonly files?: FakeFiles;
  /** runs the checks; without it there are none */
  readonly verifier?: Verifier;
  readonly check?: LocalCheck;
  readonly models?: RunDependencies["models"];
}

const FILES = { "a.txt": "discounts\ntwo\n" };

/** A whole run on fakes, with real metering, store and tracker; steps run at once. */
export async function resolving(
  script: FakeScript,
  { issue = {}, tokens = 1_000_000, settings = {}, files = FILES, verifier, check, models }: ResolvingOptions = {},
) {
  const fakeHost = createFakeHost(files, { issue });
  const { log, lines } = createFakeLog();
  const { model, library, asked, of } = await openPrompts(script);
  const { store, parts, keep } = createFakeStore();
  const clones: string[] = [];
  const steps: string[] = [];
  const deps: RunDependencies = {
    openCodeHost: async () => fakeHost.host,
    async openRepository({ commit }) {
      clones.push(commit);
      return fakeHost.openRepository(commit);
    },
    verifierOf: verifier && (() => verifier),
    store,
    memory: createFakeMemory().memory,
    model,
    models,
    prompts: library,
    log,
    budget: { money: 10, tokens, minutes: 60 },
    settings: sampleSettings(settings),
    parser: sharedParser,
    tokenCache: () => new TokenCache(),
  };
  const step: Step = (name, body) => {
    steps.push(name);
    return body({ signal: new AbortController().signal });
  };
  /** `by` may keep the results of finished steps. */
  async function resolve(changes: Partial<RunRequest> = {}, by = step) {
    const request = sampleRequest(changes);
    const tools = await openRunTools(request, deps);
    return runPhases(resolveIssue(request, check), {
      open: async () => tools,
      step: by,
      log,
      wait: async () => undefined,
    });
  }
  return {
    ...fakeHost,
    store,
    keep,
    deps,
    step,
    asked,
    of,
    lines,
    parts,
    clones,
    steps,
    resolve,
    again: () => resolve(),
    comment: () => fakeHost.state.comments[0]?.body ?? "",
    async spent() {
      const calls = await store.calls(sampleRequest().id);
      return { tokens: calls.reduce((sum, call) => sum + call.tokens, 0) };
    },
  };
}
