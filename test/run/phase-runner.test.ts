import { getEventListeners } from "node:events";
import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import { passingSteps, type RunKind, runPhases } from "../../src/run/phase-runner.ts";
import type { RunContext } from "../../src/run/run-context.ts";
import { openWorkshop } from "../workflow/open-workshop.ts";

const NOTHING = { kind: "nothing-to-change", reason: "Nothing." } as const;

async function openRunner() {
  const shop = await openWorkshop({ files: { "a.txt": "a\n" } });
  const stop = new AbortController();
  const given: unknown[] = [];
  const steps: string[] = [];
  const tools = {
    ...shop.tools,
    openPrompts(one: AbortSignal) {
      given.push(one);
      return shop.prompts;
    },
    async openRepository(commit: string, one: AbortSignal) {
      given.push(commit, one);
      return shop.tools.repository;
    },
    lost: new AbortController().signal,
    close: () => given.push("closed"),
  } as unknown as RunContext;
  const pass = passingSteps(stop.signal);
  const run = (kind: RunKind) =>
    runPhases(kind, {
      open: async () => tools,
      log: tools.log,
      signal: stop.signal,
      step(name, body) {
        steps.push(name);
        return pass(name, body);
      },
    });
  const statuses = () => tools.tracker.state().phases.map(({ status }) => status);
  return { ...shop, tools, run, stop, given, steps, statuses };
}

describe("runPhases", () => {
  it("gives a phase the base commit and the model, both under the step's signal", async () => {
    const { run, given, stop, steps, base, tools, prompts, statuses } = await openRunner();
    const phases: RunKind["phases"] = async (runner) => {
      const output = await runner.phase("plan", base, async (phase) => {
        expect(phase.repository).toBe((tools as unknown as { repository: unknown }).repository);
        expect(phase.prompts).toBe(prompts);
        expect(statuses()[1]).toBe("working");
        return 42;
      });
      expect(output).toBe(42);
      expect(statuses()[1]).toBe("done");
      return NOTHING;
    };
    expect(await run({ phases })).toEqual(NOTHING);
    const [commit, signal, same] = given as [string, AbortSignal, AbortSignal];
    expect([commit, same === signal, signal.aborted]).toEqual([base.commit, true, false]);
    stop.abort();
    expect(signal.aborted).toBe(true);
    expect(steps).toEqual(["plan", "end"]);
    expect(tools.tracker.state().result).toEqual(NOTHING);
  });

  it("leaves no listener on the step's signal when a phase fails and runs again", async () => {
    const { run, base, stop } = await openRunner();
    const listeners: number[] = [];
    await run({
      async phases(runner) {
        for (let attempt = 0; attempt < 30; attempt += 1) {
          await runner
            .phase("plan", base, async () => {
              listeners.push(getEventListeners(stop.signal, "abort").length);
              throw new MagisError("HOST_UNREACHABLE", "GitHub could not be reached.");
            })
            .catch(() => undefined);
        }
        return NOTHING;
      },
    });
    expect(new Set(listeners)).toEqual(new Set([listeners[0]]));
  });

  it("waits out a long pause of the host between two attempts at a step, and no shorter one", async () => {
    const { base, tools } = await openRunner();
    const waited: number[] = [];
    const pauses = [600_000, 7_200_000, 61_000, 60_000];
    const place = {
      open: async () => tools,
      log: tools.log,
      step: passingSteps(new AbortController().signal),
      patience: { graceMs: 0, clock: () => 0 },
      wait: async (ms: number) => void waited.push(ms),
    };
    const result = await runPhases(
      {
        async phases(runner) {
          await runner.phase("plan", base, async () => {
            const retryAfterMs = pauses.shift();
            throw new MagisError("HOST_UNREACHABLE", "GitHub's rate limit.", { limited: true, retryAfterMs });
          });
          return NOTHING;
        },
      },
      place,
    );
    expect(waited).toEqual([600_000, 3_600_000, 61_000]);
    expect(result).toMatchObject({ kind: "failed", code: "HOST_UNREACHABLE" });
  });

  it("names a step differently from its phase on request", async () => {
    const { run, steps, base, statuses } = await openRunner();
    await run({
      async phases(runner) {
        await runner.phase("locate", base, async () => undefined, "diagnose");
        return NOTHING;
      },
    });
    expect(steps).toEqual(["diagnose", "end"]);
    expect(statuses()[0]).toBe("done");
  });

  it("writes nothing after an abort, closes its clone and records the cancel", async () => {
    const { run, stop, base, given, state, tools, lines } = await openRunner();
    const result = await run({
      phases: (runner) =>
        runner.phase("plan", base, async ({ host }) => {
          stop.abort();
          await host.createComment(7, "Too late.");
          return NOTHING;
        }),
    });
    expect(result).toEqual({ kind: "cancelled", by: "you", undone: [] });
    expect(tools.tracker.state().result).toEqual(result);
    expect(state.comments).toEqual([]);
    expect(given).toContain("closed");
    expect(lines).toEqual([]);
  });
});
