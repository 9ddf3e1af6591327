import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/model/error.ts";
import { publishing } from "./publishing.ts";

const refused = new MagisError("HOST_REFUSED", "The line is not part of the diff.");

describe("publishReview", () => {
  it("lines that the host refuses do not cost the review: the comments go to their files", async () => {
    const shop = await publishing();
    shop.faults.refuse("createReview", refused, 1);
    await shop.publish();
    expect(shop.state.reviews).toMatchObject([{ lines: [] }]);
    expect(shop.state.threads.map(({ path, line, resolved }) => ({ path, line, resolved }))).toEqual([
      { path: "a.txt", line: undefined, resolved: true },
      { path: "a.txt", line: undefined, resolved: false },
    ]);
  });

  it("a review that is refused without lines is an error", async () => {
    const shop = await publishing();
    shop.faults.refuse("createReview", refused, 2);
    await expect(shop.publish()).rejects.toBe(refused);
  });

  it("a comment on a file that is not in the change stands in the review's body", async () => {
    const shop = await publishing({
      script: {
        "p09-locate-lines": ({ text }) => ({
          ...{ summary: "Words.", replies: [], intervals: [{ start: 1, end: 1, change: "New." }] },
          ...(text.includes("of task t2 on") && { summary: "It is right already.", intervals: [] }),
        }),
      },
    });
    const [first, second] = shop.work.outcomes;
    const stray = { ...first?.comments[1], path: "b.txt", id: "t2-r1-1", body: "Look here too." };
    const work = { ...shop.work, outcomes: [first, { ...second, comments: [stray] }] } as typeof shop.work;
    const { publishChange } = await import("../../../src/workflow/publish/publish-change.ts");
    await publishChange({ ...shop.tools, plan: shop.plan, work });
    expect(shop.state.reviews[0]?.body).toContain("- `b.txt`: Look here too.");
    expect(shop.state.threads.every(({ path }) => path === "a.txt")).toBe(true);
  });
});
