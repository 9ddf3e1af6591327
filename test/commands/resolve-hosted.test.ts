import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createScript } from "../scripted-model/script.ts";
import type { ScriptedModel } from "../scripted-model/scripted-model.ts";
import { startScriptedModel } from "../scripted-model/start-scripted-model.ts";
import { startWorld } from "../world/start-world.ts";
import type { World } from "../world/world-handle.ts";
import { startMagis, startMagisHere } from "./start-magis.ts";

const GREET = "export function greet(name) {\n  return 'Helo ' + name;\n}\n";
const comments = [{ line: 1, body: "Greet **everybody**." }];
const OPEN = [{ start: 1, end: 1, text: "const b = 2;" }];
const script = createScript({
  files: {
    "src/greet.js": { rounds: [{ edits: [{ start: 2, end: 2, text: "  return 'Hello ' + name;" }] }] },
    // The comment stays open: later rounds settle none.
    "src/open.js": {
      rounds: [
        { edits: OPEN, comments },
        { edits: OPEN, settles: ["no comment"] },
      ],
    },
  },
});

describe("magis resolve OWNER/REPO#N", () => {
  let folder: string;
  let world: World;
  let model: ScriptedModel;
  const resolve = (
    words: readonly string[],
    changes: Readonly<Record<string, string>> = {},
    start: typeof startMagis = startMagisHere,
  ) => {
    const { GHE_HOST = "", GHE_PROTOCOL = "" } = world.botEnvironment();
    const keys = { ANTHROPIC_API_KEY: "scripted", ANTHROPIC_BASE_URL: model.url, GITHUB_TOKEN: world.tokenOf("alice") };
    const environment = { ...keys, GHE_HOST, GHE_PROTOCOL, ...changes };
    return start(["resolve", ...words], { environment, cwd: folder });
  };
  const writes = (from = 0) =>
    world.journal.slice(from).filter(({ kind, method }) => kind === "rest" && method !== "GET");

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-resolve-"));
    const files = { "src/greet.js": GREET, "src/open.js": "const a = 1;\n", "README.md": "# shop\n" };
    const roles = { alice: "maintain", tom: "read" } as const;
    [model, world] = await Promise.all([
      startScriptedModel({ answer: script }),
      startWorld({ repositories: [{ owner: "acme", name: "shop", private: true, roles, files }] }),
    ]);
  });
  afterAll(async () => {
    expect(world.contract.violations).toEqual([]);
    expect(world.contract.contradictions).toEqual([]);
    expect(model.faults).toEqual([]);
    await world.close();
    await model.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("reads the issue, its comments and the branch, prints the patch and writes nothing", async () => {
    const alice = world.person("alice");
    const issue = await alice.openIssue({ title: "Typo in src/greet.js", body: "It says `Helo`." });
    await alice.comment(issue, "Hello has two l.");
    const before = world.journal.length;
    const { exitCode, out, err } = await resolve([`acme/shop#${issue}`, "--hint", "Mind the style."]).ended;
    expect({ exitCode, err }).toMatchObject({ exitCode: 0 });
    expect(out.toString()).toContain("+  return 'Hello ' + name;");
    expect(writes(before)).toEqual([]);
    const asked = model.journal.at(0)?.call?.text;
    expect(asked).toContain("Hello has two l.");
    expect(asked).toContain("Mind the style.");
  });

  it("reads comments that are newer than this machine's clock", async () => {
    const alice = world.person("alice");
    const issue = await alice.openIssue({ title: "Typo in src/greet.js", body: "It says `Helo`." });
    await alice.comment(issue, "Newer than the clock.");
    const asked = model.journal.length;
    const slow = `const { now } = Date; Date.now = () => now() - 3_600_000;
      globalThis.Date = new Proxy(Date, { construct: (at, given) => new at(...(given.length > 0 ? given : [at.now()])) });`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(slow)}`;
    const { exitCode, err } = await resolve([`acme/shop#${issue}`], { NODE_OPTIONS }, startMagis).ended;
    expect({ exitCode, err }).toMatchObject({ exitCode: 0 });
    expect(model.journal.at(asked)?.call?.text).toContain("Newer than the clock.");
  });

  it("uses the GitHub CLI's token where GITHUB_TOKEN is not set, says so, and shows it nowhere", async () => {
    const token = world.tokenOf("alice");
    // Not in the working directory, from which nothing is started.
    const programs = await mkdtemp(join(tmpdir(), "magis-programs-"));
    const gh = join(programs, "gh");
    const asked = join(folder, "asked");
    await writeFile(gh, `#!/bin/sh\necho "$@" > '${asked}'\necho '${token}'\n`);
    await chmod(gh, 0o755);
    const PATH = `${programs}${delimiter}${process.env.PATH}`;
    const issue = await world.person("alice").openIssue({ title: "Typo in src/greet.js", body: "It says `Helo`." });
    const { exitCode, out, err } = await resolve([`acme/shop#${issue}`, "--json"], { GITHUB_TOKEN: "", PATH }).ended;
    expect({ exitCode, err }).toMatchObject({
      exitCode: 0,
      err: expect.stringMatching(/^GITHUB_TOKEN is not set: using/),
    });
    expect(`${out.toString()}${err}`).not.toContain(token);
    const { host } = new URL(world.url);
    expect(await readFile(asked, "utf8")).toBe(`auth token --hostname ${host}\n`);

    // A file of somebody else's repository does not say where that token goes.
    await rm(asked);
    const file = join(folder, ".env");
    await writeFile(file, `GHE_HOST=${host}\nGHE_PROTOCOL=http\n`);
    const none = { GITHUB_TOKEN: "", GHE_HOST: "", GHE_PROTOCOL: "", PATH };
    const { GHE_HOST: _h, GHE_PROTOCOL: _p, ...unset } = none;
    const environment = { ANTHROPIC_API_KEY: "scripted", ANTHROPIC_BASE_URL: model.url, ...unset };
    const address = `${world.url}/acme/shop/issues/${issue}`;
    const hostile = await startMagisHere(["resolve", address], { environment, cwd: folder }).ended;
    expect(hostile.exitCode).not.toBe(0);
    expect(hostile.err).toContain("GHE_HOST in .env does not count");
    expect(await readFile(asked, "utf8").catch(() => "")).not.toContain(host);
    await rm(file);

    await writeFile(gh, "#!/bin/sh\necho not logged in; exit 1\n");
    const refused = await resolve([`acme/shop#${issue}`, "--open-pr"], { GITHUB_TOKEN: "", PATH }).ended;
    expect(refused).toMatchObject({ exitCode: 1, err: expect.stringMatching(/^GITHUB_TOKEN is missing/) });
  });

  it("opens one pull request in the name of the token's owner, and no second one", async () => {
    const alice = world.person("alice");
    const issue = await alice.openIssue({ title: "Look at src/open.js" });
    const url = `${world.url}/acme/shop/issues/${issue}`;
    const words = ["--open-pr", "--json"];
    const { exitCode, out, err } = await resolve([url, ...words]).ended;
    expect({ exitCode, err }).toMatchObject({ exitCode: 0 });
    const printed = JSON.parse(out.toString());
    expect(printed).toMatchObject({ kind: "published", openComments: [{ body: "Greet **everybody**." }] });
    const pulls = await world.pullRequests();
    expect(pulls).toMatchObject([
      {
        number: printed.pullRequest.number,
        user: { login: "alice" },
        title: printed.title,
        draft: true,
        base: { ref: "main" },
      },
    ]);
    const [sha = ""] = pulls.map(({ head }) => head.sha);
    expect(await world.git("log", "-1", "--format=%an <%ae>", sha)).toMatch(/^alice <\d+\+alice@users\.noreply\./);
    expect(await world.issueComments(issue)).toEqual([]);

    const again = await resolve([`acme/shop#${issue}`, "--open-pr"]).ended;
    expect(again).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(`#${printed.pullRequest.number} is open`),
    });
    expect(await world.pullRequests()).toHaveLength(1);
  });

  it("takes back what it had published when it was interrupted", async () => {
    const issue = await world.person("alice").openIssue({ title: "Once more src/greet.js" });
    const refs = await world.git("for-each-ref", "--format=%(refname)");
    const hold = world.hold({ method: "POST", path: /\/pulls$/, when: "after" });
    const started = resolve([`acme/shop#${issue}`, "--open-pr"], {}, startMagis);
    await hold.reached;
    started.interrupt();
    // The pull request is the last write: the signal has to be there before its answer is.
    await started.said("Cancelling");
    hold.release();
    const { exitCode, err } = await started.ended;
    expect({ exitCode, err }).toEqual({ exitCode: 130, err: expect.stringMatching(/Taken back: pull request #\d+/) });
    expect(await world.git("for-each-ref", "--format=%(refname)")).toBe(refs);
    const pulls = await world.pullRequests();
    expect(pulls.filter(({ state }) => state === "open")).toHaveLength(1);
  });

  it("says in a sentence what is wrong and what to do", async () => {
    const tokenless = await resolve(["acme/shop#1"], { GITHUB_TOKEN: "" }).ended;
    expect(tokenless).toMatchObject({ exitCode: 1, err: expect.stringContaining("It was asked without a token") });
    const wrong = await resolve(["acme/shop#1"], { GITHUB_TOKEN: "ghp_nobody" }).ended;
    expect(wrong).toMatchObject({ exitCode: 1, err: expect.stringContaining("that GITHUB_TOKEN is valid") });
    const absent = await resolve(["acme/shop#999"]).ended;
    expect(absent).toMatchObject({ exitCode: 1, err: expect.stringContaining("read issue #999") });
    const elsewhere = await resolve(["https://github.com/acme/shop/issues/1"]).ended;
    expect(elsewhere).toMatchObject({ exitCode: 1, err: expect.stringContaining("set GHE_HOST") });
    const branchless = await resolve(["acme/shop#1", "--base", "none"]).ended;
    expect(branchless).toMatchObject({ exitCode: 1, err: expect.stringContaining("no branch none") });
    expect((await resolve(["acme/shop#1", "--plan", "--open-pr"]).ended).exitCode).toBe(2);
    const stranger = await resolve(["acme/shop#1", "--open-pr"], { GITHUB_TOKEN: world.tokenOf("tom") }).ended;
    expect(stranger).toMatchObject({ exitCode: 1, err: expect.stringContaining("may not push to acme/shop") });
  });
});
