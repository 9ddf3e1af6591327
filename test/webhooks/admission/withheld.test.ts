import { describe, expect, it } from "@jest/globals";
import { readCommand } from "../../../src/data/command.ts";
import type { Trigger } from "../../../src/data/run-request.ts";
import { initialState, type RunResult } from "../../../src/data/run-state.ts";
import { DEFAULT_SETTINGS } from "../../../src/data/setting-definitions/all-settings.ts";
import type { Settings } from "../../../src/data/settings.ts";
import type { HostIssue, PullAbout } from "../../../src/github/code-host.ts";
import { createAdmission } from "../../../src/webhooks/admission/admit.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { createFakeStore } from "../../fakes/create-fake-store.ts";
import { sampleDelivery } from "../../fakes/sample-delivery.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { admissionDependencies, commentOf, openOwnPull } from "./admitting.ts";

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
