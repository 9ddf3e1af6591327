import { describe, expect, it } from "@jest/globals";
import { patchIn } from "../../eval/evaluation/direct.ts";

const PATCH = "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n";

describe("the patch in a model's answer", () => {
  it.each([
    ["between its marks", `Here:\n<patch>\n${PATCH}</patch>\nDone.`],
    ["without a closing mark", `<patch>\n${PATCH}`],
    ["in a fence", `Here:\n\`\`\`diff\n${PATCH}\`\`\`\nDone.`],
    ["in a fence between marks", `<patch>\n\`\`\`\n${PATCH}\`\`\`\n</patch>`],
    ["by itself", `Here it is.\n${PATCH}`],
    ["with Windows' line ends", PATCH.replaceAll("\n", "\r\n")],
    ["with miscounted lines", PATCH.replace("-1,2 +1,2", "-1 +1,9")],
  ])("is found %s", (_, answer) => {
    expect(patchIn(answer)).toBe(PATCH);
  });

  it("keeps several files and hunks, and corrects the counts of each", () => {
    const header = "diff --git a/b.py b/b.py\n";
    const second = "--- a/b.py\n+++ b/b.py\n@@ -3,9 +3,9 @@ def f():\n x\n\n-y\n@@ -20,1 +20,1 @@\n+z\n";
    expect(patchIn(`${PATCH}${header}${second}`)).toBe(
      `${PATCH}${header}--- a/b.py\n+++ b/b.py\n@@ -3,3 +3,2 @@ def f():\n x\n \n-y\n@@ -20,0 +20,1 @@\n+z\n`,
    );
  });

  it("is not found in prose alone", () => {
    expect(patchIn("I would change a.py.")).toBe("");
  });
});
