import { afterEach, describe, expect, it } from "@jest/globals";
import { createInstallationFinder } from "../../../src/github/api/installations.ts";
import { rsaKey } from "../../fakes/rsa-key.ts";
import { type Answer, type FakeGithub, startFakeGithub } from "./start-fake-github.ts";

const FOUND = { body: { id: 7, app_id: 42, suspended_at: null } };

describe("finding the app's installation on a repository", () => {
  let github: FakeGithub;
  afterEach(() => github.close());

  async function find(answer: Answer | undefined) {
    github = await startFakeGithub(() => answer);
    const log = { debug: () => undefined, warn: () => undefined };
    const web = `http://${github.host}`;
    const installationOf = createInstallationFinder({
      appId: 42,
      privateKey: rsaKey(),
      apiUrl: `${web}/api/v3`,
      webUrl: web,
      log,
    });
    return installationOf({ owner: "octo", name: "tools" });
  }

  it("asks as the app itself", async () => {
    expect(await find(FOUND)).toBe(7);
    const [{ method, path, authorization = "" } = {}] = github.asked;
    expect(`${method} ${path}`).toBe("GET /repos/octo/tools/installation");
    const claims = Buffer.from(authorization.split(".")[1] ?? "", "base64url").toString();
    expect(JSON.parse(claims)).toMatchObject({ iss: 42 });
  });

  it.each<[string, Answer | undefined]>([
    ["where the app is not installed, or no repository is", undefined],
    ["while the owner has suspended it", { body: { ...FOUND.body, suspended_at: "2026-11-01T00:00:00Z" } }],
  ])("finds none %s", async (_, answer) => {
    expect(await find(answer)).toBeUndefined();
  });

  it.each<[string, Answer, string]>([
    ["refuses", { status: 403, body: { message: "Blocked" } }, "HOST_REFUSED"],
    ["does not know the app's key", { status: 401, body: { message: "Bad credentials" } }, "HOST_REFUSED"],
    ["is down", { status: 503, text: "<html>", headers: { "content-type": "text/html" } }, "HOST_UNREACHABLE"],
  ])("fails when GitHub %s", async (_, answer, code) => {
    await expect(find(answer)).rejects.toMatchObject({ code });
  });
});
