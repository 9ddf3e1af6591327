import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { isBranchName } from "../../src/admission/admit-backport.ts";
import { runProgramNow } from "../world/git/run-program.ts";

function gitTakes(name: string): boolean {
  try {
    runProgramNow({ command: "git", args: ["check-ref-format", `refs/heads/${name}`], env: process.env, input: "" });
    return true;
  } catch {
    return false;
  }
}

describe("isBranchName", () => {
  it("takes only what git check-ref-format takes", () => {
    const piece = fc.constantFrom(
      ..."a/B.0-_@{}~^:?*[]\\ \t\u007f",
      "..",
      ".lock",
      "HEAD",
      "@{",
      "ü",
      "//",
      "$(x)",
      "`",
    );
    const names = fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(names, (name) => {
        if (isBranchName(name)) expect(gitTakes(name)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it.each(["release/4.2", "4.x", "stable-1_0", "feature/ü", "v1.0@lts"])("takes %s", (name) => {
    expect(isBranchName(name)).toBe(true);
  });

  it.each(["", "-x", "HEAD", "@", "a..b", "a/", "/a", "a//b", "a.lock", "a/.b", "a b", "x".repeat(201)])(
    "refuses %j",
    (name) => {
      expect(isBranchName(name)).toBe(false);
    },
  );
});
