import { afterEach, describe, expect, it } from "@jest/globals";
import { createRequestCommand } from "../../../src/cli/request-command.ts";
import { createRunRequests, signRunRequest } from "../../../src/github/server/run-requests.ts";
import { MagisError } from "../../../src/model/error.ts";
import type { AskedAnswer, AskedRun } from "../../../src/ports/run-asker.ts";
import { createRunOrderSender } from "../../../src/wire/send-run-order.ts";
import { createFakeLog } from "../../fakes/create-fake-log.ts";
import { startTestServer } from "./start-test-server.ts";

const SECRET = "a-secret-of-more-than-32-characters";
const BODY = { repository: "acme/shop", issue: 7, person: "ana", hint: "CONFIDENTIAL" };
const ACCEPTED = { run: "acme/shop#7@request-1", issue: "https://github.com/acme/shop/issues/7" };

let open: { close(graceMs: number): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.map((server) => server.close(0)));
  open = [];
});

async function start(answer: () => AskedAnswer = () => ACCEPTED) {
  const asked: AskedRun[] = [];
  const { log, lines } = createFakeLog();
  const ask = async (one: AskedRun) => {
    asked.push(one);
    return answer();
  };
  const server = await startTestServer({ runRequests: createRunRequests({ secret: SECRET, ask, log }) });
  open.push(server);
  const post = (text: string, change: Record<string, string> = {}, seconds = Math.floor(Date.now() / 1000)) => {
    const headers = { ...signRunRequest(SECRET, text, seconds), ...change };
    return server.ask("/api/runs", { method: "POST", body: text, headers });
  };
  return { ...server, asked, lines, post };
}

const text = (change: object = {}) => JSON.stringify({ ...BODY, ...change });
const now = () => Math.floor(Date.now() / 1000);

describe("a signed request for a run", () => {
  it("is handed on with an id of its own, and answered with the run and its issue", async () => {
    const { post, asked } = await start();
    const answer = await post(text());
    expect([answer.status, JSON.parse(answer.text)]).toEqual([202, ACCEPTED]);
    const { hint, issue, person } = BODY;
    const id = expect.stringMatching(/^request-[0-9a-f]{32}$/);
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(asked).toEqual([{ owner: "acme", name: "shop", issue, person, hint, id, digest }]);
  });

  it("has the same id when it is replayed, and another one at another time", async () => {
    const { post, asked } = await start();
    const at = now();
    for (const seconds of [at, at, at - 1]) await post(text(), {}, seconds);
    const [first, replayed, later] = asked.map(({ id, digest }) => `${id} ${digest}`);
    expect(replayed).toBe(first);
    expect(later).not.toBe(first);
  });

  it("is refused with 401 when it is signed otherwise, and leaves nothing of it in the log", async () => {
    const { post, asked, lines } = await start();
    const old = now() - 100;
    const answers = [
      await post(text(), { "x-magis-signature-256": `sha256=${"0".repeat(64)}` }),
      await post(text(), { "x-magis-signature-256": "sha256=" }),
      await post(text(), { "x-magis-signature-256": "" }),
      await post(text(), signRunRequest("another-secret-of-over-32-characters", text(), now())),
      await post(text(), signRunRequest(SECRET, `${text()} `, now())),
      await post(text(), { "x-magis-timestamp": String(old) }),
      await post(text(), { "x-magis-timestamp": `0${now()}` }),
      await post(text(), {}, now() - 310),
      await post(text(), {}, now() + 310),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect(asked).toEqual([]);
    expect(JSON.stringify(lines)).not.toContain("CONFIDENTIAL");
  });

  it.each<[string, string]>([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["no person", text({ person: undefined })],
    ["a person who is none", text({ person: "ana/../ben" })],
    ["a repository without an owner", text({ repository: "shop" })],
    ["a repository that leaves its place", text({ repository: "acme/.." })],
    ["a repository of three parts", text({ repository: "acme/shop/x" })],
    ["an issue that is no number", text({ issue: "7" })],
    ["an issue below one", text({ issue: 0 })],
    ["a hint that is too long", text({ hint: "x".repeat(10_001) })],
    ["a field that it does not know", text({ root: true })],
    ["deep nesting", `${"[".repeat(1000)}${"]".repeat(1000)}`],
  ])("is refused with 422 when its body has %s", async (_, body) => {
    const { post, asked } = await start();
    const { status, text: sentence } = await post(body);
    expect([status, sentence]).toEqual([422, expect.stringMatching(/^Send JSON/)]);
    expect(asked).toEqual([]);
  });

  it("may not be long, and must be posted", async () => {
    const { post, ask, asked } = await start();
    expect((await post("x".repeat(65 * 1024))).status).toBe(413);
    expect((await ask("/api/runs")).status).toBe(405);
    expect(asked).toEqual([]);
  });

  it.each([
    ["forbidden", 403],
    ["conflict", 409],
    ["invalid", 422],
  ] as const)("passes a refusal on as a sentence: %s", async (refused, status) => {
    const { post } = await start(() => ({ refused, reason: "Not like this." }));
    expect(await post(text())).toMatchObject({ status, text: "Not like this.\n" });
  });

  it.each([
    ["HOST_UNREACHABLE", 503],
    ["DATABASE_UNAVAILABLE", 503],
    ["HOST_REFUSED", 422],
    ["MODEL_REFUSED", 500],
  ] as const)("says nothing of what failed inside: %s", async (code, status) => {
    const { post } = await start(() => {
      throw new MagisError(code as "HOST_REFUSED", "10.1.2.3 is down");
    });
    const answer = await post(text());
    expect(answer.status).toBe(status);
    expect(answer.text).not.toContain("10.1.2.3");
  });

  it("finds nothing there without a secret", async () => {
    const server = await startTestServer();
    open.push(server);
    expect((await server.ask("/api/runs", { method: "POST", body: text() })).status).toBe(404);
  });
});

describe("magis request", () => {
  const context = { version: "1", signal: new AbortController().signal, progress: () => undefined };
  const request = (url: string, operand = "acme/shop#7", options: object = { as: "ana", hint: "look at a.ts" }) =>
    createRequestCommand(createRunOrderSender({ MAGIS_API_SECRET: SECRET, MAGIS_URL: url })).run(
      { operand, options },
      context,
    );

  it("signs and sends what was asked, and says where the run is shown", async () => {
    const { origin, asked } = await start();
    const { exitCode, text } = await request(`${origin}/`);
    expect([exitCode, text]).toEqual([0, `Asked for ${ACCEPTED.run}.\nIts state is shown on ${ACCEPTED.issue}`]);
    expect(asked).toMatchObject([{ owner: "acme", name: "shop", issue: 7, person: "ana", hint: "look at a.ts" }]);
  });

  it("names the run's page where there is one", async () => {
    const page = "https://magis.test/dashboard/runs/1";
    const { origin } = await start(() => ({ ...ACCEPTED, page }));
    expect((await request(origin)).text).toMatch(new RegExp(`issues/7\nIts page: ${page}$`));
  });

  it("shows a refusal, and what it lacks", async () => {
    const { origin } = await start(() => ({ refused: "forbidden", reason: "Write is needed." }));
    expect(await request(origin)).toEqual({ exitCode: 1, text: "Write is needed." });
    expect(await request(origin, "acme/shop")).toMatchObject({ exitCode: 2 });
    expect(await request(origin, "acme/shop#7", {})).toMatchObject({ exitCode: 2 });
    await expect(request("http://127.0.0.1:9")).rejects.toThrow("The bot cannot be reached at http://127.0.0.1:9");
  });
});
