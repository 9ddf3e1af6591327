import { describe, expect, it } from "@jest/globals";
import type { Check, HostComment, HostReview } from "../../../src/github/code-host.ts";
import { createPullPoll } from "../../../src/webhooks/admission/poll-pull.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { sampleCheck } from "../../fakes/sample-check.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { commentOf, openOwnPull } from "./admitting.ts";

const { repository } = sampleRequest();

const person = { author: "ana", byBot: false };

const comment = (id: number, body: string, minute: number, by = person) =>
  commentOf(id, body, { ...by, createdAt: `2026-01-01T00:0${minute}:00Z` });

interface Said {
  comments?: readonly HostComment[];
  reviews?: readonly HostReview[];
  inThread?: readonly HostComment[];
}

/** What a look at the bot's pull request finds, whose checks are those. */
async function lookAt(
  checks: readonly Check[],
  { draft = false, closed = false, said = {} }: { draft?: boolean; closed?: boolean; said?: Said } = {},
) {
  const { host } = createFakeHost({});
  const { number, head } = await openOwnPull(host, { draft });
  if (closed) await host.updatePullRequest(number, { state: "closed" });
  const { comments = [], reviews = [], inThread = [] } = said;
  const thread = { id: "t", resolved: false, outdated: false, path: "a.txt", diffHunk: "", comments: inThread };
  const look = createPullPoll(async () => ({
    ...host,
    checksOf: async () => checks,
    listComments: async () => comments,
    listReviews: async () => reviews,
    listThreads: async () => [thread],
  }));
  return { head, number, look, found: await look({ repository, number }) };
}

describe("a look at an open pull request", () => {
  it.each([
    ["one failed", [sampleCheck("failed")], {}, "failed"],
    ["all of a draft are green", [sampleCheck("passed")], { draft: true }, "green"],
    ["one may not start", [sampleCheck("pending", { because: "not-allowed" })], {}, "not-allowed"],
  ] as const)("finds checks that have ended: %s", async (_, checks, options, verdict) => {
    const { found, head, number } = await lookAt(checks, options);
    expect(found).toMatchObject({
      open: true,
      head,
      deliveries: [
        {
          id: `look-${number}-${head}-${verdict}-1`,
          trigger: { kind: "checks", head, branch: "magis/issue-7-fix" },
          actorIsBot: true,
        },
      ],
    });
  });

  it.each([
    ["they go on", [sampleCheck("failed"), sampleCheck("pending")], { draft: true }],
    ["there are none", [], { draft: true }],
    ["they are green and it is ready", [sampleCheck("passed")], {}],
  ] as const)("finds nothing to do while %s", async (_, checks, options) => {
    const { found, head } = await lookAt(checks, options);
    const quietSince = "draft" in options ? "2026-01-01T00:00:00Z" : undefined;
    expect(found).toEqual({ open: true, head, deliveries: [], quietSince });
  });

  it("reports it over when it is closed or gone", async () => {
    const { found, look, number, head } = await lookAt([sampleCheck("failed")], { closed: true });
    const trigger = { kind: "gone", why: "closed" };
    expect(found).toMatchObject({
      open: false,
      deliveries: [{ id: `look-${number}-${head}-closed`, issue: number, trigger }],
    });
    expect(await look({ repository, number: 999 })).toEqual({ open: false, deliveries: [] });
  });
});

describe("what people said on an open pull request", () => {
  /** What a look hands on: the event of each delivery. */
  async function hears(said: Said, heard?: string) {
    const { look, number } = await lookAt([], { said });
    const found = await look({ repository, number, heard });
    return { events: found.deliveries.map(({ event }) => event), found };
  }

  it("counts each command, and each person's last other comment", async () => {
    const ben = { author: "ben", byBot: false };
    const review: HostReview = {
      id: 4,
      ...person,
      state: "commented",
      body: "",
      submittedAt: "2026-01-01T00:04:00Z",
    };
    const { events, found } = await hears({
      comments: [comment(1, "Please do", 1), comment(2, "/magis status", 2), comment(3, "Why?", 3, ben)],
      reviews: [review],
      inThread: [comment(5, "Here", 5, ben)],
    });
    expect(events).toEqual(["comment-2", "review-4", "review-comment-5"]);
    expect(found).toMatchObject({ heard: "2026-01-01T00:05:00Z" });
    expect(found.deliveries[0]).toMatchObject({
      id: "look-comment-2",
      actor: "ana",
      trigger: { kind: "other-command", commentId: 2, on: "pull request" },
    });
  });

  it("leaves out known comments and the app's own; whether another bot is heard is the guards' business", async () => {
    const app = { author: "magis[bot]", byBot: true };
    const other = { author: "robot[bot]", byBot: true };
    const comments = [
      comment(1, "/magis retry", 1),
      comment(2, "/magis retry", 2),
      comment(3, "/magis help", 3, app),
      comment(4, "Lint is fine", 4, other),
      comment(5, "/magis status", 5, other),
    ];
    const { events, found } = await hears({ comments }, "2026-01-01T00:02:00Z");
    expect(events).toEqual(["comment-2", "comment-4", "comment-5"]);
    expect(found).toMatchObject({ heard: "2026-01-01T00:05:00Z" });
  });

  it("sees since when people have been quiet on a draft, whatever bots say", async () => {
    const comments = [comment(1, "Why?", 1), comment(2, "Lint is fine", 2, { author: "robot[bot]", byBot: true })];
    const draft = await lookAt([], { draft: true, said: { comments } });
    expect(draft.found).toMatchObject({ quietSince: "2026-01-01T00:01:00Z" });
    const ready = await lookAt([], { said: { comments } });
    expect(ready.found).toMatchObject({ quietSince: undefined });
  });

  it("stays the same while nobody comments", async () => {
    const { found } = await hears({}, "2026-01-01T00:02:00Z");
    expect(found).toMatchObject({ deliveries: [], heard: "2026-01-01T00:02:00Z" });
  });
});
