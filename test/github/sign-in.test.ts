import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createSignIn } from "../../src/github/sign-in.ts";

interface Answer {
  status?: number;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

const repository = (name: string, push: boolean) => ({ name, owner: { login: "acme" }, permissions: { push } });

describe("signing in at GitHub", () => {
  /** by method and path */
  let answers: Map<string, Answer>;
  let asked: { what: string; headers: IncomingMessage["headers"]; body: string }[];
  let url: string;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    const what = `${request.method} ${request.url}`;
    asked.push({ what, headers: request.headers, body });
    const {
      status = 200,
      body: answer,
      headers,
    } = answers.get(what) ?? { status: 404, body: { message: "Not Found" } };
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(answer === undefined ? undefined : JSON.stringify(answer));
  });
  beforeEach(async () => {
    answers = new Map();
    asked = [];
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const signIn = () =>
    createSignIn({
      clientId: "Iv1",
      clientSecret: "secret",
      webUrl: url,
      apiUrl: `${url}/api/v3`,
      log: { debug: () => undefined, warn: () => undefined },
    });
  const list = (key: string, items: readonly unknown[], headers?: Answer["headers"]): Answer => ({
    body: { total_count: items.length, [key]: items },
    headers,
  });
  const INSTALLATIONS = "GET /api/v3/user/installations?per_page=100";
  const repositoriesOf = (id: number, page = "") =>
    `GET /api/v3/user/installations/${id}/repositories?per_page=100${page}`;

  it("exchanges a code with its verifier, and leaves the secret to no other host", async () => {
    const given = { code: "c", verifier: "v", redirectUrl: "https://magis.test/dashboard/signed-in" };
    answers.set("POST /login/oauth/access_token", { body: { access_token: "ghu_1" } });
    expect(await signIn().exchange(given)).toBe("ghu_1");
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({
      client_id: "Iv1",
      client_secret: "secret",
      code: "c",
      redirect_uri: "https://magis.test/dashboard/signed-in",
      code_verifier: "v",
    });
    answers.set("POST /login/oauth/access_token", { status: 307, headers: { location: `${url}/elsewhere` } });
    await expect(signIn().exchange(given)).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
    expect(asked.map(({ what }) => what)).toEqual(Array(2).fill("POST /login/oauth/access_token"));
  });

  it.each<[string, Answer]>([
    ["a wrong code", { body: { error: "bad_verification_code" } }],
    ["an answer without a token", { body: {} }],
    ["an empty token", { body: { access_token: "" } }],
  ])("gives no token for %s", async (_, answer) => {
    answers.set("POST /login/oauth/access_token", answer);
    expect(await signIn().exchange({ code: "c", verifier: "v", redirectUrl: "https://magis.test/" })).toBeUndefined();
  });

  it("lists what a person may push to in all installations, page by page", async () => {
    const next = { link: `<${url}/api/v3/user/installations/1/repositories?per_page=100&page=2>; rel="next"` };
    answers.set(INSTALLATIONS, list("installations", [{ id: 1 }, { id: 2 }]));
    answers.set(repositoriesOf(1), list("repositories", [repository("shop", true), repository("read", false)], next));
    answers.set(repositoriesOf(1, "&page=2"), list("repositories", [repository("late", true)]));
    answers.set(repositoriesOf(2), list("repositories", [{ name: "silent", owner: { login: "acme" } }]));
    expect(await signIn().repositories("ghu_1")).toEqual([
      { owner: "acme", name: "shop", installationId: 1 },
      { owner: "acme", name: "late", installationId: 1 },
    ]);
    expect(asked[0]?.headers.authorization).toBe("token ghu_1");
  });

  it.each([403, 404])("leaves out an installation that GitHub does not show (%d)", async (status) => {
    answers.set(INSTALLATIONS, list("installations", [{ id: 1 }, { id: 2 }]));
    answers.set(repositoriesOf(1), { status, body: { message: "This installation has been suspended" } });
    answers.set(repositoriesOf(2), list("repositories", [repository("till", true)]));
    expect(await signIn().repositories("ghu_1")).toEqual([{ owner: "acme", name: "till", installationId: 2 }]);
  });

  it("says that a token is valid no more, and nothing else of other faults", async () => {
    answers.set("GET /api/v3/user", { status: 401, body: { message: "Bad credentials" } });
    answers.set(INSTALLATIONS, { status: 401, body: { message: "Bad credentials" } });
    expect(await signIn().login("ghu_1")).toBeUndefined();
    expect(await signIn().repositories("ghu_1")).toBeUndefined();
    answers.set(INSTALLATIONS, list("installations", [{ id: 1 }]));
    answers.set(repositoriesOf(1), {
      status: 403,
      headers: { "x-ratelimit-remaining": "0" },
      body: { message: "limit" },
    });
    await expect(signIn().repositories("ghu_1")).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
  });

  it("ends a token, and takes one that GitHub does not know for ended", async () => {
    answers.set("DELETE /api/v3/applications/Iv1/token", { status: 204 });
    await signIn().revoke("ghu_1");
    expect(asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from("Iv1:secret").toString("base64")}`);
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual({ access_token: "ghu_1" });
    answers.delete("DELETE /api/v3/applications/Iv1/token");
    await signIn().revoke("ghu_1");
    answers.set("DELETE /api/v3/applications/Iv1/token", { status: 500 });
    await expect(signIn().revoke("ghu_1")).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
  });
});
