import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import { admitDelivery } from "../../../src/webhooks/admission/admit-request.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";
import { sampleDelivery } from "../../fakes/sample-delivery.ts";
import { sampleRequest } from "../../fakes/sample-request.ts";
import { commentOf, openOwnPull } from "./admitting.ts";

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
