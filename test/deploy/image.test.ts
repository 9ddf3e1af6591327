import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { SANDBOX } from "../../src/checks/local/sandbox.ts";
import { NODE_FLAGS } from "../bot/node-flags.ts";
import { type Scene, startScene } from "../e2e/start-scene.ts";
import { createScript } from "../scripted-model/script.ts";
import { projectRoot } from "../world/project-root.ts";
import { imageVariables, parseStages, shipped } from "./parse-dockerfile.ts";

const NODE = "/node/node";
const USER = ["--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL"];
const canSandbox =
  spawnSync(SANDBOX, [...USER, "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "true"]).status === 0;

/** This machine's programs, in place of those of the base image. */
function machine(): readonly string[] {
  const folders = ["/bin", "/sbin", "/lib", "/lib64"].filter((path) => existsSync(path));
  const links = folders.flatMap((path) =>
    lstatSync(path).isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path],
  );
  return ["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", "--ro-bind", process.execPath, NODE, ...links];
}

/** The files that the last stage copies from earlier stages and the checkout. */
function copied(stages: Readonly<Record<string, string>>): readonly string[] {
  return shipped("COPY").flatMap((rest) => {
    const [, stage = ""] = /^--from=(\w+) /.exec(rest) ?? [];
    const paths = rest.replace(/^--from=\w+ /, "").split(/\s+/);
    const to = paths.at(-1) ?? "";
    return paths.slice(0, -1).flatMap((path) => {
      const from = join(stages[stage] ?? "", path.replace(/^\/app\//, ""));
      return ["--ro-bind", from, join("/app", to.endsWith("/") ? basename(path) : to)];
    });
  });
}

/** The lock file's packages; `dev` marks those for development only. */
const lockSchema = z.object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) });

/**
 * Runs the stage's own install command in `folder`. Unpacking ten thousand files takes long, and the checkout has them
 * from the same lock file: they are linked first, and a dry run of npm then names whatever it would change.
 */
function install(folder: string, command: string): void {
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(projectRoot(), file), join(folder, file));
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")));
  for (const [path, { dev = false }] of Object.entries(packages)) {
    const from = join(projectRoot(), path);
    // A package for another system is not installed here.
    if (path !== "" && !dev && existsSync(from)) linkFolder(from, join(folder, path));
  }
  // We read npm's output, even where `npm run --silent` started the tests.
  const npm = { npm_config_loglevel: "notice", npm_config_prefer_offline: "true", npm_config_dry_run: "true" };
  const env = { ...process.env, ...npm };
  // Keep this machine's own cache.
  const here = command.replace("npm cache clean --force", "true");
  const { status, stdout, stderr } = spawnSync("sh", ["-c", here], { cwd: folder, env });
  expect({ status, stderr: status === 0 ? "" : stderr.toString() }).toEqual({ status: 0, stderr: "" });
  const output = stdout.toString();
  expect(output).toMatch(/^(?:changed \d+ packages?|up to date) in /m);
  // A change to the same version only links the package's programs, which the image never runs.
  expect(output.match(/^(?:add|remove) .*|^change \S+ (\S+) => (?!\1$).*/gm)).toBeNull();
}

/** Copies a package's folder without the packages in it, by hard links where the file system allows. */
function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === "node_modules") continue;
    if (entry.isDirectory()) linkFolder(source, target);
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // Another disk, or somebody else's file.
    copyFileSync(source, target);
  }
}

const inSandbox = canSandbox ? describe : describe.skip;

/** Few machines that run tests have a container engine: bwrap lays out what the Dockerfile describes. */
inSandbox("the image, on a read-only root file system, as a user without privileges", () => {
  const folder = mkdtempSync(join(tmpdir(), "magis-image-"));
  const inside = (data: string, ...command: readonly string[]) => [
    SANDBOX,
    ...USER,
    "--unshare-pid",
    "--as-pid-1",
    "--unshare-ipc",
    "--die-with-parent",
    ...machine(),
    ...copied({ dependencies: folder, build: projectRoot(), "": projectRoot() }),
    "--bind",
    data,
    imageVariables().MAGIS_DATA_DIR ?? "",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--tmpfs",
    "/tmp",
    "--remount-ro",
    "/",
    "--setenv",
    "PATH",
    "/node:/usr/bin:/bin",
    "--chdir",
    "/app",
    ...command,
  ];
  const commandOf = (instruction: string) =>
    z.array(z.string()).parse(JSON.parse(instruction.slice(instruction.indexOf("["))));
  const [program, ...words] = commandOf(shipped("CMD")[0] ?? "");
  let scene: Scene;
  let data = "";

  beforeAll(async () => {
    const dependencies = parseStages().find(([from]) => from?.rest.endsWith(" AS dependencies"));
    const [command = ""] = (dependencies ?? []).filter(({ word }) => word === "RUN").map(({ rest }) => rest);
    install(folder, command);
    scene = await startScene({
      repository: { files: { "docs/a.txt": "a1\na2\n" } },
      script: createScript({ files: { "docs/a.txt": { rounds: [{ edits: [{ start: 2, end: 2, text: "A2" }] }] } } }),
      environment: { ...imageVariables(), HOST: "127.0.0.1", PORT: "0" },
      command: (own) => {
        data = own;
        return inside(own, NODE, ...NODE_FLAGS, ...words);
      },
    });
  });
  afterAll(async () => {
    await scene?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("starts, passes its own health check, and opens its first pull request", async () => {
    expect(program).toBe("node");
    const check = commandOf(shipped("HEALTHCHECK")[0] ?? "");
    const [command = "", ...given] = inside(data, ...check);
    const { port: PORT } = new URL(scene.bot().url);
    expect(spawnSync(command, given, { env: { PORT } }).status).toBe(0);
    expect((await fetch(`${scene.bot().url}/readyz`)).status).toBe(200);

    const { pull } = await scene.ended(await scene.ask("docs/a.txt is wrong"));
    expect(await scene.world.diff(pull?.number ?? 0)).toContain("+A2");
  });

  it("can write to its data and to /tmp, and nowhere else", () => {
    const places = ["/data", "/tmp", "/", "/app", "/app/dist", "/app/node_modules", "/etc", "/usr/local"];
    const tries = places.map((place) => `touch ${place}/x 2>/dev/null && echo ${place}`).join("; ");
    const [command = "", ...given] = inside(data, "sh", "-c", `id -u; ${tries}; true`);
    const { stdout } = spawnSync(command, given);
    expect(stdout.toString().trim().split("\n")).toEqual(["1000", "/data", "/tmp"]);
  });

  it("stops when its first process gets SIGTERM", async () => {
    expect(await scene.bot().stop()).toBe(0);
  });
});
