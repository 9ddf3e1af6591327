import { describe, expect, it } from "@jest/globals";
import { createPathGuard } from "../../src/change/path-guard.ts";
import { createPathPolicy } from "../../src/change/path-policy.ts";
import type { TreeEntry } from "../../src/git/repository.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";
import { fc } from "../seeded.ts";

const policy = createPathPolicy({});

const guardOf = (paths: readonly string[]) => {
  const entries = paths.map((path): [string, TreeEntry] => [
    path,
    { path, blob: "0".repeat(40), mode: "100644", size: 1 },
  ]);
  return createPathGuard({ ...createFakeHost({}).openRepository(), entries: new Map(entries) }, policy);
};

const create = (path: string) => ({ path, action: "create" as const });

/** A file that is there, and new ones that some file system takes for it or its folder. */
const CLASHES: readonly (readonly [there: string, fresh: string])[] = [
  ["README.md", "readme.md"],
  ["src/Button.tsx", "SRC/other.tsx"],
  ["src/ui/a.ts", "src/UI/b.ts"],
  ["docs/guide", "Docs/guide/new.md"],
  ["docs/guide/a.md", "docs/Guide"],
  ["caf\u00e9.txt", "cafe\u0301.txt"],
  ["stra\u00dfe.txt", "STRASSE.txt"],
  ["\u03c3\u03b1\u03c2.txt", "\u03a3\u0391\u03a3.txt"],
  ["\u212a.txt", "k.txt"],
  ["\ufb01le.txt", "file.txt"],
];

describe("the name of a new file", () => {
  it.each(CLASHES)("is refused if %j is there: %j", async (there, fresh) => {
    const guard = await guardOf(["a.ts", there]);
    expect(guard(create(fresh))).toMatchObject({ isName: true, reason: expect.stringContaining("case or the form") });
  });

  it.each(CLASHES)("is refused if another new file is %j: %j", async (earlier, fresh) => {
    const guard = await guardOf(["a.ts"]);
    const both = [create(earlier), create(fresh)];
    expect(both.map((one) => guard(one, both)?.isName)).toEqual([undefined, true]);
  });

  it("may differ in case from a file that is deleted with it", async () => {
    const guard = await guardOf(["Readme.md"]);
    const both = [create("README.md"), { path: "Readme.md", action: "delete" as const }];
    expect(both.map((one) => guard(one, both))).toEqual([undefined, undefined]);
  });

  it("may go below a folder that is there in both spellings", async () => {
    const guard = await guardOf(["Docs/a.md", "docs/b.md"]);
    expect(["Docs/c.md", "docs/c.md"].map((path) => guard(create(path)))).toEqual([undefined, undefined]);
    expect(guard(create("DOCS/c.md"))?.isName).toBe(true);
  });

  it("never equals a name that is there, in letters of any case or form", async () => {
    const name = fc.stringMatching(/^[a-zA-ZäÄéßſσςΣıİåÅñ]{1,5}$/);
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    const change = fc.constantFrom<(text: string) => string>(
      (text) => text.toUpperCase(),
      (text) => text.toLowerCase(),
      (text) => text.normalize("NFD"),
      (text) => text.toUpperCase().normalize("NFD"),
    );
    await fc.assert(
      fc.asyncProperty(path, change, async (there, changed) => {
        expect((await guardOf([there]))(create(changed(there)))?.isName).toBe(true);
      }),
    );
  });

  it("is free where only its beginning or end is like another", async () => {
    const guard = await guardOf(["src/button.tsx", "src/ui/a.ts"]);
    for (const path of ["src/buttons.tsx", "button.tsx", "src/ui/A.tsx", "ui/a.ts"])
      expect(guard(create(path))).toBeUndefined();
  });
});
