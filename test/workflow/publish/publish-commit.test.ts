import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../../src/model/error.ts";
import { publishing } from "./publishing.ts";

const BRANCH = "magis/issue-7-discounts-are-cut-off-instead-of-rounded";
const ref = (branch: string) => `refs/heads/${branch}`;
const pushRefused = new MagisError("GIT_PUSH_REFUSED", "No such refs here.");
const hostRefused = new MagisError("HOST_REFUSED", "Not that way.");

describe("ways of making the commit", () => {
  it("a host without staging refs: everything through its API, still verified", async () => {
    const shop = await publishing();
    shop.faults.refuse("push", pushRefused);
    await shop.publish();
    expect(shop.record.commit).toMatchObject({ branch: BRANCH, way: "signed by GitHub, through the API alone" });
    const tip = shop.state.objects.refs.get(ref(BRANCH)) ?? "";
    expect(shop.state.objects.commit(tip)).toMatchObject({ verified: true, parents: [shop.base.commit] });
    expect(shop.state.objects.textAt(tip, "b.txt")).toBe("changed by t2\n");
  });

  it("a host that makes no commits: a plain push, and the pull request says that it is unsigned", async () => {
    const shop = await publishing();
    shop.faults.refuse("createCommit", hostRefused);
    await shop.publish();
    expect(shop.record.commit).toMatchObject({ branch: BRANCH, way: "pushed, unsigned" });
    expect(shop.state.pullRequests[0]?.body).toContain("The commit is not signed");
    expect([...shop.state.objects.refs.keys()]).toEqual(["refs/heads/main", ref(BRANCH)]);
  });

  it("a deleted file is gone, whichever way", async () => {
    const shop = await publishing();
    shop.faults.refuse("push", pushRefused);
    const work = { ...shop.work, changes: [{ kind: "delete" as const, path: "b.txt" }] };
    const { publishChange } = await import("../../../src/workflow/publish/publish-change.ts");
    await publishChange({ ...shop.tools, plan: shop.plan, work });
    const tip = shop.state.objects.refs.get(ref(BRANCH)) ?? "";
    expect(shop.state.objects.textAt(tip, "b.txt")).toBeUndefined();
    expect(shop.state.objects.textAt(tip, "a.txt")).toBe("one\ntwo\n");
  });

  it("no way at all: the last refusal, and no pull request", async () => {
    const shop = await publishing();
    shop.faults.refuse("push", pushRefused);
    shop.faults.refuse("createTree", hostRefused);
    await expect(shop.publish()).rejects.toBe(pushRefused);
    expect(shop.state.pullRequests).toEqual([]);
  });

  it("a host that is away is no refusal: nothing else is tried", async () => {
    const shop = await publishing();
    const away = new MagisError("HOST_UNREACHABLE", "The host is away.");
    shop.faults.refuse("createCommit", away);
    await expect(shop.publish()).rejects.toBe(away);
    expect(shop.faults.count("createBlob")).toBe(0);
  });
});

describe("branch names", () => {
  it("a name that is taken is not touched: the next free one is used", async () => {
    const shop = await publishing();
    shop.state.objects.refs.set(ref(BRANCH), shop.base.commit);
    shop.state.objects.refs.set(ref(`${BRANCH}-2`), shop.base.commit);
    await shop.publish();
    expect(shop.state.pullRequests[0]?.branch).toBe(`${BRANCH}-3`);
    expect(shop.state.objects.refs.get(ref(BRANCH))).toBe(shop.base.commit);
  });

  /** A branch with a commit on the base, and a closed pull request that was opened from it. */
  async function standing({ author = "magis[bot]", pull }: { author?: string; pull?: "marked" | "taken back" }) {
    const shop = await publishing();
    const { objects } = shop.state;
    const { tree } = objects.commit(shop.base.commit);
    const edited = objects.addTree(tree, [
      { path: "c.txt", mode: "100644", blob: objects.addBlob(new TextEncoder().encode("c\n")) },
    ]);
    const parents = [shop.base.commit];
    const old = objects.addCommit({ tree: edited, parents, message: "Old", author, verified: true }, "old");
    objects.refs.set(ref(BRANCH), old);
    if (pull) {
      const body = pull === "marked" ? "<!-- magis:run ana/shop#7@earlier -->" : "";
      const opened = { title: "Old", body, branch: BRANCH, base: "main", draft: false };
      await shop.host.updatePullRequest((await shop.host.openPullRequest(opened)).number, { state: "closed" });
    }
    await shop.publish();
    const made = shop.state.pullRequests.at(-1);
    const detail = shop.tools.tracker.state().phases.find(({ detail }) => detail?.includes("commit"))?.detail ?? "";
    return { made, detail, old, tip: objects.refs.get(ref(BRANCH)) };
  }

  it.each([
    ["a person's commits", { author: "ana" }, `since \`${BRANCH}\` has commits that are not mine`],
    ["a pull request that a person closed", { pull: "marked" }, "was opened from"],
  ] as const)("%s keep the name, and the comment says so", async (_, stands, why) => {
    const { made, detail, old, tip } = await standing(stands);
    expect(made).toMatchObject({ branch: `${BRANCH}-2`, open: true });
    expect(detail).toContain(`on \`${BRANCH}-2\` since`);
    expect(detail).toContain(why);
    expect(tip).toBe(old);
  });

  it.each([
    ["what an ended run left on a branch", {}],
    ["what a run left from which a pull request was taken back", { pull: "taken back" }],
  ] as const)("%s is replaced", async (_, stands) => {
    const { made, detail, old, tip } = await standing(stands);
    expect(made).toMatchObject({ branch: BRANCH, open: true });
    expect(detail).not.toContain("since");
    expect(tip).not.toBe(old);
  });

  it("a branch to which a person has pushed since is left as it is", async () => {
    const shop = await publishing();
    await shop.publish();
    const { objects } = shop.state;
    const tip = objects.refs.get(ref(BRANCH)) ?? "";
    const more = { tree: objects.commit(tip).tree, parents: [tip], message: "More", author: "ana", verified: false };
    const pushed = objects.addCommit(more, "later");
    objects.refs.set(ref(BRANCH), pushed);
    await shop.publish();
    expect(objects.refs.get(ref(BRANCH))).toBe(pushed);
  });
});
