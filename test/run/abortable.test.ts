import { describe, expect, it } from "@jest/globals";
import { isMagisError } from "../../src/data/error.ts";
import { abandonable, abortable } from "../../src/github/abortable.ts";

const isCancelled = (error: unknown) => isMagisError(error, "RUN_CANCELLED");

function open() {
  const abort = new AbortController();
  const calls: string[] = [];
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const api = {
    login: "magis[bot]",
    async read() {
      calls.push("read");
      await abandonable(held);
      return "read";
    },
    async write(text: string) {
      calls.push(`write ${text}`);
      await held;
      return text;
    },
    count: () => calls.length,
  };
  return { api: abortable(api, abort.signal, ["count"]), abort, calls, finish };
}

describe("abortable", () => {
  it("passes everything through until the signal aborts", async () => {
    const { api, finish } = open();
    finish();
    expect([api.login, await api.read(), await api.write("x"), api.count()]).toEqual(["magis[bot]", "read", "x", 2]);
  });

  it("begins nothing after that", async () => {
    const { api, abort, calls } = open();
    abort.abort();
    const errors = await Promise.all([api.read(), api.write("x")].map((work) => work.catch((error: unknown) => error)));
    expect(errors.map(isCancelled)).toEqual([true, true]);
    expect([calls, api.count()]).toEqual([[], 0]);
  });

  it("gives up what is only read, but waits for a running write", async () => {
    const { api, abort, finish } = open();
    const [read, write] = [api.read().catch((error: unknown) => error), api.write("x")];
    abort.abort();
    expect(isCancelled(await read)).toBe(true);
    finish();
    expect(await write).toBe("x");
  });
});
