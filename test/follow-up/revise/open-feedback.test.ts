import { describe, expect, it } from "@jest/globals";
import { findOpenComments, findOpenThreads } from "../../../src/follow-up/revise/read-feedback.ts";
import { voicesOf } from "../../../src/follow-up/revise/voices.ts";
import type { ReviewThread, ThreadComment } from "../../../src/github/code-host.ts";
import { renderBody } from "../../world/render-body.ts";

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
