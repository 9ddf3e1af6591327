import { describe, expect, it } from "@jest/globals";
import type { Work } from "../../../src/model/work.ts";
import type { PastCommit } from "../../../src/ports/repository.ts";
import { publishChange } from "../../../src/workflow/publish/publish-change.ts";
import { writeCode } from "../../../src/workflow/strategy/phases.ts";
import type { FakeFiles } from "../../fakes/create-fake-host.ts";
import type { FakeCall } from "../../fakes/create-fake-model.ts";
import { sampleTask } from "../../fakes/sample-task.ts";
import { openWorkshop } from "../open-workshop.ts";
import { planOf } from "../plan-of.ts";

const BRANCH = "refs/heads/magis/issue-7-discounts-are-cut-off-instead-of-rounded";

const WORK: Work = {
  outcomes: [
    {
      taskId: "t1",
      path: "src/a.js",
      status: "approved",
      qaEngineer: { title: "QA", description: "" },
      attempts: [],
      comments: [],
      summary: "Halves are rounded.",
    },
  ],
  changes: [{ kind: "modify", path: "src/a.js", edits: [{ start: 1, end: 1, text: "b();\n" }] }],
  patch: "",
};

/** Twelve changes that landed, each with one of the notes, or several with blanks between. */
const pastOf = (notes: readonly string[]): PastCommit[] =>
  Array.from({ length: 12 }, (_, at) => {
    const note = (notes[at % notes.length] ?? "")
      .replaceAll("{pull}", String(50 + at))
      .replaceAll("{issue}", String(20 + at));
    return { commit: `${at}`, message: `Change (#${50 + at})`, paths: ["src/a.js", ...note.split(" ")] };
  });

type Answer = object | ((call: FakeCall) => object);

interface Scene {
  readonly notes: readonly string[];
  readonly files?: FakeFiles;
  readonly answers?: readonly Answer[];
  readonly work?: Work;
}

async function publishing({ notes, files = {}, answers = [], work = WORK }: Scene) {
  let asked = 0;
  const shop = await openWorkshop({
    files: { "src/a.js": "a();\n", ...files },
    script: {
      "n01-write-note": (call) => {
        const answer = answers[Math.min(asked++, answers.length - 1)] ?? {};
        return typeof answer === "function" ? answer(call) : answer;
      },
    },
  });
  const plan = {
    ...planOf([sampleTask({ path: "src/a.js" })]),
    description: { type: "fix" as const, title: "round halves", problem: "They were cut off." },
  };
  const publish = async () => {
    const repository = { ...shop.openRepository(), landed: async () => pastOf(notes) };
    return publishChange({ ...shop.tools, repository, plan, work });
  };
  const tip = () => shop.state.objects.refs.get(BRANCH) ?? "";
  return {
    ...shop,
    publish,
    asked: () => asked,
    textAt: (path: string) => shop.state.objects.textAt(tip(), path),
    commits: () => {
      const messages: string[] = [];
      for (let id = tip(); id !== shop.base.commit; id = shop.state.objects.commit(id).parents[0] ?? "")
        messages.push(shop.state.objects.commit(id).message.split("\n")[0] ?? "");
      return messages;
    },
    body: () => shop.state.pullRequests[0]?.body ?? "",
  };
}

const FRAGMENTS = { "news/20.bugfix.rst": "Sums are right.\n", "news/21.feature.rst": "Lists are sorted.\n" };

describe("the note beside a change", () => {
  it("has the issue's number where notes have it, the form of the others, and is in the same commit", async () => {
    const shop = await publishing({
      notes: ["news/{issue}.bugfix.rst", "news/{issue}.feature.rst"],
      files: { ...FRAGMENTS, "pyproject.toml": '[tool.towncrier]\n[[tool.towncrier.type]]\ndirectory = "doc"\n' },
      answers: [{ text: "Halves are rounded", type: "bugfix" }],
    });
    await shop.publish();
    expect(shop.textAt("news/7.bugfix.rst")).toBe("Halves are rounded.\n");
    expect(shop.commits()).toEqual(["fix: round halves"]);
    expect(shop.body()).toContain("Its note, as most changes here have one: `news/7.bugfix.rst`.");
    const [call] = shop.calls.filter(({ promptId }) => promptId === "n01-write-note");
    for (const shown of ["Sums are right.", "`bugfix`, `feature`, `doc`", "b();"]) expect(call?.text).toContain(shown);
  });

  const [ONE, OTHER] = ["0e7655e2-96ee-4b39-a442-3f99d5efb2{issue}", "0e7655e2-96ee-4b39-a442-3f99d5efb3{issue}"];
  it.each([
    [
      "rush",
      "common/changes/@shop/lib/slug_2026-08-19-22-{issue}.json common/changes/till/slug_2026-08-19-22-{issue}.json",
      /^common\/changes\/(@shop\/lib|till)\/round-halves_[\d-]+\.json$/,
    ],
    [
      "beachball",
      `change/@shop-lib-${ONE}.json change/till-${OTHER}.json`,
      /^change\/(@shop-lib|till)-[0-9a-f-]{36}\.json$/,
    ],
  ])("is one for each published package that changed, where the past has that: %s", async (_tool, notes, names) => {
    const lib = { packageName: "@shop/lib", comment: "Halves are rounded.", type: "patch" };
    const [example = ""] = notes.replaceAll("{issue}", "20").split(" ");
    const files = {
      "lib/package.json": '{ "name": "@shop/lib" }',
      "lib/a.js": "a();\n",
      "till/package.json": '{ "name": "till" }',
      "till/a.js": "a();\n",
      "own/package.json": '{ "name": "own", "private": true }',
      "own/a.js": "a();\n",
      [example]: JSON.stringify({ ...lib, comment: "Sums." }),
    };
    const changed = ["lib/a.js", "till/a.js", "own/a.js"];
    const edits = [{ start: 1, end: 1, text: "b();\n" }];
    const work: Work = { ...WORK, changes: changed.map((path) => ({ kind: "modify", path, edits })) };
    const made = async (past: string) => {
      const shop = await publishing({
        notes: [past],
        files,
        work,
        answers: [{ text: JSON.stringify(lib), folder: "common/changes/@shop/lib" }],
      });
      await shop.publish();
      const { tree } = shop.state.objects.commit(shop.state.objects.refs.get(BRANCH) ?? "");
      const paths = [...shop.state.objects.tree(tree).keys()].filter((path) => path !== example && names.test(path));
      return paths.map((path) => [path, JSON.parse(shop.textAt(path) ?? "")] as const);
    };
    const found = await made(notes);
    expect(found.map(([, note]) => note)).toEqual([lib, { ...lib, packageName: "till" }]);
    for (const [path, { packageName }] of found)
      expect(path).toContain(packageName.replace("/", path.startsWith("common") ? "/" : "-"));
    expect(await made(notes.split(" ")[0] ?? "")).toHaveLength(1);
  });

  it("is the same after a crash at any write and a second run", async () => {
    const scene = {
      notes: ["news/{issue}.bugfix.rst"],
      answers: [{ text: "Rounded (#7).", type: "bugfix" }],
    };
    const ended = (shop: Awaited<ReturnType<typeof publishing>>) => ({
      commits: shop.commits(),
      notes: shop.textAt("news/7.bugfix.rst"),
      bodies: shop.state.pullRequests.map(({ body }) => body),
      branches: [...shop.state.objects.refs.keys()],
    });
    const smooth = await publishing(scene);
    await smooth.publish();
    let crashes = 0;
    for (let write = 1; ; write++) {
      const shop = await publishing(scene);
      shop.faults.crashAfter(write);
      await shop.publish().catch(() => undefined);
      if (!shop.faults.restart()) break;
      crashes += 1;
      await shop.publish();
      expect({ write, ...ended(shop) }).toEqual({ write, ...ended(smooth) });
    }
    expect(crashes).toBeGreaterThanOrEqual(7);
  });

  it("goes into the changelog, at the place and in the form of its entries", async () => {
    const shop = await publishing({
      notes: ["CHANGES.md"],
      files: { "CHANGES.md": "# Changes\r\n\r\n## Unreleased\r\n\r\n- Sums are right. (#5)\r\n\r\n## 1.0\r\n" },
      answers: [
        { text: "Halves are rounded.", after: 5 },
        { text: "- Halves are rounded. (#7)", after: 5 },
      ],
    });
    await shop.publish();
    expect(shop.asked()).toBe(2);
    expect(shop.textAt("CHANGES.md")).toBe(
      "# Changes\r\n\r\n## Unreleased\r\n\r\n- Sums are right. (#5)\r\n- Halves are rounded. (#7)\r\n\r\n## 1.0\r\n",
    );
  });

  const JSON_NOTE = { packageName: "shop", comment: "Sums.", type: "patch" };
  const PACKAGES = { "package.json": '{ "name": "shop" }', "lib/package.json": '{ "name": "@shop/lib" }' };
  const CHLOGGEN = "change_type: bug_fix\ncomponent: receiver\nnote: Sums.\nissues: [5]\n";
  it.each<[string, string, FakeFiles, object, object, string]>([
    [
      "a changeset of a package that does not exist",
      ".changeset/slug-{pull}.md",
      { ...PACKAGES, ".changeset/slug-50.md": '---\n"shop": minor\n---\n\nSums.\n' },
      { text: '---\n"shops": patch\n---\n\nHalves.' },
      { text: '---\n"@shop/lib": patch\n---\n\nHalves.' },
      "There is no package shops",
    ],
    [
      "a changeset without its head",
      ".changeset/slug-{pull}.md",
      { ...PACKAGES },
      { text: "Halves." },
      { text: '---\n"shop": patch\n---\n\nHalves.' },
      "A changeset has",
    ],
    [
      "a type that is not allowed",
      "news/{issue}.bugfix.rst",
      FRAGMENTS,
      { text: "Halves.", type: "fix" },
      { text: "Halves.", type: "bugfix" },
      "`type` must be one of bugfix",
    ],
    [
      "a component that its tool does not know",
      ".chloggen/slug-{issue}.yaml",
      {
        ".chloggen/slug-20.yaml": CHLOGGEN,
        ".chloggen/config.yaml": "change_logs: {}\ncomponents:\n  - receiver\n  - exporter\n",
      },
      { text: "change_type: bug_fix\ncomponent: shop\nnote: Halves.\nissues: [7]\n" },
      { text: "change_type: bug_fix\ncomponent: exporter\nnote: Halves.\nissues: [7]\n" },
      "`component` must be one of receiver, exporter",
    ],
    [
      "a key that no note has",
      "changelogs/fragments/{pull}-slug.yml",
      { "changelogs/fragments/50-slug.yml": "bugfixes:\n  - sums\n" },
      { text: "fixes:\n  - halves\n" },
      { text: "bugfixes:\n  - halves\n" },
      "No note here has the key fixes; they have bugfixes, minor_changes",
    ],
    [
      "what nests very deep",
      ".chloggen/slug-{issue}.yaml",
      { ".chloggen/slug-20.yaml": CHLOGGEN },
      { text: `note: ${"[".repeat(1_000)}` },
      { text: CHLOGGEN.replace("Sums", "Halves") },
      "cannot be parsed",
    ],
    [
      "what is no JSON",
      "change/shop-0e7655e2-96ee-4b39-a442-3f99d5efb2{issue}.json",
      { ...PACKAGES, "change/shop-0e7655e2-96ee-4b39-a442-3f99d5efb220.json": JSON.stringify(JSON_NOTE) },
      { text: "type: patch" },
      { text: JSON.stringify({ ...JSON_NOTE, comment: "Halves." }) },
      "one JSON object",
    ],
    [
      "another beginning than the notes have",
      ".changelog/{pull}.txt",
      {
        ".changelog/50.txt": "```release-note:bug\nSums.\n```\n",
        ".changelog/51.txt": "```release-note:bug\nLists.\n```\n",
      },
      { text: "Halves." },
      { text: "```release-note:bug\nHalves.\n```" },
      "The notes shown all begin with",
    ],
  ])("sends back %s, once", async (_name, note, files, wrong, right, reason) => {
    const seen: string[] = [];
    const answers = [
      wrong,
      (call: FakeCall) => {
        seen.push(call.text);
        return right;
      },
    ];
    const shop = await publishing({ notes: [note], files, answers });
    await shop.publish();
    expect(shop.asked()).toBe(2);
    expect(JSON.stringify(shop.calls.filter(({ promptId }) => promptId === "n01-write-note"))).toContain(
      JSON.stringify(reason).slice(1, -1),
    );
    expect(shop.body()).toContain("Its note, as most");
    expect(seen).toHaveLength(1);
  });

  it("is left out, with the label that skips the check, when it does not fit or cannot be written", async () => {
    const workflow = "on: pull_request\njobs:\n  news:\n    if: \"!contains(labels.*.name, 'skip news')\"\n";
    const files = { ...FRAGMENTS, ".github/workflows/news.yml": workflow };
    const shop = await publishing({
      notes: ["news/{issue}.bugfix.rst"],
      files,
      answers: [{ none: "Refactorings have no note." }],
    });
    await shop.publish();
    expect(shop.body()).toContain("Refactorings have no note. The label `skip news`");
    expect(shop.commits()).toEqual(["fix: round halves"]);

    const wrong = await publishing({ notes: ["news/{issue}.bugfix.rst"], files, answers: [{ text: "x", type: "?" }] });
    await wrong.publish();
    expect(wrong.body()).toContain("the model gave none of that form");
  });

  it.each<[string, Scene]>([
    ["the repository has no such habit", { notes: ["src/b.js"] }],
    [
      "the change has one already",
      {
        notes: ["news/{issue}.bugfix.rst"],
        work: {
          ...WORK,
          changes: [...WORK.changes, { kind: "create", path: "news/7.bugfix.rst", content: "Mine.\n" }],
        },
      },
    ],
    [
      "the change has no code",
      {
        notes: ["news/{issue}.bugfix.rst"],
        work: { ...WORK, changes: [{ kind: "create", path: "docs/a.md", content: "A" }] },
      },
    ],
  ])("is not asked for when %s", async (_name, scene) => {
    const shop = await publishing(scene);
    await shop.publish();
    expect(shop.asked()).toBe(0);
    expect(shop.commits()).toEqual(["fix: round halves"]);
  });
});

describe("files that a tool makes", () => {
  it("are named in the pull request when they usually change with the code, with the command", async () => {
    const shop = await publishing({
      notes: ["dist/index.js"],
      files: { "dist/index.js": "a();\n", "package.json": '{ "scripts": { "build": "ncc src/a.js" } }' },
    });
    await shop.publish();
    expect(shop.body()).toContain("make it anew by `npm run build`.");
  });

  it("are not edited where their first lines say so", async () => {
    const shop = await openWorkshop({ files: { "src/a.js": "// @generated by codegen\na();\n" } });
    const { outcomes, changes } = await writeCode({ ...shop.tools, plan: planOf([sampleTask({ path: "src/a.js" })]) });
    expect(outcomes).toMatchObject([{ status: "unchanged", summary: expect.stringContaining("`codegen`") }]);
    expect(changes).toEqual([]);
    expect(shop.calls).toEqual([]);
  });
});
