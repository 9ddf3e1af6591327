import { describe, expect, it } from "@jest/globals";
import { writeCode } from "../../../src/agents/phases.ts";
import type { FakeScript } from "../../fakes/create-fake-model.ts";
import { PAPER } from "../../fakes/sample-settings.ts";
import { openWorkshop } from "../../workflow/open-workshop.ts";
import { planOf } from "../../workflow/plan-of.ts";
import { coding } from "./coding.ts";

const role = { title: "Known QA", description: "Looks." };
const reply = (comment: string, words = "Done.") => ({ comment, reply: words });

/** Codes one task that answers a person's thread and a QA Engineer's. */
async function answering(script: FakeScript) {
  const shop = await openWorkshop({ files: { "a.txt": "one\ntwo\n" }, script, settings: PAPER });
  const task = { ...coding.task("t3", "a.txt"), threads: ["th1", "th2"] };
  const qa = { id: "th2", taskId: "t3", round: 0, path: "a.txt", body: "Spell it out.", status: "open" } as const;
  const inherited = new Map([["t3", { qaRole: role, earlier: [qa] }]]);
  const work = await writeCode({ ...shop.tools, plan: planOf([task]), inherited });
  return { ...shop, outcome: work.outcomes[0] };
}

describe("a task that answers review threads", () => {
  it("asks for a reply to each, and lets the known QA Engineer judge its own comment", async () => {
    const { outcome, asked, of } = await answering({
      "p09-locate-lines": coding.located(1, 1, [reply("th1"), reply("th2", "Spelt out.")]),
    });
    expect(outcome?.replies).toEqual({ th1: "Done.", th2: "Spelt out." });
    expect(outcome?.qaEngineer).toEqual(role);
    expect(outcome?.comments).toMatchObject([{ id: "th2", status: "settled", reply: "Spelt out." }]);
    expect(asked()).not.toContain("p08-describe-qa-engineer");
    expect(of("p09-locate-lines")[0]?.text).toContain("for each of th1, th2, one to three sentences to its author");
    expect(of("p11-review-change")[0]?.text).toContain("- th2:\n\n```text from colleague\nSpell it out.\n```");
  });

  it("sends back an answer that lacks a reply", async () => {
    const { outcome, of } = await answering({
      "p09-locate-lines": ({ nth }) => coding.located(1, 1, nth === 1 ? [reply("th1")] : [reply("th1"), reply("th2")]),
    });
    expect(of("p09-locate-lines")[1]?.reply).toBe("These have no answer in `replies`: th2.");
    expect(outcome?.replies?.th2).toBe("Done.");
  });

  it("keeps the replies of a Developer who changes nothing, and QA's comment stays open", async () => {
    const { outcome, asked } = await answering({
      "p09-locate-lines": { intervals: [], summary: "It is right.", replies: [reply("th1"), reply("th2", "No.")] },
    });
    expect(outcome).toMatchObject({ status: "unchanged", replies: { th2: "No." }, comments: [{ status: "open" }] });
    expect(asked()).not.toContain("p11-review-change");
  });
});
