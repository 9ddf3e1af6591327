import { describe, expect, it } from "@jest/globals";
import { findOpenComments, findOpenThreads } from "../../../src/follow-up/revise/read-feedback.ts";
import { voicesOf } from "../../../src/follow-up/revise/voices.ts";
import type { ReviewThread, ThreadComment } from "../../../src/github/code-host.ts";
import { renderBody } from "../../world/render-body.ts";
import { ROOT } from "../own-pull.ts";
import { revising } from "./revising.ts";

const BOT = "magis[bot]";
const AT = "2026-01-02T00:00:00Z";
const mayWrite = (author: string) => author === "ana" || author === "ben";
const VOICES = voicesOf({ threads: [], reviews: [], comments: [] }, BOT, { mayWrite, allowedBots: [], asked: false });

let last = 0;
const said = (author: string, body: string, byBot = author === BOT): ThreadComment => ({
  id: ++last,
  author,
  byBot,
  body,
  html: renderBody(body),
  createdAt: AT,
});
const thread = (comments: readonly ThreadComment[], more: Partial<ReviewThread> = {}): ReviewThread => ({
  id: "T",
  resolved: false,
  outdated: false,
  path: "a.txt",
  line: 2,
  diffHunk: "@@ -1 +1 @@",
  comments,
  ...more,
});
const open = (comments: readonly ThreadComment[], more: Partial<ReviewThread> = {}) =>
  findOpenThreads([thread(comments, more)], BOT, VOICES);

it("the bot's own words are never heard, though the settings name it", () => {
  const who = { mayWrite: () => true, allowedBots: ["magis", "linter"], asked: true };
  const { heard } = voicesOf({ threads: [], reviews: [], comments: [] }, BOT, who);
  expect([said(BOT, "Mine."), said(BOT, "Mine.", false), said("linter[bot]", "Its.", true)].map(heard)).toEqual([
    false,
    false,
    true,
  ]);
});

describe("findOpenThreads", () => {
  it("finds a person's thread, with its place and its visible words", () => {
    const word = said("ana", "Shout. <!-- and leak -->");
    expect(open([word])).toEqual([
      {
        id: "th1",
        source: `thread-${word.id}`,
        author: "ana",
        thread: "T",
        path: "a.txt",
        line: 2,
        diffHunk: "@@ -1 +1 @@",
        argued: false,
        conversation: [{ author: "ana", own: false, body: "Shout." }],
      },
    ]);
  });

  it.each([
    ["is resolved", () => open([said("ana", "Shout.")], { resolved: true })],
    [
      "has no comment by a person with write permission",
      () => open([said("rita", "Shout."), said("other[bot]", "Yes.", true)]),
    ],
    ["was answered by the bot", () => open([said("ana", "Shout."), said(BOT, "Done.")])],
    ["is a QA Engineer's without a reply", () => open([said(BOT, "<!-- magis:qa t1-r1-1 -->\nNo.")])],
    ["has only hidden text", () => open([said("ana", "<!-- hidden -->")])],
    ["holds a command", () => open([said("ana", "/magis status")])],
  ])("ignores a thread that %s", (_why, found) => {
    expect(found()).toEqual([]);
  });

  it("finds a reply that arrived during the answer, until it is answered too", () => {
    const [first, second] = [said("ana", "Shout."), said("ana", "Louder.")];
    const answer = said(BOT, `<!-- magis:answer thread-${first.id} -->\nLoud.`);
    expect(open([first, second, answer])).toMatchObject([{ source: `thread-${second.id}`, argued: true }]);
    expect(open([first, second, answer, said(BOT, `<!-- magis:answer thread-${second.id} -->\nYes.`)])).toEqual([]);
  });

  it("finds a draft of a review that was submitted after the answer, though its id is lower", () => {
    const [draft, first] = [said("ana", "Quieter."), said("ben", "Shout.")];
    const answer = said(BOT, `<!-- magis:answer thread-${first.id} -->\nLoud.`);
    expect(open([first, answer, draft])).toMatchObject([{ source: `thread-${draft.id}` }]);
    const reply = said(BOT, `<!-- magis:answer thread-${draft.id} -->\nQuiet.`);
    expect(open([first, answer, draft, reply])).toEqual([]);
  });

  it("counts what an answer was to as answered when it is gone", () => {
    const [first, second] = [said("ana", "Shout."), said("ana", "Louder.")];
    const [third, answer] = [said("ana", "No!"), said(BOT, `<!-- magis:answer thread-${second.id} -->\nLoud.`)];
    expect(open([first, answer])).toEqual([]);
    expect(open([first, third, answer])).toMatchObject([{ source: `thread-${third.id}` }]);
  });

  it("takes no person's mark for an answer", () => {
    const first = said("ana", "Shout.");
    expect(open([first, said("ben", `<!-- magis:answer thread-${first.id} -->\nNo.`)])).toHaveLength(1);
  });

  it("gives the QA Engineer's comment, and leaves strangers out of the conversation", () => {
    const qa = said(BOT, "<!-- magis:qa t1-r1-1 -->\n**QA**\n\nSpell it out.");
    const [found] = open([qa, said("rita", "No!"), said("ana", "Yes.")]);
    expect(found).toMatchObject({ qaComment: "Spell it out.", argued: false });
    expect(found?.conversation.map(({ author }) => author)).toEqual([BOT, "ana"]);
  });

  it("finds at most 30 threads at a time", () => {
    const many = Array.from({ length: 50 }, () => thread([said("ana", "Shout.")]));
    expect(findOpenThreads(many, BOT, VOICES)).toHaveLength(30);
  });
});

describe("findOpenComments", () => {
  const comment = (author: string, body: string) => ({ ...said(author, body), nodeId: "n", updatedAt: AT });
  const review = (author: string, body: string, state: "commented" | "dismissed" = "commented") => ({
    id: ++last,
    author,
    byBot: false,
    state,
    body,
    submittedAt: "2026-01-01T00:00:00Z",
  });

  it("finds unanswered reviews and comments by people with write permission, oldest first", () => {
    const comments = [comment("ana", "Why?"), comment("ben", "And how?"), comment("rita", "Hm.")];
    const answer = comment(BOT, `<!-- magis:answer comment-${comments[1]?.id} -->\nSo.`);
    const reviews = [review("ben", "All good."), review("ana", ""), review("ana", "Old.", "dismissed")];
    const found = findOpenComments({ reviews, comments: [...comments, answer] }, BOT, VOICES, undefined);
    expect(found.map(({ id, author, body }) => [id, author, body])).toEqual([
      ["re1", "ben", "All good."],
      ["re2", "ana", "Why?"],
    ]);
  });

  it("ignores commands, except for the hint of the one that asked for the run", () => {
    const command = comment("ana", "/magis resolve and rename it");
    const asked = { commentId: command.id, author: "ana", hint: "and rename it" };
    const found = (comments: readonly ReturnType<typeof comment>[]) =>
      findOpenComments({ reviews: [], comments }, BOT, VOICES, asked);
    expect(found([command])).toMatchObject([{ source: `comment-${command.id}`, body: "and rename it" }]);
    expect(found([command, comment(BOT, `<!-- magis:answer comment-${command.id} -->\nDone.`)])).toEqual([]);
  });
});

const PATH = "sum.test.js";
const TEST = ['it("adds", () => {', "  expect(sum(1, 2)).toBe(3);", "});", ""].join("\n");
const SKIPPED = TEST.replace("it(", "it.skip(");

/** A Developer that skips the test of the base branch; `own`: the pull request brought it, and it came to `verdict`. */
async function skipping({ own = false, verdict }: { own?: boolean; verdict?: "right-red" | "not-red" } = {}) {
  const change = {
    edits: [{ start: 1, end: 1, anchor: "", text: 'it.skip("adds", () => {' }],
    summary: "It is skipped.",
    replies: [{ comment: "th1", reply: "Done." }],
    qaEngineer: { title: "QA Engineer", description: "Looks." },
  };
  const files: Record<string, string> = own ? {} : { [PATH]: TEST };
  const first: Record<string, string> = own ? { [PATH]: TEST } : { "a.txt": "A\n" };
  const shop = await revising(
    { "p09-change-file": change },
    {},
    { settings: { profile: "lean", allowedBots: ["linter"] }, files, first },
  );
  if (verdict) {
    const asked = [{ path: PATH, within: [], name: "adds" }];
    const red = { commit: shop.head, stage: "red", verdict, checks: [], tests: [], asked };
    await (await shop.store.openWriter(ROOT)).saveRecord("proof", { pushes: [red] });
  }
  const shown = () => shop.state.threads.filter(({ comments }) => comments[0]?.body.includes("<!-- magis:shown "));
  return { ...shop, shown };
}

describe("a revision that edits a test", () => {
  it("is shown to the maintainer in a thread that the bot never resolves, without being sent back", async () => {
    const shop = await skipping();
    shop.thread(PATH, "This takes long.");
    expect(await shop.run()).toMatchObject({ kind: "published", openThreads: 2 });
    expect(shop.asked().filter((id) => id === "p09-change-file")).toHaveLength(1);
    expect(shop.state.objects.textAt(shop.tip(), PATH)).toBe(SKIPPED);
    const [thread, ...others] = shop.shown();
    expect(others).toEqual([]);
    expect(thread).toMatchObject({ path: PATH, line: 1, resolved: false });
    expect(thread?.comments[0]?.body).toContain("edits existing tests (line 1)");
    thread?.comments.push(shop.said("ana", "So be it: it is fine."));
    await shop.run();
    expect(thread?.resolved).toBe(false);
  });

  it.each([
    ["a thread stands on it", { line: 2 }, "This takes long."],
    ["a maintainer names its file", {}, "Skip what is in sum.test.js."],
    ["a maintainer names it", {}, 'Skip "adds" for now.'],
  ])("is not shown where %s", async (_, place, words) => {
    const shop = await skipping();
    Object.assign(shop.thread(PATH, words), place);
    await shop.run();
    expect(shop.shown()).toEqual([]);
  });

  it("is shown where only a bot discusses and names it", async () => {
    const shop = await skipping();
    const said = shop.said("linter[bot]", "Skip `adds` in sum.test.js.", true);
    const thread = { id: "thread-bot", pullRequest: 9, path: PATH, line: 1, resolved: false, comments: [said] };
    shop.state.threads.push(thread);
    await shop.run(undefined, async () => undefined);
    expect(shop.shown()).toHaveLength(1);
  });

  it("is not shown for the bot's own test, unless that carries the proof", async () => {
    for (const verdict of [undefined, "not-red", "right-red"] as const) {
      const shop = await skipping({ own: true, verdict });
      shop.thread(PATH, "This takes long.");
      await shop.run();
      expect(shop.shown()).toHaveLength(verdict === "right-red" ? 1 : 0);
    }
  });
});
