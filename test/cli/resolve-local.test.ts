import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createGitRepo, type GitRepo } from "../adapters/git/git-repo.ts";
import { type GitServer, startGitServer } from "../adapters/git/git-server.ts";
import { scriptFor } from "../e2e/script-for.ts";
import type { ScriptedModel } from "../model/scripted-model.ts";
import { startScriptedModel } from "../model/start-scripted-model.ts";
import { startMagis } from "./start-magis.ts";

const GREET = "export function greet(name) {\n  return 'Helo ' + name;\n}\n";
const FILES = [
  { path: "src/greet.js", content: GREET },
  { path: "src/dos.js", content: "const a = 1;\r\nconst b = 2;\r\n" },
  { path: "src/open end.js", content: "first\nlast" },
  { path: "src/grüße.js", content: "hallo\n" },
  { path: "bin/run.sh", content: "#!/bin/sh\necho a\n", mode: "100755" as const },
  { path: "src/old.js", content: "gone\n" },
  { path: "src/latin.js", content: Buffer.from("caf\xe9 = 1\nx = 2\n", "latin1") },
  { path: "README.md", content: "# shop\n" },
];
const edit = (start: number, text: string) => ({ rounds: [{ edits: [{ start, end: start, text }] }] });
const script = scriptFor({
  files: {
    "src/greet.js": { ...edit(2, "  return 'Hello ' + name;"), newFiles: ["test/greet test.js"] },
    "test/greet test.js": { rounds: [{ content: "// a test\n" }] },
    "src/dos.js": edit(2, "const b = 3;"),
    "src/open end.js": edit(2, "very last"),
    "src/grüße.js": edit(1, "grüße"),
    "bin/run.sh": edit(2, "echo b"),
    "src/old.js": { action: "delete", rounds: [{}] },
    "src/latin.js": edit(2, "x = 3"),
    "README.md": { rounds: [{}] },
  },
});

describe("magis resolve --repo", () => {
  let folder: string;
  let repo: GitRepo;
  let server: GitServer;
  let model: ScriptedModel;
  const environment = () => ({ ANTHROPIC_API_KEY: "scripted", ANTHROPIC_BASE_URL: model.url });
  const magis = (...words: string[]) => startMagis(["resolve", ...words], { environment: environment(), cwd: folder });
  const issue = async (text: string) => {
    const file = join(folder, `issue-${Math.random().toString(36).slice(2)}.md`);
    await writeFile(file, text);
    return file;
  };
  /** The tree of HEAD with the patch applied by git itself, path to content. */
  const applied = (patch: Buffer) => {
    repo.git(["read-tree", "HEAD"]);
    repo.git(["apply", "--cached", "--whitespace=nowarn", "-"], patch);
    const tree = repo.git(["write-tree"]).toString().trim();
    return (path: string) => repo.git(["cat-file", "blob", `${tree}:${path}`]);
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-resolve-"));
    repo = createGitRepo();
    repo.commit(FILES);
    [model, server] = await Promise.all([startScriptedModel({ answer: script }), startGitServer(repo.root)]);
  });
  afterAll(async () => {
    await model.stop();
    await server.close();
    repo.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it("prints a patch that git applies, and nothing else, on standard output", async () => {
    const file = await issue("# Helo in src/greet.js\n\nIt should say Hello.\n");
    const { exitCode, out, err } = await magis("--repo", repo.dir, "--issue", file).ended;
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: expect.stringContaining("Cost: ") });
    const made = applied(out);
    expect(made("src/greet.js").toString()).toBe(GREET.replace("Helo", "Hello"));
    expect(err).toMatch(/^locate …\n/);
    expect(err).toContain("approved by QA");
    expect(err).toContain("No test was run.");
    expect(model.faults).toEqual([]);
  });

  it.each(["lean", "paper"])("makes a patch of every kind of change, with the profile %s", async (profile) => {
    const names = FILES.map(({ path }) => `\`${path}\``).join(", ");
    const file = await issue(`Everything is wrong\n\nSee ${names}.`);
    const output = join(folder, `${profile}.patch`);
    const words = ["--repo", repo.dir, "--issue", file, "--output", output, "--profile", profile, "--candidates", "20"];
    const { exitCode, out, err } = await magis(...words).ended;
    expect({ exitCode, err, out: out.toString() }).toMatchObject({ exitCode: 0, out: "" });
    if (process.env.DBG) console.log(err);
    const patch = await readFile(output);
    const made = applied(patch);
    expect(made("src/dos.js").toString()).toBe("const a = 1;\r\nconst b = 3;\r\n");
    expect(made("src/open end.js").toString()).toMatch(/^first\nvery last\n?$/);
    expect(made("src/grüße.js").toString()).toBe("grüße\n");
    expect(made("src/latin.js").toString("latin1")).toBe("caf\xe9 = 1\nx = 3\n");
    expect(repo.git(["ls-files", "-s", "bin/run.sh"]).toString()).toMatch(/^100755 /);
    expect(made("bin/run.sh").toString()).toBe("#!/bin/sh\necho b\n");
    expect(() => made("src/old.js")).toThrow();
    expect(model.faults).toEqual([]);
  });

  it("tells programs everything in one JSON object, and keeps the record for magis show", async () => {
    const file = await issue("# Helo in src/greet.js\n");
    const record = join(folder, "run.json");
    const words = ["--repo", repo.dir, "--issue", file, "--json", "--record", record];
    const { exitCode, out } = await magis(...words).ended;
    const told = JSON.parse(out.toString());
    expect(exitCode).toBe(0);
    expect(told).toMatchObject({
      ...{ kind: "dry-run", exitCode: 0, made: "patch", issue: "Helo in src/greet.js", openComments: [] },
      title: expect.stringMatching(/^fix: /),
      patch: expect.stringContaining("+  return 'Hello ' + name;"),
      tasks: expect.arrayContaining([expect.objectContaining({ path: "src/greet.js", status: "approved", rounds: 1 })]),
      candidates: expect.arrayContaining([expect.objectContaining({ path: "src/greet.js" })]),
      spend: { calls: expect.any(Number) },
    });
    const report = JSON.parse(await readFile(record, "utf8"));
    expect(report).toMatchObject({
      id: told.id,
      title: "Helo in src/greet.js",
      state: { result: { kind: "dry-run" } },
    });
    expect(report.calls).toHaveLength(told.spend.calls);
    expect(report.calls[0].promptId).toMatch(/^[a-z]\d\d-/);
  });

  it("stops at the plan when asked, reads URLs, and takes a revision", async () => {
    const old = repo.git(["rev-parse", "HEAD"]).toString().trim();
    repo.git(["branch", "-f", "older", old]);
    const file = await issue("# Helo in src/greet.js\n");
    const url = `${server.url}/repo.git`;
    const planned = await magis("--repo", url, "--issue", file, "--plan", "--json", "--base", "older").ended;
    expect(planned.exitCode).toBe(0);
    expect(JSON.parse(planned.out.toString())).toMatchObject({ kind: "dry-run", made: "plan", patch: "" });
    const there = await magis("--repo", `file://${repo.dir}`, "--issue", file, "--base", old).ended;
    expect(there.exitCode).toBe(0);
    expect(there.out.toString()).toContain("Hello");
    const missing = await magis("--repo", url, "--issue", file, "--base", "nowhere").ended;
    expect(missing).toMatchObject({ exitCode: 1, err: expect.stringContaining("no branch or tag nowhere") });
  });

  it("says what a working copy holds beside its commit", async () => {
    const copy = join(folder, "copy");
    execFileSync("git", ["clone", "-q", repo.dir, copy]);
    await writeFile(join(copy, "src", "new.js"), "new\n");
    const file = await issue("# Helo in src/greet.js\n");
    const { exitCode, out, err } = await magis("--repo", join(copy, "src"), "--issue", file).ended;
    expect({ exitCode, err }).toMatchObject({ exitCode: 0, err: expect.stringContaining("are not committed") });
    execFileSync("git", ["apply", "--check", "-"], { cwd: copy, input: out });
  });

  it("ends with 3 when nothing is to be changed, with 4 when the budget is reached", async () => {
    const right = await issue("# Look at README.md\n");
    const nothing = await magis("--repo", repo.dir, "--issue", right).ended;
    expect(nothing).toMatchObject({ exitCode: 3, err: expect.stringContaining("No file was changed") });
    expect(nothing.out.length).toBe(0);
    const wrong = await issue("# Helo in src/greet.js\n");
    const dear = await magis("--repo", repo.dir, "--issue", wrong, "--budget", "0.000001", "--json").ended;
    expect(dear.exitCode).toBe(4);
    expect(JSON.parse(dear.out.toString())).toMatchObject({ kind: "budget-reached", limit: "money", exitCode: 4 });
  });

  it("obeys the repository's own file, and tells its faults before anything is spent", async () => {
    const file = await issue("# Helo in src/greet.js\n");
    const own = createGitRepo();
    try {
      own.commit([...FILES, { path: ".github/magis.yml", content: "candidates: many\n" }]);
      const calls = model.journal.length;
      const refused = await magis("--repo", own.dir, "--issue", file).ended;
      expect(refused).toMatchObject({ exitCode: 1, err: expect.stringContaining(".github/magis.yml:1: ") });
      expect(model.journal).toHaveLength(calls);
      own.commit([...FILES, { path: ".github/magis.yml", content: "protect:\n  - src/greet.js\n" }]);
      const kept = await magis("--repo", own.dir, "--issue", file).ended;
      expect(kept.out.toString()).not.toContain("greet.js b/src/greet.js");
    } finally {
      own.remove();
    }
  });

  it("is interrupted by Ctrl-C in the middle of a call: exit 130, what was spent, and nothing left behind", async () => {
    const file = await issue("# Helo in src/greet.js\n");
    const before = await readdir(folder);
    const hold = model.hold(({ promptId }) => promptId.startsWith("p09-"));
    const record = join(folder, "interrupted.json");
    const started = magis("--repo", repo.dir, "--issue", file, "--record", record);
    await hold.reached;
    started.interrupt();
    const { exitCode, out, err } = await started.ended;
    hold.release();
    expect({ exitCode, out: out.toString() }).toEqual({ exitCode: 130, out: "" });
    expect(err).toMatch(/Interrupted\.[\s\S]*Cost: [1-9]\d* calls/);
    expect((await readdir(folder)).filter((name) => !before.includes(name))).toEqual(["interrupted.json"]);
    expect(JSON.parse(await readFile(record, "utf8"))).toMatchObject({ state: { result: { kind: "cancelled" } } });
    expect(repo.git(["for-each-ref", "--format=%(refname:short)"]).toString().split("\n")).not.toContain("magis");
  });

  it("says in a sentence what is wrong and what to do", async () => {
    const file = await issue("# Helo\n");
    const keyless = startMagis(["resolve", "--repo", repo.dir, "--issue", file], { cwd: folder });
    expect(await keyless.ended).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^ANTHROPIC_API_KEY is missing/),
    });
    const nowhere = await magis("--repo", folder, "--issue", file).ended;
    expect(nowhere).toMatchObject({ exitCode: 1, err: expect.stringContaining("not a git repository") });
    const ssh = await magis("--repo", "git@host.example:a/b.git", "--issue", file).ended;
    expect(ssh).toMatchObject({ exitCode: 1, err: expect.stringContaining("SSH") });
    const unwritable = await magis("--repo", repo.dir, "--issue", file, "--output", "none/at/all.patch").ended;
    expect(unwritable).toMatchObject({ exitCode: 1, err: expect.stringContaining("cannot be written") });
    const empty = await magis("--repo", repo.dir, "--issue", await issue("\n \n")).ended;
    expect(empty).toMatchObject({ exitCode: 1, err: expect.stringContaining("is empty") });
    expect((await magis("--repo", repo.dir).ended).exitCode).toBe(2);
  });
});
