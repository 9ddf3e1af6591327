import { describe, expect, it } from "@jest/globals";
import { viewChangelog } from "../../../src/workflow/change/changelog.ts";
import { openRepositoryView } from "../../../src/workflow/strategy/lean/view/repository-view.ts";
import { openWorkshop } from "../open-workshop.ts";

type Files = Readonly<Record<string, string>>;

const entries = (count: number, word: string) => Array.from({ length: count }, (_, at) => `- ${word} ${at}\n`).join("");

async function viewing(files: Files, commits: readonly (readonly string[])[] = []) {
  const repositoryView = await openRepositoryView((await openWorkshop({ files })).tools);
  const history = commits.map((paths, at) => ({ commit: `${at}`, message: "a change", paths }));
  return viewChangelog(repositoryView, history);
}

describe("the changelog", () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    [
      "the beginning and the end of the unreleased part",
      `# Changes\n\n## Unreleased\n\n${entries(20, "new")}\n## 2.0\n\n${entries(30, "old")}`,
      ["new 0", "new 1", "new 19"],
      ["new 9", "old 3"],
    ],
    [
      "each section of the unreleased part",
      `# Changes\n\n## [Unreleased]\n\n### Added\n\n${entries(20, "more")}\n### Fixed\n\n${entries(20, "mended")}\n## 2.0\n${entries(9, "old")}`,
      ["more 0", "more 19", "mended 0", "mended 19"],
      ["more 9", "mended 9", "old 3"],
    ],
    [
      "a version that a line below calls unreleased",
      `Version 8.5.0\n-------------\n\nUnreleased\n\n${entries(20, "new")}\nVersion 8.4.0\n-------------\n\n${entries(9, "old")}`,
      ["new 19"],
      ["old 3"],
    ],
    [
      "the first release with an entry",
      `\n9.44  2026-05-05\n\n9.43  2026-05-04\n\n9.42  2026-05-03\n  - old 1\n  - old 2\n\n9.41\n  - older\n`,
      ["old 1", "old 2"],
      ["older"],
    ],
    [
      "each short section",
      `## Unreleased\n\n- new 0\n\n## 2.0\n\n- old 3\n\n## 1.9\n\n- old 4\n`,
      ["new 0"],
      ["old 3", "old 4"],
    ],
    [
      "no more of a release whose entries mention what comes next",
      `## 2.0\n\n- old 1\n- for the next main version\n${entries(20, "old")}\n## 1.9\n`,
      ["old 1"],
      ["old 9", "old 19"],
    ],
    ...[
      "=== master",
      "* main",
      "== Next",
      "HEAD (unreleased)",
      "## x.y.z",
      "## [x.y.z]",
      "# 5.x",
      "## v6.x (upcoming)",
    ].map((heading): [string, string, readonly string[], readonly string[]] => [
      `what stands below "${heading}"`,
      `${heading}\n\n${entries(20, "new")}\n=== 5.102.0 (2026-03-01)\n\n${entries(30, "old")}`,
      ["new 0", "new 1", "new 19"],
      ["new 9", "old 3"],
    ]),
    [
      "a release's first entries, however long its introduction",
      `# Changes\n\n## 2.0\n\n${"About this release.\n\n".repeat(6)}${entries(30, "old")}`,
      ["old 0", "old 1"],
      ["old 4"],
    ],
    [
      "a release's section of fixes too",
      `## 2.0\n\n### Added\n\n${entries(20, "more")}\n### Fixed\n\n${entries(20, "mended")}\n## 1.9\n\n### Fixed\n\n- old 1\n`,
      ["more 0", "mended 0", "mended 1"],
      ["more 9", "mended 9", "old 1"],
    ],
    [
      "the last release's entries when the unreleased part is empty",
      `# Changes\n\n## Unreleased\n\n## 2.0\n\n${entries(30, "old")}\n## 1.9\n\n${entries(9, "older")}`,
      ["old 0", "old 1"],
      ["old 12", "older 0"],
    ],
    ["the beginning of a release", `# Changes\n\n## 2.0\n\n${entries(30, "old")}`, ["old 1"], ["old 12"]],
  ])("shows %s", async (_name, text, shown, hidden) => {
    const content = (await viewing({ "CHANGES.md": text }))?.content ?? "";
    for (const line of shown) expect(content).toMatch(new RegExp(`- ${line}$`, "m"));
    for (const line of hidden) expect(content).not.toMatch(new RegExp(`- ${line}$`, "m"));
  });

  const files = {
    "CHANGES.md": `# Changes\n\n## Unreleased\n\n${entries(3, "new")}`,
  };
  const fix = ["src/a.js", "test/a.test.js"];
  const fixes = (count: number, ...more: string[]) => Array.from({ length: count }, () => [...fix, ...more]);
  it.each<[string, readonly (readonly string[])[], string | null]>([
    ["the changelog when there are few commits", fixes(3), "CHANGES.md"],
    ["the changelog when fixes add an entry to it", [...fixes(6), ...fixes(4, "CHANGES.md")], "CHANGES.md"],
    ["nothing when fixes add no entry", fixes(10), null],
    ["nothing when only releases change it", [...fixes(10), ...Array.from({ length: 30 }, () => ["CHANGES.md"])], null],
  ])("shows %s", async (_name, commits, expected) => {
    expect((await viewing(files, commits))?.path ?? null).toBe(expected);
  });
});
