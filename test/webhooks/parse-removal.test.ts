import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "@jest/globals";
import { parseRemoval } from "../../src/webhooks/app.ts";
import { fc } from "../seeded.ts";

// Read as JSON: the package's types need another package that is not installed.
const file = createRequire(import.meta.url).resolve("@octokit/webhooks-examples/api.github.com/index.json");
const definitions: { name: string; examples: Record<string, unknown>[] }[] = JSON.parse(readFileSync(file, "utf8"));
const examples = definitions.flatMap(({ name, examples: payloads }) => payloads.map((payload) => ({ name, payload })));
const parse = (name: string, payload: unknown) => parseRemoval({ id: "guid-1", name, payload });

describe("parseRemoval", () => {
  const repository = { installationId: 2, owner: "octocat", name: "Hello-World", id: 1296269 };
  it.each([
    ["forgets the whole installation", "installation", "deleted", { installationId: 2 }, true],
    ["forgets the repositories", "installation_repositories", "removed", repository, true],
    ["ends work, and forgets nothing", "installation", "suspend", { installationId: expect.any(Number) }, false],
  ])("%s in GitHub's examples of %s.%s", (_what, event, action, gone, forever) => {
    const found = examples.filter(({ name, payload }) => name === event && payload.action === action);
    expect(found.length).toBeGreaterThan(0);
    for (const { name, payload } of found) expect(parse(name, payload)).toEqual({ gone: [gone], forever });
  });

  it("ends and forgets nothing for any other example of GitHub's", () => {
    const ends = ["installation.deleted", "installation.suspend", "installation_repositories.removed"];
    const others = examples.filter(({ name, payload }) => !ends.includes(`${name}.${payload.action}`));
    expect(others.length).toBeGreaterThan(100);
    for (const { name, payload } of others) expect(parse(name, payload)).toHaveProperty("ignored");
  });

  it("ignores an invalid repository name, and does not repeat it", () => {
    const payload = { action: "removed", installation: { id: 2 }, repositories_removed: [{ full_name: "a/b/s3cr3t" }] };
    const parsed = parse("installation_repositories", payload);
    expect(parsed).toEqual({ ignored: expect.stringContaining("full_name") });
    expect(JSON.stringify(parsed)).not.toContain("s3cr3t");
  });

  it("ignores any payload without an error", () => {
    fc.assert(
      fc.property(fc.constantFrom("installation", "installation_repositories"), fc.anything(), (name, payload) => {
        expect(parse(name, payload)).toHaveProperty("ignored");
      }),
      { numRuns: 200 },
    );
  });
});
