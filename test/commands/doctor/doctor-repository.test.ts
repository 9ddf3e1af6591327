import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Manifest } from "../../../src/commands/doctor/check-app.ts";
import { checkApp } from "../../../src/commands/doctor/check-app.ts";
import { repositoryChecks } from "../../../src/commands/doctor/check-repository.ts";
import { createReadSettings, openGithubAccess } from "../../../src/commands/doctor/doctor-command.ts";
import { type Finding, runChecks } from "../../../src/commands/findings.ts";
import { inspectConfig } from "../../../src/settings/environment/read-config.ts";
import { type Github, startGithub } from "./start-github.ts";
import type { Answer } from "./start-routes.ts";

const SHOP = "/api/v3/repos/acme/shop";

let github: Github;
beforeAll(async () => {
  github = await startGithub("a-webhook-secret");
});
afterAll(() => github?.close());

/** The findings on acme/<name>, with some answers of GitHub's replaced meanwhile. */
async function examine(name: string, replaced: Record<string, Answer> = {}): Promise<readonly Finding[]> {
  const before = { ...github.routes };
  Object.assign(github.routes, replaced);
  const inspected = inspectConfig(undefined, { ...github.environment(), ANTHROPIC_API_KEY: "sk-1" });
  expect(inspected.faults).toEqual([]);
  const { appId, webUrl } = inspected.config.github;
  const log = { debug: () => undefined, warn: () => undefined };
  const access = openGithubAccess({ ...inspected.config.github, log });
  const app = checkApp(access.client, appId, webUrl).then((examined) => examined.app);
  const manifest = { permissions: github.permissions, events: github.events } as Manifest;
  try {
    const repository = { owner: "acme", name };
    const readSettings = createReadSettings(inspected);
    return await runChecks(repositoryChecks(app, { repository, github: access, manifest, readSettings }));
  } finally {
    for (const route of Object.keys(github.routes)) delete github.routes[route];
    Object.assign(github.routes, before);
  }
}

const levels = (findings: readonly Finding[]) => findings.map(({ check, level }) => `${check}: ${level}`);

describe("a repository", () => {
  it("is ready", async () => {
    expect(levels(await examine("shop"))).toEqual([
      "repository: ok",
      "default branch: ok",
      "repository settings: ok",
      "label: ok",
      "branch rules: ok",
    ]);
  });

  it("is not there for the app", async () => {
    const [finding, ...rest] = await examine("nowhere");
    expect(finding).toMatchObject({ level: "fault", remedy: expect.stringContaining("/apps/magis/installations/new") });
    expect(rest).toEqual([]);
  });

  it("has a settings file with faults, and no label", async () => {
    const findings = await examine("odd");
    expect(findings.find(({ check }) => check === "repository settings")).toMatchObject({
      level: "fault",
      text: expect.stringMatching(/magis\.yml, line 2:.*ci-rounds/),
    });
    expect(findings.find(({ check }) => check === "label")).toMatchObject({
      level: "warning",
      remedy: "Run gh label create 'magis' --repo acme/odd",
    });
  });

  it("gives no token with the permissions that are needed", async () => {
    const tokens = "POST /api/v3/app/installations/100/access_tokens";
    const message = "The permissions requested are not granted to this installation.";
    const [finding] = await examine("shop", { [tokens]: { status: 422, body: { message } } });
    expect(finding).toMatchObject({ check: "repository", level: "fault", text: expect.stringContaining(message) });
  });

  it("is archived, without issues, and its default branch is missing", async () => {
    const findings = await examine("shop", {
      [`GET ${SHOP}`]: { body: { default_branch: "gone", archived: true, has_issues: false } },
    });
    expect(levels(findings).filter((one) => one.startsWith("default branch"))).toEqual(
      Array(3).fill("default branch: fault"),
    );
  });

  it("has a default branch with signs in its name that end an address's path", async () => {
    const findings = await examine("shop", {
      [`GET ${SHOP}`]: { body: { default_branch: "feat/c#?%", has_issues: true } },
      [`GET ${SHOP}/git/ref/heads/feat/c#?%`]: { body: {} },
    });
    expect(levels(findings)).toContain("default branch: ok");
  });

  it.each([
    ["creation", "fault"],
    ["pull_request", "fault"],
    ["required_signatures", "warning"],
    ["deletion", "ok"],
  ])("has the rule %s for the bot's branches: %s", async (type, level) => {
    const rules = { [`GET ${SHOP}/rules/branches/magis/issue-1-a-title`]: { body: [{ type }] } };
    expect(levels(await examine("shop", rules))).toContain(`branch rules: ${level}`);
  });
});
