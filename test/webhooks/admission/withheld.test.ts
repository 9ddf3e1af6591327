import { describe, expect, it } from "@jest/globals";
import { readCommand } from "../../../src/data/command.ts";
import type { Delivery, RunRequest, Trigger } from "../../../src/data/run-request.ts";
import { initialState, type RunResult } from "../../../src/data/run-state.ts";
import { createAdmission } from "../../../src/webhooks/admission/admit.ts";
import type { AdmissionDependencies } from "../../../src/webhooks/admission/dependencies.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { createFakeLog } from "../../fakes/create-fake-log.ts";
import { createFakeStore } from "../../fakes/create-fake-store.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { sampleSettings } from "../../fakes/sample-settings.ts";

const PUBLISHED: RunResult = { kind: "published", pullRequest: { number: 9, url: "u" }, openThreads: 0 };
const WITHHELD: RunResult = { ...PUBLISHED, withheld: "--- a/a.txt\n" };

interface Scene {
  readonly says: string;
  readonly result?: RunResult;
  /** the pull request with the test alone */
  readonly isOpen: boolean;
  /** a run of the issue works already */
  readonly isBusy?: true;
  /** what has changed on the host or in the settings since */
  readonly since?: { readonly issue?: object; readonly pulls?: readonly object[]; readonly settings?: object };
}

/** What comes of a comment on an issue whose latest run has ended like that, and what is answered. */
async function given({ says, result = WITHHELD, isOpen, isBusy, since = {} }: Scene) {
  const { host, state } = createFakeHost({ "a.txt": "a\n" }, { issue: since.issue });
  const at = "2026-01-03T00:00:00Z";
  state.comments.push({ id: 50, nodeId: "n", author: "ben", byBot: false, body: says, createdAt: at, updatedAt: at });
  const { commit, name: base } = await host.defaultBranch();
  await host.createBranch("magis/issue-7-a", commit);
  const { number } = await host.openPullRequest({ title: "a", body: "", branch: "magis/issue-7-a", base, draft: true });
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
  const delivery: Delivery = {
    id: "delivery-2",
    repository: earlier.repository,
    issue: earlier.issue,
    actor: "ben",
    actorIsBot: false,
    trigger,
    at,
  };
  const working: readonly RunRequest[] = isBusy ? [earlier] : [];
  const deps = {
    openCodeHost: async () => ({
      ...host,
      permissionOf: async () => "write",
      pullsAbout: async () => since.pulls ?? [],
    }),
    store,
    log: createFakeLog().log,
    budget: { money: 5, tokens: 1000, minutes: 30 },
    label: "magis",
    allowedBots: [],
    readSettings: async () => ({
      settings: { ...sampleSettings(), label: "magis", allowedBots: [], skipLabels: ["question"], ...since.settings },
    }),
    queue: {
      unfinished: async () => working,
      place: async () => ({ ahead: 0 }),
      unadmitted: async () => [],
    },
  } as unknown as AdmissionDependencies;
  const decision = await createAdmission(deps)(delivery);
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
  it.each<Scene & { readonly comes: string | undefined; readonly answer?: string }>([
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
