import { jest } from "@jest/globals";
import type { RunRequest } from "../../src/data/run-request.ts";
import type { RunSettings } from "../../src/data/settings.ts";
import type { HostIssue } from "../../src/github/code-host.ts";
import { openRun, type RunDependencies } from "../../src/run/open-run.ts";
import { runPhases } from "../../src/run/phase-runner.ts";
import type { Step } from "../../src/run/runs.ts";
import type { Verifier } from "../../src/run/verifier.ts";
import type { LocalCheck } from "../../src/workflow/dry-run/check-work.ts";
import { createRunHandlers } from "../../src/workflow/perform-run.ts";
import { resolveIssue } from "../../src/workflow/resolve-issue.ts";
import type { FakeFiles } from "../fakes/create-fake-host.ts";
import type { FakeScript } from "../fakes/create-fake-model.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { openWorkshop } from "./open-workshop.ts";

interface ResolvingOptions {
  issue?: Partial<HostIssue>;
  tokens?: number;
  settings?: Partial<RunSettings>;
  files?: FakeFiles;
  /** runs the checks; without it there are none */
  verifier?: Verifier;
  check?: LocalCheck;
  models?: RunDependencies["models"];
}

/** The handlers that the engine calls, without any time for a late write. */
export const handlersOn = (deps: RunDependencies) =>
  createRunHandlers({ ...deps, patience: { graceMs: 0, clock: () => performance.now() } });

/** A step that is done at once, and kept nowhere. */
export const atOnce: Step = (_name, body) => body({ signal: new AbortController().signal });

export const noWait = async () => undefined;

const FILES = { "a.txt": "discounts\ntwo\n" };

/** A whole run on fakes, with real metering, store and tracker; steps run at once. */
export async function resolving(
  script: FakeScript,
  { issue = {}, tokens = 1_000_000, settings = {}, files = FILES, verifier, check, models }: ResolvingOptions = {},
) {
  const shop = await openWorkshop({ files, issue, settings, script });
  const { store, asked, of, lines, keep } = shop;
  const clones: string[] = [];
  const steps: string[] = [];
  const deps: RunDependencies = {
    ...shop.deps,
    async openRepository({ commit }) {
      clones.push(commit);
      return shop.openRepository(commit);
    },
    verifierOf: verifier && (() => verifier),
    models,
    budget: { money: 10, tokens, minutes: 60 },
  };
  const step: Step = (name, body) => {
    steps.push(name);
    return atOnce(name, body);
  };
  /** `by` may keep the results of finished steps. */
  async function resolve(changes: Partial<RunRequest> = {}, by = step) {
    const request = sampleRequest(changes);
    const tools = await openRun(request, deps);
    const now = performance.now.bind(performance);
    let waited = 0;
    const clock = jest.spyOn(performance, "now").mockImplementation(() => now() + waited);
    const wait = async (ms: number) => {
      waited += ms;
    };
    const ways = { open: async () => tools, step: by, log: deps.log, wait };
    return runPhases(resolveIssue(request, check), ways).finally(() => clock.mockRestore());
  }
  return {
    ...shop,
    store,
    keep,
    deps,
    step,
    asked,
    of,
    lines,
    parts: shop.record,
    clones,
    steps,
    resolve,
    handlers: handlersOn(deps),
    comment: () => shop.state.comments[0]?.body ?? "",
    async spent() {
      const calls = await store.calls(sampleRequest().id);
      return { tokens: calls.reduce((sum, call) => sum + call.tokens, 0) };
    },
  };
}
