import { describe, expect, it } from "@jest/globals";
import { abortable } from "../../../src/model/abortable.ts";
import { isMagisError } from "../../../src/model/magis-error.ts";

const isCancelled = (error: unknown) => isMagisError(error, "RUN_CANCELLED");

function open() {
  const abort = new AbortController();
  const calls: string[] = [];
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const desk = {
    login: "magis[bot]",
    async read() {
      calls.push("read");
      await held;
      return "read";
    },
    async write(text: string) {
      calls.push(`write ${text}`);
      await held;
      return text;
    },
    count: () => calls.length,
  };
  return { desk: abortable(desk, abort.signal, { reads: ["read"], immediate: ["count"] }), abort, calls, finish };
}

describe("abortable", () => {
  it("passes everything through until the signal aborts", async () => {
    const { desk, finish } = open();
    finish();
    expect([desk.login, await desk.read(), await desk.write("x"), desk.count()]).toEqual([
      "magis[bot]",
      "read",
      "x",
      2,
    ]);
  });

  it("begins nothing after that", async () => {
    const { desk, abort, calls } = open();
    abort.abort();
    const errors = await Promise.all(
      [desk.read(), desk.write("x")].map((work) => work.catch((error: unknown) => error)),
    );
    expect(errors.map(isCancelled)).toEqual([true, true]);
    expect([calls, desk.count()]).toEqual([[], 0]);
  });

  it("does not wait for a read that is under way, but for a write", async () => {
    const { desk, abort, finish } = open();
    const [read, write] = [desk.read().catch((error: unknown) => error), desk.write("x")];
    abort.abort();
    expect(isCancelled(await read)).toBe(true);
    finish();
    expect(await write).toBe("x");
  });
});
