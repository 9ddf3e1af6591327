import { describe, expect, it } from "@jest/globals";
import { asksForWork, type Delivery, endsWork } from "../../../src/data/run-request.ts";
import type { StopReason } from "../../../src/data/run-state.ts";
import { createAdmission } from "../../../src/webhooks/admission/admit.ts";
import type { AdmissionDependencies } from "../../../src/webhooks/admission/dependencies.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";

const away = async () => {
  throw new Error("GitHub is away");
};
const request = sampleRequest();
const { repository } = request;

describe("a deleted issue or pull request", () => {
  const gone = (why: StopReason, issue: number): Delivery => ({
    id: "d2",
    repository,
    issue,
    actor: "rita",
    actorIsBot: false,
    trigger: { kind: "gone", why },
    at: "2026-01-03T00:00:00Z",
  });
  const admit = createAdmission({
    openCodeHost: away,
    readSettings: away,
    queue: {
      unfinished: async (_repository: unknown, issue: number) => (issue === request.issue ? [request] : []),
    },
  } as unknown as AdmissionDependencies);

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
    const admitAgain = createAdmission({
      openCodeHost: async () => ({ readIssue: async () => now }),
      queue: { unfinished: async () => [request] },
    } as unknown as AdmissionDependencies);
    const decision = await admitAgain({ ...gone("closed", request.issue), again: true });
    expect(decision !== undefined).toBe(ends);
  });

  it("does nothing when nothing is running", async () => {
    expect(await admit(gone("closed", 99))).toBeUndefined();
  });
});
