import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { LogLine } from "../bot/start-bot.ts";
import { createScript } from "../scripted-model/script.ts";
import type { Delivery } from "../world/hooks/create-webhooks.ts";
import { type Scene, startScene } from "./start-scene.ts";

const tags = (word: string) => [...word].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join("");

const UPLOAD = "https://github.com/user-attachments/assets/0f1e2d3c-0000-4000-8000-0123456789ab";

/** Says "concealed" in every way in which a page does not show it. */
const HIDING = [
  "Seen: a.txt.<!-- concealed -->",
  "<!--\n\nconcealed\n\n-->",
  '<p title="concealed">Seen.</p> <img alt="concealed" src="https://example.com/concealed.png">',
  `![concealed](${UPLOAD} "concealed") [seen](https://example.com "concealed")`,
  `Seen\u200b and\u202e seen${tags("concealed")}.`,
  "[concealed]: https://example.com/concealed",
  "```concealed\nseen()\n```",
  "```mermaid\na --> b %% concealed\n```",
].join("\n\n");

const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

describe("what reaches the bot", () => {
  let scene: Scene;
  let before: number;
  let folder: string;
  const rounds = [{ edits: [{ start: 1, end: 1, text: "A" }] }];
  const auditLog = () => join(folder, "log", "audit.jsonl");

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-audit-"));
    scene = await startScene({
      repository: { files: { "a.txt": "a\n", "b.txt": "b\n" } },
      environment: { LOG_LEVEL: "debug", MAGIS_AUDIT_LOG: auditLog() },
      script: createScript({ files: { "a.txt": { rounds }, "b.txt": { rounds } } }),
    });
  });
  afterAll(async () => {
    await scene.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    before = scene.model.journal.length;
  });

  /** Waits until the bot logs its decision about a delivery. */
  const judged = (delivery: Delivery, matches: (line: LogLine) => boolean = () => true) =>
    scene.world.until(
      () =>
        scene
          .bot()
          .log.find(
            (line) =>
              line.delivery === delivery.guid &&
              /^(webhook ignored|delivery (refused|admitted|was known already))$/.test(line.msg) &&
              matches(line),
          ),
      { what: `the bot's decision about ${delivery.event} ${delivery.guid}` },
    );
  /** Waits for `count` webhooks about an issue's labels, or about people's comments on it; gives the last. */
  const delivered = (what: "labeled" | "created", issue: number, count = 1) =>
    scene.world.until(
      () =>
        scene.world.deliveries.filter(({ action, body }) => {
          const { issue: subject, sender } = JSON.parse(body) as {
            issue?: { number: number };
            sender: { type: string };
          };
          return action === what && subject?.number === issue && sender.type === "User";
        })[count - 1],
      { what: `webhook ${count} of ${what} on issue ${issue}` },
    );
  async function expectNothing(issue: number): Promise<void> {
    expect(await scene.comments(issue)).toEqual([]);
    expect(scene.model.journal).toHaveLength(before);
    expect(scene.world.reactions(`issues/${issue}`)).toEqual([]);
  }

  it("refuses a label set by a person who may only triage", async () => {
    const issue = await scene.world.person("alice").openIssue({ title: "Change a.txt" });
    await scene.world.person("tom").label(issue, "magis");
    const { reason } = await judged(await delivered("labeled", issue));
    expect(reason).toBe('The sender\'s permission is "triage", and write is needed.');
    await expectNothing(issue);
  });

  it("refuses a reader's command", async () => {
    const { world } = scene;
    const issue = await world.person("alice").openIssue({ title: "Change a.txt" });
    const command = await world.person("rita").comment(issue, "/magis resolve");
    const { reason } = await judged(await delivered("created", issue));
    expect(reason).toBe('The sender\'s permission is "read", and write is needed.');
    await expectNothing(issue);
    expect(world.reactions(`issues/comments/${command}`)).toEqual([{ content: "confused", login: "magis[bot]" }]);
  });

  it.each([
    ["closed", "The issue is not open."],
    ["locked", "The issue is locked."],
  ])("ignores a %s issue", async (state, reason) => {
    const { world } = scene;
    const alice = world.person("alice");
    const issue = await alice.openIssue({ title: "Change a.txt" });
    await (state === "closed" ? alice.closeIssue(issue) : alice.lockIssue(issue));
    await alice.label(issue, "magis");
    expect((await judged(await delivered("labeled", issue))).reason).toBe(reason);
    await expectNothing(issue);
  });

  it("starts one run for a second label, a second command and redeliveries, and names its pull request once", async () => {
    const { world, model } = scene;
    const alice = world.person("alice");
    const hold = model.hold(({ promptId }) => promptId === "c02-locate-files");
    const issue = await scene.ask("Change a.txt");
    await hold.reached;
    const first = await delivered("labeled", issue);
    const payload = JSON.parse(first.body) as { issue: { updated_at: string } };
    const later = new Date(Date.parse(payload.issue.updated_at) + 1000).toISOString();
    const second = await world.deliver("issues", { ...payload, issue: { ...payload.issue, updated_at: later } });
    expect((await judged(second)).outcome).toBe("issue has an unfinished run");
    await alice.comment(issue, "/magis resolve");
    expect((await judged(await delivered("created", issue))).outcome).toBe("issue has an unfinished run");
    await world.redeliver(first);
    await judged(first, ({ msg }) => msg === "delivery was known already");
    hold.release();

    const { pull } = await scene.ended(issue);
    expect(pull?.state).toBe("open");
    expect(await scene.comments(issue)).toHaveLength(1);
    expect(scene.calls("c02-locate-files", before)).toHaveLength(1);
    expect(scene.calls("p09-change-file", before)).toHaveLength(1);

    const spent = scene.model.journal.length;
    // The same body, properly signed, under a made-up delivery id.
    const replayed = await world.deliver("issues", payload);
    await judged(replayed, ({ msg }) => msg === "delivery was known already");
    expect(await scene.comments(issue)).toHaveLength(1);

    for (const count of [1, 2]) {
      await alice.comment(issue, "/magis resolve");
      expect((await judged(await delivered("created", issue, count + 1))).reason).toBe(
        `Pull request #${pull?.number} is open.`,
      );
    }
    const [, answer, ...others] = await scene.comments(issue);
    expect(answer?.body).toContain(`My pull request #${pull?.number} for this issue is still open.`);
    expect(others).toEqual([]);
    expect(scene.model.journal).toHaveLength(spent);
  });

  it("asks before it works on an issue that is assigned to somebody else, or that is a question", async () => {
    const { world } = scene;
    const alice = world.person("alice");
    const assigned = await alice.openIssue({ title: "Change a.txt" });
    await alice.request("POST", `/issues/${assigned}/assignees`, { assignees: ["tom"] });
    const question = await alice.openIssue({ title: "Why is there a.txt?", labels: ["question"] });
    for (const [issue, why] of [
      [assigned, "This issue is assigned to `tom`."],
      [question, "This issue is marked `question`, which I leave to people."],
    ] as const) {
      await alice.label(issue, "magis");
      const said = await world.until(async () => (await scene.comments(issue))[0], { what: `the answer on #${issue}` });
      expect(said.body).toContain(`${why} I have not started. To have me work on it all the same, comment`);
    }
    expect(scene.model.journal).toHaveLength(before);
  });

  it("names a person's open pull request, and goes on when told to, as the options say", async () => {
    const { world } = scene;
    const alice = world.person("alice");
    const issue = await alice.openIssue({ title: "Change a.txt for the release" });
    await alice.push("release/4.2", { "c.txt": "c\n" });
    await alice.push("mine", { "b.txt": "B\n" });
    const own = await alice.openPull({ title: "Change b.txt", head: "mine", body: `Fixes #${issue}` });
    await alice.comment(issue, "/magis resolve");
    expect((await judged(await delivered("created", issue))).reason).toBe(
      "There is an open pull request for the issue.",
    );
    const [said] = await scene.comments(issue);
    expect(said?.body).toContain(`There is already #${own} by \`alice\` for this issue, and it is still open.`);
    expect(scene.model.journal).toHaveLength(before);

    await alice.comment(issue, "/magis resolve anyway\nbase: release/4.2\ndraft: false");
    const { pull, comment } = await scene.ended(issue);
    expect(pull).toMatchObject({ draft: false, base: { ref: "release/4.2" } });
    expect(comment.body).toContain("Asked for by alice with `/magis resolve anyway base:release/4.2 draft:false`.");
  });

  /**
   * How much the bot asks GitHub about an issue, and to render text, from this place of the journal on until it opens its
   * pull request. Meanwhile it looks at the pull request of before, too, which does not count.
   */
  const asks = (from: number, issue: number) => {
    const since = scene.world.journal.slice(from);
    const opening = since.findIndex(({ method, path }) => method === "POST" && path === "/repos/acme/shop/pulls");
    return since
      .slice(0, opening)
      .filter(({ actor, method }) => actor === "magis[bot]" && method !== "PATCH")
      .filter(({ path }) => path === "/markdown" || /\/issues\/(\d+)/.exec(path)?.[1] === String(issue)).length;
  };

  it("shows the models nothing that GitHub's page does not show, for at most two requests more", async () => {
    const alice = scene.world.person("alice");
    const ordinary = scene.world.journal.length;
    const plain = await alice.openIssue({ title: "Change b.txt", body: "It should be a capital." });
    await alice.comment(plain, "Really.");
    await alice.comment(plain, "And soon.");
    await alice.comment(plain, "/magis resolve b.txt");
    await scene.ended(plain);
    const [begin, from] = [scene.model.journal.length, scene.world.journal.length];

    const issue = await alice.openIssue({ title: "Change a.txt<!-- concealed -->\u200b", body: HIDING });
    await alice.comment(issue, HIDING);
    await alice.email(issue, "An answer by e-mail.", "concealed");
    await alice.comment(issue, `/magis resolve ${HIDING}`);
    await scene.ended(issue);

    const asked = scene.model.journal
      .slice(begin)
      .map(({ body }) => JSON.stringify(body))
      .join("\n");
    expect(asked).toContain("Seen: a.txt.");
    expect(asked).toContain("An answer by e-mail.");
    expect(asked).toContain('"type":"image"');
    expect(asked).not.toContain("concealed");
    expect(asked).not.toMatch(INVISIBLE);
    expect(asked).not.toContain("jwt=");
    expect(JSON.stringify(await scene.comments(issue))).not.toContain("concealed");
    expect(asks(ordinary, plain)).toBeGreaterThan(5);
    expect(asks(from, issue) - asks(ordinary, plain)).toBeLessThanOrEqual(2);
  });

  it("keeps an audit log of who asked for what and of every write, without anybody's words", async () => {
    const text = await readFile(auditLog(), "utf8");
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const refused = { what: "request", repository: "acme/shop", answer: "refused" };
    const permission = (name: string) => `The sender's permission is "${name}", and write is needed.`;
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...refused, person: "tom", asked: "label", reason: permission("triage") }),
        expect.objectContaining({ ...refused, person: "rita", asked: "command", reason: permission("read") }),
        expect.objectContaining({ person: "alice", answer: "admitted", run: expect.stringMatching(/^acme\/shop#/) }),
      ]),
    );
    const writes = lines.filter(({ what }) => what === "write");
    expect(writes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ repository: "acme/shop", method: "POST", place: "/api/v3/repos/acme/shop/pulls" }),
      ]),
    );
    const made = scene.world.deliveries.filter(
      ({ event, action, body }) =>
        event === "pull_request" &&
        action === "opened" &&
        (JSON.parse(body) as { sender: { type: string } }).sender.type === "Bot",
    );
    const opened = writes.filter(({ place, status }) => place === "/api/v3/repos/acme/shop/pulls" && status === 201);
    expect(opened).toHaveLength(made.length);
    for (const { time, milliseconds } of writes) {
      expect(Date.parse(String(time))).toBeGreaterThan(0);
      expect(milliseconds).toEqual(expect.any(Number));
    }
    expect(text).not.toMatch(/Change a\.txt|ghs_|"body"/);
  });
});
