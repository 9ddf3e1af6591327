import { describe, expect, it } from "@jest/globals";
import { cutParts } from "../../src/search/file-parts.ts";
import { rankFiles } from "../../src/search/rank-files.ts";
import { largeSource } from "../fakes/large-source.ts";
import { fc } from "../seeded.ts";
import { indexFiles } from "./index-files.ts";

const RESIZE = `static void array_buffer_resize(struct buffer *buffer, size_t length)
{
    if (buffer->detached)
        return;
    buffer->length = length;
}

`;

const SMALL = {
  "src/buffer.h": "struct buffer { int detached; unsigned long length; };\n",
  "src/print.c": 'void print_value(int value) { printf("%d", value); }\n',
  "src/main.c": "int main(void) { struct buffer buffer; print_value(1); return 0; }\n",
};

const ISSUE = { title: "Resizing a detached array buffer does nothing", body: "The length stays as it was." };

const rank = async (texts: Readonly<Record<string, string>>, issue: { title: string; body: string }) => {
  const { files } = await indexFiles(texts);
  return rankFiles({ files, issue, limit: 20 });
};

describe("a large file", () => {
  const text = largeSource(1_200_000, RESIZE);

  it("is found by one of its thousands of functions, and names the part that holds it", async () => {
    const [first] = await rank({ ...SMALL, "src/engine.c": text }, ISSUE);
    expect(first?.path).toBe("src/engine.c");
    const [best] = first?.best ?? [];
    expect(text.slice(best?.start, best?.end)).toContain("array_buffer_resize");
  });

  it("does not come first for many words scattered over it", async () => {
    const scattered = ["detached", "array", "buffer", "resize", "length", "nothing"];
    const spread = scattered.map((word) => `${largeSource(100_000)}/* ${word} */\n`).join("");
    const [first] = await rank({ ...SMALL, "src/engine.c": spread, "src/resize.c": RESIZE }, ISSUE);
    expect(first?.path).toBe("src/resize.c");
  });
});

describe("files of up to 512 KiB", () => {
  const words = fc.constantFrom("parse", "header", "fold", "line", "value", "array", "buffer");
  const text = fc.array(words, { minLength: 1, maxLength: 30 }).map((chosen) => chosen.join(" "));

  it("rank among themselves exactly as without parts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 8 }), text, async (texts, title) => {
        const { files } = await indexFiles(Object.fromEntries(texts.map((one, at) => [`src/f${at}.ts`, one])));
        const issue = { title, body: "" };
        const whole = files.map((file) => ({
          ...file,
          parts: [{ place: { start: 0, end: 1 }, tokens: file.tokens }],
        }));
        const asParts = rankFiles({ files: whole, issue, limit: 20 }).map(({ best: _, ...rest }) => rest);
        const plain = rankFiles({ files, issue, limit: 20 });
        expect(asParts).toEqual(plain);
        expect(plain.every(({ best }) => best === undefined)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe("cutParts", () => {
  it("looks for the end of a line in one part alone", () => {
    const bytes = new Uint8Array(8 * 2 ** 20).fill(97);
    let looked = 0;
    const counting = (some: Uint8Array): Uint8Array =>
      new Proxy(some, {
        get(_, name) {
          if (name === "subarray") return (from: number, to: number) => counting(some.subarray(from, to));
          if (name === "indexOf") looked += some.length;
          const value = Reflect.get(some, name, some);
          return typeof value === "function" ? value.bind(some) : value;
        },
      });
    expect([...cutParts(counting(bytes))]).toHaveLength(256);
    expect(looked).toBeLessThanOrEqual(bytes.length);
  });

  it("cuts any bytes into consecutive parts that are not empty", () => {
    const piece = fc.constantFrom("a", "\n", "\r\n", "  ", "\t}", "x".repeat(5_000), "é\n".repeat(2_000));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const bytes = Buffer.from(pieces.join(""));
        const ends = [...cutParts(bytes)];
        expect(ends.at(-1) ?? 0).toBe(bytes.length);
        ends.forEach((end, at) => {
          const length = end - (ends[at - 1] ?? 0);
          expect(length).toBeGreaterThan(0);
          expect(length).toBeLessThanOrEqual(32 * 1024);
        });
      }),
    );
  });
});
