import { describe, expect, it } from "@jest/globals";
import { whichMeant } from "../../../../src/agents/lean/view/same-name.ts";

const OWN = "src/store.js";
const OTHER = "lib/other.js";

describe("which of two declarations a file means", () => {
  it.each<[string, string, Readonly<Record<string, readonly string[]>>, string]>([
    ["declares it itself", OWN, { [OWN]: [OTHER] }, "own"],
    ["is the other declaration", OTHER, {}, "other"],
    ["imports the one", "app/a.js", { "app/a.js": [OWN] }, "own"],
    ["imports the other", "app/a.js", { "app/a.js": [OTHER] }, "other"],
    ["imports both", "app/a.js", { "app/a.js": [OWN, OTHER] }, "unclear"],
    ["imports neither", "app/a.js", {}, "unclear"],
    ["is only in the folder of the one", "src/a.js", {}, "unclear"],
    ["is only in the folder of the other", "lib/a.js", {}, "other"],
    ["imports the one from the folder of the other", "lib/a.js", { "lib/a.js": [OWN] }, "own"],
    ["imports the other from the folder of the one", "src/a.js", { "src/a.js": [OTHER] }, "other"],
    ["implements the one", OTHER, { [OTHER]: [OWN] }, "own"],
    ["is implemented by the one", OTHER, { [OWN]: [OTHER] }, "own"],
    ["imports an implementation of the one", "app/a.js", { "app/a.js": [OTHER], [OTHER]: [OWN] }, "unclear"],
    ["is in the folder of an implementation", "lib/a.js", { [OTHER]: [OWN] }, "unclear"],
  ])("a file that %s", (_, path, imported, meant) => {
    const imports = new Map(Object.entries(imported).map(([from, files]) => [from, new Set(files)]));
    const sameName = { own: new Set([OWN]), others: [OTHER], imports };
    expect(whichMeant([path], sameName).get(path)).toBe(meant);
  });
});
