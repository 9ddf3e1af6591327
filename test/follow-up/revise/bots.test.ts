import { describe, expect, it } from "@jest/globals";
import type { FakeScript } from "../../fakes/create-fake-model.ts";
import { PAPER } from "../../fakes/sample-settings.ts";
import { revising } from "./revising.ts";

const LINTER = "linter[bot]";

/** A pull request that a bot reviews; `says` adds a thread of the bot's on the present head. */
async function reviewed(allowedBots: readonly string[] = ["linter"]) {
  const script: FakeScript = { "p10-write-code": ({ nth }) => `changed ${nth}` };
  const shop = await revising(script, {}, { settings: { ...PAPER, allowedBots } });
  const says = (body: string) => {
    const comment = { ...shop.said(LINTER, body, true), commit: shop.tip() };
    const thread = { id: `thread-${comment.id}`, pullRequest: 9, path: "a.txt", resolved: false, comments: [comment] };
    shop.state.threads.push(thread);
    return thread;
  };
  const commits = () => {
    let [at, count] = [shop.tip(), 0];
    for (; at !== shop.head; count++) at = shop.state.objects.commit(at).parents[0] ?? shop.head;
    return count;
  };
  return { ...shop, says, commits };
}

const noWait = async () => undefined;

describe("a bot's review", () => {
  it("of twelve comments, made one by one, gets one reply each and one push", async () => {
    const shop = await reviewed();
    const threads = [shop.says("Rename this.")];
    const comes = async () => {
      while (threads.length < 12) threads.push(shop.says(`Rename this, too (${threads.length}).`));
    };
    expect(await shop.run(undefined, comes)).toMatchObject({ kind: "published" });
    expect(shop.commits()).toBe(1);
    expect(threads.map(({ comments }) => comments.length)).toEqual(Array(12).fill(2));
    expect(await shop.run(undefined, noWait)).toMatchObject({ reason: "answered" });
  });

  it("ends after one exchange: what the bot says to the answer is not answered", async () => {
    const shop = await reviewed();
    const { comments } = shop.says("Rename this.");
    await shop.run(undefined, noWait);
    const about = comments[0]?.commit;
    (comments as object[]).push({ ...shop.said(LINTER, "Are you sure?", true), commit: about });
    shop.state.threads.push({
      id: "late",
      pullRequest: 9,
      path: "a.txt",
      resolved: false,
      comments: [{ ...shop.said(LINTER, "And this.", true), commit: about }],
    });
    expect(await shop.run(undefined, noWait)).toMatchObject({ reason: "answered" });
    expect(shop.commits()).toBe(1);
  });

  it("of more threads than one run answers is left to the next run, and then ends too", async () => {
    const shop = await reviewed();
    const first = shop.says("Rename this.");
    const threads = [first, ...Array.from({ length: 31 }, (_, at) => shop.says(`Rename this, too (${at}).`))];
    const about = first.comments[0]?.commit;
    const open = () => threads.filter(({ comments }) => comments.length === 1).length;
    const left: number[] = [];
    for (const expected of ["published", "published", "nothing-to-change"]) {
      expect(await shop.run(undefined, noWait)).toMatchObject({ kind: expected });
      left.push(open());
      (first.comments as object[]).push({ ...shop.said(LINTER, "Are you sure?", true), commit: about });
    }
    expect(left).toEqual([2, 0, 0]);
  });

  it("is answered on three commits, then left to people with one word, until somebody asks", async () => {
    const shop = await reviewed();
    for (let round = 1; round <= 3; round++) {
      shop.says(`Rename this (${round}).`);
      expect(await shop.run(undefined, noWait)).toMatchObject({ kind: "published" });
    }
    shop.says("Rename this, still.");
    for (let again = 0; again < 2; again++)
      expect(await shop.run(undefined, noWait)).toMatchObject({ reason: "answered" });
    const notes = shop.state.comments.filter(({ body }) => body.includes("I have answered `linter[bot]` on three"));
    expect(notes).toHaveLength(1);
    Object.assign(shop.request, { work: { kind: "revise", because: "command" } });
    expect(await shop.run(undefined, noWait)).toMatchObject({ kind: "published" });
  });
});
