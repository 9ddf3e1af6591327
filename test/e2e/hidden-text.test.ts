import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { scriptFor } from "./script-for.ts";
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

describe("what the models see of an issue", () => {
  let scene: Scene;
  const rounds = [{ edits: [{ start: 1, end: 1, text: "A" }] }];

  beforeAll(async () => {
    const script = scriptFor({ files: { "a.txt": { rounds }, "b.txt": { rounds } } });
    scene = await startScene({ repository: { files: { "a.txt": "a\n", "b.txt": "b\n" } }, script });
  });
  afterAll(() => scene.close());

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

  it("is nothing that GitHub's page does not show, for at most two requests more", async () => {
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

  it("is also what was attached, its parent and sub-issues, and the no to an earlier pull request", async () => {
    const { world } = scene;
    const [alice, rita] = [world.person("alice"), world.person("rita")];
    const parent = await alice.openIssue({ title: "Capitals", body: "## Aim\n\nAll files begin alike.\n\nSoon." });
    const log = alice.attach("app.log", "E: a.txt is small\n");
    const zip = alice.attach("core.zip", Buffer.from("504b03040a000000", "hex"));
    const body = `### Log\n\n[app.log](${log}), [core.zip](${zip})\n\n### More\n\n_No response_`;
    const issue = await alice.openIssue({ title: "A capital in a.txt", body });
    alice.addSubIssue(parent, issue);
    alice.addSubIssue(issue, await alice.openIssue({ title: "Then its test", body: "Of a.txt." }));
    await alice.label(issue, "magis");
    const { comment, pull } = await scene.ended(issue);
    const [plan] = scene.calls("p04-plan-work").slice(-1);
    const asked = JSON.stringify(plan?.body);
    for (const words of ["E: a.txt is small", "All files begin alike.", "Then its test", "core.zip"])
      expect(asked).toContain(words);
    expect(asked).not.toMatch(/No response|Soon\.|closed without/);
    expect(comment.body).toContain("which could not be read (it is not encoded in UTF-8)");

    const number = pull?.number ?? 0;
    await alice.review(number, { event: "REQUEST_CHANGES", body: "Capitals belong in b.txt." });
    await rita.comment(number, "I would take it.");
    await alice.closePull(number);
    const noted = () => scene.bot().log.some(({ msg, trigger }) => msg === "delivery recorded" && trigger === "gone");
    await world.until(noted, { what: "the end of the pull request" });
    const from = scene.model.journal.length;
    await alice.comment(issue, "/magis resolve");
    await world.until(() => scene.calls("p04-plan-work", from).length > 0, { what: "another plan" });
    const again = JSON.stringify(scene.calls("p04-plan-work", from)[0]?.body);
    expect(again).toContain(`Our pull request ${number} for this issue was closed without being merged.`);
    expect(again).toContain("a.txt +1 -1");
    expect(again).toContain("Capitals belong in b.txt.");
    expect(again).not.toContain("I would take it.");
    await scene.ended(issue);
  });
});
