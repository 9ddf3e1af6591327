import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createCustodian } from "../../../src/agents/custodian.ts";
import { findCandidates } from "../../../src/workflow/locate/find-candidates.ts";
import { indexFiles } from "../../domain/ranking/index-files.ts";
import type { FakeScript } from "../../fakes/create-fake-model.ts";
import { openPrompts } from "../../fakes/open-prompts.ts";
import { sampleIssue } from "../../fakes/sample-issue.ts";

const TEXTS = {
  ...Object.fromEntries(
    Array.from({ length: 12 }, (_, i) => [
      `src/invoice${i}.js`,
      `export const discount${i} = "discount ${"invoice ".repeat(i)}";\n`,
    ]),
  ),
  "lib/hidden.mjs": "export function quantiseHalves() {}\n",
  "lib/other.mjs": "export function unrelated() {}\n",
};
const { files } = await indexFiles(TEXTS);
const issue = sampleIssue({ body: "The invoice is one cent short.", discussion: [] });

async function found(reading: object | undefined, limit = 3, script: FakeScript = {}) {
  const fake = await openPrompts({ "c01-read-map": reading ?? { files: [], terms: [] }, ...script });
  const custodian = reading && createCustodian(fake.prompts);
  const pool = await findCandidates({ issue, files, limit, custodian });
  return { ...fake, pool, paths: pool.map(({ path }) => path) };
}
const naming = (...paths: string[]) => ({ files: paths.map((path) => ({ path, reason: "Likely." })), terms: [] });

describe("findCandidates", () => {
  it("asks nobody without a Custodian, and gives the best by text", async () => {
    const { paths, calls, pool } = await found(undefined);
    expect(paths).toHaveLength(3);
    expect(paths.every((path) => path.startsWith("src/invoice"))).toBe(true);
    expect(pool[0]?.reasons.join()).toContain("BM25");
    expect(calls).toEqual([]);
  });

  it("asks nobody where every file is a candidate anyway", async () => {
    const { calls } = await found(naming("lib/hidden.mjs"), files.length);
    expect(calls).toEqual([]);
  });

  it("shows the map once, with what the search has found", async () => {
    const before = await found(undefined);
    const { calls, paths } = await found({ files: [], terms: [] });
    expect(calls).toHaveLength(1);
    for (const path of before.paths) expect(calls[0]?.text).toContain(`- \`${path}\``);

    expect(paths).toEqual(before.paths);
  });

  it("adds what was named after what was found, with the reason", async () => {
    const before = await found(undefined);
    const { pool, paths } = await found(naming("lib/hidden.mjs", before.paths[0] ?? ""));
    expect(paths).toEqual([...before.paths, "lib/hidden.mjs"]);
    expect(pool.at(-1)).toMatchObject({ score: 0, reasons: ["named from the map: Likely."], blob: expect.any(String) });
  });

  it("adds what the terms find, with the reason", async () => {
    const { pool } = await found({ files: [], terms: ["quantiseHalves", "quantiseHalves()"] }, 5);
    expect(pool.find(({ path }) => path === "lib/hidden.mjs")?.reasons.at(-1)).toBe("found by a term from the map");
  });

  it("adds five at most, and nothing that is not in the repository, whatever the model says", async () => {
    const { paths } = await found(naming(...files.map(({ path }) => path)));
    expect(paths).toHaveLength(8);
    const existing = new Set(files.map(({ path }) => path));
    const said = fc.oneof(
      fc.constantFrom(...existing),
      fc.string(),
      fc.constantFrom("../lib/hidden.mjs", "/etc/passwd"),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(said), fc.array(fc.string(), { maxLength: 8 }), async (named, terms) => {
        const { paths: pool } = await found({ ...naming(...named), terms });
        for (const path of pool) expect(existing).toContain(path);
        expect(new Set(pool).size).toBe(pool.length);
        expect(pool.length).toBeLessThanOrEqual(8);
      }),
      { numRuns: 40 },
    );
  });

  it("gives the same twice, prompt and pool", async () => {
    const [one, two] = [await found(naming("lib/hidden.mjs")), await found(naming("lib/hidden.mjs"))];
    expect(two.pool).toEqual(one.pool);
    expect(two.calls.map(({ request }) => request)).toEqual(one.calls.map(({ request }) => request));
  });

  it("keeps the map within its budget on a large repository", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1_500 }, (_, i) => [
        `packages/p${i % 70}/invoice-part-${i}.js`,
        `export const invoice${i} = 1;\n`,
      ]),
    );
    const index = await indexFiles(many);
    const fake = await openPrompts({ "c01-read-map": { files: [], terms: [] } });
    await findCandidates({ issue, files: index.files, limit: 10, custodian: createCustodian(fake.prompts) });
    expect(fake.calls[0]?.text.length).toBeLessThan(24_000);
    expect(fake.calls[0]?.text.length).toBeGreaterThan(10_000);
  });
});
