import { describe, expect, it } from "@jest/globals";
import { createAdmission } from "../../src/admission/admit.ts";
import type { AdmissionDependencies } from "../../src/admission/dependencies.ts";
import { asksForWork, type Delivery, endsWork } from "../../src/model/run-request.ts";
import type { StopReason } from "../../src/model/run-state.ts";
import { sampleRequest } from "../fakes/sample-request.ts";

const away = async () => {
  throw new Error("GitHub is away");
};
const request = sampleRequest();
const { repository } = request;
const BACKPORTED = 41;
const branches = ["release/1"];
const backport = sampleRequest({
  issue: BACKPORTED,
  trigger: { kind: "other-command", commentId: 5, command: { verb: "backport", branches }, on: "pull request" },
  work: { kind: "backport", branches },
});

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
      unfinished: async (_repository: unknown, issue: number) =>
        [request, backport].filter((one) => one.issue === issue),
    },
  } as unknown as AdmissionDependencies);

  it.each<StopReason>(["closed", "merged", "locked", "transferred", "deleted"])(
    "(%s) ends what works on it, whoever did that, without asking the host",
    async (because) => {
      const delivery = gone(because, request.issue);
      const cancel = { repository, issue: request.issue, by: "rita", because };
      const merged = { id: "d2-merged", issue: request.issue, trigger: { kind: "merged" } };
      const afterwards = because === "merged" ? [expect.objectContaining(merged)] : [];
      expect(await admit(delivery)).toEqual({ cancel, afterwards });
      expect([endsWork(delivery), asksForWork(delivery)]).toEqual([true, false]);
    },
  );

  it("does nothing when nothing is running", async () => {
    expect(await admit(gone("closed", 99))).toBeUndefined();
  });

  it("(merged) lets backports work on, and those begin that wait for it", async () => {
    const merged = { issue: BACKPORTED, trigger: { kind: "merged" } };
    expect(await admit(gone("merged", BACKPORTED))).toEqual({ deliver: [expect.objectContaining(merged)] });
    const reverted = { ...gone("merged", 3), trigger: { kind: "reverted", by: BACKPORTED } } as const;
    expect(await admit(reverted)).toEqual({ deliver: [expect.objectContaining(merged)] });
  });
});
