import { describe, expect, it } from "@jest/globals";
import { type Delivery, triggerOfComment } from "../../../src/data/run-request.ts";
import { DEFAULT_SETTINGS } from "../../../src/data/setting-definitions/all-settings.ts";
import type { Settings } from "../../../src/data/settings.ts";
import { admitDelivery } from "../../../src/webhooks/admission/admit-request.ts";
import { createComment, createFakeHost, createIssue, type FakeHostState } from "./fake-host.ts";

async function ask(words: string, change: Partial<FakeHostState> = {}, proof: Settings["proof"] = "auto") {
  const body = `/magis resolve ${words}`;
  const { host, state, calls } = createFakeHost({ comments: [createComment(5, body)], ...change });
  const delivery: Delivery = {
    id: "guid-1",
    repository: { owner: "octo", name: "cat", installationId: 11 },
    issue: 3,
    actor: "ada",
    actorIsBot: false,
    trigger: triggerOfComment(5, body, "issue"),
    at: "2026-11-20T10:00:00Z",
  };
  const { allowedBots, budget, skipLabels } = DEFAULT_SETTINGS;
  const admit = () => admitDelivery(delivery, host, { allowedBots, budget, skipLabels, proof });
  const admission = await admit();
  const answer = state.comments.find(({ author }) => author === "magis[bot]")?.body;
  return { admission, answer, calls, again: admit, state };
}

describe("before a run starts", () => {
  it.each<[string, Partial<FakeHostState>, RegExp]>([
    ["a question", { issue: createIssue({ labels: ["question"] }) }, /marked `question`, which I leave to people/],
    ["a kind behind a prefix", { issue: createIssue({ labels: ["Status: Blocked"] }) }, /`Status: Blocked`/],
    ["a path of kinds", { issue: createIssue({ labels: ["kind/security"] }) }, /`kind\/security`/],
    ["an emoji in front", { issue: createIssue({ labels: ["❓ Question"] }) }, /`❓ Question`/],
    ["a type of issue", { issue: createIssue({ type: "Question" }) }, /`Question`/],
    ["somebody assigned", { issue: createIssue({ assignees: ["bob", "cy"] }) }, /assigned to `bob`, `cy`\./],
    ["a pull request", { pullsAbout: [{ number: 7, author: "bob" }] }, /already #7 by `bob` for this issue/],
    [
      "two pull requests",
      {
        pullsAbout: [
          { number: 7, author: "bob" },
          { number: 8, author: "renovate" },
        ],
      },
      /There are already #7 by `bob`, #8 by `renovate`/,
    ],
  ])("it asks about %s, once, and goes on with `anyway`", async (_what, change, words) => {
    const { admission, answer, again, state } = await ask("", change);
    expect(admission).toHaveProperty("refused");
    expect(answer).toMatch(words);
    expect(answer).toContain("comment `/magis resolve anyway`");
    await again();
    expect(state.comments.filter(({ author }) => author === "magis[bot]")).toHaveLength(1);
    expect((await ask("anyway", change)).admission).toHaveProperty("request");
  });

  it.each<[string, Partial<FakeHostState>]>([
    ["the person who asked is assigned", { issue: createIssue({ assignees: ["bob", "Ada"] }) }],
    ["the bot itself is assigned", { issue: createIssue({ assignees: ["magis[bot]"] }) }],
    ["a label only holds the word", { issue: createIssue({ labels: ["unquestioned", "security-hardening"] }) }],
    ["the pull request is the bot's own", { pullsAbout: [{ number: 7, author: "magis[bot]" }] }],
  ])("it goes on where %s", async (_what, change) => {
    expect((await ask("", change)).admission).toHaveProperty("request");
  });

  it("answers options that it cannot follow with the list of those that work", async () => {
    const { admission, answer } = await ask("budget:20 bose:main");
    expect(admission).toHaveProperty("refused");
    expect(answer).toContain("- `bose:main` is not an option.");
    expect(answer).toContain("- `budget:20` is above what one run may cost here, $5.");
    expect(answer).toContain("- `base:BRANCH`: The branch that changes start from");
  });

  it.each([
    ["required", "proof:off", false],
    ["required", "proof:auto", false],
    ["required", "proof:required", true],
    ["auto", "proof:off", true],
  ] as const)("where proof is %s, %s may be followed: %s", async (proof, option, may) => {
    const { admission, answer } = await ask(option, {}, proof);
    expect("request" in admission).toBe(may);
    if (!may) expect(answer).toContain("- This repository requires a proof of each fix.");
  });

  it("keeps the options with the request", async () => {
    const { admission } = await ask("budget:2 anyway round up");
    expect(admission).toMatchObject({
      request: { options: { anyway: true, given: ["budget:2"] }, trigger: { hint: "round up" } },
    });
  });
});
