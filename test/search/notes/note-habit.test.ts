import { describe, expect, it } from "@jest/globals";
import { type FileHabit, noteHabit } from "../../../src/search/notes/note-habit.ts";
import { makeName, readName } from "../../../src/search/notes/note-names.ts";
import { isChangelog, isNotePath } from "../../../src/search/notes/note-paths.ts";

/** The path of a note of the change `at`: `7777` and `slug` differ from note to note, `pull` is its pull request. */
const noteOf = (path: string, at: number) =>
  path
    .replace("7777", `${4100 + at}`)
    .replace("slug", `fix-${"abcdefghij"[at]}`)
    .replace("pull", `${900 + at}`);

/** Ten changes that landed, the newest first, each with one of the notes. */
const landed = (notes: readonly string[], titles: (at: number) => string = (at) => `Keep the limit (#${900 + at})`) =>
  Array.from({ length: 10 }, (_, at) => ({
    message: titles(at),
    paths: ["src/limit.ts", noteOf(notes[at % notes.length] ?? "", at)],
  }));

const PARTS = {
  type: "bugfix",
  slug: "keep-the-limit",
  number: "42",
  date: new Date("2026-11-23T12:40:05Z"),
  digest: "0123456789abcdef".repeat(2),
  again: 0,
};

describe("the habit of a note beside each change", () => {
  it.each<[string, readonly string[], string, string]>([
    ["synapse", ["changelog.d/pull.bugfix", "changelog.d/pull.misc"], "number.type", "changelog.d/42.bugfix"],
    ["attrs", ["changelog.d/pull.change.md"], "number.type", "changelog.d/42.bugfix.md"],
    ["astropy", ["docs/changes/units/pull.bugfix.rst"], "number.type", "docs/changes/units/42.bugfix.rst"],
    ["aiohttp", ["CHANGES/pull.bugfix.rst"], "number.type", "CHANGES/42.bugfix.rst"],
    ["tox", ["docs/changelog/pull.bugfix.rst"], "number.type", "docs/changelog/42.bugfix.rst"],
    [
      "numpy",
      ["doc/release/upcoming_changes/pull.improvement.rst"],
      "number.type",
      "doc/release/upcoming_changes/42.bugfix.rst",
    ],
    ["pytest", ["changelog/7777.bugfix.rst"], "number.type", "changelog/42.bugfix.rst"],
    ["pip", ["news/7777.bugfix.rst", "news/7777.feature.rst"], "number.type", "news/42.bugfix.rst"],
    ["setuptools", ["newsfragments/7777.doc.rst"], "number.type", "newsfragments/42.bugfix.rst"],
    ["trio", ["newsfragments/7777.bugfix.rst"], "number.type", "newsfragments/42.bugfix.rst"],
    [
      "twisted",
      ["src/twisted/newsfragments/7777.bugfix", "src/twisted/newsfragments/7777.misc"],
      "number.type",
      "src/twisted/newsfragments/42.bugfix",
    ],
    ["pylint", ["doc/whatsnew/fragments/7777.false_positive"], "number.type", "doc/whatsnew/fragments/42.bugfix"],
    ["a name without a number", ["news/+slug.bugfix.rst"], "+slug.type", "news/+keep-the-limit.bugfix.rst"],
    [
      "sqlalchemy",
      ["doc/build/changelog/unreleased_20/7777.rst"],
      "number",
      "doc/build/changelog/unreleased_20/42.rst",
    ],
    ["prettier", ["changelog_unreleased/css/pull.md"], "number", "changelog_unreleased/css/42.md"],
    ["consul", [".changelog/pull.txt"], "number", ".changelog/42.txt"],
    ["changesets", [".changeset/slug.md"], "slug", ".changeset/keep-the-limit.md"],
    ["a package's changesets", ["js/.changeset/slug.md"], "slug", "js/.changeset/keep-the-limit.md"],
    [
      "qiskit",
      ["releasenotes/notes/slug-7a410466a3a066c2.yaml"],
      "slug-hex",
      "releasenotes/notes/keep-the-limit-0123456789abcdef.yaml",
    ],
    [
      "community.general",
      ["changelogs/fragments/pull-fix-it.yml"],
      "number-slug",
      "changelogs/fragments/42-keep-the-limit.yml",
    ],
    ["ansible", ["changelogs/fragments/slug.yml"], "slug", "changelogs/fragments/keep-the-limit.yml"],
    ["the collector", [".chloggen/slug.yaml"], "slug", ".chloggen/keep-the-limit.yaml"],
    [
      "changie",
      [".changes/unreleased/Fixed-20267777-113542.yaml"],
      "type-time",
      ".changes/unreleased/bugfix-20261123-124005.yaml",
    ],
    [
      "elastic-agent",
      ["changelog/fragments/1786147777-slug.yaml"],
      "seconds-slug",
      "changelog/fragments/1795437605-keep-the-limit.yaml",
    ],
    [
      "beachball",
      ["change/beachball-0e767777-96ee-4b39-a442-3f99d5efb270.json"],
      "uuid",
      "change/beachball-01234567-89ab-4def-8123-456789abcdef.json",
    ],
    [
      "rush",
      ["common/changes/@rushstack/heft/slug_2026-08-19-22-58-08.json"],
      "slug_time",
      "common/changes/@rushstack/heft/keep-the-limit_2026-11-23-12-40.json",
    ],
    ["matplotlib", ["doc/api/next_api_changes/behavior/pull-AB.rst"], "number-slug", ""],
    ["airflow", ["airflow-core/newsfragments/pull.significant.rst"], "number.type", ""],
    [
      "cpython",
      ["Misc/NEWS.d/next/Library/2026-08-01-10-00-00.gh-issue-7777.aBcDeF.rst"],
      "time.number.letters",
      "Misc/NEWS.d/next/Library/2026-11-23-12-40-05.gh-issue-42.012345.rst",
    ],
  ])("is known from the past of %s", (_name, notes, form, made) => {
    const habit = noteHabit(landed(notes)) as FileHabit;
    expect(habit).toMatchObject({ kind: "file", changes: 10, noted: 10 });
    expect(habit.form).toBe(form);
    const example = habit.paths[0] ?? "";
    if (made !== "") expect(`${habit.folders[0]}/${makeName(habit.form, example, PARTS)}`).toBe(made);
  });

  it.each<[string, readonly string[]]>([
    ["CHANGELOG.md", ["CHANGELOG.md"]],
    ["CHANGES.rst", ["CHANGES.rst"]],
    ["NEWS", ["NEWS"]],
    ["a page that lists the changes", ["docs/changelog.md"]],
    ["a page of the next release, changed again and again", ["doc/whats_new/next.rst"]],
  ])("is an entry in %s", (_name, paths) => {
    expect(noteHabit(landed(paths))).toMatchObject({ kind: "entry", paths, noted: 10 });
  });

  it.each<[string, number, number, boolean]>([
    ["two fifths of the changes to the code have a note", 40, 60, true],
    ["fewer have one", 39, 61, false],
    ["there are hardly any changes", 7, 0, false],
  ])("is counted: %s", (_name, noted, others, expected) => {
    const changes = [
      ...Array.from({ length: noted }, (_, at) => ({ message: "Fix", paths: ["src/a.ts", `news/${at}.bugfix.md`] })),
      ...Array.from({ length: others }, () => ({ message: "Fix", paths: ["src/a.ts"] })),
    ];
    expect(noteHabit(changes) !== undefined).toBe(expected);
  });

  it("does not count releases, updates by machines, and changes without code", () => {
    const quiet = [
      { message: "Release 2.0", paths: ["src/version.ts", "CHANGELOG.md"] },
      { message: "Bump left-pad from 1 to 2", paths: ["src/vendor.ts"] },
      { message: "Say it better", paths: ["README.md"] },
    ];
    const changes = [...landed(["news/pull.bugfix.md"]), ...Array.from({ length: 30 }, (_, at) => quiet[at % 3])];
    expect(noteHabit(changes.flatMap((one) => one ?? []))).toMatchObject({ changes: 10, noted: 10 });
  });
});

describe("paths of notes", () => {
  it.each([
    "changelog.d/README.md",
    ".changeset/config.json",
    ".changeset/README.md",
    "newsfragments/_template.rst.j2",
    ".chloggen/config.yaml",
    ".chloggen/TEMPLATE.yaml",
    "docs/news/index.md",
    "src/changes/list.ts",
    "test/fixtures/changelog/one.md",
    "CHANGELOG.md",
    "changelogs/v2.1.0.md",
    "releasenotes/source/conf.py",
    "README.md",
  ])("leave out %s", (path) => expect(isNotePath(path)).toBe(false));

  it.each(["CHANGELOG.md", "docs/CHANGES.rst", "NEWS", "History.md", "RELEASE_NOTES.txt"])("know %s", (path) => {
    expect(isChangelog(path)).toBe(true);
  });
});

describe("names of notes", () => {
  it("tell several notes on one issue apart", () => {
    const again = { ...PARTS, again: 1 };
    expect(makeName("number.type", "1.fix.rst", again)).toBe("42.bugfix.1.rst");
    expect(makeName("slug", "odd-cats.md", again)).toBe("keep-the-limit-2.md");
  });

  it("are read again as they were made", () => {
    for (const example of ["7.bugfix", "7.fix.md", "+a.fix.md", "a-b.yaml", "12-a.yml", "a-0123456789abcdef.yaml"]) {
      const form = readName(example)?.form ?? "";
      expect(readName(makeName(form, example, PARTS))?.form).toBe(form);
    }
  });
});
