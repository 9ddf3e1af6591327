import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
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

/** What `npm publish` would send, made from the build that is there, and installed in a folder where nothing else is. */
describe("the npm package", () => {
  let folder: string;
  let scene: LocalScene;
  let packed: z.infer<typeof packedShape>[0];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-package-"));
    scene = await startLocalScene();
    const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
      ...LARGE,
      cwd: projectRoot(),
    });
    [packed] = packedShape.parse(JSON.parse(stdout));
    await writeFile(join(folder, "package.json"), "{}");
    const words = ["install", "--prefer-offline", "--no-audit", "--no-fund", `./${packed.filename}`];
    await run("npm", words, { ...LARGE, cwd: folder });
  });
  afterAll(async () => {
    await scene?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const magis = (...words: string[]) =>
    run("npx", ["--no-install", "magis", ...words], {
      ...LARGE,
      cwd: folder,
      env: {
        ...{ PATH: process.env.PATH, HOME: process.env.HOME },
        ...{ ANTHROPIC_API_KEY: "scripted", ANTHROPIC_BASE_URL: scene.model.url, APP_ID: "1" },
      },
    });

  it("holds what runs, and nothing else", () => {
    const tops = new Set(packed.files.map(({ path }) => path.split("/")[0]));
    expect([...tops].sort()).toEqual(
      [".env.example", "LICENSE", "README.md", "app.yml", "dist", "package.json", "prompts", "schemas"].sort(),
    );
    expect(packed.files.filter(({ path }) => /\.map$|\.ts$|\.test\.|(?:^|\/)tests?\//.test(path))).toEqual([]);
    expect(packed.unpackedSize).toBeLessThan(45e6);
  });

  it("makes a patch for a repository", async () => {
    const issue = await scene.issue("# Helo in src/greet.js\n\nIt should say Hello.\n");
    const { stdout } = await magis("resolve", "--repo", scene.repo.dir, "--issue", issue);
    expect(stdout).toContain("+  return 'Hello ' + name;");
    expect(GREET).toContain("Helo");
  });

  it("starts the bot, which says what it is not told", async () => {
    const ended = magis("start");
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining("MAGIS cannot start.\nWEBHOOK_SECRET is missing: set it."),
    });
  });
});
