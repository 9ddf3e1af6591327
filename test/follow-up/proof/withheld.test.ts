import { describe, expect, it } from "@jest/globals";
import { DEFAULT_SETTINGS } from "../../../src/data/setting-definitions/all-settings.ts";
import { PERSON } from "./people.ts";
import { proving, RIGHT, silent } from "./proving.ts";

const SUM = "export const sum = (a, b) => a + b;";

/** A fix too long for a comment. */
const LARGE = `${SUM}\n${"// Sums are sums.\n".repeat(3_000)}`;

const WHENS = { "while the test's checks run": silent("running"), "once the test has failed": RIGHT } as const;

describe("a paid fix that was not pushed because a person", () => {
  it.each([
    ["pushes", "while the test's checks run", "short"],
    ["merges", "while the test's checks run", "short"],
    ["closes", "once the test has failed", "long"],
    ["deletes its branch", "once the test has failed", "short"],
  ] as const)("%s %s, with a %s patch, is published on request", async (deed, when, size) => {
    const fix = size === "short" ? SUM : LARGE;
    const run = await proving({
      red: [{ before: PERSON[deed], say: WHENS[when] }, RIGHT],
      fix: [{ start: 1, end: 1, anchor: "", text: fix }],
    });
    const { state } = run;
    expect(await run.resolve()).toMatchObject({ kind: "published", withheld: expect.stringContaining(`+${SUM}`) });
    const comment = run.comment();
    expect(comment).toContain("Only the test of the change is in [the pull request](");
    expect(comment).toContain("`/magis retry` publishes the change in a new pull request");
    expect(comment.includes(`+${SUM}`)).toBe(size === "short");
    expect(run.body()).toContain("My comment on the issue says where the fix is.");
    expect(run.body()).not.toContain("The fix follows");

    const left = state.pullRequests[0];
    const asked = run.asked().length;
    const again = { id: "ana/shop#7@again", root: run.id };
    expect(await run.resolve(again)).toMatchObject({ kind: "published", proof: { proved: true } });
    expect(run.asked()).toHaveLength(asked);
    expect(state.pullRequests).toHaveLength(2);
    const [first, own] = state.pullRequests;
    // The branch stays the bot's own while nobody else commits to it.
    expect(first).toEqual(deed === "pushes" ? left : { ...left, head: first?.head });
    expect(own).toMatchObject({ open: true, draft: false, body: expect.stringContaining("## Tested") });
    expect(state.objects.textAt(own?.head ?? "", "src/sum.js")).toBe(`${fix}${fix.endsWith("\n") ? "" : "\n"}`);
    expect(run.comment()).toContain(`[The pull request](${own?.url}) has the change and shows how it stands now.`);
    expect(run.comment()).not.toContain("/magis retry");
  });

  it("is not published where its files are protected by now, and its test not alone either", async () => {
    const run = await proving({ red: [{ before: PERSON.closes, say: RIGHT }, RIGHT] });
    await run.resolve();
    const settings = { ...DEFAULT_SETTINGS, protect: ["src/**"] };
    const result = await run.resolve({ id: "ana/shop#7@again", root: run.id, settings });
    expect(result).toMatchObject({
      kind: "gave-up",
      reason: expect.stringContaining("`src/sum.js`: left alone, it is protected (`src/**`)"),
    });
    expect(run.state.pullRequests).toHaveLength(1);
  });

  it("is kept again when a person closes the next pull request too", async () => {
    const run = await proving({
      red: [
        { before: PERSON.closes, say: RIGHT },
        {
          before: (state) => state.pullRequests.splice(1, 1, { ...(state.pullRequests[1] ?? never()), open: false }),
          say: RIGHT,
        },
        RIGHT,
      ],
    });
    await run.resolve();
    expect(await run.resolve({ id: "ana/shop#7@again", root: run.id })).toMatchObject({
      withheld: expect.stringContaining(SUM),
    });
    const last = await run.resolve({ id: "ana/shop#7@last", root: run.id });
    expect(last).toMatchObject({ proof: { proved: true }, pullRequest: { number: run.state.pullRequests[2]?.number } });
  });
});

function never(): never {
  throw new Error("there is no second pull request");
}
