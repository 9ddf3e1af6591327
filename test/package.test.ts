import { execFile } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { NODE_FLAGS } from "./bot/node-flags.ts";
import { GREET, type LocalScene, startLocalScene } from "./commands/start-local-scene.ts";
import { projectRoot } from "./world/project-root.ts";

const run = promisify(execFile);
/** A command that does not end is ended, so that it writes nothing more when its folder is removed. */
const LIMITS = { maxBuffer: 16 * 2 ** 20, timeout: 420_000 };
/** The oldest Node that `engines` of package.json allows. */
const OLDEST = { major: 20, minor: 19 };

/** Whether a range such as `>=18`, `^20.17.0 || >=22.9.0` or `*` takes the oldest Node. */
function takesOldest(range: string): boolean {
  return range.split("||").some((part) => {
    const [, sign = "", major = "0", minor = "0"] = /^\s*(>=?|\^|~)?\s*v?(\d+)(?:\.(\d+))?/.exec(part) ?? [">="];
    if (part.trim() === "*") return true;
    const isReached = Number(major) < OLDEST.major || (Number(major) === OLDEST.major && Number(minor) <= OLDEST.minor);
    return isReached && (sign.startsWith(">") || Number(major) === OLDEST.major);
  });
}

const lockShape = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      dev: z.boolean().optional(),
      engines: z.object({ node: z.string().optional() }).optional(),
    }),
  ),
});
const packedShape = z.tuple([
  z.object({
    filename: z.string(),
    unpackedSize: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
]);

/** The package that `npm run package` makes and a release publishes, installed in an empty folder. */
describe("the npm package", () => {
  let folder: string;
  let scene: LocalScene;
  let installed: string;
  /** when the package was there to be installed */
  let began = 0;
  let packed: z.infer<typeof packedShape>[0];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-package-"));
    scene = await startLocalScene();
    const { stdout } = await run("npm", ["run", "--silent", "package", "--", "--json", "--pack-destination", folder], {
      ...LIMITS,
      cwd: projectRoot(),
    });
    [packed] = packedShape.parse(JSON.parse(stdout));
    began = performance.now();
    installed = join(folder, "installed");
    const words = ["install", "--prefix", installed, "--engine-strict", "--no-audit", "--no-fund"];
    await run("npm", [...words, join(folder, packed.filename)], { ...LIMITS, cwd: folder });
    // Both commands write thousands of files, beside other suites: longer than both may take.
  }, 900_000);
  afterAll(async () => {
    await scene?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = (program: string, words: readonly string[]) =>
    run(program, [...words], {
      ...LIMITS,
      cwd: installed,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ANTHROPIC_API_KEY: "scripted",
        ANTHROPIC_BASE_URL: scene.model.url,
        APP_ID: "1",
      },
    });

  it("holds what it needs to run, and nothing else", () => {
    const tops = new Set(packed.files.map(({ path }) => path.split("/")[0]));
    const own = [
      ".env.example",
      "LICENSE",
      "README.md",
      "app.yml",
      "bin",
      "dist",
      "lists",
      "package.json",
      "pages",
      "prompts",
      "schemas",
    ];
    expect([...tops].sort()).toEqual([...own, "node_modules", "npm-shrinkwrap.json"].sort());
    expect(packed.files.filter(({ path }) => /\.map$|\.[cm]?ts$/.test(path))).toEqual([]);
    const ours = packed.files.filter(({ path }) => !path.startsWith("node_modules/"));
    expect(ours.filter(({ path }) => /\.test\.|(?:^|\/)tests?\//.test(path))).toEqual([]);
  });

  it("leaves the checkout as it was", async () => {
    expect(existsSync(join(projectRoot(), "npm-shrinkwrap.json"))).toBe(false);
    const manifest = JSON.parse(await readFile(join(projectRoot(), "package.json"), "utf8"));
    expect(manifest).not.toHaveProperty("bundleDependencies");
  });

  it("installs the lock file's versions, which its shrinkwrap names, on any supported Node", async () => {
    const program = join(installed, "node_modules", "magis");
    const locked = lockShape.parse(
      JSON.parse(await readFile(join(projectRoot(), "package-lock.json"), "utf8")),
    ).packages;
    const named = lockShape.parse(JSON.parse(await readFile(join(program, "npm-shrinkwrap.json"), "utf8"))).packages;
    const needed = Object.entries(locked).filter(([place, { dev }]) => place !== "" && !dev);
    expect(Object.keys(named).filter((place) => place !== "")).toEqual(needed.map(([place]) => place));
    for (const [place, { version, engines }] of needed) {
      const { version: found } = JSON.parse(await readFile(join(program, place, "package.json"), "utf8"));
      expect([place, found]).toEqual([place, version]);
      expect([place, takesOldest(engines?.node ?? "*")]).toEqual([place, true]);
    }
  });

  it("takes at most 80 MB with its dependencies", () => {
    const entries = readdirSync(join(installed, "node_modules"), { recursive: true, withFileTypes: true });
    const files = entries.filter((one) => one.isFile());
    const sizes = files.map((one) => statSync(join(one.parentPath, one.name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(80e6);
  });

  it("makes a patch for a repository within five minutes of being installed", async () => {
    const issue = await scene.issue("# Helo in src/greet.js\n\nIt should say Hello.\n");
    const program = join(installed, "node_modules", ".bin", "magis");
    const words = [...NODE_FLAGS, program, "resolve", "--repo", scene.repo.dir, "--issue", issue];
    const { stdout } = await start(process.execPath, words);
    expect(stdout).toContain("+  return 'Hello ' + name;");
    expect(GREET).toContain("Helo");
    expect(performance.now() - began).toBeLessThan(300_000);
  });

  it("starts the bot, which says which settings are missing", async () => {
    const ended = start("npx", ["--no-install", "magis", "start"]);
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("MAGIS cannot start.\nWEBHOOK_SECRET is missing: set it."),
    });
  });
});
