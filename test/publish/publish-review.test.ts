import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import { publishing } from "./publishing.ts";

const refused = new MagisError("HOST_REFUSED", "The line is not part of the diff.");

describe("publishReview", () => {
  it("comments on whole files when the host refuses the lines", async () => {
    const shop = await publishing();
    shop.faults.refuse("createReview", refused, 1);
    await shop.publish();
    expect(shop.state.reviews).toEqual([]);
    expect(shop.state.threads.map(({ path, line, resolved }) => ({ path, line, resolved }))).toEqual([
      { path: "a.txt", line: undefined, resolved: true },
      { path: "a.txt", line: undefined, resolved: false },
    ]);
  });

  it("throws when the host refuses comments on files too", async () => {
    const shop = await publishing();
    shop.faults.refuse("createReview", refused, 1);
    shop.faults.refuse("createFileComment", refused, 1);
    await expect(shop.publish()).rejects.toBe(refused);
  });

  it.each([
    ["lines", 250, 250, 1],
    ["whole files", 0, 500, 31],
    ["settled, on whole files", 0, 0, 91],
  ])("posts 30 threads of 500 comments and lists the rest in the review: %s", async (_what, onLines, open, writes) => {
    const shop = await publishing();
    const [first, second] = shop.work.outcomes;
    const comments = Array.from({ length: 500 }, (_, at) => ({
      id: `t1-r1-${at + 1}`,
      taskId: "t1",
      round: 1,
      path: "a.txt",
      body: `Remark ${at + 1}. ${"word ".repeat(60)}`,
      line: at < onLines ? 1 : undefined,
      status: at < open ? "open" : "settled",
    }));
    const work = { ...shop.work, outcomes: [{ ...first, comments }, second] } as typeof shop.work;
    const written = () => shop.faults.calls.filter((name) => /^(create(Review|FileComment)|reply|resolve)/.test(name));
    const before = written().length;
    const { openThreads } = await shop.publish({}, undefined, work);
    expect(openThreads).toBe(open);
    expect(written().length - before).toBe(writes);
    expect(shop.state.threads).toHaveLength(30);
    if (open > 0) expect(shop.state.threads.every(({ resolved }) => !resolved)).toBe(true);
    const body = shop.state.reviews[0]?.body ?? "";
    expect(body).toContain("A review has at most 30 threads; 470 more comments have none:");
    const shown = body.match(/^- `a\.txt(:1)?`( \(settled\))?: Remark/gm)?.length ?? 0;
    expect(body).toContain(`- ${470 - shown} more, which the run's record keeps`);
    expect([shown > 30, body.length < 60_000]).toEqual([true, true]);
    await shop.publish({}, undefined, work);
    expect(written().length - before).toBe(writes);
  });

  it("posts a comment on an unchanged file at a changed one, and names its file", async () => {
    const shop = await publishing({
      script: {
        "p09-locate-lines": ({ text }) =>
          text.includes("of task t2 on")
            ? { summary: "It is right already.", replies: [], intervals: [] }
            : { summary: "Words.", replies: [], intervals: [{ start: 1, end: 1, change: "New." }] },
      },
    });
    const [first, second] = shop.work.outcomes;
    const stray = { ...first?.comments[1], path: "b.txt", id: "t2-r1-1", body: "Look here too." };
    const work = { ...shop.work, outcomes: [first, { ...second, comments: [stray] }] } as typeof shop.work;
    await shop.publish({}, undefined, work);
    expect(shop.state.threads.every(({ path }) => path === "a.txt")).toBe(true);
    expect(shop.state.threads.flatMap(({ comments }) => comments.map(({ body }) => body))).toContainEqual(
      expect.stringContaining("About `b.txt`, which this change does not touch:\n\nLook here too."),
    );
  });
});
