import { execFile } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { NODE_FLAGS } from "./bot/node-flags.ts";
import { documentedWorkflows, type EndedJob, runJob } from "./cli/action-job.ts";
import { GREET, type LocalScene, startLocalScene } from "./cli/start-local-scene.ts";
import { projectRoot } from "./world/project-root.ts";

const run = promisify(execFile);
const LARGE = { maxBuffer: 16 * 2 ** 20 };
const packedShape = z.tuple([
  z.object({
    filename: z.string(),
    unpackedSize: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
]);

/** Has a job of the action, that is used without a build of its own, install the package into `temporary` and start it. */
async function installByAction(temporary: string, file: string): Promise<EndedJob> {
  const [simple] = documentedWorkflows();
  const found = simple?.jobs.magis;
  if (!found) throw new Error("no job is documented");
  const empty = join(temporary, "action");
  await mkdir(empty);
  const npm = Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && (/^npm_config_/i.test(name) || name === "HOME") ? [[name, value] as const] : [],
  );
  const own = { npm_config_prefer_offline: "true", GITHUB_ACTION_PATH: empty, RUNNER_TEMP: temporary };
  const ended = await runJob("magis", found, {
    values: { "secrets.ANTHROPIC_API_KEY": "", "vars.MAGIS_APP_ID": "", "secrets.MAGIS_APP_PRIVATE_KEY": "" },
    environment: { ...Object.fromEntries(npm), ...own, GITHUB_REPOSITORY: "acme/docs" },
    ...{ event: { name: "workflow_dispatch", body: "{}" }, artifacts: temporary, inputs: { version: `file:${file}` } },
    started: () => undefined,
  });
  await rm(ended.temporary, { recursive: true });
  return ended;
}

/** What `npm publish` would send, made from the build that is there, and installed in a folder where nothing else is. */
describe("the npm package", () => {
  let folder: string;
  let scene: LocalScene;
  let installed: string;
  let job: EndedJob;
  /** when somebody has the package in hand */
  let began = 0;
  let packed: z.infer<typeof packedShape>[0];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-package-"));
    scene = await startLocalScene();
    const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
      ...LARGE,
      cwd: projectRoot(),
    });
    [packed] = packedShape.parse(JSON.parse(stdout));
    began = performance.now();
    job = await installByAction(folder, join(folder, packed.filename));
    installed = join(folder, "magis");
  });
  afterAll(async () => {
    await scene?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = (program: string, words: readonly string[]) =>
    run(program, [...words], {
      ...LARGE,
      cwd: installed,
      env: {
        ...{ PATH: process.env.PATH, HOME: process.env.HOME },
        ...{ ANTHROPIC_API_KEY: "scripted", ANTHROPIC_BASE_URL: scene.model.url, APP_ID: "1" },
      },
    });

  it("holds what runs, and nothing else", () => {
    const tops = new Set(packed.files.map(({ path }) => path.split("/")[0]));
    expect([...tops].sort()).toEqual(
      [".env.example", "LICENSE", "README.md", "app.yml", "dist", "package.json", "pages", "prompts", "schemas"].sort(),
    );
    expect(packed.files.filter(({ path }) => /\.map$|\.ts$|\.test\.|(?:^|\/)tests?\//.test(path))).toEqual([]);
    expect(packed.unpackedSize).toBeLessThan(45e6);
  });

  it("is installed and started by the action where that has no build", () => {
    expect(job).toMatchObject({ exitCode: 0, outputs: { result: "nothing" } });
    expect(job.summary).toBe("### MAGIS: nothing to do\n\nThe event starts nothing.\n");
  });

  it("takes at most 150 MB with all that it needs", () => {
    const entries = readdirSync(join(installed, "node_modules"), { recursive: true, withFileTypes: true });
    const files = entries.filter((one) => one.isFile());
    const sizes = files.map((one) => statSync(join(one.parentPath, one.name)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(150e6);
  });

  it("makes a patch for a repository, less than five minutes after somebody has it in hand", async () => {
    const issue = await scene.issue("# Helo in src/greet.js\n\nIt should say Hello.\n");
    const program = join(installed, "node_modules", ".bin", "magis");
    const words = [...NODE_FLAGS, program, "resolve", "--repo", scene.repo.dir, "--issue", issue];
    const { stdout } = await start(process.execPath, words);
    expect(stdout).toContain("+  return 'Hello ' + name;");
    expect(GREET).toContain("Helo");
    expect(performance.now() - began).toBeLessThan(300_000);
  });

  it("starts the bot, which says what it is not told", async () => {
    const ended = start("npx", ["--no-install", "magis", "start"]);
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("MAGIS cannot start.\nWEBHOOK_SECRET is missing: set it."),
    });
  });
});
