import { describe, expect, it } from "@jest/globals";
import { asksForWork, endsWork } from "../../../src/data/run-request.ts";
import type { StopReason } from "../../../src/data/run-state.ts";
import { createAdmission } from "../../../src/webhooks/admission/admit.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { sampleDelivery } from "../../fakes/sample-delivery.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { admissionDependencies } from "./admitting.ts";

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
