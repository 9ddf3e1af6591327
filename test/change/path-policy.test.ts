import { describe, expect, it } from "@jest/globals";
import { createPathGuard } from "../../src/change/path-guard.ts";
import { createPathPolicy } from "../../src/change/path-policy.ts";
import type { TreeEntry } from "../../src/git/repository.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";
import { fc } from "../seeded.ts";

const policy = (globs: Partial<Parameters<typeof createPathPolicy>[0]> = {}) => createPathPolicy(globs);

const part = fc.stringMatching(/^[a-zA-Z0-9_-][a-zA-Z0-9_.-]{0,6}[a-z]$/);
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));

describe("createPathPolicy", () => {
  it("compares globs and paths in one normal form of Unicode", () => {
    for (const [glob, file] of [
      ["docs/caf\u00e9/**", "docs/cafe\u0301/a.md"],
      ["docs/cafe\u0301/**", "docs/caf\u00e9/a.md"],
    ] as const) {
      expect(policy({ protect: [glob] }).protectedBy(file)).toBeDefined();
      expect(policy({ ignore: [glob] }).ignored(file)).toBe(true);
      expect(policy({ only: [glob] }).outside(file)).toBe(false);
    }
  });

  it.each([
    [".github/workflows/ci.yml", "/.github/workflows/**"],
    [".GitHub/Workflows/CI.yml", "/.github/workflows/**"],
    ["CODEOWNERS", "CODEOWNERS"],
    [".github/CODEOWNERS", "CODEOWNERS"],
    ["LICENSE", "/LICENSE*"],
    ["COPYING.LESSER", "/COPYING*"],
    ["packages/a/LICENSE.md", "LICENSE.md"],
    [".github/magis.yml", "/.github/magis.yml"],
    ["AGENTS.md", "AGENTS.md"],
    ["./.github/workflows/ci.yml", "/.github/workflows/**"],
    ["src/../.github//workflows/ci.yml", "/.github/workflows/**"],
    ["../.github/workflows/ci.yml", "/.github/workflows/**"],
    ["/AGENTS.md", "AGENTS.md"],
    ["src/license-check.ts", undefined],
    ["examples/.github/workflows/ci.yml", undefined],
    ["", undefined],
    [".", undefined],
  ])("%j is protected by %j", (file, glob) => {
    expect(policy().protectedBy(file)).toBe(glob);
  });

  it("lets a request's globs narrow those of `only`, never widen them", () => {
    const both = policy({ only: ["src"], alsoOnly: ["**/*.ts", "docs"] });
    expect(["src/a.ts", "src/a.md", "docs/a.md", "b.ts"].filter((path) => !both.outside(path))).toEqual(["src/a.ts"]);
    const asked = policy({ alsoOnly: ["docs"] });
    expect(["docs/a.md", "src/a.ts"].filter((path) => !asked.outside(path))).toEqual(["docs/a.md"]);
  });

  it("lets `unprotect` lift built-in protection only, except for the bot's own configuration", () => {
    const { protectedBy } = policy({ protect: ["/docs/legal/"], unprotect: ["LICENSE", "/docs/", "**", "*"] });
    expect(protectedBy("LICENSE")).toBeUndefined();
    expect(protectedBy(".github/workflows/ci.yml")).toBeUndefined();
    expect(protectedBy("docs/legal/terms.md")).toBe("/docs/legal/");
    expect(protectedBy(".github/magis.yml")).toBe("/.github/magis.yml");
    const one = policy({ unprotect: ["/.github/workflows/docs.yml"] }).protectedBy;
    expect(one(".github/workflows/docs.yml")).toBeUndefined();
    expect(one(".github/workflows/ci.yml")).toBe("/.github/workflows/**");
  });

  it("matches the repository's own globs by letter case", () => {
    const { ignored, protectedBy } = policy({ ignore: ["Gen"], protect: ["Secret"] });
    expect([ignored("a/Gen/x"), ignored("a/gen/x")]).toEqual([true, false]);
    expect([protectedBy("Secret"), protectedBy("secret")]).toEqual(["Secret", undefined]);
  });

  it("matches a bare name at any depth, a rooted one only at the root, and a folder with everything below it", () => {
    fc.assert(
      fc.property(path, path, part, (above, below, name) => {
        const bare = policy({ ignore: [name] });
        const rooted = policy({ ignore: [`/${name}/`] });
        expect(bare.ignored(name) && bare.ignored(`${above}/${name}`)).toBe(true);
        expect(bare.ignored(`${above}/${name}/${below}`) && rooted.ignored(`${name}/${below}`)).toBe(true);
        expect(rooted.ignored(name)).toBe(false);
        expect(rooted.ignored(`${above}/${name}`)).toBe(`${above}/`.startsWith(`${name}/`));
      }),
    );
  });

  it("lets one star match no slash, and two match any number", () => {
    fc.assert(
      fc.property(path, part, part, (middle, top, name) => {
        const { ignored } = policy({ ignore: [`/${top}/*/${name}.x1`] });
        expect(ignored(`${top}/${middle}/${name}.x1`)).toBe(!middle.includes("/"));
        expect(policy({ ignore: [`/${top}/**/${name}.x1`] }).ignored(`${top}/${middle}/${name}.x1`)).toBe(true);
      }),
    );
  });

  it("does not depend on the order of globs or the spelling of a path", () => {
    const glob = fc.constantFrom("*.js", "/a/", "b", "**/c/*", "a/**/d", "[a-c]?", "LICENSE");
    fc.assert(
      fc.property(fc.array(glob, { maxLength: 5 }), path, (globs, file) => {
        const forth = policy({ ignore: globs, protect: globs });
        const back = policy({ ignore: globs.toReversed(), protect: globs.toReversed() });
        for (const written of [file, `./${file}`, `x/../${file}`, file.replaceAll("/", "//")]) {
          expect(forth.ignored(written)).toBe(back.ignored(file));
          expect(forth.protectedBy(written) === undefined).toBe(back.protectedBy(file) === undefined);
        }
      }),
    );
  });

  it("returns a glob that protects the path by itself", () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 3 }), path, (protect, file) => {
        const glob = policy({ protect }).protectedBy(file);
        if (glob !== undefined && protect.includes(glob)) expect(policy({ ignore: [glob] }).ignored(file)).toBe(true);
        else expect(protect.some((one) => policy({ ignore: [one] }).ignored(file))).toBe(false);
      }),
    );
  });
});

describe("the name of a new file", () => {
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
