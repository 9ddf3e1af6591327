import { describe, expect, it } from "@jest/globals";
import { fileMode } from "../../../src/code/edits/file-mode.ts";
import { numberLines, showFile } from "../../../src/code/edits/numbered.ts";
import { readText, writeText } from "../../../src/code/edits/text-file.ts";
import { whyNotText } from "../../../src/text/found-text.ts";
import { fc } from "../../seeded.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "utf8"));

describe("text files", () => {
  it("are written back byte for byte, whatever they hold", () => {
    const any = fc.uint8Array({ min: 1, maxLength: 60 });
    const pieces = fc.constantFrom("\n", "\r", "\r\n", "\u{feff}", "é", "a", "\xef\xbb\xbf");
    const mixed = fc.array(pieces, { maxLength: 12 }).map((all) => new TextEncoder().encode(all.join("")));
    const textBytes = fc.oneof(any, mixed).filter((one) => whyNotText(one) === undefined);
    fc.assert(
      fc.property(textBytes, (before) => {
        const file = readText(before);
        if (file === undefined) return false;
        return Buffer.compare(writeText(file), before) === 0 && file.lines.every((line) => line !== "");
      }),
      { numRuns: 2000 },
    );
  });

  it("are binary when they hold a NUL", () => {
    expect(readText(new Uint8Array([0x61, 0, 0x62]))).toBeUndefined();
  });

  it.each([
    ["in UTF-16", Buffer.from("\uFEFFa = 1\n", "utf16le")],
    ["in UTF-16, the larger byte first", Buffer.from("\uFEFFa = 1\n", "utf16le").swap16()],
    ["in UTF-16 without a zero byte", Buffer.from("\uFEFF\u6587\u6863", "utf16le")],
    ["in UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
  ])("are not read %s", (_, wide) => {
    expect(readText(wide)).toBeUndefined();
    expect(showFile("a.txt", wide).content).toContain("text in UTF-16, which is not edited");
  });

  it("report encoding, BOM and line ending", () => {
    expect(readText(bytes("\uFEFFa\r\nb\r\nc\n"))).toEqual({
      lines: ["a\r\n", "b\r\n", "c\n"],
      encoding: "utf8",
      eol: "\r\n",
      bom: true,
    });
    expect(readText(new Uint8Array([0xe9, 0x0a]))).toEqual({
      lines: ["é\n"],
      encoding: "latin1",
      eol: "\n",
      bom: false,
    });
    expect(readText(bytes(""))).toEqual({ lines: [], encoding: "utf8", eol: "\n", bom: false });
  });

  it("end lines at a lone carriage return only when there are no newlines", () => {
    expect(readText(bytes("a\rb\rc"))).toMatchObject({ lines: ["a\r", "b\r", "c"], eol: "\r" });
    expect(readText(bytes("a\rb\nc"))).toMatchObject({ lines: ["a\rb\n", "c"], eol: "\n" });
  });

  it("refuse a character that a one-byte file cannot hold", () => {
    const write = () => writeText({ lines: ["caf\u00e9 \u2013\n"], encoding: "latin1", eol: "\n", bom: false });
    const refused = { code: "ANSWER_INVALID", message: expect.stringMatching(/not encoded in UTF-8.*"–"/) };
    expect(write).toThrow(expect.objectContaining(refused));
  });

  it("show line numbers, and keep tabs", () => {
    expect(numberLines(["\ta\r\n", "b"], 9)).toBe("9|\ta\n10|b");
    expect(numberLines([])).toBe("");
  });
});

const ENTRIES = new Map([
  ["bin/run", { mode: "100755" }],
  ["lib/run", { mode: "100644" }],
  ["top", { mode: "100755" }],
]);

it.each([
  ["an old program", "bin/run", "x", "100755"],
  ["an old plain file", "lib/run", "#!/bin/sh", "100644"],
  ["a new program beside programs", "bin/new", "#!/bin/sh", "100755"],
  ["a new program in the root", "new", "#!/bin/sh", "100755"],
  ["a new file that is no program", "bin/new", "echo", "100644"],
  ["a new program beside plain files", "lib/new", "#!/bin/sh", "100644"],
  ["a new program below a folder of programs", "bin/more/new", "#!/bin/sh", "100644"],
])("gives the mode of %s", (_what, path, text, mode) => {
  expect(fileMode(path, Buffer.from(text), ENTRIES)).toBe(mode);
});
