import { describe, expect, it } from "@jest/globals";
import { sampleRequest } from "../fakes/sample-request.ts";
import { type CancelScene, FOLLOWING, leftBehind, type PerformedRun, performing, SCENES } from "./performing.ts";
import { atOnce, noWait } from "./resolving.ts";

/**
 * Cancels a run after its `write`, before that write takes effect, or during it, and reports the end once. Gives
 * nothing when the run makes fewer writes.
 */
async function cancelling<R extends PerformedRun>(
  make: () => Promise<R>,
  write: number,
  when: "after" | "before" | "during",
) {
  const run = await performing(make);
  let reported: Promise<void> | undefined;
  run.faults.atWrite(write, when === "after" ? "after" : "before", async () => {
    run.cancel.abort();
    reported = Promise.resolve().then(() => run.handlers.cancelled(run.request, "ana"));
    if (when === "before") await reported;
  });
  const result = await run.perform();
  await reported;
  return result === "cancelled" ? run : undefined;
}

const TIMES = ["after", "before", "during"] as const;

describe.each<CancelScene>([...SCENES, ...FOLLOWING])("%s cancelled at any of its writes", (_scene, make) => {
  it.each(TIMES)("leaves nothing behind, however late the write takes effect (%s)", async (when) => {
    for (let write = 1; ; write++) {
      const run = await cancelling(make, write, when);
      if (!run) break;
      await run.handlers.sweep(run.request);
      expect({ write, left: leftBehind(run) }).toEqual({ write, left: [] });
      const { state, request } = run;
      const comment = () =>
        // Drop the seconds of work, which depend on the machine.
        (state.comments.find(({ body }) => body.includes("magis:run"))?.body ?? "").replace(/, \d+ s\./, "");
      const said = comment();
      const was = state.pullRequests.length > 0;
      if (said !== "" && request.work.kind === "resolve")
        expect({ write, said: said.includes("Taken back: pull request #") }).toEqual({ write, said: was });
      await run.handlers.sweep(request);
      expect({ write, comment: comment() }).toEqual({ write, comment: said });
    }
    expect.hasAssertions();
  });
});

describe.each(SCENES)("%s retried after a cancel at any of its writes", (_scene, make) => {
  it.each(TIMES)("uses the usual branch name, even before the clean-up (%s)", async (when) => {
    for (let write = 1; ; write++) {
      const run = await cancelling(make, write, when);
      if (!run) break;
      const retry = sampleRequest({ id: "ana/shop#7@retry" });
      await run.keep(retry);
      const result = await run.handlers.resolve(retry, atOnce, noWait, noWait);
      expect({ write, kind: result.kind }).toEqual({ write, kind: "published" });
      // The clean-up must not touch the earlier run's work.
      await run.handlers.sweep(run.request);
      expect({ write, left: leftBehind(run) }).toEqual({ write, left: [] });
      const branches = new Set(run.state.pullRequests.map(({ branch }) => branch));
      expect({ write, branches: branches.size }).toEqual({ write, branches: 1 });
    }
    expect.hasAssertions();
  });
});
