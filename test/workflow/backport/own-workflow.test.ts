import { describe, expect, it } from "@jest/globals";
import type { TreeEntry } from "../../../src/ports/repository.ts";
import { ownWorkflow } from "../../../src/workflow/backport/own-workflow.ts";

function find(files: Readonly<Record<string, string>>) {
  const all = Object.entries(files).map(([path, text]): [string, TreeEntry] => {
    return [path, { path, mode: "100644", blob: text }];
  });
  return ownWorkflow({ entries: new Map(all), readBlob: async (blob) => Buffer.from(blob) });
}

describe("ownWorkflow", () => {
  it.each([
    [".backportrc.json", "{}"],
    [".github/workflows/port.yml", "steps:\n  - uses: korthout/backport-action@v3\n"],
    [".github/workflows/port.yaml", "steps:\n  - uses: 'tibdex/backport@v2'\n"],
    [".github/workflows/port.yml", "steps:\n  - uses: sorenlouv/backport-github-action@v9\n"],
    [".github/workflows/pick.yml", "steps:\n  - uses: carloscastrojumo/github-cherry-pick-action@v1\n"],
    [".mergify.yml", "pull_request_rules:\n  - actions:\n      backport:\n        branches: [a]\n"],
  ])("finds %s", async (path, text) => {
    expect(await find({ "a.js": "a", [path]: text })).toBe(path);
  });

  it.each([
    [".github/workflows/test.yml", "name: backport tests\nsteps:\n  - uses: actions/checkout@v5\n"],
    [".mergify.yml", "queue_rules:\n  - name: default\n"],
    ["docs/.backportrc.json", "{}"],
  ])("takes no %s for one", async (path, text) => {
    expect(await find({ [path]: text })).toBeUndefined();
  });
});
