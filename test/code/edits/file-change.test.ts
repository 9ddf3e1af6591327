import { describe, expect, it } from "@jest/globals";
import { applyFileChange, fileChangeBetween } from "../../../src/code/edits/file-change.ts";
import { fc } from "../../seeded.ts";
import { versions } from "./versions.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text, "utf8"));

describe("file changes", () => {
  it("turn the old version into the new", () => {
    const maybe = fc.option(versions(), { nil: undefined });
    fc.assert(
      fc.property(maybe, fc.boolean(), fc.boolean(), (pair, bom, latin1) => {
        const head = bom ? "\uFEFF" : "";
        const encoded = (text: string) => Buffer.concat([bytes(head + text), latin1 ? Buffer.from([0xe9]) : bytes("")]);
        const [before, after] = pair === undefined ? [undefined, bytes("new\n")] : [encoded(pair[0]), encoded(pair[1])];
        const change = fileChangeBetween("a", before, after);
        const result = change === undefined ? before : applyFileChange(change, before);
        expect(Buffer.from(result ?? [])).toEqual(Buffer.from(after));
      }),
      { numRuns: 500 },
    );
  });

  it("decode the new version like the old one", () => {
    const before = new Uint8Array([0xe9, 0x0a, 0xc3, 0xa9, 0x0a]);
    const after = new Uint8Array([0x65, 0x0a, 0xc3, 0xa9, 0x0a]);
    const change = fileChangeBetween("a", before, after);
    expect(change).toEqual({ kind: "modify", path: "a", edits: [{ start: 1, end: 1, text: "e\n" }] });
    expect(change && applyFileChange(change, before)).toEqual(after);
  });

  it("say whether a file is created, deleted or unchanged", () => {
    expect(fileChangeBetween("a", undefined, bytes("x"))).toEqual({ kind: "create", path: "a", content: "x" });
    expect(fileChangeBetween("a", bytes("x"), undefined)).toEqual({ kind: "delete", path: "a" });
    expect(fileChangeBetween("a", bytes("x"), bytes("x"))).toBeUndefined();
    expect(applyFileChange({ kind: "delete", path: "a" }, bytes("x"))).toBeUndefined();
  });

  it("refuse to edit a missing, binary or shorter file", () => {
    const change = { kind: "modify", path: "a", edits: [{ start: 2, end: 2, text: "x" }] } as const;
    expect(() => applyFileChange(change, undefined)).toThrow(/does not exist/);
    expect(() => applyFileChange(change, new Uint8Array([0]))).toThrow(/is binary/);
    expect(() => applyFileChange(change, bytes(""))).toThrow(/file is empty/);
  });
});
