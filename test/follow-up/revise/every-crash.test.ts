import { describe, expect, it } from "@jest/globals";
import { keptSteps } from "../../workflow/kept-steps.ts";
import { revising } from "./revising.ts";

const script = {
  "r01-assign-comments": { replies: [{ comment: "re1", reply: "So it is." }], tasks: [] },
  "p11-review-change": ({ text }: { text: string }) => ({
    comments: text.includes("round 3") ? [] : [{ line: 1, body: "Not quite." }],
    settled: ["th2"],
    verdict: "Hm.",
    approved: false,
  }),
};

/** A review with a person's thread, a QA thread with a person's reply, and a comment. */
async function reviewed() {
  const shop = await revising(script);
  shop.thread("a.txt", "Another word.");
  const qa = shop.thread("a.txt", "<!-- magis:qa t1-r1-1 -->\n**QA**\n\nSpell it out.", "magis[bot]");
  qa.comments.push(shop.said("ana", "Yes, please."));
  shop.comment("Why so?");
  return shop;
}

describe("a revision that dies after any of its writes", () => {
  it.each(Array.from({ length: 10 }, (_, at) => at + 1))("makes nothing twice: write %i", async (write) => {
    const shop = await reviewed();
    const { step, kept } = keptSteps();
    shop.faults.crashAfter(write);
    await shop.run(step);
    const crashed = shop.faults.restart();
    expect(crashed).toBe(true);
    kept.delete("end");
    await shop.run(step);

    const { objects, threads, reviews, comments, pullRequests } = shop.state;
    expect(objects.commit(shop.tip()).parents).toEqual([shop.head]);
    expect([...objects.refs.keys()].filter((ref) => ref.startsWith("refs/magis"))).toEqual([]);
    const [first, qa, ...made] = threads;
    expect(first).toMatchObject({ resolved: false, comments: { length: 2 } });
    expect(qa).toMatchObject({ resolved: true, comments: { length: 3 } });
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made.map((one) => one.comments[0]?.body)).size).toBe(made.length);
    expect(reviews).toHaveLength(1);
    expect(comments.filter(({ body }) => body.includes("magis:answer comment-"))).toHaveLength(1);
    expect(pullRequests[0]?.body.match(/\| Review by ana: 2 threads, 1 comment \|/g)).toHaveLength(1);
  });
});
