import { describe, expect, it } from "@jest/globals";
import { MagisError, type MagisErrorCode } from "../../src/data/error.ts";
import { retryTransient } from "../../src/queue/step.ts";

const POLICY = { attempts: 3, firstWait: 1, longestWait: 2 };

function failing(code: MagisErrorCode, times = Number.POSITIVE_INFINITY) {
  const state = { attempts: 0, waits: [] as number[] };
  const work = async () => {
    if (++state.attempts <= times) throw new MagisError(code, `attempt ${state.attempts}`);
    return "done";
  };
  const run = (signal = new AbortController().signal, policy = POLICY) =>
    retryTransient(work, policy, signal, (_error, waitMs) => state.waits.push(waitMs));
  return { state, run };
}

describe("retryTransient", () => {
  it.each(["HOST_UNREACHABLE", "GIT_UNREACHABLE", "GIT_TIMEOUT", "MODEL_UNAVAILABLE", "DATABASE_UNAVAILABLE"] as const)(
    "tries again after %s, with growing waits",
    async (code) => {
      const { state, run } = failing(code, 2);
      expect(await run()).toBe("done");
      expect(state).toEqual({ attempts: 3, waits: [1, 2] });
    },
  );

  it("throws the last error when all attempts are used", async () => {
    const { run } = failing("GIT_TIMEOUT");
    await expect(run()).rejects.toThrow("attempt 3");
  });

  it.each(["MODEL_REJECTED", "BUDGET_REACHED", "GIT_TOKEN_REFUSED", "RUN_CANCELLED"] as const)(
    "does not try again after %s",
    async (code) => {
      const { state, run } = failing(code);
      await expect(run()).rejects.toMatchObject({ code });
      expect(state.attempts).toBe(1);
    },
  );

  it("ends its wait when the signal aborts", async () => {
    const abort = new AbortController();
    const { state, run } = failing("HOST_UNREACHABLE");
    const ended = run(abort.signal, { attempts: 9, firstWait: 3_600_000, longestWait: 3_600_000 });
    setImmediate(() => abort.abort());
    await expect(ended).rejects.toThrow("attempt 1");
    expect(state.attempts).toBe(1);
  });
});
