import { describe, expect, it } from "@jest/globals";
import { asInTree } from "../../src/search/tree-spelling.ts";
import { fc } from "../seeded.ts";

const part = fc.stringMatching(/^[a-zäéñåｆ가ｱ]{1,6}$/u);
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
const form = fc.constantFrom("NFC" as const, "NFD" as const, "NFKC" as const, "NFKD" as const);

describe("a path in another normal form", () => {
  it("is found, whichever of the two is composed", () => {
    fc.assert(
      fc.property(path, form, form, (name, tree, given) => {
        const there = name.normalize(tree);
        expect(asInTree(name.normalize(given), ["a.ts", there, "z/ö.ts"])).toBe(there);
      }),
    );
  });

  it("keeps its new parts, below the folders that are there", () => {
    const tree = ["docs/U\u0308bersicht/a.md"];
    expect(asInTree("docs/\u00dcbersicht/n\u00e4chste.md", tree)).toBe("docs/U\u0308bersicht/n\u00e4chste.md");
  });

  it("stays what it is if the tree has it, or nothing like it", () => {
    const tree = ["caf\u00e9.txt", "cafe\u0301.txt"];
    for (const one of [...tree, "new.txt", "caf\u00e8.txt", "a/b.ts"]) expect(asInTree(one, tree)).toBe(one);
  });
});
