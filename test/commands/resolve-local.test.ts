import { execFileSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createGitRepo } from "../git/git-repo.ts";
import { startGitServer } from "../git/git-server.ts";
import { FILES, GREET, type LocalScene, startLocalScene } from "./start-local-scene.ts";
import { startMagisHere } from "./start-magis.ts";

let scene: LocalScene;
beforeAll(async () => {
  scene = await startLocalScene();
});
afterAll(() => scene.close());

describe("magis resolve --repo", () => {
  /** What a path holds in HEAD with the patch applied by git itself. */
  const applied = (patch: Buffer) => {
    scene.repo.git(["read-tree", "HEAD"]);
    scene.repo.git(["apply", "--cached", "--whitespace=nowarn", "-"], patch);
    const tree = scene.repo.git(["write-tree"]).toString().trim();
    return (path: string) => scene.repo.git(["cat-file", "blob", `${tree}:${path}`]);
  };

  it("prints a patch that git applies, and nothing else, on standard output", async () => {
    const file = await scene.issue("# Helo in src/greet.js\n\nIt should say Hello.\n");
    const { exitCode, out, err } = await scene.resolveAlone(["--repo", scene.repo.dir, "--issue", file]).ended;
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: expect.stringContaining("Cost: ") });
    const made = applied(out);
    expect(made("src/greet.js").toString()).toBe(GREET.replace("Helo", "Hello"));
    expect(err).toMatch(/^locate …\n/);
    expect(err).toContain("approved by QA");
    expect(err).toContain("No test was run.");
    expect(scene.model.faults).toEqual([]);
  });

  it("checks the change on this machine when asked to, and exits with 5 when it is red", async () => {
    const file = await scene.issue("# Helo in src/greet.js\n\nIt should say Hello.\n");
    const words = ["--repo", scene.repo.dir, "--issue", file, "--check-sandbox", "off"];
    const green = await scene.resolve(...words, "--check", "grep -c Hel src/greet.js").ended;
    expect({ ...green, out: "" }).toMatchObject({ exitCode: 0 });
    expect(green.err).toContain("Check `grep -c Hel src/greet.js` passes");
    const red = await scene.resolve(
      ...words,
      "--json",
      "--check",
      "grep Helo src/greet.js; env | grep -c scripted && exit 9; grep -q Helo src/greet.js",
    ).ended;
    const { exitCode, check, patch } = JSON.parse(red.out.toString());
    expect({ ended: red.exitCode, exitCode, check }).toEqual({ ended: 5, exitCode: 5, check: "red" });
    expect(patch).toContain("Hello");
  });

  it("stops before any call when the check fails on the base commit, except with --check-anyway", async () => {
    const file = await scene.issue("# Helo in src/greet.js\n\nIt should say Hello.\n");
    const check = "echo 'Error: no such thing'; exit 1";
    const words = ["--repo", scene.repo.dir, "--issue", file, "--check-sandbox", "off", "--check", check];
    const calls = scene.model.journal.length;
    const { exitCode, out, err } = await scene.resolve(...words).ended;
    expect({ exitCode, out: out.toString() }).toEqual({ exitCode: 6, out: "" });
    expect(err).toMatch(
      /^check of the commit as it is …\ncheck of the commit as it is: fails \(\d+\.\d s\)\n {4}Error: no such thing\n/,
    );
    expect(err).toContain("--check-anyway");
    expect(scene.model.journal).toHaveLength(calls);
    const anyway = await scene.resolve(...words, "--check-anyway", "--json").ended;
    expect(anyway.exitCode).toBe(6);
    expect(JSON.parse(anyway.out.toString())).toMatchObject({ exitCode: 6, patch: expect.stringContaining("Hello") });
  });

  it.each(["lean", "paper"])("makes a patch of every kind of change, with the profile %s", async (profile) => {
    const names = FILES.map(({ path }) => `\`${path}\``).join(", ");
    const file = await scene.issue(`Everything is wrong\n\nSee ${names}.`);
    const output = join(scene.folder, `${profile}.patch`);
    const words = ["--repo", scene.repo.dir, "--issue", file, "--output", output, "--profile", profile];
    const { exitCode, out, err } = await scene.resolve(...words).ended;
    expect({ exitCode, err, out: out.toString() }).toMatchObject({ exitCode: 0, out: "" });
    const patch = await readFile(output);
    const made = applied(patch);
    expect(made("src/dos.js").toString()).toBe("const a = 1;\r\nconst b = 3;\r\n");
    expect(made("src/open end.js").toString()).toMatch(/^first\nvery_last\n?$/);
    expect(made("src/grüße.js").toString()).toBe("grüße\n");
    expect(made("src/latin.js").toString("latin1")).toBe("caf\xe9 = 1\nx = 3\n");
    expect(scene.repo.git(["ls-files", "-s", "bin/run.sh"]).toString()).toMatch(/^100755 /);
    expect(made("bin/run.sh").toString()).toBe("#!/bin/sh\necho b\n");
    expect(() => made("src/old.js")).toThrow();
    expect(scene.model.faults).toEqual([]);
  });

  it("prints everything for programs in one JSON object, and keeps the record for magis show", async () => {
    const file = await scene.issue("# Helo in src/greet.js\n");
    const record = join(scene.folder, "run.json");
    const words = ["--repo", scene.repo.dir, "--issue", file, "--json", "--record", record];
    const { exitCode, out } = await scene.resolve(...words).ended;
    const printed = JSON.parse(out.toString());
    expect(exitCode).toBe(0);
    expect(printed).toMatchObject({
      kind: "dry-run",
      exitCode: 0,
      made: "patch",
      issue: "Helo in src/greet.js",
      openComments: [],
      title: expect.stringMatching(/^fix: /),
      patch: expect.stringContaining("+  return 'Hello ' + name;"),
      tasks: expect.arrayContaining([expect.objectContaining({ path: "src/greet.js", status: "approved", rounds: 1 })]),
      candidates: expect.arrayContaining([expect.objectContaining({ path: "src/greet.js" })]),
      spend: { calls: expect.any(Number) },
    });
    const report = JSON.parse(await readFile(record, "utf8"));
    expect(report).toMatchObject({
      id: printed.id,
      title: "Helo in src/greet.js",
      state: { result: { kind: "dry-run" } },
    });
    expect(report.calls).toHaveLength(printed.spend.calls);
    expect(report.calls[0].promptId).toMatch(/^[a-z]\d\d-/);
  });

  it("keeps its run for magis show without any setting, except with --no-keep", async () => {
    const home = join(scene.folder, "home");
    const environment = {
      ANTHROPIC_API_KEY: "scripted",
      ANTHROPIC_BASE_URL: scene.model.url,
      XDG_STATE_HOME: "",
      HOME: home,
    };
    const magis = (...words: string[]) => startMagisHere(words, { environment, cwd: scene.folder }).ended;
    const file = await scene.issue("# Helo in src/greet.js\n");
    const words = ["resolve", "--repo", scene.repo.dir, "--issue", file];
    const nothing = await magis(...words, "--no-keep");
    expect(nothing.err).not.toContain("magis show");
    const empty = await magis("show");
    expect(empty).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining("No run of the command line is kept yet"),
    });
    const { err } = await magis(...words);
    const [, id = ""] = /^How it came about: magis show (repo@[0-9a-f]{8})$/m.exec(err) ?? [];
    const shown = await magis("show", id);
    expect(shown).toMatchObject({ exitCode: 0, err: "" });
    expect(shown.out.toString()).toContain("Repository Custodian");
  });

  it("does not count what the command itself reads and writes as changes of the working copy", async () => {
    const copy = join(scene.folder, "own");
    execFileSync("git", ["clone", "-q", scene.repo.dir, copy]);
    const [issue, output, record] = ["bug.md", "fix.patch", "run.json"].map((name) => join(copy, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(issue, "# Helo in src/greet.js\n");
    const words = ["--repo", copy, "--issue", issue, "--output", output, "--record", record];
    const give = () => scene.resolve(...words).ended;
    expect((await give()).err).not.toContain("not committed");
    expect((await give()).err).not.toContain("not committed");
    await writeFile(join(copy, "new.js"), "new\n");
    expect((await give()).err).toContain("uncommitted changes");
  });

  it("stops at the plan when asked, reads URLs, and takes a revision", async () => {
    const old = scene.repo.git(["rev-parse", "HEAD"]).toString().trim();
    scene.repo.git(["branch", "-f", "older", old]);
    const file = await scene.issue("# Helo in src/greet.js\n");
    const server = await startGitServer(scene.repo.root);
    const url = `${server.url}/repo.git`;
    const planned = await scene.resolve("--repo", url, "--issue", file, "--plan", "--json", "--base", "older").ended;
    expect(planned.exitCode).toBe(0);
    expect(JSON.parse(planned.out.toString())).toMatchObject({ kind: "dry-run", made: "plan", patch: "" });
    const there = await scene.resolve("--repo", `file://${scene.repo.dir}`, "--issue", file, "--base", old).ended;
    expect(there.exitCode).toBe(0);
    expect(there.out.toString()).toContain("Hello");
    const missing = await scene.resolve("--repo", url, "--issue", file, "--base", "nowhere").ended;
    expect(missing).toMatchObject({ exitCode: 1, err: expect.stringContaining("no branch or tag nowhere") });
    await server.close();
  });
});

describe("how magis resolve --repo ends", () => {
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
