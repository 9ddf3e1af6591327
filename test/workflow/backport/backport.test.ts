import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/model/error.ts";
import { newestFirst, readMerged } from "../../../src/workflow/backport/read-merged.ts";
import { cleanUp } from "../../../src/workflow/publish/clean-up.ts";
import { keptSteps } from "../kept-steps.ts";
import { backporting, lines, type Way } from "./backporting.ts";

const TWO = [{ "a.txt": lines({ 2: "two" }) }, { "a.txt": lines({ 2: "two", 8: "eight" }) }];

const RESOLVED = {
  "x01-resolve-conflicts": {
    hunks: [{ id: "1", lines: "both\n", left: ["zwei", "two"], differed: "A.", kept: "B.", why: "C." }],
  },
  "x02-review-merge": { hunks: [{ id: "1", right: true }] },
};

describe("readMerged", () => {
  it.each<[way: Way]>([["merge"], ["squash"], ["rebase"]])("finds what a %s brought", async (way) => {
    const { request, tools, commits } = await backporting({ way, files: TWO });
    const { before, mergeCommit, rebased } = commits;
    expect(await readMerged(request, tools)).toMatchObject({
      number: 9,
      into: "main",
      before,
      after: mergeCommit,
      commits: way === "rebase" ? rebased : [mergeCommit],
      isMerge: way === "merge",
    });
  });

  it.each([
    [
      ["release/4.1", "release/4.10", "release/4.2"],
      ["release/4.10", "release/4.2", "release/4.1"],
    ],
    [
      ["v1", "v2.1", "v2"],
      ["v2.1", "v2", "v1"],
    ],
    [
      ["lts", "stable"],
      ["lts", "stable"],
    ],
  ])("takes %j in the order %j", (branches, order) => {
    expect(newestFirst(branches)).toEqual(order);
  });
});

describe("a backport", () => {
  it.each<[way: Way]>([["merge"], ["squash"], ["rebase"]])(
    "brings over all that a %s brought, in one commit",
    async (way) => {
      const shop = await backporting({ way, files: TWO });
      expect(await shop.run()).toMatchObject({ kind: "published" });
      const [pull] = shop.opened();
      const { objects } = shop.state;
      expect(objects.textAt(pull?.head ?? "", "a.txt")).toBe(lines({ 2: "two", 8: "eight" }));
      expect(objects.textAt(pull?.head ?? "", "other.txt")).toBeUndefined();
      const { message } = objects.commit(pull?.head ?? "");
      const picked = [...message.matchAll(/\(cherry picked from commit (\w+)\)/g)].map(([, id]) => id);
      expect(picked).toEqual(way === "rebase" ? shop.commits.rebased : [shop.commits.mergeCommit]);
      expect(shop.calls).toEqual([]);
    },
  );

  it("resolves an equal conflict of an older branch without another call", async () => {
    const conflicting = { "a.txt": lines({ 2: "zwei" }) };
    const branches = { "release/1": conflicting, "release/2": conflicting };
    const shop = await backporting({ branches, script: RESOLVED });
    await shop.run();
    expect(shop.opened().map(({ base, draft }) => [base, draft])).toEqual([
      ["release/2", true],
      ["release/1", true],
    ]);
    expect(shop.asked()).toEqual(["x01-resolve-conflicts", "x02-review-merge"]);
    const [, older] = shop.opened();
    expect(shop.state.objects.textAt(older?.head ?? "", "a.txt")).toBe(lines({ 2: "both" }));
  });

  it("goes on with the other branches when one fails", async () => {
    const shop = await backporting({ branches: { "release/1": {}, "release/2": {} } });
    shop.faults.refuse("openPullRequest", new MagisError("HOST_REFUSED", "GitHub refused to open it."), 1);
    expect(await shop.run()).toMatchObject({ kind: "published" });
    expect(shop.opened().map(({ base }) => base)).toEqual(["release/1"]);
    expect(shop.answers()).toEqual([
      expect.stringContaining("`release/2`: GitHub refused to open it. Nothing was opened."),
    ]);
  });

  it("changes a file where the branch has it, and says so", async () => {
    const branches = { "release/1": { "a.txt": undefined, "lib/a.txt": lines({ 9: "neun" }) } };
    const shop = await backporting({ branches });
    expect(await shop.run()).toMatchObject({ kind: "published" });
    const [pull] = shop.opened();
    expect(shop.state.objects.textAt(pull?.head ?? "", "lib/a.txt")).toBe(lines({ 2: "two", 9: "neun" }));
    expect(shop.state.objects.textAt(pull?.head ?? "", "a.txt")).toBeUndefined();
    expect(pull?.body).toContain("These files have another name on `release/1`");
    expect(pull?.body).toContain("- `a.txt`: `lib/a.txt`");
  });

  describe("cancelled before its pull request is opened", () => {
    /** A backport to two branches that has pushed its commit for one. */
    async function stopped() {
      const shop = await backporting({ branches: { "release/1": {}, "release/2": {} } });
      shop.faults.refuse("openPullRequest", new MagisError("RUN_CANCELLED", "The run was cancelled."), 1);
      await shop.run().catch(() => undefined);
      const { refs } = shop.state.objects;
      const branch = "refs/heads/magis/backport-9-to-release/2";
      expect(refs.has(branch)).toBe(true);
      const end = () => cleanUp(shop.request, shop.tools, { kind: "cancelled", by: "ana", undone: [] });
      return { ...shop, refs, branch, end };
    }

    it("leaves no branch behind", async () => {
      const { refs, end } = await stopped();
      await end();
      expect([...refs.keys()].filter((ref) => ref.includes("magis"))).toEqual([]);
    });

    it("leaves a branch to a person who has committed to it", async () => {
      const { refs, branch, end, state } = await stopped();
      const tip = refs.get(branch) ?? "";
      const { tree } = state.objects.commit(tip);
      const own = { tree, parents: [tip], message: "Mine", author: "ben", verified: false };
      refs.set(branch, state.objects.addCommit(own, "a person's"));
      await end();
      expect(refs.has(branch)).toBe(true);
    });

    it("leaves the branch of a pull request, open or not", async () => {
      const shop = await backporting();
      await shop.run();
      const [pull] = shop.opened();
      const { refs } = shop.state.objects;
      if (pull) shop.state.pullRequests[shop.state.pullRequests.indexOf(pull)] = { ...pull, open: false };
      await cleanUp(shop.request, shop.tools, { kind: "cancelled", by: "ana", undone: [] });
      expect(refs.has("refs/heads/magis/backport-9-to-release/1")).toBe(true);
    });
  });

  it("lets no AI resolve a conflict where the repository forbids AI", async () => {
    const policy = { "CONTRIBUTING.md": "# Contributing\n\nPull requests made with AI are not accepted.\n" };
    const shop = await backporting({
      branches: { "release/1": { "a.txt": lines({ 2: "zwei" }), ...policy } },
      script: {
        ...RESOLVED,
        "c01-judge-policy": {
          answer: "forbidden",
          passage: 1,
          quote: "Pull requests made with AI are not accepted.",
          form: "",
        },
      },
    });
    expect(await shop.run()).toMatchObject({ kind: "gave-up" });
    expect(shop.opened()).toEqual([]);
    expect(shop.answers().join()).toContain("Pull requests made with AI are not accepted.");
  });

  it.each(Array.from({ length: 9 }, (_, at) => at + 1))(
    "makes nothing twice when it dies after write %i",
    async (write) => {
      const branches = { "release/1": { "a.txt": lines({ 2: "zwei" }) }, "release/2": {}, "release/3": {} };
      const shop = await backporting({ branches, script: RESOLVED });
      const { step, kept } = keptSteps();
      shop.faults.crashAfter(write);
      await shop.run(step);
      expect(shop.faults.restart()).toBe(true);
      kept.delete("end");
      await shop.run(step);

      expect(
        shop
          .opened()
          .map(({ base }) => base)
          .sort(),
      ).toEqual(["release/1", "release/2", "release/3"]);
      const refs = [...shop.state.objects.refs.keys()].filter((ref) => /magis/.test(ref));
      expect(refs.sort()).toEqual([1, 2, 3].map((at) => `refs/heads/magis/backport-9-to-release/${at}`));
      expect(shop.answers()).toEqual([expect.stringContaining("`release/1`: #")]);
    },
  );
});
