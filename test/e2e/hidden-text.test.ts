import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createScript } from "../scripted-model/script.ts";
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
    const script = createScript({ files: { "a.txt": { rounds }, "b.txt": { rounds } } });
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
});
