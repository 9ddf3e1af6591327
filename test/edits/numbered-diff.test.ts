import { describe, expect, it } from "@jest/globals";
import { unifiedDiff } from "../../src/edits/diff.ts";
import { numberedDiff } from "../../src/workflow/strategy/lean/review.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("numberedDiff", () => {
  it("numbers the lines of the new file, and not those that went away", () => {
    const diff = unifiedDiff("a.txt", bytes("one\ntwo\nthree\n"), bytes("one\n2\n2b\nthree\n"));
    expect(numberedDiff(diff)).toBe("    1   one\n      - two\n    2 + 2\n    3 + 2b\n    4   three");
  });

  it("keeps hunks apart, and says nothing of the missing last newline", () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
    const after = lines.map((line, at) => (at === 1 || at === 28 ? `${line}!` : line));
    const diff = unifiedDiff("a.txt", bytes(lines.join("\n")), bytes(after.join("\n")), { context: 1 });
    expect(numberedDiff(diff)).toBe(
      "    1   line 1\n      - line 2\n    2 + line 2!\n    3   line 3\n⋮\n   28   line 28\n      - line 29\n   29 + line 29!\n   30   line 30",
    );
  });

  it("shows a new file whole, a deleted one without numbers, nothing for no change", () => {
    expect(numberedDiff(unifiedDiff("a", undefined, bytes("x\n")))).toBe("    1 + x");
    expect(numberedDiff(unifiedDiff("a", bytes("x\n"), undefined))).toBe("      - x");
    expect(numberedDiff("")).toBe("");
  });
});
