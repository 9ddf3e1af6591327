import { describe, expect, it } from "@jest/globals";
import { unifiedDiff } from "../../../src/code/edits/diff.ts";
import { numberedDiff } from "../../../src/code/edits/numbered.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("numberedDiff", () => {
  it("numbers the new file's lines, but not removed ones", () => {
    const diff = unifiedDiff("a.txt", bytes("one\ntwo\nthree\n"), bytes("one\n2\n2b\nthree\n"));
    expect(numberedDiff(diff)).toBe("1 one\n-two\n2+2\n3+2b\n4 three");
  });

  it("keeps hunks apart, and ignores a missing last newline", () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
    const after = lines.map((line, at) => (at === 1 || at === 28 ? `${line}!` : line));
    const diff = unifiedDiff("a.txt", bytes(lines.join("\n")), bytes(after.join("\n")), { context: 1 });
    expect(numberedDiff(diff)).toBe(
      "1 line 1\n-line 2\n2+line 2!\n3 line 3\n⋮\n28 line 28\n-line 29\n29+line 29!\n30 line 30",
    );
  });

  it("cuts long unchanged lines, and names what a hunk is in", () => {
    const before = `head\n${"x".repeat(300)}\nold\n${"y".repeat(300)}\n`;
    const after = before.replace("old", "z".repeat(300));
    const diff = unifiedDiff("a", bytes(before), bytes(after), { context: 1 });
    expect(numberedDiff(diff, (at) => (at === 3 ? { line: 1, text: "head" } : undefined))).toBe(
      `1 head\n⋮\n2 ${"x".repeat(200)}… [100 more characters]\n-old\n3+${"z".repeat(300)}\n4 ${"y".repeat(200)}… [100 more characters]`,
    );
  });

  it("shows a new file whole, a deleted one without numbers, nothing for no change", () => {
    expect(numberedDiff(unifiedDiff("a", undefined, bytes("x\n")))).toBe("1+x");
    expect(numberedDiff(unifiedDiff("a", bytes("x\n"), undefined))).toBe("-x");
    expect(numberedDiff("")).toBe("");
  });
});
