import { describe, expect, it } from "@jest/globals";
import { isNamedAfter } from "../../src/github/pulls-about.ts";

describe("a branch", () => {
  it.each([
    "fix-12",
    "ana/issue_12-rounding",
    "12-rounding",
    "issue12",
    "fix/gh-12",
    "feature/12",
    "fixes-#12",
    "bug-012",
  ])("called %s is named after issue 12", (branch) => expect(isNamedAfter(branch, 12)).toBe(true));

  it.each(["release-12", "v1.12", "fix-123", "fix-112", "12.4", "node-12", "bump-12-to-13", "main"])(
    "called %s is not",
    (branch) => expect(isNamedAfter(branch, 12)).toBe(false),
  );
});
