import { describe, expect, it } from "@jest/globals";
import { pastNotes } from "../../src/search/past-notes.ts";

type Paths = readonly string[];

/** Changes to the code, newest first, each with what `noteOf` names. */
const landed = (count: number, noteOf: (at: number) => Paths) =>
  Array.from({ length: count }, (_, at) => ({ paths: ["src/a.ts", ...noteOf(at)] }));

describe("the notes that changes to the code came with", () => {
  it.each<[what: string, folder: string, noteOf: (at: number) => string]>([
    ["changesets", ".changeset", (at) => `.changeset/calm-foxes-${at}.md`],
    ["news fragments without an extension", "src/app/newsfragments", (at) => `src/app/newsfragments/${at}.bugfix`],
    ["notes of one of several parts", "docs/changes", (at) => `docs/changes/part${at % 4}/${at}.bugfix.rst`],
    ["notes of one of several packages", "common/changes", (at) => `common/changes/p${at % 3}/fix_${at}.json`],
    ["YAML", "changelogs/fragments", (at) => `changelogs/fragments/${at}-fix.yml`],
    ["a folder of whatever name", "what/users/see", (at) => `what/users/see/${at}.md`],
  ])("are %s", (_what, folder, noteOf) => {
    const found = pastNotes(landed(20, (at) => (at % 2 === 0 ? [noteOf(at)] : [])));
    expect(found).toMatchObject({ kind: "file", folder, changes: 20, noted: 10 });
    expect(found?.paths.slice(0, 2)).toEqual([noteOf(0), noteOf(2)]);
  });

  it.each(["CHANGES.rst", "History.md", "packages/a/CHANGELOG.md"])("are entries in %s", (path) => {
    const found = pastNotes(landed(20, (at) => (at % 2 === 0 ? [path] : [])));
    expect(found).toMatchObject({ kind: "entry", paths: [path], changes: 20, noted: 10 });
  });

  it("are still known when a release took them away", () => {
    const notes = Array.from({ length: 10 }, (_, at) => `news/${at}.md`);
    expect(pastNotes([{ paths: notes }, ...landed(10, (at) => [`news/${at}.md`])])).toMatchObject({ folder: "news" });
  });

  it.each<[what: string, past: readonly { paths: Paths }[]]>([
    ["few changes have one", landed(20, (at) => (at % 3 === 0 ? [`news/${at}.md`] : []))],
    ["the past is short", landed(7, (at) => [`news/${at}.md`])],
    ["one text is changed again and again", landed(20, () => ["docs/guide.md"])],
    ["tests come with the code", landed(20, (at) => [`test/fixtures/${at}.json`, `test/${at}.test.ts`])],
    ["the notes came without code", Array.from({ length: 20 }, (_, at) => ({ paths: [`news/${at}.md`] }))],
  ])("are none where %s", (_what, past) => {
    expect(pastNotes(past)).toBeUndefined();
  });

  it("are read in little time from paths of very many folders", () => {
    const deep = (at: number) => Array.from({ length: 5 }, (_, one) => `news/${"a/".repeat(2_000)}${at}-${one}.md`);
    expect(pastNotes(landed(12, deep))?.folder).toBe(`news${"/a".repeat(10)}`);
  });
});
