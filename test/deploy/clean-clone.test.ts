import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type ActionScene, startActionScene } from "../commands/action-scene.ts";
import { projectRoot } from "../world/project-root.ts";

// The action runs on Node 24, which runs TypeScript directly; `.ci/run` runs this suite there.
const onNode24 = process.features.typescript ? describe : describe.skip;

onNode24("the action, in a clean clone with no build and no packages (needs Node 22.18 or later)", () => {
  let scene: ActionScene;
  const folder = mkdtempSync(join(tmpdir(), "magis-clone-"));
  const clone = join(folder, "action");

  beforeAll(async () => {
    execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${projectRoot()}`, clone]);
    scene = await startActionScene();
  });
  afterAll(async () => {
    await scene?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("installs its packages by its own steps, and opens a pull request without a build", async () => {
    for (const made of ["dist", "node_modules"]) expect(existsSync(join(clone, made))).toBe(false);
    const { event } = await scene.labelled("From a clean clone: docs/a.txt and docs/b.txt");
    const npm = Object.entries(process.env).filter(([name]) => /^npm_config_/i.test(name) || name === "HOME");
    const ended = await scene.run("magis", event, {
      started: () => undefined,
      environment: { ...Object.fromEntries(npm), GITHUB_ACTION_PATH: clone } as Record<string, string>,
    });
    expect({ ...ended.outputs, log: ended.exitCode === 0 ? "" : ended.log }).toMatchObject({
      result: "published",
      log: "",
    });
    expect(existsSync(join(clone, "dist"))).toBe(false);
    expect(existsSync(join(clone, "node_modules", "typescript"))).toBe(false);
  });
});
