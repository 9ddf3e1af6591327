import type { Step } from "../../src/run/runs.ts";

/** Steps that run once and keep their results in `kept`, as the engine's do over a restart. */
export function keptSteps(): { step: Step; kept: Map<string, unknown> } {
  const kept = new Map<string, unknown>();
  return {
    kept,
    step: async (name, body) => {
      if (!kept.has(name)) kept.set(name, await body({ signal: new AbortController().signal }));
      return kept.get(name) as never;
    },
  };
}
