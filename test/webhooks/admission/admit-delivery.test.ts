import { describe, expect, it } from "@jest/globals";
import { readCommand } from "../../../src/data/command.ts";
import { MagisError } from "../../../src/data/error.ts";
import { asksForWork, endsWork, type Trigger } from "../../../src/data/run-request.ts";
import { initialState, type RunResult, type StopReason } from "../../../src/data/run-state.ts";
import { DEFAULT_SETTINGS } from "../../../src/data/setting-definitions/all-settings.ts";
import type { Settings } from "../../../src/data/settings.ts";
import type { HostIssue, PullAbout } from "../../../src/github/code-host.ts";
import { createAdmission, createConcern } from "../../../src/webhooks/admission/admit.ts";
import { admitDelivery } from "../../../src/webhooks/admission/admit-request.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { createFakeStore } from "../../fakes/create-fake-store.ts";
import { sampleDelivery } from "../../fakes/sample-delivery.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { admissionDependencies, commentOf, openOwnPull } from "./admitting.ts";

const BY_LABEL = sampleDelivery();
const BY_COMMAND = sampleDelivery({ trigger: { kind: "command", commentId: 5, hint: "look at a.ts" } });

type Fake = ReturnType<typeof createFakeHost>;

/** What comes of a delivery, on a host that `prepare` has changed. */
async function admit(
  delivery = BY_LABEL,
  prepare: (fake: Fake) => unknown = () => undefined,
  allowedBots: readonly string[] = [],
) {
  const comments = [commentOf(5, "/magis resolve")];
  const fake = createFakeHost({}, { issue: { labels: ["bug", "magis"] }, comments });
  await prepare(fake);
  fake.faults.calls.splice(0);
  const admission = await admitDelivery(delivery, fake.host, { allowedBots });
  const { reactions, comments: said } = fake.state;
  return { admission, reactions, answers: said.slice(comments.length), calls: fake.faults.calls, host: fake.host };
}

const allow =
  (permission: Fake["state"]["permission"]) =>
  ({ state }: Fake) => {
    state.permission = permission;
  };
const change =
  (issue: Partial<Fake["state"]["issue"]>) =>
  ({ state }: Fake) => {
    state.issue = { ...state.issue, ...issue };
  };

describe("admitDelivery", () => {
  it("admits a label, and looks at the issue", async () => {
    const { admission, reactions } = await admit();
    const id = "ana/shop#7@delivery-2";
    const request = sampleRequest({ id, root: id, actor: "ben", delivery: "delivery-2", requestedAt: BY_LABEL.at });
    expect(admission).toEqual({ request });
    expect(reactions).toEqual(["eyes on issue 7"]);
  });

  it("admits a command with its hint, and looks at the comment", async () => {
    const { admission, reactions } = await admit(BY_COMMAND);
    expect(admission).toMatchObject({ request: { trigger: { hint: "look at a.ts" } } });
    expect(reactions).toEqual(["eyes on comment 5"]);
  });

  it.each(["write", "maintain", "admin"] as const)("admits the permission %s", async (permission) => {
    expect((await admit(BY_LABEL, allow(permission))).admission).toHaveProperty("request");
  });

  it("reads the issue once", async () => {
    const { calls } = await admit();
    expect(calls.filter((call) => call === "readIssue")).toHaveLength(1);
  });

  it("starts the run although the reaction is refused", async () => {
    const refused = new MagisError("HOST_REFUSED", "GitHub refused the reaction.");
    const { admission } = await admit(BY_LABEL, ({ faults }) => faults.refuse("react", refused));
    expect(admission).toHaveProperty("request");
  });
});

describe("who may ask", () => {
  it.each(["triage", "read", "none"] as const)(
    "refuses, silently, a label set by somebody with %s",
    async (permission) => {
      const { admission, reactions, answers } = await admit(BY_LABEL, allow(permission));
      expect(admission).toEqual({ refused: `The sender's permission is "${permission}", and write is needed.` });
      expect([reactions, answers]).toEqual([[], []]);
    },
  );

  it("answers a command by somebody without write with one reaction only", async () => {
    const { admission, reactions, answers, calls } = await admit(BY_COMMAND, allow("read"));
    expect(admission).toHaveProperty("refused");
    expect([reactions, answers]).toEqual([["confused on comment 5"], []]);
    expect(calls).not.toContain("readIssue");
  });

  it("refuses a bot without asking the host", async () => {
    const { admission, calls } = await admit({ ...BY_COMMAND, actor: "renovate[bot]", actorIsBot: true });
    expect(admission).toMatchObject({ refused: expect.stringContaining("MAGIS_ALLOWED_BOTS") });
    expect(calls).toEqual([]);
  });

  it.each(["renovate[bot]", "Renovate"])("admits a bot that the configuration names as %s", async (name) => {
    const bot = { ...BY_LABEL, actor: "renovate[bot]", actorIsBot: true };
    const { admission } = await admit(bot, allow("none"), ["other", name]);
    expect(admission).toHaveProperty("request");
  });

  it("refuses a person with the login of a named bot", async () => {
    const person = { ...BY_LABEL, actor: "renovate" };
    expect((await admit(person, allow("read"), ["renovate"])).admission).toHaveProperty("refused");
  });

  it("refuses the app itself, even when it is named", async () => {
    const itself = { ...BY_LABEL, actor: "Magis[bot]", actorIsBot: true };
    const { admission, calls } = await admit(itself, undefined, ["magis[bot]"]);
    expect(admission).toEqual({ refused: "The sender is the app itself." });
    expect(calls).toEqual([]);
  });
});

describe("what may be asked", () => {
  it.each([
    ["closed", { open: false }],
    ["locked", { locked: true }],
    ["a pull request", { isPullRequest: true }],
  ])("refuses an issue that is %s by now", async (word, issue) => {
    const { admission, reactions, answers } = await admit(BY_COMMAND, change(issue));
    expect(admission).toMatchObject({ refused: expect.stringContaining(word) });
    expect([reactions, answers]).toEqual([[], []]);
  });

  it("refuses a deleted issue", async () => {
    const gone = new MagisError("HOST_NOT_FOUND", "There is no such issue.");
    const { admission } = await admit(BY_LABEL, ({ faults }) => faults.refuse("readIssue", gone));
    expect(admission).toEqual({ refused: "The issue is gone." });
  });

  it("refuses when the label was taken off again, and reads it in any letter case", async () => {
    const off = await admit(BY_LABEL, change({ labels: ["bug"] }));
    expect(off.admission).toEqual({ refused: "The label is no longer there." });
    const other = await admit(BY_LABEL, change({ labels: ["MAGIS"] }));
    expect(other.admission).toHaveProperty("request");
  });

  it("refuses a command that was deleted or edited away", async () => {
    const deleted = await admit(BY_COMMAND, ({ state }) => state.comments.splice(0));
    expect(deleted.admission).toEqual({ refused: "The comment is no longer there." });
    const edited = await admit(BY_COMMAND, ({ state }) => state.comments.splice(0, 1, commentOf(5, "never mind")));
    expect(edited.admission).toEqual({ refused: "The comment is no longer that command." });
  });
});

describe("an open pull request for the issue", () => {
  it("is named in one comment, made once", async () => {
    const { admission, reactions, answers, host } = await admit(BY_LABEL, (fake) => openOwnPull(fake.host));
    expect(admission).toEqual({ refused: "Pull request #101 is open." });
    expect([reactions, answers]).toMatchObject([[], [{ body: expect.stringContaining("#101") }]]);
    await admitDelivery({ ...BY_LABEL, id: "guid-2" }, host, { allowedBots: [] });
    expect(await host.listComments(7)).toHaveLength(2);
  });

  it("does not count when it is closed or another issue's", async () => {
    const { admission } = await admit(BY_LABEL, async ({ host }) => {
      const { number } = await openOwnPull(host);
      await host.updatePullRequest(number, { state: "closed" });
      await openOwnPull(host, { branch: "magis/issue-71-other" });
    });
    expect(admission).toHaveProperty("request");
  });
});

const onIssue: Trigger = { kind: "comment", commentId: 51, body: "I see this, too.", on: "issue" };

describe("createConcern", () => {
  it.each<[string, Trigger, issue: number, concerns: boolean]>([
    ["a comment on an issue that the bot worked on", onIssue, 7, true],
    ["a comment on another issue", onIssue, 8, false],
    ["a comment on a pull request", { ...onIssue, on: "pull request" }, 8, true],
    ["a command", { kind: "command", commentId: 51, hint: "" }, 8, true],
    ["a label", { kind: "label", label: "magis" }, 8, true],
  ])("says whether %s may lead to anything", async (_, trigger, issue, concerns) => {
    const { store, keep } = createFakeStore();
    await keep(sampleRequest());
    expect(await createConcern(store)(sampleDelivery({ issue, trigger }))).toBe(concerns);
  });
});

const request = sampleRequest();
const { repository } = request;

describe("a deleted issue or pull request", () => {
  const gone = (why: StopReason, issue: number) =>
    sampleDelivery({ issue, actor: "rita", trigger: { kind: "gone", why } });
  const deps = admissionDependencies();
  const queue = {
    ...deps.queue,
    unfinished: async (_repository: unknown, issue: number) => (issue === request.issue ? [request] : []),
  };
  const admit = createAdmission({ ...deps, queue });

  it.each<StopReason>(["closed", "merged", "locked", "transferred", "deleted"])(
    "(%s) ends what works on it, whoever did that, without asking the host",
    async (because) => {
      const delivery = gone(because, request.issue);
      const cancel = { repository, issue: request.issue, by: "rita", because };
      expect(await admit(delivery)).toEqual({ cancel });
      expect([endsWork(delivery), asksForWork(delivery)]).toEqual([true, false]);
    },
  );

  it.each([
    [{ open: true, locked: false }, false],
    [{ open: true, locked: true }, true],
    [{ open: false, locked: false }, true],
  ])("that was said before ends it only if it is so now: %j", async (now, ends) => {
    const { host } = createFakeHost({}, { issue: now });
    const admitAgain = createAdmission({ ...deps, queue, openCodeHost: async () => host });
    const decision = await admitAgain({ ...gone("closed", request.issue), again: true });
    expect(decision !== undefined).toBe(ends);
  });

  it("does nothing when nothing is running", async () => {
    expect(await admit(gone("closed", 99))).toBeUndefined();
  });
});

const PUBLISHED: RunResult = { kind: "published", pullRequest: { number: 9, url: "u" }, openThreads: 0 };
const WITHHELD: RunResult = { ...PUBLISHED, withheld: "--- a/a.txt\n" };

interface Scene {
  says: string;
  result?: RunResult;
  /** the pull request with the test alone */
  isOpen: boolean;
  /** a run of the issue works already */
  isBusy?: true;
  /** what has changed on the host or in the settings since */
  since?: {
    issue?: Partial<HostIssue>;
    pulls?: readonly PullAbout[];
    settings?: Partial<Settings>;
  };
}

/** What comes of a comment on an issue whose latest run has ended like that, and what is answered. */
async function given({ says, result = WITHHELD, isOpen, isBusy, since = {} }: Scene) {
  const { host, state } = createFakeHost({}, { issue: since.issue, comments: [commentOf(50, says)] });
  state.pullsAbout = since.pulls ?? [];
  const { number } = await openOwnPull(host, { draft: true });
  if (!isOpen) await host.updatePullRequest(number, { state: "closed" });
  const left = result.kind === "published" ? { ...result, pullRequest: { number, url: "u" } } : result;
  const { store, keep } = createFakeStore();
  const earlier = sampleRequest();
  await keep(earlier);
  await (await store.openWriter(earlier.root)).saveState({ ...initialState(), result: left });
  const command = readCommand(says);
  const trigger: Trigger =
    command?.verb === "resolve"
      ? { kind: "command", commentId: 50, hint: command.hint, options: command.options }
      : { kind: "other-command", commentId: 50, on: "issue", command: command ?? never() };
  const { queue, ...rest } = admissionDependencies();
  const decision = await createAdmission({
    ...rest,
    openCodeHost: async () => host,
    store,
    readSettings: async () => ({ settings: { ...DEFAULT_SETTINGS, ...since.settings } }),
    queue: { ...queue, unfinished: async () => (isBusy ? [earlier] : []) },
  })(sampleDelivery({ trigger }));
  const start = decision && "start" in decision ? decision.start : undefined;
  return {
    started: start?.root === earlier.root ? "the same" : start && "another",
    start,
    said: state.comments.filter(({ author }) => author === host.login).map(({ body }) => body),
  };
}

function never(): never {
  throw new Error("it is no command");
}

describe("a change that was paid for and not pushed", () => {
  it.each<Scene & { comes: string | undefined; answer?: string }>([
    { says: "/magis retry", isOpen: true, comes: "the same" },
    { says: "/magis retry", isOpen: false, comes: "the same" },
    { says: "/magis resolve", isOpen: true, comes: "the same" },
    { says: "/magis resolve", isOpen: false, comes: "the same" },
    { says: "/magis resolve in another way", isOpen: true, comes: undefined, answer: "Please merge or close it first" },
    { says: "/magis resolve in another way", isOpen: false, comes: "another" },
    { says: "/magis retry", isOpen: true, isBusy: true, comes: undefined, answer: "There is no run here" },
    { says: "/magis resolve", isOpen: true, isBusy: true, comes: undefined, answer: "Please merge or close it first" },
    { says: "/magis retry", result: PUBLISHED, isOpen: true, comes: undefined, answer: "There is no run here" },
    { says: "/magis resolve", result: PUBLISHED, isOpen: false, comes: "another" },
  ])("$says (open: $isOpen) comes to $comes", async ({ comes, answer, ...scene }) => {
    const { started, said } = await given(scene);
    expect(started).toBe(comes);
    expect(said).toEqual(answer === undefined ? [] : [expect.stringContaining(answer)]);
  });

  const COMMANDS = ["/magis retry", "/magis resolve"];
  const FINDINGS = [
    { since: { issue: { labels: ["question"] } }, answer: "marked `question`" },
    { since: { issue: { assignees: ["cem"] } }, answer: "assigned to `cem`" },
    { since: { pulls: [{ number: 30, author: "cem" }] }, answer: "#30 by `cem`" },
  ];
  it.each(COMMANDS.flatMap((says) => FINDINGS.map((finding) => ({ says, ...finding }))))(
    "$says asks first, as for a new run: $answer",
    async ({ says, since, answer }) => {
      const { started, said } = await given({ says, isOpen: false, since });
      expect(started).toBeUndefined();
      expect(said).toEqual([expect.stringContaining(answer)]);
      expect((await given({ says: "/magis resolve anyway", isOpen: false, since })).started).toBe("the same");
    },
  );

  it.each(COMMANDS)("%s stops at the plan where plans need approval by now, under the options given", async (says) => {
    const { start } = await given({ says, isOpen: true, since: { settings: { approval: "required" } } });
    expect(start?.work).toEqual({ kind: "resolve", gate: "plan" });
    const { start: onRelease } = await given({ says: "/magis resolve base:release", isOpen: true });
    expect(onRelease?.settings?.baseBranch).toBe("release");
  });
});
