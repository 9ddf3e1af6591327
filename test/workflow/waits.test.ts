import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import type { RunRequest } from "../../src/data/run-request.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { noWait, resolving } from "./resolving.ts";

/** The handlers that the engine calls for waiting runs, on fakes. */
async function waiting(request: RunRequest = sampleRequest()) {
  const run = await resolving({});
  await run.keep(request);
  return {
    ...run,
    request,
    kept: () => run.store.state(request.root),
    comments: () => run.state.comments.map(({ body }) => body),
    begin: () => run.handlers.resolve(request, run.step, noWait, noWait),
  };
}

describe("a run that waits for its turn", () => {
  it("has a comment before it begins, and reports its work there", async () => {
    const { handlers, request, comments, kept, begin, faults } = await waiting();
    await handlers.waits(request, { ahead: 2 });
    expect(comments()).toHaveLength(1);
    expect(comments()[0]).toContain("### MAGIS will work on this issue when its turn comes");
    expect(comments()[0]).toContain("**Now:** queued behind 2 runs since");
    expect(comments()[0]).toContain("`/magis cancel`");
    expect(await kept()).toMatchObject({ queued: { ahead: 2 }, resumed: 0 });
    expect((await begin()).kind).toBe("published");
    expect(comments()).toHaveLength(1);
    expect(comments()[0]).toContain("### MAGIS opened pull request #");
    expect(comments()[0]).not.toMatch(/turn|It was interrupted/);
    expect(await kept()).not.toHaveProperty("queued");
    expect(await kept()).toMatchObject({ resumed: 0 });
    expect(faults.count("createComment")).toBe(1);
  });

  it("says that a limit holds it back, until when, and when that is over", async () => {
    const { handlers, request, comments, begin } = await waiting();
    const since = "2026-01-01T10:30:00.000Z";
    const held = { by: "budget", since, until: "2026-01-02T00:00:00.000Z" } as const;
    await handlers.waits(request, { ahead: 0, held });
    expect(comments()[0]).toContain(
      "**Now:** waiting for room in a budget since 2026-01-01 10:30 UTC; a new budget begins on 2026-01-02 00:00 UTC.",
    );
    expect(comments()[0]).toContain("This run begins as soon as they leave enough of it.");
    await handlers.waits(request, { ahead: 0, held: { by: "pulls", since } });
    expect(comments()[0]).toContain("This run begins if they leave one.");
    await handlers.waits(request, { ahead: 0 });
    expect(comments()[0]).not.toContain("they leave");
    expect(comments()[0]).toContain("This run begins when there is a place for it.");
    await begin();
    expect(comments()).toHaveLength(1);
  });

  it("has one comment, wherever the process crashed while posting it", async () => {
    for (const nth of [1, 2]) {
      const { handlers, request, comments, kept, faults, begin } = await waiting();
      faults.crashAfter(nth);
      await handlers.waits(request, { ahead: 1 }).catch(() => undefined);
      expect(faults.restart()).toBe(nth === 1);
      await handlers.waits(request, { ahead: 1 });
      expect(comments()).toHaveLength(1);
      expect((await kept())?.comment).toBeDefined();
      await begin();
      expect(comments()).toHaveLength(1);
    }
  });

  it("updates its comment only when its place in the queue has changed", async () => {
    const { handlers, request, comments, faults } = await waiting();
    await handlers.waits(request, { ahead: 2 });
    const writes = () => faults.count("updateComment");
    await handlers.waits(request, { ahead: 2 });
    expect(writes()).toBe(0);
    await handlers.waits(request, { ahead: 1 });
    await handlers.waits(request, { ahead: 1 });
    expect(writes()).toBe(1);
    expect(comments()[0]).toContain("queued behind 1 run since");
    await handlers.waits(request, { ahead: 0 });
    expect(comments()[0]).toContain("queued, next of its repository since");
    expect(faults.count("createComment")).toBe(1);
  });

  it("says in its comment that it was cancelled", async () => {
    const { handlers, request, comments, kept } = await waiting();
    await handlers.waits(request, { ahead: 3 });
    await handlers.cancelled(request, "ana");
    expect(comments()).toHaveLength(1);
    expect(comments()[0]).toContain("### MAGIS was told to stop");
    expect(comments()[0]).not.toContain("queued");
    expect(await kept()).not.toHaveProperty("queued");
  });

  it("reuses the comment of the run that it continues", async () => {
    const first = sampleRequest();
    const { handlers, comments, store, kept, begin, faults, keep } = await waiting(first);
    await handlers.cancelled(first, "ana");
    const again = sampleRequest({ id: "ana/shop#7@delivery-2", delivery: "delivery-2" });
    await keep(again);
    await handlers.waits(again, { ahead: 1 });
    expect(comments()).toHaveLength(1);
    expect(comments()[0]).toContain("queued behind 1 run since");
    expect(comments()[0]).not.toContain("told to stop");
    expect((await store.state(first.root))?.result).toMatchObject({ kind: "cancelled" });
    expect(faults.count("createComment")).toBe(1);
    await begin();
    expect(await kept()).not.toHaveProperty("queued");
  });

  it("throws when the host is away, so that the engine tries again", async () => {
    const { handlers, request, faults } = await waiting();
    await handlers.waits(request, { ahead: 2 });
    faults.refuse("updateComment", new MagisError("HOST_UNREACHABLE", "GitHub is away."));
    await expect(handlers.waits(request, { ahead: 1 })).rejects.toThrow("GitHub is away.");
  });
});
