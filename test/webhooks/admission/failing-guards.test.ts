import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import { admitDelivery } from "../../../src/webhooks/admission/admit-request.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { sampleDelivery } from "../../fakes/sample-delivery.ts";
import { commentOf } from "./admitting.ts";

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
