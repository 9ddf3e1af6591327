import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/data/error.ts";
import { markers } from "../../../src/data/marks.ts";
import { keptSteps } from "../../workflow/kept-steps.ts";
import { NUMBER } from "../own-pull.ts";
import { lines, updating } from "./updating.ts";

const RESOLVED = {
  "x01-resolve-conflicts": {
    hunks: [{ id: "1", lines: "both\n", left: ["zwei", "two"], differed: "A.", kept: "B.", why: "C." }],
  },
  "x02-review-merge": { hunks: [{ id: "1", right: true }] },
};

const CONFLICT = { "a.txt": lines({ 2: "zwei" }) };

describe("an update", () => {
  it("merges the base by one commit with two parents, without a call", async () => {
    const shop = await updating({ base: { "a.txt": lines({ 8: "acht" }), "new.txt": "new\n", "b.txt": null } });
    expect(await shop.run()).toMatchObject({ kind: "published", pullRequest: { number: 9 } });
    expect(shop.parents()).toEqual([shop.head, shop.onBase]);
    expect(shop.text("a.txt")).toBe(lines({ 2: "two", 8: "acht" }));
    expect(shop.text("new.txt")).toBe("new\n");
    expect(shop.text("b.txt")).toBeUndefined();
    expect(shop.state.objects.commit(shop.tip()).message).toBe("Merge branch 'main' into magis/issue-7-words\n");
    expect(shop.calls).toEqual([]);
    expect(shop.said()).toEqual([]);
    expect(shop.body()).toContain("| Base main merged | commit ");
    expect(shop.ownCheck()).toMatchObject({
      state: "neutral",
      summary: expect.stringContaining("nobody needed to look"),
    });
  });

  it("resolves a conflict and says what was kept", async () => {
    const shop = await updating({ base: CONFLICT, script: RESOLVED });
    await shop.run();
    expect(shop.parents()).toEqual([shop.head, shop.onBase]);
    expect(shop.text("a.txt")).toBe(lines({ 2: "both" }));
    expect(shop.asked()).toEqual(["x01-resolve-conflicts", "x02-review-merge"]);
    expect(shop.said()).toEqual([expect.stringContaining("- `a.txt:2`\n  - Differed: A.\n  - Kept: B.\n  - Why: C.")]);
    expect(shop.ownCheck()).toMatchObject({ state: "neutral", summary: expect.stringContaining("a QA Engineer") });
  });

  it("lets no AI resolve a conflict where bots may not be authors, unless a maintainer asked for the pull request", async () => {
    const quote = "Pull requests by bots with AI are not accepted.";
    const files = { "CONTRIBUTING.md": `${quote}\n` };
    const script = { ...RESOLVED, "c01-judge-policy": { answer: "no-bots", passage: 1, quote } };
    const left = await updating({ files, base: CONFLICT, script });
    expect(await left.run()).toMatchObject({ kind: "gave-up" });
    // No run on a pull request would hear `/magis resolve anyway`.
    expect(left.said().join()).toMatch(new RegExp(`${quote}" Maintainers who want .* \`ai-policy: ignore\``));
    const asked = await updating({ files, base: CONFLICT, script, options: { anyway: true, given: [] } });
    expect(await asked.run()).toMatchObject({ kind: "published" });
  });

  it("takes the base's lock file and names the command that makes it anew", async () => {
    const files = { "package-lock.json": "{}\n" };
    const own = { "a.txt": lines({ 2: "two" }), "package-lock.json": '{ "a": 1 }\n' };
    const shop = await updating({ files, own, base: { "package-lock.json": '{ "b": 1 }\n' } });
    await shop.run();
    expect(shop.text("package-lock.json")).toBe('{ "b": 1 }\n');
    expect(shop.text("a.txt")).toBe(lines({ 2: "two" }));
    expect(shop.said()).toEqual([expect.stringContaining("- `package-lock.json`: `npm install`")]);
  });

  it("leaves a conflict to people once, and pays nothing for the same one again", async () => {
    const unsure = { hunks: [{ id: "1", lines: "", unclear: true, why: "Somebody has to say which." }] };
    const shop = await updating({ base: CONFLICT, script: { "x01-resolve-conflicts": unsure } });
    expect(await shop.run()).toMatchObject({ kind: "gave-up" });
    expect(shop.tip()).toBe(shop.head);
    expect(shop.said()).toEqual([expect.stringContaining("- `a.txt`: Somebody has to say which.")]);

    shop.moveBase({ "b.txt": "elsewhere\n" });
    await shop.run(undefined, "later");
    expect(shop.asked()).toEqual(["x01-resolve-conflicts"]);
    expect(shop.said()).toHaveLength(1);
  });

  it.each([
    ["deleted on the base", { "a.txt": null }, "deleted or moved on the base, changed on the branch"],
    [
      "the same change",
      { "a.txt": lines({ 2: "two" }) },
      "nothing would be left of this change: it is there already. I changed nothing.",
    ],
  ])("leaves to people what cannot be merged: %s", async (_what, base, why) => {
    const shop = await updating({ base });
    await shop.run();
    expect(shop.tip()).toBe(shop.head);
    expect(shop.said()).toEqual([expect.stringContaining(why)]);
  });

  it("steps back when a person has pushed, and says so once", async () => {
    const shop = await updating({ base: CONFLICT, script: RESOLVED });
    const theirs = shop.push({ "b.txt": "by ana\n" }, "ana");
    await shop.run();
    await shop.run(undefined, "later");
    expect(shop.tip()).toBe(theirs);
    expect(shop.said()).toEqual([expect.stringContaining("ana has committed to this branch")]);
    expect(shop.calls).toEqual([]);
  });

  it("keeps what somebody pushes while it merges", async () => {
    const shop = await updating({ base: { "a.txt": lines({ 8: "acht" }) } });
    shop.faults.atWrite(1, "before", () => void shop.push({ "b.txt": "by ana\n" }, "ana"));
    expect(await shop.run()).toMatchObject({ kind: "nothing-to-change" });
    expect(shop.parents()).toEqual([shop.head]);
    expect(shop.text("b.txt")).toBe("by ana\n");
  });

  it.each([
    ["it is turned off", { settings: { update: "never" } as const }],
    ["the base has not moved", { base: {} }],
  ])("does nothing when %s", async (_why, options) => {
    const shop = await updating({ base: CONFLICT, script: RESOLVED, ...options });
    expect(await shop.run()).toMatchObject({ kind: "nothing-to-change" });
    expect(shop.tip()).toBe(shop.head);
    expect(shop.said()).toEqual([]);
  });

  it("does nothing while the fix is being proved, and after three failures of its own", async () => {
    const shop = await updating({ base: CONFLICT, script: RESOLVED });
    const [pull] = shop.state.pullRequests;
    if (!pull) throw new Error("there is no pull request");
    shop.state.pullRequests[0] = { ...pull, body: `${pull.body}\n${markers.proving}` };
    expect(await shop.run()).toMatchObject({ kind: "nothing-to-change", reason: "Its fix is being proved." });
    shop.state.pullRequests[0] = pull;
    for (const _ of [1, 2, 3])
      await shop.tools.host.createComment(NUMBER, `I could not update it.\n\n${markers.updateFailed}`);
    expect(await shop.run()).toMatchObject({ kind: "nothing-to-change", reason: "Earlier updates have failed." });
    expect(shop.tip()).toBe(shop.head);
  });

  it("says why the host refuses the merge, and tries again when the base moves on", async () => {
    const shop = await updating({ base: { "a.txt": lines({ 8: "acht" }) } });
    const refusal = new MagisError("HOST_REFUSED", "A rule of the branch forbids merges.");
    shop.faults.refuse("createCommit", refusal, 1);
    shop.faults.refuse("push", refusal, 2);
    await shop.run();
    expect(shop.tip()).toBe(shop.head);
    expect(shop.said()).toEqual([expect.stringContaining("A rule of the branch forbids merges. I changed nothing.")]);

    const next = shop.moveBase({ "b.txt": "elsewhere\n" });
    await shop.run(undefined, "later");
    expect(shop.parents()).toEqual([shop.head, next]);
  });

  it.each(Array.from({ length: 7 }, (_, at) => at + 1))(
    "makes nothing twice when it dies after write %i",
    async (write) => {
      const shop = await updating({ base: CONFLICT, script: RESOLVED });
      const { step, kept } = keptSteps();
      shop.faults.crashAfter(write);
      await shop.run(step);
      expect(shop.faults.restart()).toBe(true);
      kept.delete("end");
      await shop.run(step);

      expect(shop.parents()).toEqual([shop.head, shop.onBase]);
      expect([...shop.state.objects.refs.keys()].filter((ref) => ref.startsWith("refs/magis"))).toEqual([]);
      expect(shop.said()).toEqual([expect.stringContaining("`a.txt:2`")]);
      expect(shop.body().match(/\| Base main merged \|/g)).toHaveLength(1);
    },
  );
});
