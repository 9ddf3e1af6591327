import { describe, expect, it } from "@jest/globals";
import { asksFor } from "../../../src/workflow/strategy/keep-checks.ts";
import type { FakeCall } from "../../fakes/create-fake-model.ts";
import { revising } from "./revising.ts";

const PATH = "sum.test.js";
const TEST = ['it("adds", () => {', "  expect(sum(1, 2)).toBe(3);", "});", ""].join("\n");
const SKIPPED = TEST.replace("it(", "it.skip(");

const isSentBack = ({ text }: FakeCall) => text.includes("takes something from the tests and checks");

/** A Developer that skips the test, and answers `then` when it is sent back. */
function skipping(then: string) {
  const change = (text: string, replies: object[]) => ({
    edits: text === "" ? [] : [{ start: 1, end: 1, anchor: "", text }],
    summary: "As it should be.",
    replies,
    qaEngineer: { title: "QA Engineer", description: "Looks." },
  });
  const script = {
    "p09-change-file": (call: FakeCall) =>
      isSentBack(call) ? change(then, []) : change('it.skip("adds", () => {', [{ comment: "th1", reply: "Done." }]),
  };
  return revising(script, {}, { settings: { profile: "lean" }, files: { [PATH]: TEST } });
}

const tamperingThreads = (shop: Awaited<ReturnType<typeof skipping>>) =>
  shop.state.threads.filter(({ comments }) => comments[0]?.body.includes("<!-- magis:tampering "));

describe("a revision that tampers with tests", () => {
  it("goes back to the Developer once, and is published without the tampering", async () => {
    const shop = await skipping('it("adds", () => {');
    shop.thread(PATH, "This takes long.");
    await shop.run();
    expect(shop.asked().filter((id) => id === "p09-change-file")).toHaveLength(2);
    expect(shop.of("p09-change-file")[1]?.text).toContain('line 1: it puts `it.skip` on the test "adds"');
    expect(shop.tip()).toBe(shop.head);
    expect(tamperingThreads(shop)).toEqual([]);
  });

  it("shows remaining tampering to the maintainer in a thread that the bot never resolves", async () => {
    const shop = await skipping("");
    shop.thread(PATH, "This takes long.");
    expect(await shop.run()).toMatchObject({ kind: "published", openThreads: 2 });
    expect(shop.state.objects.textAt(shop.tip(), PATH)).toBe(SKIPPED);
    const [thread, ...others] = tamperingThreads(shop);
    expect(others).toEqual([]);
    expect(thread).toMatchObject({ path: PATH, line: 1, resolved: false });
    expect(thread?.comments[0]?.body).toContain(
      'puts `it.skip` on the test "adds". The Developer was asked to undo it',
    );
    thread?.comments.push(shop.said("ana", "So be it: it is fine."));
    await shop.run();
    expect(thread?.resolved).toBe(false);
  });

  it("shows tampering that a maintainer asked for, without sending it back", async () => {
    const shop = await skipping("");
    shop.thread(PATH, "Please skip this test for now.");
    await shop.run();
    expect(shop.asked().filter((id) => id === "p09-change-file")).toHaveLength(1);
    expect(tamperingThreads(shop)[0]?.comments[0]?.body).toContain("A maintainer asked for this in a review");
  });
});

describe("asksFor", () => {
  it.each([
    ["skip", "Please skip this test on Windows."],
    ["test", "You can delete the old test, it covers nothing."],
    ["assertion", "Drop that assertion; the line above has it."],
    ["limit", "Raise the timeout to ten seconds."],
    ["snapshot", "update the snapshots please"],
    ["configuration", "Then lower the coverage threshold."],
    ["suppression", "Add an eslint-disable for that line."],
  ] as const)("finds a request: %s", (kind, words) => {
    expect(asksFor(kind, words)).toBe(true);
  });

  it.each([
    ["skip", "Don't skip this test."],
    ["skip", "This test is slow."],
    ["test", "Why did you delete the test?"],
    ["test", "> delete the test\n\nNo."],
    ["assertion", "The assertion is wrong."],
    ["limit", "Mend it without raising the timeout, never raise the timeout"],
    ["suppression", "Mend the type instead of adding a @ts-ignore; do not disable the rule."],
    ["suppression", "```\nadd eslint-disable\n```"],
  ] as const)("finds no request for %s in %s", (kind, words) => {
    expect(asksFor(kind, words)).toBe(false);
  });
});
