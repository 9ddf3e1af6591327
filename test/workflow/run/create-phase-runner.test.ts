import { describe, expect, it } from "@jest/globals";
import { createPhaseRunner } from "../../../src/workflow/run/phase-runner.ts";
import type { RunTools } from "../../../src/workflow/run/run-tools.ts";
import { openWorkshop } from "../open-workshop.ts";

async function openRunner() {
  const shop = await openWorkshop({ files: { "a.txt": "a\n" } });
  const { signal } = new AbortController();
  const given: unknown[] = [];
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
  } as unknown as RunTools;
  const runner = createPhaseRunner(
    async () => tools,
    (_name, body) => body({ signal }),
  );
  const statuses = () => tools.tracker.state().phases.map(({ status }) => status);
  return { ...shop, runner, given, signal, statuses };
}

describe("createPhaseRunner", () => {
  it("hands the phase the base commit and the model, both under the step's signal", async () => {
    const { runner, given, signal, base, tools, prompts, statuses } = await openRunner();
    const output = await runner.run("plan", base, async (phase) => {
      expect(phase.repository).toBe(tools.repository);
      expect(phase.prompts).toBe(prompts);
      expect(statuses()[1]).toBe("working");
      return 42;
    });
    expect(output).toBe(42);
    expect(given).toEqual([base.commit, signal, signal]);
    expect(statuses()[1]).toBe("done");
    expect(runner.current()).toBe("plan");
  });

  it("a phase that fails is not done, and is the current one", async () => {
    const { runner, base, statuses } = await openRunner();
    expect(runner.current()).toBe("locate");
    await expect(runner.run("code", base, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(statuses()[2]).toBe("working");
    expect(runner.current()).toBe("code");
  });
});
