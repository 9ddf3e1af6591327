import { describe, expect, it } from "@jest/globals";
import { MagisError } from "../../src/data/error.ts";
import { markers } from "../../src/data/marks.ts";
import { readRecord } from "../../src/data/read-record.ts";
import type { KeepPart } from "../../src/data/run-record.ts";
import { initialState, type RunState } from "../../src/data/run-state.ts";
import { reportCost } from "../../src/publish/follow-up.ts";
import { stagingRef } from "../../src/publish/land-commit.ts";
import { rollback } from "../../src/publish/rollback.ts";
import type { RunContext } from "../../src/run/run-context.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { publishing } from "./publishing.ts";

const BRANCH = "magis/issue-7-discounts-are-cut-off-instead-of-rounded";
const ref = (branch: string) => `refs/heads/${branch}`;
type Published = Awaited<ReturnType<typeof publishing>>;

/** The state of the host, without numbers and ids that differ between attempts. */
const shownOn = ({ state }: Published) => ({
  refs: [...state.objects.refs.keys()].sort(),
  pullRequests: state.pullRequests.map(({ title, branch, body }) => ({ title, branch, body })),
  reviews: state.reviews.map(({ body, lines }) => ({ body, lines })),
  threads: state.threads.map(({ path, line, resolved, comments }) => ({
    path,
    line,
    resolved,
    comments: comments.map(({ body }) => body),
  })),
});

describe("publishChange", () => {
  it("makes a verified commit on a new branch, a draft pull request and the review", async () => {
    const shop = await publishing();
    const { pullRequest, openThreads } = await shop.publish();
    const { objects, pullRequests } = shop.state;
    const [opened] = pullRequests;
    expect(opened).toMatchObject({ ...pullRequest, branch: BRANCH, base: "main", draft: true });
    expect(opened?.title).toBe("fix: do what the issue asks for");
    const commit = objects.commit(objects.refs.get(ref(BRANCH)) ?? "");
    expect(commit).toMatchObject({ verified: true, parents: [shop.base.commit] });
    expect(commit.message).toBe("fix: do what the issue asks for\n\nNow it is.\n\nFixes #7\n");
    expect(objects.textAt(commit.id, "a.txt")).toBe("changed by t1\ntwo\n");
    expect([...objects.refs.keys()]).toEqual(["refs/heads/main", ref(BRANCH)]);
    expect(openThreads).toBe(1);
  });

  it.each([
    ["main", "Fixes"],
    ["release", "For"],
  ])("names the issue on a pull request into %s by %s", async (branch, word) => {
    const shop = await publishing();
    const { objects, pullRequests } = shop.state;
    objects.refs.set(ref(branch), shop.base.commit);
    await shop.publish({}, branch);
    expect(pullRequests[0]).toMatchObject({ base: branch, body: expect.stringContaining(`\n\n${word} #7\n`) });
    const { message } = objects.commit(objects.refs.get(ref(BRANCH)) ?? "");
    expect(message.endsWith(`\n\n${word} #7\n`)).toBe(true);
  });

  it("posts each QA comment as a thread, and answers and resolves a settled one", async () => {
    const shop = await publishing();
    await shop.publish();
    const [onLine, onFile] = shop.state.threads;
    expect(onLine).toMatchObject({ path: "a.txt", line: 1, resolved: true });
    expect(onLine?.comments.map(({ body }) => body)).toEqual([
      expect.stringContaining("The wrong word."),
      expect.stringContaining("The QA Engineer agrees that this is settled."),
    ]);
    expect(onFile).toMatchObject({ path: "a.txt", resolved: false });
    expect(onFile?.line).toBeUndefined();
    expect(shop.state.reviews[0]?.body).toContain("One comment of this review is open.");
  });

  it.each([
    [{ title: "Another title" }, /^The issue's title was edited since\. .*, with the title "Discounts/m],
    [{ body: "Other words." }, /^The issue's text was edited since\. .* from the issue as it was before\.$/m],
    [{ title: "Another title", body: "Other words." }, /^The issue's title and text were edited since\./m],
    [{ labels: ["bug"] }, undefined],
  ])("says from which text it was made when the issue is now %j", async (now, says) => {
    const shop = await publishing();
    shop.state.issue = { ...shop.state.issue, ...now };
    await shop.publish();
    const body = shop.state.pullRequests[0]?.body ?? "";
    if (says) expect(body).toMatch(says);
    else expect(body).not.toContain("edited since");
  });

  it("leaves the same after a crash at any of its writes and a second run", async () => {
    const smooth = await publishing();
    await smooth.publish();
    let crashes = 0;
    for (let write = 1; ; write++) {
      const shop = await publishing();
      shop.faults.crashAfter(write);
      await shop.publish().catch(() => undefined);
      if (!shop.faults.restart()) break;
      crashes += 1;
      await shop.publish();
      expect({ write, ...shownOn(shop) }).toEqual({ write, ...shownOn(smooth) });
    }
    expect(crashes).toBeGreaterThanOrEqual(9);
  });

  it("describes the change by the agents' summaries when the model declines to", async () => {
    const shop = await publishing({ script: { "d01-describe-change": { stop: "refusal" } } });
    await shop.publish();
    expect(shop.state.pullRequests[0]?.title).toBe("fix: discounts are cut off instead of rounded");
    expect(shop.state.pullRequests[0]?.body).toContain("a.txt does what the issue asks for.");
  });

  it.each([".github/PULL_REQUEST_TEMPLATE.md", "docs/pull_request_template.md", "pull_request_template.txt"])(
    "fills in the template in %s",
    async (path) => {
      const filled = {
        type: "fix",
        title: "do it",
        problem: "Bad.",
        solution: "Good.",
        template: "## Checks\n- [ ] tests: not done",
      };
      const shop = await publishing({
        files: { [path]: "## Checks\n- [ ] tests\n" },
        script: { "d01-describe-change": filled },
      });
      await shop.publish();
      expect(shop.of("d01-describe-change")[0]?.text).toContain("## Checks\n- [ ] tests\n");
      expect(shop.state.pullRequests[0]?.body).toContain("## Checks\n- [ ] tests: not done");
    },
  );

  it.each([
    [
      "headings",
      "## What does this do?\n\nSay it.\n\n## Why\n\n## Testing\n\n- [ ] I ran the tests\n\n## Related issues\n",
      "## What does this do?\n\nGood.\n\nSay it.\n\n## Why\n\nBad.\n\n## Testing\n\nWhat was run, and what was not, is told below.\n\n- [ ] I ran the tests\n\n## Related issues\n\n#7",
    ],
    ["bold lines", "**Description**\n\n**Motivation:**\n", "**Description**\n\nGood.\n\n**Motivation:**\n\nBad."],
    ["no heading that asks", "## Checklist\n- [ ] Docs\n", "delivery-1 -->\n\n## Checklist\n- [ ] Docs"],
    [
      "the same twice",
      "# Summary\n\n# Summary of changes\n",
      "delivery-1 -->\n\n# Summary\n\nGood.\n\n# Summary of changes",
    ],
    [
      "boxes on machines",
      "- [ ] This was written with AI\n- [ ] I did not use AI to write it\n- [ ] No AI generated code\n* [ ] AI-assisted\n- [ ] AIR tested",
      "- [x] This was written with AI\n- [ ] I did not use AI to write it\n- [ ] No AI generated code\n* [x] AI-assisted\n- [ ] AIR tested",
    ],
    ["text of another language", "## 変更点\n\nなし\n", "delivery-1 -->\n\n## 変更点\n\nなし"],
  ])("fills in a template with %s from the Manager's words, without a call", async (_, template, filled) => {
    const shop = await publishing({ files: { "pull_request_template.md": template } });
    const calls = shop.calls.length;
    await shop.publish({ description: { type: "fix", title: "do it", problem: "Bad.", solution: "Good." } as never });
    expect(shop.calls).toHaveLength(calls);
    const body = shop.state.pullRequests[0]?.body ?? "";
    expect(body).toContain(
      filled.replace("Good.", "a.txt does what the issue asks for.\nb.txt does what the issue asks for."),
    );
  });

  it("leaves the choice between several templates to a person", async () => {
    const shop = await publishing({ files: { ".github/PULL_REQUEST_TEMPLATE/one.md": "## One\n" } });
    await shop.publish();
    expect(shop.of("d01-describe-change")[0]?.text).not.toContain("## One");
  });
});

/** A published change, or one without a pull request so far, and the tools to take it back. */
async function published({ pull = true } = {}) {
  const shop = await publishing();
  await shop.publish();
  const { state, tools, base } = shop;
  if (!pull) state.pullRequests.splice(0);
  const branch = [...state.objects.refs.keys()].find((ref) => ref.startsWith("refs/heads/magis/")) ?? "";
  const parts: Record<string, unknown> = { start: { issue: tools.issue, base, by: sampleRequest().id } };
  const kept = async () => readRecord(parts);
  const record: KeepPart = async (part, value) => void Object.assign(parts, { [part]: value });
  const take = (request = sampleRequest()) => rollback({ ...tools, request, kept, record });
  return { ...shop, branch, name: branch.slice("refs/heads/".length), take, kept };
}

describe("rollback", () => {
  it("deletes a branch with several commits of the app, like a proof's", async () => {
    const { take, state, branch, name } = await published();
    const tip = state.objects.refs.get(branch) ?? "";
    const { tree } = state.objects.commit(tip);
    const fix = { tree, parents: [tip], message: "fix: it", author: state.login, verified: true };
    state.objects.refs.set(branch, state.objects.addCommit(fix, "the fix"));
    expect(await take()).toContain(`the branch \`${name}\``);
    expect([...state.objects.refs.keys()]).toEqual(["refs/heads/main"]);
  });

  it("closes the pull request, removes the run's mark from it, and deletes the branch", async () => {
    const { take, state, name } = await published();
    expect(await take()).toEqual([`pull request #${state.pullRequests[0]?.number} (closed)`, `the branch \`${name}\``]);
    expect(state.pullRequests[0]?.open).toBe(false);
    expect(state.pullRequests[0]?.body).not.toContain(markers.run(sampleRequest().id));
    expect([...state.objects.refs.keys()]).toEqual(["refs/heads/main"]);
    // A second call reports the same.
    expect(await take()).toHaveLength(2);
    expect(await take(sampleRequest({ id: "ana/shop#7@retry" }))).toEqual([]);
  });

  it("deletes a branch without a pull request, and the staging ref", async () => {
    const { take, state, name, base } = await published({ pull: false });
    state.objects.refs.set(stagingRef(sampleRequest().root), base.commit);
    expect(await take()).toEqual([`the branch \`${name}\``]);
    expect([...state.objects.refs.keys()]).toEqual(["refs/heads/main"]);
  });

  it("finds its own branch beside an earlier run's", async () => {
    const { take, state, branch, name } = await published();
    const tip = state.objects.refs.get(branch) ?? "";
    const [pull] = state.pullRequests;
    if (pull) state.pullRequests[0] = { ...pull, open: false, body: markers.run("earlier") };
    state.objects.refs.set(`${branch}-2`, tip);
    expect(await take()).toEqual([`the branch \`${name}-2\``]);
    expect(state.objects.refs.has(branch)).toBe(true);
  });

  it("leaves a branch that a person has committed to", async () => {
    const { take, state, branch } = await published();
    const tip = state.objects.refs.get(branch) ?? "";
    const { tree } = state.objects.commit(tip);
    const own = { tree, parents: [tip], message: "Mine", author: "ben", verified: false };
    state.objects.refs.set(branch, state.objects.addCommit(own, "a person's"));
    expect(await take()).toEqual([`pull request #${state.pullRequests[0]?.number} (closed)`]);
    expect(state.objects.refs.has(branch)).toBe(true);
  });

  it("takes back nothing for a run that only answers feedback", async () => {
    const { take, state } = await published();
    expect(await take(sampleRequest({ work: { kind: "revise", because: "feedback" } }))).toEqual([]);
    expect(state.pullRequests[0]?.open).toBe(true);
  });
});

/** By issue and pull request, with earlier runs. */
const PAID: Readonly<Record<number, number>> = { 7: 1.5, 9: 0.25 };

it("says on the pull request what a run that changed nothing has cost, once, and the sum of all runs", async () => {
  let body = "<!-- magis:run ana/shop#7@first -->\nWords.";
  let state: RunState = { ...initialState(), spend: { calls: 3, tokens: 9, money: 1, elapsed: 1 } };
  const tools = {
    host: {
      readPullRequest: async () => ({ number: 9, body, branch: "magis/issue-7-a" }),
      listThreads: async () => [],
      updatePullRequest: async (_number: number, change: { body: string }) => {
        body = change.body;
      },
    },
    request: sampleRequest({ issue: 9, work: { kind: "revise", because: "feedback" } }),
    tracker: { state: () => ({ ...initialState(), spend: { calls: 1, tokens: 9, money: 0.25, elapsed: 1 } }) },
    spentOn: async (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + (PAID[one] ?? 0), 0),
    earlierRun: () => ({
      state: async () => state,
      correct: async (change: Partial<RunState>) => {
        state = { ...state, ...change };
      },
    }),
  } as unknown as RunContext;
  const result = { kind: "nothing-to-change", reason: "stepped-back" } as const;
  await reportCost(result, tools);
  await reportCost(result, tools);
  expect(body.match(/\| Review \| nothing was changed \| \$0\.25 \|/g)).toHaveLength(1);
  expect(body).toContain("This cost $0.25, and all runs on the issue and this pull request $1.75.");
});

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
