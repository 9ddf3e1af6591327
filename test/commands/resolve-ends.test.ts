import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createGitRepo } from "../git/git-repo.ts";
import { FILES, type LocalScene, startLocalScene } from "./start-local-scene.ts";
import { startMagisHere } from "./start-magis.ts";

describe("how magis resolve --repo ends", () => {
  let scene: LocalScene;
  beforeAll(async () => {
    scene = await startLocalScene();
  });
  afterAll(() => scene.close());

  it("ends with 3 when nothing is to be changed, with 4 when the budget is reached", async () => {
    const right = await scene.issue("# Look at README.md\n");
    const nothing = await scene.resolve("--repo", scene.repo.dir, "--issue", right).ended;
    expect(nothing).toMatchObject({ exitCode: 3, err: expect.stringContaining("Nothing was changed") });
    expect(nothing.out.length).toBe(0);
    const wrong = await scene.issue("# Helo in src/greet.js\n");
    const dear = await scene.resolve("--repo", scene.repo.dir, "--issue", wrong, "--budget", "0.000001", "--json")
      .ended;
    expect(dear.exitCode).toBe(4);
    expect(JSON.parse(dear.out.toString())).toMatchObject({ kind: "budget-reached", limit: "money", exitCode: 4 });
  });

  it("takes the issue from standard input", async () => {
    const environment = { ANTHROPIC_API_KEY: "scripted", ANTHROPIC_BASE_URL: scene.model.url };
    const words = ["resolve", "--repo", scene.repo.dir, "--issue", "-"];
    const give = (input: string) => startMagisHere(words, { environment, cwd: scene.folder, input }).ended;
    const { exitCode, out } = await give("# Helo in src/greet.js\n");
    expect(exitCode).toBe(0);
    expect(out.toString()).toContain("+  return 'Hello ' + name;");
    expect(await give("x".repeat(2_000_000))).toMatchObject({ exitCode: 1, err: expect.stringContaining("too long") });
  });

  it.each([
    ["a line that moves", "on a terminal", {}],
    ["plain lines", "in CI", { CI: "true" }],
    ["plain lines", "on a terminal that cannot draw", { TERM: "dumb" }],
  ])("says %s %s", async (said, _, more) => {
    delete process.env.CI;
    Object.assign(process.env, { TERM: "xterm-256color" }, more);
    const environment = { ANTHROPIC_API_KEY: "scripted", ANTHROPIC_BASE_URL: scene.model.url };
    const words = ["resolve", "--repo", scene.repo.dir, "--issue", await scene.issue("# Helo in src/greet.js\n")];
    const { exitCode, err } = await startMagisHere(words, { environment, cwd: scene.folder, columns: 100 }).ended;
    expect(exitCode).toBe(0);
    const isPlain = said === "plain lines";
    expect([err.includes("call 1:"), !err.includes("\u001b")]).toEqual([isPlain, isPlain]);
  });

  it("obeys the repository's own file, and reports its faults before spending anything", async () => {
    const file = await scene.issue("# Helo in src/greet.js\n");
    const own = createGitRepo();
    try {
      own.commit([...FILES, { path: ".github/magis.yml", content: "candidates: many\n" }]);
      const calls = scene.model.journal.length;
      const refused = await scene.resolve("--repo", own.dir, "--issue", file).ended;
      expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining(".github/magis.yml:1: ") });
      expect(scene.model.journal).toHaveLength(calls);
      own.commit([...FILES, { path: ".github/magis.yml", content: "protect:\n  - src/greet.js\n" }]);
      const kept = await scene.resolve("--repo", own.dir, "--issue", file).ended;
      expect(kept.out.toString()).not.toContain("greet.js b/src/greet.js");
    } finally {
      own.remove();
    }
  });

  it("ends at Ctrl-C in the middle of a call: exit code 130, the cost, and nothing left behind", async () => {
    const before = await readdir(scene.folder);
    const hold = scene.model.hold(({ promptId }) => promptId.startsWith("p09-"));
    const record = join(scene.folder, "interrupted.json");
    const words = ["--repo", scene.repo.dir, "--issue", "-", "--record", record];
    const started = scene.resolveAlone(words, "# Helo in src/greet.js\n");
    await hold.reached;
    started.interrupt();
    const { exitCode, out, err } = await started.ended;
    hold.release();
    expect({ exitCode, out: out.toString() }).toEqual({ exitCode: 130, out: "" });
    expect(err).toMatch(/Cancelled\.[\s\S]*Cost: [1-9]\d* calls/);
    expect((await readdir(scene.folder)).filter((name) => !before.includes(name))).toEqual(["interrupted.json"]);
    expect(JSON.parse(await readFile(record, "utf8"))).toMatchObject({ state: { result: { kind: "cancelled" } } });
    expect(scene.repo.git(["for-each-ref", "--format=%(refname:short)"]).toString().split("\n")).not.toContain("magis");
  });

  it("says in a sentence what is wrong and what to do", async () => {
    const calls = scene.model.journal.length;
    const file = await scene.issue("# Helo\n");
    const keyless = startMagisHere(["resolve", "--repo", scene.repo.dir, "--issue", file], { cwd: scene.folder });
    expect(await keyless.ended).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^ANTHROPIC_API_KEY is missing/),
    });
    const forPrograms = await scene.resolve("--repo", scene.folder, "--issue", file, "--json").ended;
    expect({ ...JSON.parse(forPrograms.out.toString()), ended: forPrograms.exitCode }).toMatchObject({
      kind: "failed",
      code: expect.stringMatching(/^[A-Z_]+$/),
      exitCode: 1,
      ended: 1,
    });
    const ssh = await scene.resolve("--repo", "git@host.example:a/b.git", "--issue", file).ended;
    expect(ssh).toMatchObject({ exitCode: 1, err: expect.stringContaining("SSH") });
    expect(scene.model.journal).toHaveLength(calls);
  });
});
