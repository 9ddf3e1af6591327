import { describe, expect, it } from "@jest/globals";
import { settingsWorld } from "./settings-world.ts";

const FILE = ".github/magis.yml";

const WHOLE = `# all keys
_extends: acme/.github:magis/base.yml
label: bot
base-branch: release/2.x
draft: false
approval: required
models: {fast: big}
effort:
  fast: low
budget:
  money: 1.5
ignore: ["*.min.js", /vendor/]
protect: [/migrations/**]
unprotect: [/.github/workflows/docs.yml]
branch: magis/{issue}/{slug}
commit: "[#{issue}] {title}"
sign-off: true
allowed-bots: ["dependabot[bot]", house-bot]
ci-rounds: 0
language: Português (Brasil)
instructions: |
  Tests are in spec/.
  Run nothing.
`;

const BASE = `label: from-the-organisation
budget: {money: 2, tokens: 1000000}
effort: {fast: max, strong: medium}
protect: [/secrets/]
language: Deutsch
`;

describe("readSettings", () => {
  it("gives the operator's values and the defaults when there is no file, and when it is empty", async () => {
    const world = settingsWorld({});
    const settings = await world.settings();
    expect(settings).not.toHaveProperty("baseBranch");
    expect(settings).toMatchObject({
      label: "magis",
      draft: true,
      approval: "none",
      models: { fast: "small", strong: "big" },
      effort: { strong: "high" },
      budget: { money: 5, tokens: 3_000_000, minutes: 30 },
      ignore: [],
      protect: [],
      unprotect: [],
      branch: "magis/issue-{issue}-{slug}",
      commit: "{type}: {title}",
      signOff: false,
      allowedBots: ["renovate[bot]"],
      ciRounds: 3,
      language: "English",
      instructions: "",
    });
    expect(world.reads).toEqual([FILE, ".github/", "/"]);
    for (const text of ["", "# only a comment\n", "\ufeff", "---\n"]) {
      expect(await settingsWorld({ [FILE]: text }).settings()).toEqual(settings);
    }
  });

  it("lays the repository's file over the organisation's: mappings merge, lists replace", async () => {
    const world = settingsWorld({ [FILE]: WHOLE }, { "magis/base.yml": BASE });
    expect(await world.settings()).toMatchObject({
      label: "bot",
      baseBranch: "release/2.x",
      draft: false,
      approval: "required",
      models: { fast: "big", strong: "big" },
      effort: { fast: "low", strong: "medium" },
      budget: { money: 1.5, tokens: 1_000_000, minutes: 30 },
      ignore: ["*.min.js", "/vendor/"],
      protect: ["/migrations/**"],
      unprotect: ["/.github/workflows/docs.yml"],
      branch: "magis/{issue}/{slug}",
      commit: "[#{issue}] {title}",
      signOff: true,
      allowedBots: ["dependabot[bot]", "house-bot"],
      ciRounds: 0,
      language: "Português (Brasil)",
      instructions: "Tests are in spec/.\nRun nothing.\n",
    });
    expect(world.reads).toEqual([FILE, ".github:magis/base.yml"]);
  });

  it("uses the organisation's file only when _extends names it, in any form", async () => {
    const base = { [FILE]: BASE };
    expect((await settingsWorld({ [FILE]: "draft: false" }, base).settings()).label).toBe("magis");
    for (const name of [".github", "Acme/.github", "ACME/.github", ".github:.github/magis.yml"]) {
      const settings = await settingsWorld({ [FILE]: `_extends: ${name}` }, base).settings();
      expect([name, settings.label, settings.language]).toEqual([name, "from-the-organisation", "Deutsch"]);
      expect(settings.protect).toEqual(["/secrets/"]);
    }
  });

  it("takes the extended file's limit of a month for all of the owner's repositories together", async () => {
    const base = { [FILE]: "budget:\n  money: 2\n  month: 120\n" };
    const own = { [FILE]: "_extends: .github\nbudget:\n  month: 30\n" };
    const both = await settingsWorld(own, base).settings();
    expect(both).toMatchObject({ ownersMonth: 120, budget: { money: 2, month: 30 } });
    const inherited = await settingsWorld({ [FILE]: "_extends: .github\n" }, base).settings();
    expect(inherited.ownersMonth).toBe(120);
    expect(inherited.budget.month).toBeUndefined();
    expect((await settingsWorld({ [FILE]: "budget:\n  month: 30\n" }, base).settings()).ownersMonth).toBeUndefined();
  });

  it("allows an extended file more in a month than one repository, and no more than the operator does", async () => {
    const faults = async (own: number, base: number) =>
      (
        await settingsWorld(
          { [FILE]: `_extends: .github\nbudget:\n  month: ${own}\n` },
          { [FILE]: `budget:\n  month: ${base}\n` },
        ).faults()
      ).map(({ file }) => file);
    expect(await faults(50, 200)).toEqual([]);
    expect(await faults(51, 201)).toEqual([FILE, `Acme/.github:${FILE}`]);
  });

  it("names the faults of both files at once, each with its file and line", async () => {
    const own = "_extends: .github\nlable: x\nignore:\n  - ok\n  - '!no'\n";
    const faults = await settingsWorld({ [FILE]: own }, { [FILE]: "draft: false\nbudget:\n  money: 6\n" }).faults();
    expect(faults).toEqual([
      { file: FILE, line: 2, key: "lable", message: "`lable` is not a known key: did you mean `label`?" },
      { file: FILE, line: 5, key: "ignore[2]", message: expect.stringContaining("`ignore[2]` must be a glob") },
      {
        file: "Acme/.github:.github/magis.yml",
        line: 3,
        key: "",
        message: expect.stringContaining("not said outside of that repository"),
      },
    ]);
  });

  it("reports faults of _extends", async () => {
    const of = async (text: string, base: Record<string, string> = {}) =>
      (await settingsWorld({ [FILE]: `draft: true\n${text}` }, base).faults()).map(
        ({ file, line, key, message }) => `${file} ${line} ${key} ${message}`,
      );
    expect(await of("_extends: other/.github")).toEqual([
      expect.stringMatching(/^\S+ 2 _extends .*another owner.*Acme/),
    ]);
    expect(await of("_extends: .github")).toEqual([expect.stringMatching(/^\S+ 2 _extends .*is not there/)]);
    for (const name of [
      "secrets",
      "acme/secrets",
      ".github:../x.yml",
      ".github:/x.yml",
      ".github:x.json",
      "[.github]",
    ]) {
      expect(await of(`_extends: ${name}`)).toEqual([expect.stringMatching(/^\S+ 2 _extends .*must be `.github`/)]);
    }
    const twice = { [FILE]: "draft: true\n\n_extends: .github:deeper.yml\n" };
    expect(await of("_extends: .github", twice)).toEqual([
      expect.stringMatching(/^Acme\/.github:.github\/magis.yml 3 .*file that is extended/),
    ]);
  });

  it.each([
    "sesame: 1\nlabel: [sesame]\nignore: ['!sesame']\n",
    "label: 'sesame",
    "sesame: &a [*a, *b]\n",
    "sesame: 1\nsesame: 2\n",
    "models:\n  fast: sesame\n  strong: sesame-2\nbudget: {sesame: 1, money: 77777}\n",
    "instructions: |\n  sesame\n bad\n",
    `${"sesame"}: `.repeat(300),
    "_extends: sesame/.github\n",
    "- sesame\n",
    "!!sesame x\n",
    "language: sesame77777\n",
    "? [sesame]\n: sesame\n",
    "sesame\u0000",
  ])("reveals nothing of the other repository's file but line numbers: %j", async (base) => {
    const faults = await settingsWorld({ [FILE]: "_extends: .github\n" }, { [FILE]: base }).faults();
    expect(faults.length).toBeGreaterThan(0);
    expect(JSON.stringify(faults)).not.toMatch(/sesame|77777|ignore|budget|label|language|instructions/);
    expect(new Set(faults.map(({ file }) => file))).toEqual(new Set(["Acme/.github:.github/magis.yml"]));
  });

  it.each([
    [".github/magis.yaml", "draft: false", "rename this file"],
    [".github/Magis.YML", "draft: false", "rename this file"],
    [".GitHub/magis.yml", "draft: false", "rename this file"],
    [FILE, { unreadable: "is a folder" }, "It is a folder. Make it a plain file"],
    [`${FILE}/a.txt`, "", "It cannot be read. Make it a plain file"],
    [".github", "a link", "no folder"],
  ])("reports a file that is there and is not read: %s %j", async (path, found, words) => {
    const faults = await settingsWorld({ [path]: found }).faults();
    const file = path.startsWith(FILE) ? FILE : path;
    expect(faults).toEqual([{ file, line: 1, key: "", message: expect.stringContaining(words) }]);
  });

  it("reports an organisation's file that cannot be read", async () => {
    const faults = await settingsWorld(
      { [FILE]: "_extends: .github\n" },
      { [FILE]: { unreadable: "is a folder" } },
    ).faults();
    expect(faults).toMatchObject([{ file: FILE, key: "_extends", message: expect.stringContaining("is a folder") }]);
  });
});
