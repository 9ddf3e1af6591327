import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NODE_FLAGS } from "../bot/node-flags.ts";
import { projectRoot } from "../world/project-root.ts";

/** A copy of the built bot with another version. */
export interface OtherBuild {
  /** starts it */
  readonly command: readonly string[];
  remove(): Promise<void>;
}

export interface Changes {
  /** runs that the version before began start again from their first step */
  readonly raiseWorkflowVersion?: boolean;
  /** one more migration, which adds a column */
  readonly addMigration?: boolean;
}

/** Starts the build itself, as `startBot` does without a command. */
export const OWN_BUILD = commandOf(projectRoot());

/** Copies the build to a folder of its own, as another version of the package with `changes`. */
export async function copyBuild(version: string, { raiseWorkflowVersion, addMigration }: Changes): Promise<OtherBuild> {
  const folder = await mkdtemp(join(tmpdir(), "magis-build-"));
  await cp(join(projectRoot(), "dist"), join(folder, "dist"), { recursive: true });
  for (const name of ["node_modules", "lists", "prompts", "pages", "schemas"])
    await symlink(join(projectRoot(), name), join(folder, name));
  await edit(join(projectRoot(), "package.json"), join(folder, "package.json"), /"version": ".*?"/, () => {
    return `"version": "${version}"`;
  });
  if (raiseWorkflowVersion) {
    const file = join(folder, "dist", "wire", "start-bot.js");
    await edit(file, file, /WORKFLOW_VERSION = "(\d+)"/, (_, one) => `WORKFLOW_VERSION = "${Number(one) + 1}"`);
  }
  if (addMigration) {
    const file = join(folder, "dist", "adapters", "database", "migrations.js");
    const added = '["ALTER TABLE magis.open_pull ADD COLUMN title text"]';
    await edit(file, file, /const MIGRATIONS = (\[[^\]]*\])/, (_, list) => `const MIGRATIONS = [...${list}, ${added}]`);
  }
  return { command: commandOf(folder), remove: () => rm(folder, { recursive: true, force: true }) };
}

function commandOf(root: string): readonly string[] {
  return [process.execPath, ...NODE_FLAGS, join(root, "dist", "main.js")];
}

async function edit(from: string, to: string, pattern: RegExp, by: (all: string, part: string) => string) {
  const text = await readFile(from, "utf8");
  if (!pattern.test(text)) throw new Error(`${from} does not have ${pattern}`);
  await writeFile(to, text.replace(pattern, by));
}
