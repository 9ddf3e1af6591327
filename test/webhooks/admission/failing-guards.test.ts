import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import type { Delivery } from "../../../src/data/run-request.ts";
import { admitDelivery } from "../../../src/webhooks/admission/admit-request.ts";
import { createFakeHost } from "./fake-host.ts";

const delivery: Delivery = {
  id: "guid-1",
  repository: { owner: "octo", name: "cat", installationId: 11 },
  issue: 3,
  actor: "ada",
  actorIsBot: false,
  trigger: { kind: "command", commentId: 5, hint: "" },
  at: "2026-11-20T10:00:00Z",
};

/** Everything that the guards ask the host. A guard that asks something new belongs here. */
const QUESTIONS = ["permissionOf", "readIssue", "listComments", "findOwnPullRequests", "pullsAbout"] as const;

const FAILURES = ["HOST_REFUSED", "HOST_NOT_FOUND", "HOST_UNREACHABLE"] as const;

const rows = QUESTIONS.flatMap((question) => FAILURES.map((code) => [question, code] as const));

describe("a question of the guards that the host does not answer", () => {
  it("is one of those below", async () => {
    const { host, calls } = createFakeHost();
    expect(await admitDelivery(delivery, host, { allowedBots: [] })).toHaveProperty("request");
    const asked = new Set(calls.map((call) => call.split(" ")[0]).filter((name) => name !== "react"));
    expect([...asked].sort()).toEqual([...QUESTIONS].sort());
  });

  it.each(rows)("lets nothing begin: %s, %s", async (question, code) => {
    const failing = { [question]: new MagisError(code, "GitHub refused.") };
    const { host, state } = createFakeHost({ failing });
    const admission = await admitDelivery(delivery, host, { allowedBots: [] }).catch((error: unknown) => error);
    expect(admission).not.toHaveProperty("request");
    if (question !== "pullsAbout" || code === "HOST_UNREACHABLE") return;
    expect(state.comments.at(-1)?.body).toContain(
      "I could not see whether somebody's pull request is about this issue",
    );
    expect(state.comments.at(-1)?.body).toContain("/magis resolve anyway");
  });
});
