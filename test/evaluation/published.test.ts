import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { readPublished } from "../../eval/evaluation/results/published.ts";

const PATCH = "diff --git a/a b/a\n";
const report = (id: string, resolved: boolean) => JSON.stringify({ [id]: { resolved, patch_applied: true } });
const line = (id: string, patch: string | null) => `${JSON.stringify({ instance_id: id, model_patch: patch })}\n`;

describe("results that others have published", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "magis-published-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };

  it.each<[string, Record<string, string>, [string, boolean][] | undefined]>([
    [
      "predictions and lists",
      {
        "all_preds.jsonl": line("a-1", PATCH) + line("a-2", null),
        "results/results.json": JSON.stringify({ resolved: ["a-1"], no_generation: ["a-2"] }),
      },
      [["a-1", true]],
    ],
    [
      "predictions by instance, and lists that end with commas",
      {
        "preds.json": JSON.stringify({ "a-1": { model_patch: PATCH }, "a-2": { model_patch: "" } }),
        "results/results.json": '{ "resolved": ["a-1",], }',
      },
      [
        ["a-1", true],
        ["a-2", false],
      ],
    ],
    [
      "a folder of logs for each instance",
      {
        "logs/a-1/patch.diff": PATCH,
        "logs/a-1/report.json": report("a-1", true),
        "logs/a-2/patch.diff": "",
        "logs/a-2/report.json": report("a-2", false),
        "logs/README.md": "The logs.",
      },
      [
        ["a-1", true],
        ["a-2", false],
      ],
    ],
    ["patches alone", { "logs/a-1/patch.diff": PATCH, "logs/a-2/patch.diff": "" }, undefined],
  ])("are read in the public form: %s", async (_name, files, verdicts) => {
    write(files);
    const { patches, grading } = await readPublished(folder);
    expect([...patches]).toEqual([
      ["a-1", PATCH],
      ["a-2", ""],
    ]);
    expect(grading && [...grading]).toEqual(verdicts);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ["a folder without results", { "README.md": "" }, /neither results of an evaluation nor predictions/],
    ["lines that are no predictions", { "all_preds.jsonl": "[]x\n" }, /holds no SWE-bench predictions/],
    [
      "verdicts without a list",
      { "preds.json": "[]", "all_preds.jsonl": line("a-1", PATCH), "results.json": "{}" },
      /does not say which/,
    ],
  ])("are refused in a sentence: %s", async (_name, files, sentence) => {
    write(files);
    await expect(readPublished(folder)).rejects.toMatchObject({
      code: "CONFIGURATION_INVALID",
      message: expect.stringMatching(sentence),
    });
  });
});
