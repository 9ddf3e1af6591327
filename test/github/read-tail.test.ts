import { describe, expect, it } from "@jest/globals";
import { readTail } from "../../src/github/actions.ts";

const stream = (chunks: readonly string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });

describe("readTail", () => {
  it("returns a short text whole", async () => {
    expect(await readTail(stream(["\ufeffone\n", "two"]), 100)).toBe("one\ntwo");
    expect(await readTail(stream(["x".repeat(50), "y".repeat(50)]), 100)).toHaveLength(100);
    expect(await readTail(null, 100)).toBe("");
  });

  it("keeps whole lines at the end, with a note, within the limit", async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `line ${index}\n`);
    const text = await readTail(stream(lines), 200);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(200);
    expect(Buffer.byteLength(text)).toBeGreaterThan(185);
    expect(text).toMatch(/^\[The first part of \d+ bytes was cut here\.\]\nline \d+\n/);
    expect(text.endsWith("line 999\n")).toBe(true);
  });

  it("never cuts a character, even in a text without line breaks", async () => {
    for (const most of [101, 102, 103, 104]) {
      const text = await readTail(stream(["ü".repeat(500), "€".repeat(500)]), most);
      expect(text).not.toContain("\ufffd");
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(most);
    }
  });
});
