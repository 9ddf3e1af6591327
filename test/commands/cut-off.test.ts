import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { openSandbox } from "../../src/checks/local/sandbox.ts";
import { NODE_FLAGS } from "../bot/node-flags.ts";
import { createGitRepo, type GitRepo } from "../git/git-repo.ts";
import { projectRoot } from "../world/project-root.ts";

/** Stands in the command of every process that a check here starts. */
const LONG = "97531";

let folder: string;
let repo: GitRepo;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "magis-cut-off-"));
  repo = createGitRepo();
  repo.commit([{ path: "a.js", content: "a();\n" }]);
  await writeFile(join(folder, "bug.md"), "# It is wrong\n");
});

afterAll(async () => {
  repo.remove();
  await rm(folder, { recursive: true, force: true });
});

/** The processes whose command line holds `word`. */
async function running(word: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const commands = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""));
  return (await Promise.all(commands)).filter((line) => line.includes(word));
}

/** Only in a sandbox is a child ended that has left its group. */
const SANDBOX = "missing" in openSandbox() ? "off" : "required";
const LEAVING = SANDBOX === "off" ? "" : "setsid";

/** `magis resolve` with that check, as a process of its own. */
function start(check: string, temporary: string) {
  const words = ["resolve", "--repo", repo.dir, "--issue", "bug.md", "--check", check, "--check-sandbox", SANDBOX];
  return spawn(process.execPath, [...NODE_FLAGS, join(projectRoot(), "dist", "cli.js"), ...words], {
    env: {
      PATH: process.env.PATH ?? "",
      TMPDIR: temporary,
      XDG_STATE_HOME: join(folder, "state"),
      ANTHROPIC_API_KEY: "none",
    },
    stdio: ["ignore", "pipe", "pipe"],
    cwd: folder,
  });
}

/** The same with a check that goes on for ever, and children. */
async function checking(name: string) {
  const temporary = join(folder, name);
  await mkdir(temporary);
  const check = `echo begun > begun; ${LEAVING} sleep ${LONG} & sleep ${LONG} & trap '' TERM HUP INT; sleep ${LONG}`;
  const child = start(check, temporary);
  const ended = once(child, "exit");
  let err = "";
  child.stderr.on("data", (bytes: Buffer) => {
    err += bytes.toString("utf8");
  });
  // All three have begun.
  while ((await running(LONG)).filter((line) => line.startsWith("sleep")).length < 3) {
    if (child.exitCode !== null) throw new Error(`it has ended:\n${err}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { child, ended, temporary, err: () => err };
}

const LINUX = process.platform === "linux" ? it : it.skip;

LINUX.each([[["SIGINT"]], [["SIGINT", "SIGINT"]], [["SIGTERM", "SIGHUP"]]] as const)(
  "leaves no process and no folder when it is ended in the middle of a check by %j",
  async (signals) => {
    const { child, ended, temporary, err } = await checking(signals.join("-"));
    for (const signal of signals) child.kill(signal);
    expect(await ended).toEqual([130, null]);
    expect(err()).toContain("Cancelled.");
    expect(await readdir(temporary)).toEqual([]);
    expect(await running(LONG)).toEqual([]);
  },
);

LINUX("leaves nothing when it has to end in the middle of a check, by an error that nobody catches", async () => {
  const temporary = join(folder, "at-once");
  await mkdir(temporary);
  const program = `
    import { existsSync, mkdirSync } from "node:fs";
    import { join } from "node:path";
    import { withTemporaryFolder } from ${JSON.stringify(join(projectRoot(), "dist", "git", "at-exit.js"))};
    import { runCommand } from ${JSON.stringify(join(projectRoot(), "dist", "checks", "local", "run-command.js"))};
    await withTemporaryFolder("magis-x-", async (top) => {
      const folder = join(top, "copy");
      mkdirSync(folder);
      const command = "echo begun > begun; exec sleep ${LONG}";
      const look = () => {
        if (!existsSync(join(folder, "begun"))) return setImmediate(look);
        console.log(top);
        throw new Error("nobody catches it");
      };
      look();
      const run = { command, folder, environment: process.env, limits: { minutes: 1, memoryMb: 1000 } };
      await runCommand(run, new AbortController().signal);
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    env: { PATH: process.env.PATH ?? "", TMPDIR: temporary },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  expect((await once(child, "close"))[0]).not.toBe(0);
  expect(await said).toEqual([expect.stringContaining("magis-x-"), expect.stringContaining("nobody catches it")]);
  expect(await readdir(temporary)).toEqual([]);
  expect(await running(LONG)).toEqual([]);
});

LINUX("ends, and takes what it has begun along, when nobody reads what it says", async () => {
  const temporary = join(folder, "pipe");
  await mkdir(temporary);
  const child = start(`sleep ${LONG}`, temporary);
  child.stderr.destroy();
  child.stdout.destroy();
  await once(child, "exit");
  expect(await readdir(temporary)).toEqual([]);
  expect(await running(LONG)).toEqual([]);
});
