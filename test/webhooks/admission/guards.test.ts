import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import { triggerOfComment } from "../../../src/data/run-request.ts";
import { DEFAULT_SETTINGS } from "../../../src/data/setting-definitions/all-settings.ts";
import type { Settings } from "../../../src/data/settings.ts";
import type { HostIssue, PullAbout } from "../../../src/github/code-host.ts";
import { admitDelivery } from "../../../src/webhooks/admission/admit-request.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { sampleDelivery } from "../../fakes/sample-delivery.ts";
import { commentOf } from "./admitting.ts";

interface Found {
  issue?: Partial<HostIssue>;
  pullsAbout?: readonly PullAbout[];
}

async function ask(words: string, { issue, pullsAbout = [] }: Found = {}, proof: Settings["proof"] = "auto") {
  const body = `/magis resolve ${words}`;
  const { host, state } = createFakeHost({}, { comments: [commentOf(5, body)], issue });
  state.pullsAbout = pullsAbout;
  const delivery = sampleDelivery({ trigger: triggerOfComment(5, body, "issue") });
  const { allowedBots, budget, skipLabels } = DEFAULT_SETTINGS;
  const admit = () => admitDelivery(delivery, host, { allowedBots, budget, skipLabels, proof });
  const admission = await admit();
  const answer = state.comments.find(({ author }) => author === "magis[bot]")?.body;
  return { admission, answer, again: admit, state };
}

describe("before a run starts", () => {
  it.each<[string, Found, RegExp]>([
    ["a question", { issue: { labels: ["question"] } }, /marked `question`, which I leave to people/],
    ["a kind behind a prefix", { issue: { labels: ["Status: Blocked"] } }, /`Status: Blocked`/],
    ["a path of kinds", { issue: { labels: ["kind/security"] } }, /`kind\/security`/],
    ["an emoji in front", { issue: { labels: ["❓ Question"] } }, /`❓ Question`/],
    ["a type of issue", { issue: { type: "Question" } }, /`Question`/],
    ["somebody assigned", { issue: { assignees: ["bob", "cy"] } }, /assigned to `bob`, `cy`\./],
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

  it.each<[string, Found]>([
    ["the person who asked is assigned", { issue: { assignees: ["bob", "Ben"] } }],
    ["the bot itself is assigned", { issue: { assignees: ["magis[bot]"] } }],
    ["a label only holds the word", { issue: { labels: ["unquestioned", "security-hardening"] } }],
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

const delivery = sampleDelivery({ trigger: { kind: "command", commentId: 5, hint: "" } });

const asked = () => createFakeHost({}, { comments: [commentOf(5, "/magis resolve")] });

/** Everything that the guards ask the host. A guard that asks something new belongs here. */
const QUESTIONS = ["permissionOf", "readIssue", "listComments", "findOwnPullRequests", "pullsAbout"] as const;

const FAILURES = ["HOST_REFUSED", "HOST_NOT_FOUND", "HOST_UNREACHABLE"] as const;

const rows = QUESTIONS.flatMap((question) => FAILURES.map((code) => [question, code] as const));

describe("a question of the guards that the host does not answer", () => {
  it("is one of those below", async () => {
    const { host, faults } = asked();
    expect(await admitDelivery(delivery, host, { allowedBots: [] })).toHaveProperty("request");
    const questions = new Set(faults.calls.filter((name) => name !== "react"));
    expect([...questions].sort()).toEqual([...QUESTIONS].sort());
  });

  it.each(rows)("lets nothing begin, and is asked again after an outage: %s, %s", async (question, code) => {
    const { host, state, faults } = asked();
    const fault = new MagisError(code, "GitHub refused.");
    faults.refuse(question, fault);
    const admission = await admitDelivery(delivery, host, { allowedBots: [] }).catch((error: unknown) => error);
    expect(admission).not.toHaveProperty("request");
    if (code === "HOST_UNREACHABLE") expect([admission, state.comments.length]).toEqual([fault, 1]);
    else if (question === "pullsAbout") {
      const said = state.comments.at(-1)?.body;
      expect(said).toContain("I could not see whether somebody's pull request is about this issue");
      expect(said).toContain("/magis resolve anyway");
    }
  });
});
