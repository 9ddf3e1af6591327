import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import type { Delivery } from "../../../src/data/run-request.ts";
import { admitDelivery } from "../../../src/webhooks/admission/admit-request.ts";
import { createComment, createFakeHost, createIssue, createPullRequest, type FakeHostState } from "./fake-host.ts";

const BY_LABEL: Delivery = {
  id: "guid-1",
  repository: { owner: "octo", name: "cat", installationId: 11 },
  issue: 3,
  actor: "ada",
  actorIsBot: false,
  trigger: { kind: "label", label: "magis" },
  at: "2026-11-20T10:00:00Z",
};
const BY_COMMAND: Delivery = { ...BY_LABEL, trigger: { kind: "command", commentId: 5, hint: "look at a.ts" } };

async function admit(delivery: Delivery, change: Partial<FakeHostState> = {}, allowedBots: readonly string[] = []) {
  const { host, state, calls } = createFakeHost(change);
  const admission = await admitDelivery(delivery, host, { allowedBots });
  const writes = calls.filter((call) => /^(react|createComment)/.test(call));
  return { admission, writes, calls, state, host };
}

describe("admitDelivery", () => {
  it("admits a label, and looks at the issue", async () => {
    const { admission, writes } = await admit(BY_LABEL);
    expect(admission).toEqual({
      request: {
        id: "octo/cat#3@guid-1",
        repository: BY_LABEL.repository,
        issue: 3,
        trigger: BY_LABEL.trigger,
        root: "octo/cat#3@guid-1",
        work: { kind: "resolve", gate: "none" },
        grants: [],
        actor: "ada",
        delivery: "guid-1",
        requestedAt: "2026-11-20T10:00:00Z",
      },
    });
    expect(writes).toEqual(['react {"issue":3} eyes']);
  });

  it("admits a command with its hint, and looks at the comment", async () => {
    const { admission, writes } = await admit(BY_COMMAND);
    expect(admission).toMatchObject({ request: { trigger: { hint: "look at a.ts" } } });
    expect(writes).toEqual(['react {"comment":5} eyes']);
  });

  it.each(["write", "maintain", "admin"] as const)("admits the permission %s", async (permission) => {
    expect((await admit(BY_LABEL, { permission })).admission).toHaveProperty("request");
  });

  it("reads the issue once", async () => {
    const { calls } = await admit(BY_LABEL);
    expect(calls.filter((call) => call.startsWith("readIssue"))).toHaveLength(1);
  });

  it("starts the run although the reaction is refused", async () => {
    const failing = { react: new MagisError("HOST_REFUSED", "GitHub refused the reaction.") };
    expect((await admit(BY_LABEL, { failing })).admission).toHaveProperty("request");
  });

  it("throws when the host cannot be reached, so that the delivery is tried again", async () => {
    const down = new MagisError("HOST_UNREACHABLE", "GitHub does not answer.");
    for (const failing of [{ permissionOf: down }, { readIssue: down }, { findOwnPullRequests: down }]) {
      await expect(admit(BY_LABEL, { failing })).rejects.toBe(down);
    }
  });
});

describe("who may ask", () => {
  it.each(["triage", "read", "none"] as const)(
    "refuses, silently, a label set by somebody with %s",
    async (permission) => {
      const { admission, writes } = await admit(BY_LABEL, { permission });
      expect(admission).toEqual({ refused: `The sender's permission is "${permission}", and write is needed.` });
      expect(writes).toEqual([]);
    },
  );

  it("answers a command by somebody without write with one reaction only", async () => {
    const { admission, writes, calls } = await admit(BY_COMMAND, { permission: "read" });
    expect(admission).toHaveProperty("refused");
    expect(writes).toEqual(['react {"comment":5} confused']);
    expect(calls).not.toContain("readIssue 3");
  });

  it("refuses a bot without asking the host", async () => {
    const { admission, calls } = await admit({ ...BY_COMMAND, actor: "renovate[bot]", actorIsBot: true });
    expect(admission).toMatchObject({ refused: expect.stringContaining("MAGIS_ALLOWED_BOTS") });
    expect(calls).toEqual([]);
  });

  it.each(["renovate[bot]", "Renovate"])("admits a bot that the configuration names as %s", async (name) => {
    const bot = { ...BY_LABEL, actor: "renovate[bot]", actorIsBot: true };
    const { admission } = await admit(bot, { permission: "none" }, ["other", name]);
    expect(admission).toHaveProperty("request");
  });

  it("refuses a person with the login of a named bot", async () => {
    const person = { ...BY_LABEL, actor: "renovate" };
    expect((await admit(person, { permission: "read" }, ["renovate"])).admission).toHaveProperty("refused");
  });

  it("refuses the app itself, even when it is named", async () => {
    const itself = { ...BY_LABEL, actor: "Magis[bot]", actorIsBot: true };
    const { admission, calls } = await admit(itself, {}, ["magis[bot]"]);
    expect(admission).toEqual({ refused: "The sender is the app itself." });
    expect(calls).toEqual([]);
  });
});

describe("what may be asked", () => {
  it.each([
    ["closed", { open: false }],
    ["locked", { locked: true }],
    ["a pull request", { isPullRequest: true }],
  ])("refuses an issue that is %s by now", async (word, change) => {
    const { admission, writes } = await admit(BY_COMMAND, { issue: createIssue(change) });
    expect(admission).toMatchObject({ refused: expect.stringContaining(word) });
    expect(writes).toEqual([]);
  });

  it("refuses a deleted issue", async () => {
    const failing = { readIssue: new MagisError("HOST_NOT_FOUND", "There is no such issue.") };
    expect((await admit(BY_LABEL, { failing })).admission).toEqual({ refused: "The issue is gone." });
  });

  it("refuses when the label was taken off again, and reads it in any letter case", async () => {
    const off = await admit(BY_LABEL, { issue: createIssue({ labels: ["bug"] }) });
    expect(off.admission).toEqual({ refused: "The label is no longer there." });
    const other = await admit(BY_LABEL, { issue: createIssue({ labels: ["MAGIS"] }) });
    expect(other.admission).toHaveProperty("request");
  });

  it("refuses a command that was deleted or edited away", async () => {
    const deleted = await admit(BY_COMMAND, { comments: [] });
    expect(deleted.admission).toEqual({ refused: "The comment is no longer there." });
    const edited = await admit(BY_COMMAND, { comments: [createComment(5, "never mind")] });
    expect(edited.admission).toEqual({ refused: "The comment is no longer that command." });
  });
});

describe("an open pull request for the issue", () => {
  it("is named in one comment, made once", async () => {
    const pullRequests = [createPullRequest("magis/issue-3-a-fault")];
    const { admission, writes, state, host } = await admit(BY_LABEL, { pullRequests });
    expect(admission).toEqual({ refused: "Pull request #9 is open." });
    expect(writes).toEqual(["createComment 3"]);
    expect(state.comments.at(-1)?.body).toContain("#9");
    const count = state.comments.length;
    await admitDelivery({ ...BY_LABEL, id: "guid-2" }, host, { allowedBots: [] });
    expect(state.comments).toHaveLength(count);
  });

  it("does not count when it is closed or another issue's", async () => {
    const closed = createPullRequest("magis/issue-3-a-fault", { open: false });
    const pullRequests = [closed, createPullRequest("magis/issue-31-other")];
    expect((await admit(BY_LABEL, { pullRequests })).admission).toHaveProperty("request");
  });
});
