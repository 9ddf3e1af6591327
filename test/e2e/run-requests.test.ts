import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { signRunRequest } from "../../src/github/server/run-requests.ts";
import { startMagis } from "../cli/start-magis.ts";
import { scriptFor } from "./script-for.ts";
import { type Scene, startScene } from "./start-scene.ts";

const SECRET = "a-secret-of-more-than-32-characters";
const OTHER = "another-secret-of-over-32-characters";
/** Nothing is there: the tests only read the address. */
const PUBLIC = "https://magis.test";

const now = () => Math.floor(Date.now() / 1000);

describe("a run asked for from elsewhere", () => {
  let scene: Scene;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-request-"));
    scene = await startScene({
      repository: { files: { "a.txt": "a\n" } },
      script: scriptFor({ files: { "a.txt": { rounds: [{ edits: [{ start: 1, end: 1, text: "A" }] }] } } }),
      environment: { MAGIS_API_SECRET: SECRET, MAGIS_DASHBOARD: "github", MAGIS_URL: PUBLIC },
    });
  });
  afterAll(async () => {
    await scene.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Sends an order to the bot, and gives the status and text of its answer. */
  async function post(order: object, { secret = SECRET, seconds = now() } = {}) {
    const body = JSON.stringify({ repository: "acme/shop", person: "alice", ...order });
    const headers = signRunRequest(secret, body, seconds);
    const response = await fetch(`${scene.bot().url}/api/runs`, { method: "POST", body, headers });
    return { status: response.status, text: await response.text() };
  }

  it("opens a pull request in the name of a person who may write, and gives its id and page", async () => {
    const { world } = scene;
    const issue = await world.person("tom").openIssue({ title: "Change a.txt" });
    const asked = startMagis(
      ["request", `acme/shop#${issue}`, "--as", "alice", "--hint", "draft:false mind the tabs"],
      {
        environment: { MAGIS_API_SECRET: SECRET, MAGIS_URL: scene.bot().url },
        cwd: folder,
      },
    );
    const { exitCode, out, err } = await asked.ended;
    expect([exitCode, err]).toEqual([0, ""]);
    const [, run = "", url, page = ""] =
      /^Asked for (\S+)\.\nIts state is shown on (\S+)\nIts page: (\S+)\n$/.exec(out.toString()) ?? [];
    expect(run).toMatch(new RegExp(`^acme/shop#${issue}@request-[0-9a-f]{32}$`));
    expect(url).toBe(`${world.url}/acme/shop/issues/${issue}`);
    expect(page).toBe(`${PUBLIC}/dashboard/runs/${encodeURIComponent(run)}`);
    const { comment, pull } = await scene.ended(issue);
    expect(pull?.draft).toBe(false);
    expect(pull?.body).toContain("asked for by alice");
    expect(comment.body).toContain("a signed request (`draft:false`)");
    expect(comment.body).toContain(page);
    expect(scene.calls("p04-plan-work")[0]?.call?.text).toContain("mind the tabs");
  });

  it("starts once for the same request, even after its pull request was closed", async () => {
    const { world } = scene;
    const alice = world.person("alice");
    const issue = await alice.openIssue({ title: "Change a.txt once" });
    const at = { seconds: now() };
    const first = await post({ issue }, at);
    expect(first.status).toBe(202);
    const { pull } = await scene.ended(issue);
    const number = pull?.number ?? 0;
    const paid = scene.model.journal.length;
    const open = await post({ issue }, at);
    expect(open).toEqual({ status: 409, text: `Pull request #${number} is open.\n` });
    await alice.closePull(number);
    expect(await post({ issue }, at)).toEqual({ status: 409, text: "This request has been made before.\n" });
    expect(scene.model.journal).toHaveLength(paid);
  });

  it.each<[string, object, { readonly secret?: string; readonly seconds?: number }, number, RegExp]>([
    ["a wrong signature", {}, { secret: OTHER }, 401, /^The signature is missing or does not match the secret\.$/],
    ["an old time", {}, { seconds: now() - 3600 }, 401, /^The request's time is more than five minutes from/],
    ["a person who may only triage", { person: "tom" }, {}, 403, /permission is "triage", and write is needed\.$/],
    [
      "a person whom GitHub does not know",
      { person: "nobody" },
      {},
      403,
      /permission is "none", and write is needed\.$/,
    ],
    ["a repository without the app", { repository: "acme/other" }, {}, 422, /^The app is not installed on that/],
    ["an issue that does not exist", { issue: 999 }, {}, 422, /^There is no such issue\.$/],
    ["an unknown option", { hint: "budgt:1" }, {}, 422, /^budgt:1 is not an option\. Options that work: base:BRANCH /],
    [
      "a budget above the limit",
      { hint: "budget:50" },
      {},
      422,
      /^budget:50 is above what one run may cost here, \$5\./,
    ],
  ])("is refused for %s", async (_, order, signing, status, sentence) => {
    const issue = await scene.world.person("alice").openIssue({ title: "Change a.txt" });
    const paid = scene.model.journal.length;
    const answer = await post({ issue, ...order }, signing);
    expect([answer.status, answer.text.trim()]).toEqual([status, expect.stringMatching(sentence)]);
    expect(await scene.comments(issue)).toEqual([]);
    expect(scene.model.journal).toHaveLength(paid);
  });
});
