import { describe, expect, it } from "@jest/globals";
import { viewChangelog } from "../../../../../src/workflow/strategy/lean/view/changelog.ts";
import { openRepositoryView } from "../../../../../src/workflow/strategy/lean/view/repository-view.ts";
import { openWorkshop } from "../../../open-workshop.ts";

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
      "of what is not released the beginning and the end",
      `# Changes\n\n## Unreleased\n\n${entries(20, "new")}\n## 2.0\n\n${entries(30, "old")}`,
      ["new 0", "new 1", "new 19"],
      ["new 9", "old 3"],
    ],
    [
      "each part of it",
      `# Changes\n\n## [Unreleased]\n\n### Added\n\n${entries(20, "more")}\n### Fixed\n\n${entries(20, "mended")}\n## 2.0\n${entries(9, "old")}`,
      ["more 0", "more 19", "mended 0", "mended 19"],
      ["more 9", "mended 9", "old 3"],
    ],
    [
      "a version with a word below it that says that it is not released",
      `Version 8.5.0\n-------------\n\nUnreleased\n\n${entries(20, "new")}\nVersion 8.4.0\n-------------\n\n${entries(9, "old")}`,
      ["new 19"],
      ["old 3"],
    ],
    [
      "below releases without an entry the first that has any",
      `\n9.44  2026-05-05\n\n9.43  2026-05-04\n\n9.42  2026-05-03\n  - old 1\n  - old 2\n\n9.41\n  - older\n`,
      ["old 1", "old 2"],
      ["older"],
    ],
    [
      "short sections each for itself",
      `## Unreleased\n\n- new 0\n\n## 2.0\n\n- old 3\n\n## 1.9\n\n- old 4\n`,
      ["new 0"],
      ["old 3", "old 4"],
    ],
    [
      "no more of a released one whose entries speak of what comes next",
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
      "of a released one the first entries, however much stands before them",
      `# Changes\n\n## 2.0\n\n${"About this release.\n\n".repeat(6)}${entries(30, "old")}`,
      ["old 0", "old 1"],
      ["old 4"],
    ],
    [
      "of a released one the part for fixes, too",
      `## 2.0\n\n### Added\n\n${entries(20, "more")}\n### Fixed\n\n${entries(20, "mended")}\n## 1.9\n\n### Fixed\n\n- old 1\n`,
      ["more 0", "mended 0", "mended 1"],
      ["more 9", "mended 9", "old 1"],
    ],
    [
      "entries of the release below where nothing is written yet",
      `# Changes\n\n## Unreleased\n\n## 2.0\n\n${entries(30, "old")}\n## 1.9\n\n${entries(9, "older")}`,
      ["old 0", "old 1"],
      ["old 12", "older 0"],
    ],
    ["of a released one the beginning", `# Changes\n\n## 2.0\n\n${entries(30, "old")}`, ["old 1"], ["old 12"]],
  ])("shows %s", async (_name, text, shown, hidden) => {
    const content = (await viewing({ "CHANGES.md": text }))?.content ?? "";
    for (const line of shown) expect(content).toMatch(new RegExp(`- ${line}$`, "m"));
    for (const line of hidden) expect(content).not.toMatch(new RegExp(`- ${line}$`, "m"));
  });

  const files = {
    "CHANGES.md": `# Changes\n\n## Unreleased\n\n${entries(3, "new")}`,
    "changes/12.fix.md": "The newest entry.\n",
    "changes/11.fix.md": "An older entry.\n",
  };
  const fix = ["src/a.js", "test/a.test.js"];
  const fixes = (count: number, ...more: string[]) => Array.from({ length: count }, () => [...fix, ...more]);
  it.each<[string, readonly (readonly string[])[], string | null]>([
    ["the changelog where little is known", fixes(3), "CHANGES.md"],
    ["the changelog where changes have an entry in it", [...fixes(6), ...fixes(4, "CHANGES.md")], "CHANGES.md"],
    ["nothing where they have none", fixes(10), null],
    [
      "nothing where only releases change it",
      [...fixes(10), ...Array.from({ length: 30 }, () => ["CHANGES.md"])],
      null,
    ],
    [
      "the newest entry where each has a file of its own",
      fixes(10, "changes/10.md", "changes/12.fix.md"),
      "changes/12.fix.md",
    ],
    ["nothing where those are gone", fixes(10, "changes/10.md"), null],
  ])("shows %s", async (_name, commits, expected) => {
    expect((await viewing(files, commits))?.path ?? null).toBe(expected);
  });
});
