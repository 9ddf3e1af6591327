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
  it("forgets the whole installation in GitHub's example of its deletion", () => {
    const deleted = examples.filter(({ name, payload }) => name === "installation" && payload.action === "deleted");
    expect(deleted.length).toBeGreaterThan(0);
    for (const { name, payload } of deleted)
      expect(parse(name, payload)).toEqual({ gone: [{ installationId: 2 }], forever: true });
  });

  it("forgets the repositories in GitHub's example of their removal", () => {
    const removed = examples.filter(
      ({ name, payload }) => name === "installation_repositories" && payload.action === "removed",
    );
    expect(removed.length).toBeGreaterThan(0);
    for (const { name, payload } of removed) {
      expect(parse(name, payload)).toEqual({
        gone: [{ installationId: 2, owner: "octocat", name: "Hello-World", id: 1296269 }],
        forever: true,
      });
    }
  });

  it("ends work without forgetting anything in GitHub's example of a suspended installation", () => {
    const suspended = examples.filter(({ name, payload }) => name === "installation" && payload.action === "suspend");
    expect(suspended.length).toBeGreaterThan(0);
    for (const { name, payload } of suspended) {
      expect(parse(name, payload)).toEqual({ gone: [{ installationId: expect.any(Number) }], forever: false });
    }
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
