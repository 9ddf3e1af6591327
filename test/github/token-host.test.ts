import { describe, expect, it } from "@jest/globals";
import { createOpenTokenHost, type TokenHostOptions } from "../../src/github/token-host.ts";
import { type Responder, startFakeGithub } from "./start-fake-github.ts";

const quiet = () => undefined;
const log = { debug: quiet, warn: quiet } as unknown as TokenHostOptions["log"];

async function withHost<T>(
  respond: Responder,
  use: (host: Awaited<ReturnType<ReturnType<typeof createOpenTokenHost>>>, calls: () => string[]) => Promise<T>,
) {
  const github = await startFakeGithub(respond);
  const webUrl = `http://${github.host}`;
  try {
    const open = createOpenTokenHost({ token: "ghp_alice", apiUrl: `${webUrl}/api/v3`, webUrl, log });
    return await use(await open({ owner: "octo", name: "tools", installationId: 0 }), github.calls);
  } finally {
    await github.close();
  }
}

const alice: Responder = ({ path, authorization }) =>
  path === "/user" && authorization === "token ghp_alice" ? { body: { login: "alice", id: 7 } } : undefined;

describe("a host that acts as a token's owner", () => {
  it("uses the owner's login and name, and clones with the token", () =>
    withHost(alice, async (host) => {
      expect(host.login).toBe("alice");
      expect(host.author).toEqual({ name: "alice", email: "7+alice@users.noreply.127.0.0.1" });
      expect(host.cloneUrl).toMatch(/\/octo\/tools\.git$/);
      expect(await host.cloneToken()).toBe("ghp_alice");
    }));

  it("reads what everybody may read without a token, and asks nobody whose it would be", async () => {
    const anybody: Responder = ({ path, authorization }) =>
      authorization === "" && path.includes("main") ? { body: { object: { sha: "a1" } } } : undefined;
    const github = await startFakeGithub(anybody);
    const webUrl = `http://${github.host}`;
    const open = createOpenTokenHost({ apiUrl: `${webUrl}/api/v3`, webUrl, log });
    const host = await open({ owner: "octo", name: "tools", installationId: 0 });
    const tip = await host.branchTip("main").finally(() => github.close());
    expect({ tip, login: host.login, token: await host.cloneToken() }).toEqual({ tip: "a1", login: "", token: "" });
    expect(github.calls()).toHaveLength(1);
  });

  it("finds the owner of a token that may not read its user", () => {
    const actions: Responder = ({ path }) => {
      if (path === "/user") return { status: 403, body: { message: "Resource not accessible by integration" } };
      const viewer = { login: "github-actions[bot]", databaseId: 41898282 };
      return path === "/api/graphql" ? { body: { data: { viewer } } } : undefined;
    };
    return withHost(actions, async (host) => {
      expect(host.author?.email).toMatch(/^41898282\+github-actions\[bot\]@/);
    });
  });

  it("recognises its own comments by the login alone, and creates no check run", () => {
    const comment = (login: string, id: number) => ({
      id,
      node_id: `n${id}`,
      user: { login, type: "User" },
      body: "mark",
    });
    const respond: Responder = (asked, base) =>
      asked.path.endsWith("/comments") ? { body: [comment("bob", 1), comment("alice", 2)] } : alice(asked, base);
    return withHost(respond, async (host, calls) => {
      expect((await host.findOwnComment(3, "mark"))?.id).toBe(2);
      await host.reportCheck("1".repeat(40), { name: "MAGIS", status: "in_progress", title: "", summary: "" });
      expect(calls().filter((call) => call.startsWith("POST"))).toEqual([]);
    });
  });

  it("throws HOST_REFUSED for a bad token", async () => {
    const refuse: Responder = () => ({ status: 401, body: { message: "Bad credentials" } });
    await expect(withHost(refuse, async () => undefined)).rejects.toMatchObject({
      code: "HOST_REFUSED",
      message: expect.stringContaining("Bad credentials"),
    });
  });
});
