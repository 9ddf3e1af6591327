import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createOpenLocalRepository } from "../../src/git/open-local-repository.ts";
import { createOpenRepository } from "../../src/git/open-repository.ts";
import { MAX_PAST, MAX_PAST_PATHS, type PastCommit } from "../../src/git/repository.ts";
import { fc } from "../seeded.ts";
import { createGitRepo, type FixtureFile, type GitRepo } from "./git-repo.ts";
import { type GitServer, startGitServer } from "./git-server.ts";

/** Names whose order and whose kinds are easily got wrong: a file where a folder was, and beside it. */
const NAMES = ["a", "a/b", "a/c", "a-b", "a.b", "a0", "b/a", "b/ü ñ", "b/c/d/e", "z"];
const environment = { PATH: process.env.PATH };

/** A tree of some of them, where a name is a file or a folder. */
const trees = fc
  .uniqueArray(fc.record({ path: fc.constantFrom(...NAMES), content: fc.constantFrom("1", "2") }), {
    selector: ({ path }) => path,
    minLength: 1,
  })
  .map((files) => files.filter(({ path }) => path !== "a" || !files.some((other) => other.path.startsWith("a/"))));

const sorted = (past: readonly PastCommit[]) => past.map((one) => ({ ...one, paths: [...one.paths].sort() }));

describe("the commits that came before", () => {
  let repo: GitRepo;
  let server: GitServer;
  const overNetwork = createOpenRepository({ timeoutMs: 120_000 });
  const local = createOpenLocalRepository(environment);
  const fetched = async (commit: string) =>
    sorted(await (await overNetwork({ url: `${server.url}/repo.git/`, commit })).history());
  const read = async (commit: string) => sorted(await (await local({ url: repo.dir, commit })).history());
  const opened = async (commit: string) =>
    [await overNetwork({ url: `${server.url}/repo.git/`, commit }), await local({ url: repo.dir, commit })] as const;
  const landed = async (commit: string) =>
    Promise.all((await opened(commit)).map(async (one) => sorted(await one.landed())));
  const commitTree = (commit: string, parents: readonly string[], message: string) => {
    const args = ["-c", "user.name=T", "-c", "user.email=t@example.com", "commit-tree", `${commit}^{tree}`];
    const made = repo.git([...args, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"], message);
    return made.toString().trim();
  };

  beforeAll(async () => {
    repo = createGitRepo();
    repo.git(["config", "uploadpack.allowFilter", "true"]);
    repo.git(["config", "uploadpack.allowAnySHA1InWant", "true"]);
    server = await startGitServer(repo.root);
  });
  beforeEach(() => {
    delete server.behaviour.protocol;
    delete server.behaviour.alter;
    server.log.length = 0;
  });
  afterAll(async () => {
    await server.close();
    repo.remove();
  });

  it("are those that git lists, with the same paths, over the network and from disk", async () => {
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(trees, { minLength: 1, maxLength: 12 }), async (versions) => {
        const branch = `round-${round++}`;
        const tip = repo.commitAll(versions, branch);
        const [remote, own] = await opened(tip);
        expect(sorted(await remote.history())).toEqual(sorted(await own.history()));
        expect(sorted(await remote.landed())).toEqual(sorted(await own.landed()));
      }),
      { numRuns: 12 },
    );
  });

  it("have their messages, without merges, each merged commit once", async () => {
    const files = (content: string): FixtureFile[] => [{ path: "a", content }];
    const first = repo.commit(files("first"), "main");
    const left = commitTree(repo.commit(files("left"), "trees"), [first], "Left\n\nWith  a body: ü\n");
    const right = commitTree(repo.commit([...files("first"), { path: "b", content: "" }], "trees"), [first], "Right");
    const merge = commitTree(repo.commit([...files("left"), { path: "b", content: "" }], "trees"), [left, right], "M");
    const past = await fetched(merge);
    expect(past.map(({ commit }) => commit).sort()).toEqual([first, left, right].sort());
    expect(past.find(({ commit }) => commit === left)).toMatchObject({
      message: "Left\n\nWith  a body: ü",
      paths: ["a"],
    });
    expect(past.find(({ commit }) => commit === right)).toMatchObject({ message: "Right", paths: ["b"] });
    expect(new Set(await read(merge))).toEqual(new Set(past));
    const merged = { commit: merge, message: "M", paths: ["b"] };
    const own = past.filter(({ commit }) => commit !== right);
    expect(await landed(merge)).toEqual([expect.anything(), expect.anything()].map(() => [merged, ...own]));
  });

  it("end, whatever the number of a merge's parents and the length of messages", async () => {
    const tree = repo
      .git(["rev-parse", `${repo.commit([{ path: "a", content: "" }], "wide")}^{tree}`])
      .toString()
      .trim();
    const who = "T <t@example.com> 1700000000 +0000";
    const head = (parents: readonly string[]) =>
      `tree ${tree}\n${parents.map((parent) => `parent ${parent}\n`).join("")}author ${who}\ncommitter ${who}\n\n`;
    const write = (text: string) => repo.git(["hash-object", "-t", "commit", "-w", "--stdin"], text).toString().trim();
    const first = write(`${head([])}${"long ".repeat(10_000)}`);
    // One branch for all: a file for each would take longer than what is tested.
    const many = Array.from({ length: 12_000 }, (_, at) => {
      const head = `commit refs/heads/wide\nmark :${at + 1}\ncommitter ${who}\n`;
      return `${head}data ${`${at}`.length}\n${at}\nfrom ${first}\nget-mark :${at + 1}\n`;
    });
    const all = repo.git(["fast-import", "--quiet", "--force"], many.join("")).toString().trim().split("\n");
    expect(new Set(all).size).toBe(12_000);
    const tip = write(`${head([first, ...all])}wide`);
    const past = await fetched(tip);
    expect(past).toEqual([{ commit: first, message: "long ".repeat(2_000).trim(), paths: ["a"] }]);
  });

  it("are the newest, without those that changed very many files", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ path: `f${at}`, content: "" }));
    repo.commit(many(MAX_PAST_PATHS + 1), "long");
    repo.commit(many(1), "long");
    repo.commit([...many(1), { path: "x", content: "0" }], "long");
    const most = await fetched(repo.commit(many(MAX_PAST_PATHS), "long"));
    expect(most.map(({ paths }) => paths.length)).toEqual([MAX_PAST_PATHS, 1, MAX_PAST_PATHS]);
    const [odd, even] = ["long", "long~1"].map((name) =>
      repo
        .git(["rev-parse", `${name}^{tree}`])
        .toString()
        .trim(),
    );
    const commits = Array.from({ length: MAX_PAST + 20 }, (_, at) => {
      const head = `commit refs/heads/many\nmark :${at + 1}\ncommitter T <t@example.com> 1700000000 +0000\n`;
      const from = at === 0 ? "" : `from :${at}\n`;
      return `${head}data ${`${at}`.length}\n${at}\n${from}M 040000 ${at % 2 ? odd : even} \n`;
    });
    repo.git(["fast-import", "--quiet"], commits.join(""));
    const tip = repo.git(["rev-parse", "many"]).toString().trim();
    const past = await fetched(tip);
    expect(past).toHaveLength(MAX_PAST);
    expect(past[0]?.message).toBe(String(MAX_PAST + 19));
  });

  it("are empty when a server cannot filter, speaks the old protocol, or sends rubbish", async () => {
    const tip = repo.git(["rev-parse", "main"]).toString().trim();
    repo.git(["config", "uploadpack.allowFilter", "false"]);
    expect(await fetched(tip)).toEqual([]);
    // One request for the clone and one for these: a server that refuses is not asked again.
    expect(server.log).toHaveLength(2);
    repo.git(["config", "uploadpack.allowFilter", "true"]);
    const repository = await overNetwork({ url: `${server.url}/repo.git/`, commit: tip });
    server.behaviour.alter = (body) => Buffer.concat([body.subarray(0, body.length - 30), Buffer.alloc(30, "x")]);
    expect(await repository.history()).toEqual([]);
    delete server.behaviour.alter;
    server.behaviour.protocol = 1;
    expect(await repository.history()).toEqual([]);
  });

  it("waits for a server that is away", async () => {
    const tip = repo.git(["rev-parse", "main"]).toString().trim();
    const own = await startGitServer(repo.root);
    const repository = await overNetwork({ url: `${own.url}/repo.git/`, commit: tip });
    await own.close();
    await expect(repository.history()).rejects.toMatchObject({ code: "GIT_UNREACHABLE" });
  });
});
