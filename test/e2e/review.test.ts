import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { commentsIn, pathOf, roundOf, scriptedChange } from "../scripted-model/default-answers.ts";
import { createScript } from "../scripted-model/script.ts";
import { type Scene, startScene } from "./start-scene.ts";

const LIST = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n";

describe("QA comments as review threads", () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await startScene({
      repository: {
        files: {
          "docs/list.txt": LIST,
          "docs/plain.txt": "plain\n",
          "docs/more.txt": "more\n",
          ".github/PULL_REQUEST_TEMPLATE.md": "## Checklist\n\n- [ ] Tests were run\n",
        },
      },
      script: createScript({
        answers: {
          "p09-change-file": (call) => {
            // The third round: the change is there already.
            if (pathOf(call) !== "docs/list.txt" || !call.text.includes("zero")) return undefined;
            const replies = commentsIn(call).map(({ id }) => ({ comment: id, reply: `I would keep ${id}.` }));
            return scriptedChange([], { summary: "It stays.", replies });
          },
          "p11-review-work": (call) => {
            if (!call.text.includes("`docs/plain.txt`")) return undefined;
            const missing = [
              roundOf(call) === 1 ? "docs/more.txt: Change docs/more.txt" : "docs/never.txt: Add docs/never.txt",
            ];
            return { missing, verdict: "Not all of it.", approved: false };
          },
        },
        files: {
          "docs/plain.txt": { rounds: [{ edits: [{ start: 1, end: 1, text: "PLAIN" }] }] },
          "docs/more.txt": { rounds: [{ edits: [{ start: 1, end: 1, text: "MORE" }] }] },
          "docs/list.txt": {
            rounds: [
              {
                edits: [
                  { start: 2, end: 2, text: "Two" },
                  { start: 7, end: 7, text: "Seven" },
                ],
                comments: [
                  { line: 2, body: "Two is not TWO." },
                  { line: 7, body: "Seven is not SEVEN." },
                ],
              },
              {
                edits: [
                  { start: 1, end: 0, text: "zero" },
                  { start: 2, end: 2, text: "TWO" },
                  { start: 7, end: 7, text: "Seven!" },
                ],
                settles: ["TWO"],
              },
            ],
          },
        },
      }),
    });
  });
  afterAll(() => scene.close());

  it("resolves the thread that round two settles, and leaves the other open", async () => {
    const { world } = scene;
    const { comment, pull } = await scene.ended(await scene.ask("Capitals in docs/list.txt"));
    const number = pull?.number ?? 0;
    const threads = world.threads(number).sort((a, b) => Number(a.line) - Number(b.line));
    // The final file is: zero, one, TWO, three, four, five, six, Seven!, eight.
    expect(threads).toMatchObject([
      { path: "docs/list.txt", line: 3, resolved: true, outdated: false },
      { path: "docs/list.txt", line: 8, resolved: false, outdated: false },
    ]);
    const [settled, open] = threads.map(({ comments }) => comments.map(({ body }) => body));
    expect(settled).toHaveLength(2);
    expect(settled?.[0]).toContain("**QA Engineer for docs/list.txt**\n\nTwo is not TWO.");
    expect(settled?.[1]).toContain("**Developer for docs/list.txt**\n\nIt is done, as t1-r1-1 says.");
    expect(open).toHaveLength(1);
    expect(open?.[0]).toContain("Seven is not SEVEN.");

    const reviews = world.reviews(number).filter(({ body }) => body !== "");
    expect(reviews).toMatchObject([{ state: "COMMENTED" }]);
    expect(reviews[0]?.body).toContain("One comment of this review is open.");
    expect(comment.body).toContain("one review comment is open (see the review threads).");
    expect(pull?.body).toContain(
      "| `docs/list.txt` | Developer for docs/list.txt | QA Engineer for docs/list.txt, 3 rounds |",
    );
    expect(scene.calls("p11-review-work")).toHaveLength(3);
  });

  it("adds one task for what the review finds missing, and leaves the rest to a person", async () => {
    const { world, model } = scene;
    const before = model.journal.length;
    const { comment, pull } = await scene.ended(await scene.ask("Capitals in docs/plain.txt"));
    const number = pull?.number ?? 0;
    expect((await world.diff(number)).match(/^[+-]\w.*$/gm)).toEqual(["-more", "+MORE", "-plain", "+PLAIN"]);
    expect(comment.body).toContain("MAGIS opened pull request");
    expect(pull?.body).toMatch(/\| `docs\/more\.txt` \| .* \| QA Engineer for docs\/more\.txt \|/);
    const said = [...world.threads(number).flatMap(({ comments }) => comments), ...world.reviews(number)];
    const [open, ...others] = said.filter(({ body }) => body.includes("docs/never.txt"));
    expect(open?.body).toContain("Not part of this change, and perhaps missing:");
    expect(others).toEqual([]);
    expect(scene.calls("p04-plan-work", before)).toHaveLength(1);
    expect(scene.calls("p09-change-file", before)).toHaveLength(2);
    expect(scene.calls("p11-review-work", before)).toHaveLength(2);
  });

  it("fills in the repository's pull request template", async () => {
    const { pull } = await scene.ended(await scene.ask("More capitals in docs/list.txt"));
    expect(pull?.body).toMatch(/## Checklist\n\n- \[ \] Tests were run\n\nFixes #/);
  });
});
