import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createOpenCodeHost } from "../../../src/github/api/code-host.ts";
import type { CodeHost } from "../../../src/ports/code-host.ts";
import { startWorld } from "../../world/start-world.ts";
import type { World } from "../../world/world-handle.ts";

const BRANCH = "magis/issue-1-fix";
const CONFIGURATION = "label: magis\n";

describe("conversations and checks on the loopback GitHub", () => {
  let world: World;
  let host: CodeHost;
  let main: string;
  let head: string;
  let pull: number;

  const commit = async (files: Record<string, string | null>, parent: string): Promise<string> => {
    const entries = [];
    for (const [path, text] of Object.entries(files)) {
      const blob = text === null ? null : await host.createBlob(new TextEncoder().encode(text));
      entries.push({ path, mode: "100644", blob });
    }
    const tree = await host.createTree((await host.readCommit(parent)).tree, entries);
    return (await host.createCommit("fix: it", tree, [parent])).id;
  };

  beforeAll(async () => {
    const roles = { alice: "write" } as const;
    const owned = { owner: "acme", private: true, roles };
    world = await startWorld({
      repositories: [
        { ...owned, name: "widget", files: { "a.txt": "one\ntwo\nthree\nfour\n", "gone.txt": "gone\n" } },
        { ...owned, name: ".github", files: { "magis.yml": CONFIGURATION, "large.txt": "x".repeat(1_100_000) } },
      ],
    });
    const env = world.botEnvironment();
    const webUrl = `http://${env.GHE_HOST}`;
    const open = createOpenCodeHost({
      appId: env.APP_ID ?? "",
      privateKey: env.PRIVATE_KEY ?? "",
      apiUrl: `${webUrl}/api/v3`,
      webUrl,
      log: { debug: () => undefined, warn: () => undefined },
    });
    host = await open({ owner: "acme", name: "widget", installationId: 100 });
    main = (await host.defaultBranch()).commit;
    head = await commit({ "a.txt": "one\n2\nthree\nfour\n", "moved.txt": "gone\n", "gone.txt": null }, main);
    await host.createBranch(BRANCH, head);
    const wanted = { title: "fix: it", body: "Fixes #1", branch: BRANCH, base: "main", draft: true };
    pull = (await host.openPullRequest(wanted)).number;
  });
  afterAll(() => world?.close());

  it("lists the differences between two commits in either order", async () => {
    const changed = ["a.txt", "gone.txt", "moved.txt"];
    expect(await host.changedPaths(main, head)).toEqual(changed);
    expect(await host.changedPaths(head, main)).toEqual(changed);
    expect(await host.changedPaths(head, head)).toEqual([]);
    const sibling = await commit({ "b.txt": "b\n", "a.txt": "one\n2\nthree\nfour\n" }, main);
    expect(await host.changedPaths(head, sibling)).toEqual(["b.txt", "gone.txt", "moved.txt"]);
    const many = Object.fromEntries(Array.from({ length: 301 }, (_, index) => [`many/${index}.txt`, "x\n"]));
    const all = await host.changedPaths(main, await world.person("alice").push("many", many));
    expect(all).toHaveLength(301);
    expect(await host.changedPaths(main, "0".repeat(40))).toBeUndefined();
    const inHistory = [await host.isAncestor(main, head), await host.isAncestor(head, head)];
    const outside = [await host.isAncestor(head, main), await host.isAncestor(head, sibling)];
    expect([...inHistory, ...outside]).toEqual([true, true, false, false]);
    expect(await host.isAncestor("0".repeat(40), head)).toBe(false);
    expect([await host.mergeBase(head, sibling), await host.mergeBase(main, head)]).toEqual([main, main]);
    expect(await host.mergeBase("0".repeat(40), head)).toBeUndefined();
  });

  it("reads files of the owner's other repository, beyond the run's own token", async () => {
    expect(await host.readFile(".github", "magis.yml")).toBe(CONFIGURATION);
    expect(await host.readFile("widget", "a.txt")).toBe("one\ntwo\nthree\nfour\n");
    for (const [name, path] of [
      [".github", "none.txt"],
      ["nothing", "magis.yml"],
    ] as const)
      expect(await host.readFile(name, path)).toBeUndefined();
    expect(await host.readFile(".github", "large.txt")).toEqual({ unreadable: "is larger than 1 MB" });
    expect(await host.listFolder(".github", "")).toContain("magis.yml");
    expect(await host.listFolder("nothing", "")).toEqual([]);
  });

  it("reads who committed, takes the pull request out of draft and hides a comment", async () => {
    const pushed = await world.person("alice").push(BRANCH, { "c.txt": "c\n" });
    expect(await host.listCommits(pull)).toEqual([
      { id: head, author: host.login, byApp: true },
      { id: pushed, author: "alice", byApp: false },
    ]);
    expect(await host.readPullRequest(pull)).toMatchObject({ number: pull, draft: true, head: pushed, byApp: true });
    head = pushed;
    await host.markReady(pull);
    await host.markReady(pull);
    expect((await host.readPullRequest(pull)).draft).toBe(false);
    const { nodeId } = await host.createComment(pull, "Old news.");
    await host.minimiseComment(nodeId);
    expect(world.isMinimized(nodeId)).toBe(true);
  });

  it("reads reviews, and threads with their lines", async () => {
    const id = await world.person("alice").review(pull, {
      event: "REQUEST_CHANGES",
      body: "Not yet.",
      comments: [
        { path: "a.txt", line: 2, side: "RIGHT", body: "Why a digit?" },
        { path: "a.txt", line: 2, side: "LEFT", body: "This was right." },
      ],
    });
    await host.createFileComment(pull, head, "c.txt", "Is it needed?");
    const [review] = await host.listReviews(pull);
    expect(review).toMatchObject({ id, author: "alice", byBot: false, state: "changes-requested", body: "Not yet." });
    const threads = await host.listThreads(pull);
    expect(threads.map(({ path, line, outdated, comments }) => [path, line, outdated, comments[0]?.byBot])).toEqual([
      ["a.txt", 2, false, false],
      ["a.txt", undefined, false, false],
      ["c.txt", undefined, false, true],
    ]);
    expect(threads.map(({ diffHunk }) => diffHunk.split("\n").at(-1))).toEqual(["+2", "-two", ""]);
    head = await world.person("alice").push(BRANCH, { "a.txt": "one\nzwei\nthree\nfour\n" });
    const [moved] = await host.listThreads(pull);
    expect(moved).toMatchObject({ outdated: true });
    expect(moved?.line).toBeUndefined();
  });

  it("reads checks with their annotations, and the end of a log", async () => {
    const annotations = [{ path: "a.txt", line: 2, message: "expected a word" }];
    const log = `${"noise\n".repeat(1000)}the failure\n`;
    await world.ci(head, [{ name: "test", conclusion: "failure", annotations, log }, { name: "lint" }]);
    await world.status(head, "ci/outside", "success");
    const checks = await host.checksOf(head);
    expect(Object.fromEntries(checks.map(({ name, state }) => [name, state]))).toEqual({
      test: "failed",
      lint: "pending",
      "ci/outside": "passed",
    });
    const test = checks.find(({ name }) => name === "test");
    expect(await host.annotationsOf(test?.checkRunId ?? 0)).toEqual([
      { path: "a.txt", startLine: 2, endLine: 2, level: "failure", message: "expected a word" },
    ]);
    expect(await host.jobLog(test?.jobId ?? 0, 10_000)).toBe(log);
    expect(await host.jobLog(test?.jobId ?? 0, 200)).toMatch(/^\[.*cut here\.\]\n(noise\n)+the failure\n$/);
    expect(await host.jobLog(1, 200)).toBeUndefined();
  });

  it("keeps one check run when the answer to its creation is lost", async () => {
    const report = { name: "MAGIS", status: "in_progress", title: "Planning", summary: "Soon." } as const;
    world.fault({ method: "POST", path: /check-runs$/, reset: "after" });
    await expect(host.reportCheck(head, report)).rejects.toMatchObject({ code: "HOST_UNREACHABLE" });
    await host.reportCheck(head, report);
    const summary = "y".repeat(70_000);
    await host.reportCheck(head, { ...report, status: "completed", conclusion: "success", title: "Done", summary });
    const own = (await host.checksOf(head)).filter(({ byApp }) => byApp);
    expect(own).toMatchObject([{ name: "MAGIS", state: "passed", summary: expect.stringMatching(/^Done\n\ny+/) }]);
    const made = world.journal.filter(({ method, path }) => method === "POST" && path.endsWith("/check-runs"));
    expect(made).toHaveLength(1);
  });

  it("sends and receives nothing that contradicts GitHub's description", () => {
    expect(world.contract.violations).toEqual([]);
    expect(world.contract.contradictions).toEqual([]);
  });
});
