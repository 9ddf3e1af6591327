import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import { DEFAULT_SETTINGS } from "../../../src/data/setting-definitions/all-settings.ts";
import type { Check, CodeHost, HostComment, HostReview } from "../../../src/github/code-host.ts";
import { createPullPoll } from "../../../src/webhooks/admission/poll-pull.ts";
import { createPullOutcome } from "../../../src/webhooks/admission/pull-outcome.ts";
import { createStaleDraftCloser } from "../../../src/webhooks/admission/stale-draft.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { sampleCheck } from "../../fakes/sample-check.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { admissionDependencies, commentOf, openOwnPull } from "./admitting.ts";

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

/** Looks twice at the bot's pull request after its end, and gives the comments on the issue. */
async function told(how: { base: string; merged: boolean }, issue: { open?: boolean } = {}) {
  const { host, state } = createFakeHost({ "a.txt": "a" }, { issue });
  const { number } = await openOwnPull(host, { base: how.base });
  state.pullRequests[0] = { ...state.pullRequests[0], open: false, merged: how.merged } as never;
  const look = createPullOutcome(async () => host);
  const { repository } = sampleRequest();
  for (let times = 0; times < 2; times++) await look({ repository, number }, undefined);
  return state.comments.map(({ body }) => body);
}

it("tells the issue, once, of a merge that does not close it", async () => {
  const [comment, ...more] = await told({ base: "release/2", merged: true });
  expect(comment).toContain("was merged into `release/2`");
  expect(more).toEqual([]);
});

it.each([
  ["a merge that closes it", { base: "main", merged: true }, {}],
  ["no merge", { base: "release/2", merged: false }, {}],
  ["a merge after it was closed", { base: "release/2", merged: true }, { open: false }],
])("says nothing to the issue of %s", async (_what, how, issue) => {
  expect(await told(how, issue)).toEqual([]);
});

const OPENED = "2026-01-01T00:00:00Z";

interface Case {
  staleDays?: number;
  draft?: boolean;
  /** a person's commit on the branch */
  pushed?: boolean;
  works?: boolean;
  host?: Partial<CodeHost>;
}

/** A draft of the bot, opened on day 0, and a clock of days. The fake host dates comments on day 1. */
async function openDraft({ staleDays = 30, draft = true, pushed = false, works = false, host: changes }: Case = {}) {
  const { host, state } = createFakeHost({});
  const { number, head, branch } = await openOwnPull(host, { draft });
  if (pushed) {
    const { tree } = await host.readCommit(head);
    const mine = { tree, parents: [head], message: "Mine", author: "ana", verified: false };
    await host.advanceBranch(branch, state.objects.addCommit(mine, "mine"));
  }
  const said: { on: number; body: string }[] = [];
  const told: CodeHost = {
    ...host,
    async createComment(on, body) {
      said.push({ on, body });
      return host.createComment(on, body);
    },
    ...changes,
  };
  let day = 0;
  const { queue, ...rest } = admissionDependencies();
  const deps = {
    ...rest,
    openCodeHost: async () => told,
    readSettings: async () => ({ settings: { ...DEFAULT_SETTINGS, staleDays } }),
    queue: { ...queue, unfinished: async () => (works ? [sampleRequest()] : []) },
  };
  const close = createStaleDraftCloser(deps, () => Date.parse(OPENED) + day * 24 * 3_600_000);
  return {
    said,
    number,
    closeOn: (onDay: number, quietSince = OPENED) => {
      day = onDay;
      return close({ repository: sampleRequest().repository, number }, quietSince);
    },
    isOpen: async () => (await host.readPullRequest(number)).open,
  };
}

describe("a draft on which people are quiet", () => {
  it("is asked about once after the days of the setting", async () => {
    const { closeOn, said, number, isOpen } = await openDraft({ staleDays: 2 });
    expect(await closeOn(1.9)).toBe(false);
    expect(said).toEqual([]);
    expect(await closeOn(2.1)).toBe(false);
    expect(await closeOn(3)).toBe(false);
    expect(said).toEqual([{ on: number, body: expect.stringContaining("Is this draft still wanted?") }]);
    expect(await isOpen()).toBe(true);
  });

  it("stays for 7 days after the question, and for good once somebody has answered", async () => {
    const { closeOn, said, isOpen } = await openDraft({ staleDays: 1 });
    await closeOn(1);
    expect(await closeOn(7.9)).toBe(false);
    expect(await closeOn(60, "2026-01-04T00:00:00Z")).toBe(false);
    expect(said).toHaveLength(1);
    expect(await isOpen()).toBe(true);
  });

  it.each<[string, Case]>([
    ["the setting is 0", { staleDays: 0 }],
    ["it is ready for review", { draft: false }],
    ["a person has committed to its branch", { pushed: true }],
    ["a run works on it", { works: true }],
  ])("is left alone when %s", async (_, options) => {
    const { closeOn, said, isOpen } = await openDraft(options);
    expect(await closeOn(80)).toBe(false);
    expect(said).toEqual([]);
    expect(await isOpen()).toBe(true);
  });

  it("is closed all the same when its branch may not be deleted", async () => {
    const deleteRef = async () => {
      throw new MagisError("HOST_REFUSED", "The branch is protected.");
    };
    const { closeOn, isOpen } = await openDraft({ host: { deleteRef } });
    await closeOn(30);
    expect(await closeOn(40)).toBe(true);
    expect(await isOpen()).toBe(false);
  });

  it("tells the issue once when closing is interrupted", async () => {
    let calls = 0;
    const deleteRef = async () => {
      calls += 1;
      if (calls === 1) throw new MagisError("HOST_UNREACHABLE", "The host is away.");
    };
    const { closeOn, said, isOpen } = await openDraft({ host: { deleteRef } });
    await closeOn(30);
    await expect(closeOn(40)).rejects.toThrow("away");
    expect(await closeOn(40)).toBe(true);
    expect(said).toHaveLength(2);
    expect(await isOpen()).toBe(false);
  });
});
