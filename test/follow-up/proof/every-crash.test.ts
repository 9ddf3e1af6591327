import { describe, expect, it } from "@jest/globals";
import { keptSteps } from "../../workflow/kept-steps.ts";
import { NOT_RED, proving, RIGHT, TEST } from "./proving.ts";

const SCENE = { red: [NOT_RED, RIGHT], byCommit: true } as const;

type Proved = Awaited<ReturnType<typeof proving>>;

/** The state of the host, without ids that differ between attempts. */
const shown = ({ state, commits, pull, body }: Proved) => ({
  commits: commits(),
  draft: pull()?.draft,
  pulls: state.pullRequests.length,
  body: body().replace(/[0-9a-f]{10}/g, "…"),
  refs: [...state.objects.refs.keys()].sort(),
  comments: state.comments.length,
  test: state.objects.textAt(pull()?.head ?? "", TEST),
});

describe("a fix with a rewritten test, whose process dies after any of its writes", () => {
  it("ends like one that never died, and pays nothing twice", async () => {
    const smooth = await proving(SCENE);
    await smooth.resolve();
    expect(shown(smooth)).toMatchObject({ commits: ["test: add", "test: add", "fix: add"], draft: false, pulls: 1 });
    let crashes = 0;
    for (let write = 1; ; write++) {
      const run = await proving(SCENE);
      const { step, kept } = keptSteps();
      run.faults.crashAfter(write);
      await run.resolve({}, step);
      if (!run.faults.restart()) break;
      crashes += 1;
      kept.delete("end");
      const result = await run.resolve({}, step);
      expect({ write, ...result }).toMatchObject({ write, kind: "published", proof: { proved: true } });
      expect({ write, ...shown(run) }).toEqual({ write, ...shown(smooth) });
      expect({ write, asked: run.asked() }).toEqual({ write, asked: smooth.asked() });
    }
    // Comment, three pushes with their commits and branches, the body at each, checks, the end.
    expect(crashes).toBeGreaterThanOrEqual(20);
  });
});
