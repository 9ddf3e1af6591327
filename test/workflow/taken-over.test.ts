import { expect, it } from "@jest/globals";
import { initialState } from "../../src/data/run-state.ts";
import type { CodeHost } from "../../src/github/code-host.ts";
import type { RunHandlers } from "../../src/workflow/perform-run.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { handlersOn, noWait, resolving } from "./resolving.ts";

const REQUEST = sampleRequest();
const ENDED = { ...initialState(), result: { kind: "failed", code: "X", message: "It failed." } } as const;
const NEWER = { ...initialState(), resumed: 7 };
const COMMIT = { id: "7".repeat(40), branch: "b", way: "pushed" };

type Work = (handlers: RunHandlers, run: Awaited<ReturnType<typeof resolving>>) => Promise<unknown>;

/**
 * Does work on a run, which another process takes over while the `nth` request to the host is under way that `counts`.
 * Gives what is kept afterwards; undefined when there were fewer requests.
 */
async function keptAfter(nth: number, counts: (verb: string) => boolean, work: Work) {
  const run = await resolving({});
  const { host, store, deps } = run;
  const ended = await store.openWriter(REQUEST.root);
  await ended.saveState(ENDED);
  await run.keep(REQUEST);
  let requests = 0;
  const watched = new Proxy(host, {
    get(own, key: keyof CodeHost) {
      const value: unknown = own[key];
      if (typeof value !== "function" || !counts(key)) return value;
      return async (...given: unknown[]) => {
        const answer: unknown = await (value as (...values: unknown[]) => unknown)(...given);
        requests += 1;
        if (requests !== nth) return answer;
        const { saveState, saveRecord } = await store.openWriter(REQUEST.root);
        await saveState(NEWER);
        await saveRecord("commit", COMMIT);
        return answer;
      };
    },
  });
  await work(handlersOn({ ...deps, openCodeHost: async () => watched }), run).catch(() => undefined);
  if (requests < nth) return undefined;
  return { state: await store.state(REQUEST.root), commit: (await store.record(REQUEST.root)).commit };
}

const isWrite = (verb: string) => /^(?:create|update|push|report)/.test(verb);

it.each<[string, (verb: string) => boolean, Work]>([
  ["that a run waits", () => true, (handlers) => handlers.waits(REQUEST, { ahead: 1 })],
  ["a whole run", isWrite, (handlers, { step }) => handlers.resolve(REQUEST, step, noWait, noWait)],
  ["that a run was cancelled", () => true, (handlers) => handlers.cancelled(REQUEST, "ana")],
  ["what a late end left behind", () => true, (handlers) => handlers.sweep(REQUEST)],
])("a process that reports %s keeps nothing over what another one has kept meanwhile", async (_what, counts, work) => {
  const takenOver = async (nth: number) => {
    const kept = await keptAfter(nth, counts, work);
    if (kept) expect(kept).toEqual({ state: NEWER, commit: COMMIT });
    return kept !== undefined;
  };
  expect(await takenOver(1)).toBe(true);
  for (let nth = 2; await takenOver(nth); nth++);
});
