import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import { publishing } from "./publishing.ts";

const BRANCH = "magis/issue-7-discounts-are-cut-off-instead-of-rounded";
const ref = (branch: string) => `refs/heads/${branch}`;
const pushRefused = new MagisError("GIT_PUSH_REFUSED", "No such refs here.");
const hostRefused = new MagisError("HOST_REFUSED", "Not that way.");

describe("ways of making the commit", () => {
  it("uses the API alone, still verified, on a host without staging refs", async () => {
    const shop = await publishing();
    shop.faults.refuse("push", pushRefused);
    await shop.publish();
    expect(shop.record.commit).toMatchObject({ branch: BRANCH, way: "signed by GitHub, through the API alone" });
    const tip = shop.state.objects.refs.get(ref(BRANCH)) ?? "";
    expect(shop.state.objects.commit(tip)).toMatchObject({ verified: true, parents: [shop.base.commit] });
    expect(shop.state.objects.textAt(tip, "b.txt")).toBe("changed by t2\n");
  });

  it("pushes an unsigned commit to a host that makes none, and the pull request says so", async () => {
    const shop = await publishing();
    shop.faults.refuse("createCommit", hostRefused);
    await shop.publish();
    expect(shop.record.commit).toMatchObject({ branch: BRANCH, way: "pushed, unsigned" });
    expect(shop.state.pullRequests[0]?.body).toContain("The commit is not signed");
    expect([...shop.state.objects.refs.keys()]).toEqual(["refs/heads/main", ref(BRANCH)]);
  });

  it("deletes a file through the API too", async () => {
    const shop = await publishing();
    shop.faults.refuse("push", pushRefused);
    const work = { ...shop.work, changes: [{ kind: "delete" as const, path: "b.txt" }] };
    await shop.publish({}, undefined, work);
    const tip = shop.state.objects.refs.get(ref(BRANCH)) ?? "";
    expect(shop.state.objects.textAt(tip, "b.txt")).toBeUndefined();
    expect(shop.state.objects.textAt(tip, "a.txt")).toBe("one\ntwo\n");
  });

  it("throws the last refusal and opens no pull request when every way fails", async () => {
    const shop = await publishing();
    shop.faults.refuse("push", pushRefused);
    shop.faults.refuse("createTree", hostRefused);
    await expect(shop.publish()).rejects.toBe(pushRefused);
    expect(shop.state.pullRequests).toEqual([]);
  });

  it("tries nothing else when the host is away", async () => {
    const shop = await publishing();
    const away = new MagisError("HOST_UNREACHABLE", "The host is away.");
    shop.faults.refuse("createCommit", away);
    await expect(shop.publish()).rejects.toBe(away);
    expect(shop.faults.count("createBlob")).toBe(0);
  });
});

describe("branch names", () => {
  it("leaves a taken name alone and uses the next free one", async () => {
    const shop = await publishing();
    shop.state.objects.refs.set(ref(BRANCH), shop.base.commit);
    shop.state.objects.refs.set(ref(`${BRANCH}-2`), shop.base.commit);
    await shop.publish();
    expect(shop.state.pullRequests[0]?.branch).toBe(`${BRANCH}-3`);
    expect(shop.state.objects.refs.get(ref(BRANCH))).toBe(shop.base.commit);
  });

  /** Publishes beside an earlier branch with one commit, and perhaps a closed pull request from it. */
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
  ] as const)("leaves the name to %s, and the comment says so", async (_, stands, why) => {
    const { made, detail, old, tip } = await standing(stands);
    expect(made).toMatchObject({ branch: `${BRANCH}-2`, open: true });
    expect(detail).toContain(`on \`${BRANCH}-2\` since`);
    expect(detail).toContain(why);
    expect(tip).toBe(old);
  });

  it.each([
    ["an ended run's branch", {}],
    ["the branch of a pull request that was taken back", { pull: "taken back" }],
  ] as const)("replaces %s", async (_, stands) => {
    const { made, detail, old, tip } = await standing(stands);
    expect(made).toMatchObject({ branch: BRANCH, open: true });
    expect(detail).not.toContain("since");
    expect(tip).not.toBe(old);
  });

  it("leaves a branch alone to which a person has pushed since", async () => {
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
