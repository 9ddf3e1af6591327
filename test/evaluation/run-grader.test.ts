import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { createRunGrader } from "../../eval/run-grader.ts";

const folder = mkdtempSync(join(tmpdir(), "magis-grader-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a grader, which runs a model's code", () => {
  it("gets only the allowed variables", async () => {
    const secrets = [
      "ANTHROPIC_API_KEY",
      "GITHUB_TOKEN",
      "WEBHOOK_SECRET",
      "PGPASSWORD",
      "DATABASE_URL",
      "AWS_SECRET_ACCESS_KEY",
      "NPM_TOKEN",
      "MY_COMPANYS_PASSWORD",
      "SSH_AUTH_SOCK",
      "NODE_OPTIONS",
      "LD_PRELOAD",
      "BASH_ENV",
      "HTTP_PROXY",
    ];
    const given = {
      PATH: process.env.PATH,
      HOME: folder,
      ...Object.fromEntries(secrets.map((name) => [name, "s3cret"])),
    };
    const files = { predictions: join(folder, "it's"), instances: join(folder, "b"), results: join(folder, "out") };
    const code = await createRunGrader(given)("env > {results}; exit 3", files, new AbortController().signal);
    const seen = readFileSync(files.results, "utf8");
    expect(code).toBe(3);
    expect(seen).toContain(`HOME=${folder}`);
    expect(seen).not.toContain("s3cret");
  });
});
