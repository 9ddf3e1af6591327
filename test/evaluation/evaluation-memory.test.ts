import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { openEvaluationMemory } from "../../eval/evaluation/evaluation-memory.ts";

const folder = mkdtempSync(join(tmpdir(), "magis-memory-"));
afterAll(() => rmSync(folder, { recursive: true }));

const shop = { owner: "Acme", name: "shop", installationId: 0 };
const version = (blob: string, summary: string) => ({ path: "a.js", blob, summary });

describe("the memory of an evaluation", () => {
  it("shows an instance what was learned at its commit and before, and nothing later", async () => {
    const memory = await openEvaluationMemory(join(folder, "dated.jsonl"));
    await memory.before(300).update(shop, version("3", "Late."));
    await memory.before(100).update(shop, version("1", "Early."));
    expect(await memory.before(99).recall(shop, "a.js", "1")).toBeUndefined();
    expect(await memory.before(200).recall(shop, "a.js", "3")).toMatchObject({ blob: "1", summary: "Early." });
    expect(await memory.before(300).recall(shop, "a.js", "2")).toMatchObject({ blob: "3" });
    expect(await memory.before(300).recall(shop, "a.js", "1")).toMatchObject({ blob: "1" });
    expect(await memory.before(300).recall({ ...shop, name: "till" }, "a.js", "1")).toBeUndefined();
  });

  it("survives a kill, except for a line that was cut off", async () => {
    const file = join(folder, "kept.jsonl");
    await (await openEvaluationMemory(file)).before(100).update(shop, version("1", "Kept."));
    appendFileSync(file, '{"repository": "acme/sh');
    const again = await openEvaluationMemory(file);
    await again.before(100).update({ ...shop, owner: "acme" }, version("2", "Next."));
    const third = (await openEvaluationMemory(file)).before(100);
    expect(await third.recall(shop, "a.js", "1")).toMatchObject({ summary: "Kept." });
    expect(await third.recall(shop, "b.js", "2")).toMatchObject({ path: "a.js", summary: "Next." });
  });
});
