import { describe, expect, it } from "@jest/globals";
import { createAdmission } from "../../src/admission/admit.ts";
import { createRunAsker } from "../../src/admission/ask-for-run.ts";
import { MagisError } from "../../src/model/error.ts";
import type { Delivery, RunRequest } from "../../src/model/run-request.ts";
import { allHints } from "../../src/model/run-request.ts";
import { DEFAULT_SETTINGS } from "../../src/model/setting-definitions/all-settings.ts";
import type { CodeHost } from "../../src/ports/code-host.ts";
import type { AskedRun } from "../../src/ports/run-asker.ts";
import { createFakeLog } from "../fakes/create-fake-log.ts";
import { createFakeStore } from "../fakes/create-fake-store.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { createFakeHost, createIssue, createPullRequest, type FakeHostState } from "./fake-host.ts";

const ASKED: AskedRun = {
  owner: "OCTO",
  name: "Cat",
  issue: 3,
  person: "ada",
  hint: "look at a.ts",
  id: "request-1",
  digest: "d",
};

interface Case {
  readonly asked?: Partial<AskedRun>;
  readonly host?: Partial<FakeHostState>;
  readonly installed?: boolean;
  readonly unfinished?: readonly RunRequest[];
}

/** Asks once for each of `times`. */
async function ask({ asked = {}, host: change = {}, installed = true, unfinished = [] }: Case = {}, times = 1) {
  const { host, calls } = createFakeHost(change);
  const received = new Map<string, Delivery>();
  const deps = {
    openCodeHost: async () => host as unknown as CodeHost,
    readSettings: async () => ({ settings: DEFAULT_SETTINGS }),
    queue: { unfinished: async () => unfinished, place: async () => ({ ahead: 0 }), unadmitted: async () => [] },
    log: createFakeLog().log,
  };
  const askForRun = createRunAsker({
    ...deps,
    pageOf: (run) => `https://magis.test/${run}`,
    installationOf: async () => (installed ? 11 : undefined),
    async receive(delivery) {
      if (received.has(delivery.id)) return "known";
      received.set(delivery.id, delivery);
      return "recorded";
    },
  });
  const answers = [];
  for (let at = 0; at < times; at++) answers.push(await askForRun({ ...ASKED, ...asked }));
  const { allowedBots, budget, label, skipLabels } = DEFAULT_SETTINGS;
  const { store } = createFakeStore();
  const admit = createAdmission({ ...deps, store, allowedBots, budget, label, skipLabels });
  return { answers, received: [...received.values()], calls, admit };
}

describe("asking for a run from elsewhere", () => {
  it("records a delivery in the person's name, by the names that GitHub has for the repository", async () => {
    const { answers, received, admit, calls } = await ask();
    const run = "octo/cat#3@request-1";
    const page = `https://magis.test/${run}`;
    expect(answers).toEqual([{ run, issue: "https://github.com/octo/cat/issues/3", page }]);
    const [delivery] = received;
    expect(delivery).toMatchObject({
      repository: { owner: "octo", name: "cat", installationId: 11 },
      actor: "ada",
      actorIsBot: false,
      trigger: { kind: "request", hint: "look at a.ts" },
    });
    const decision = delivery && (await admit(delivery));
    if (!decision || !("start" in decision)) throw new Error("no run starts");
    expect(decision.start.id).toBe(run);
    expect(allHints(decision.start)).toBe("look at a.ts");
    expect(calls).toContain('react {"issue":3} eyes');
  });

  it("takes the options of a comment", async () => {
    const { received } = await ask({ asked: { hint: "budget:2 look at a.ts" } });
    expect(received[0]?.trigger).toMatchObject({ hint: "look at a.ts", options: { given: ["budget:2"] } });
  });

  it("starts nothing when it is replayed", async () => {
    const { answers, received } = await ask({}, 2);
    expect(answers[1]).toEqual({ refused: "conflict", reason: "This request has been made before." });
    expect(received).toHaveLength(1);
  });

  it.each<[string, Case, string, RegExp]>([
    ["a stranger", { host: { permission: "read" } }, "forbidden", /"read", and write is needed/],
    ["a bot that is not named", { asked: { person: "robot[bot]" } }, "forbidden", /is a bot/],
    ["the app itself", { asked: { person: "magis[bot]" } }, "forbidden", /the app itself/],
    ["a repository without the app", { installed: false }, "invalid", /not installed/],
    [
      "an issue that is not there",
      { host: { failing: { readIssue: new MagisError("HOST_NOT_FOUND", "gone") } } },
      "invalid",
      /no such issue/,
    ],
    ["an issue that has moved", { asked: { name: "dog" } }, "invalid", /another repository/],
    ["a pull request", { host: { issue: createIssue({ isPullRequest: true }) } }, "invalid", /not an issue/],
    ["a value that an option does not take", { asked: { hint: "budget:much" } }, "invalid", /budget:much/],
    [
      "options that are none",
      { asked: { hint: "budgt:2 basis:dev" } },
      "invalid",
      /^budgt:2 is not an option\. basis:dev is not an option\. Options that work: base:BRANCH .* anyway$/,
    ],
    ["too high a budget", { asked: { hint: "budget:6" } }, "invalid", /^budget:6 is above .* \$5\. Options that work:/],
    ["a closed issue", { host: { issue: createIssue({ open: false }) } }, "conflict", /closed/],
    ["a question", { host: { issue: createIssue({ labels: ["question"] }) } }, "conflict", /question/],
    ["an issue of somebody else", { host: { issue: createIssue({ assignees: ["bob"] }) } }, "conflict", /assigned/],
    ["an open pull request", { host: { pullRequests: [createPullRequest("magis/issue-3-x")] } }, "conflict", /#9/],
    ["a run at work", { unfinished: [sampleRequest()] }, "conflict", /has not ended/],
  ])("is refused for %s, without a word on GitHub", async (_, options, refused, reason) => {
    const { answers, received, calls } = await ask(options);
    expect(answers).toEqual([{ refused, reason: expect.stringMatching(reason) }]);
    expect(received).toEqual([]);
    expect(calls.filter((call) => /^(react|createComment)/.test(call))).toEqual([]);
  });
});
