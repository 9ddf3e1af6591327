import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { NODE_FLAGS } from "../bot/node-flags.ts";
import type { Bot } from "../bot/start-bot.ts";
import { createPostgresDatabase } from "../queue/database/test-databases.ts";
import { projectRoot } from "../world/project-root.ts";
import { DURABLE_FILES, durableScript, expectPublishedOnce, madeAgain } from "./durable-script.ts";
import { startScene } from "./start-scene.ts";

const WITHIN_MS = 400_000;

/** Jest lists the tests as skipped when there is no server. */
const onPostgres = process.env.TEST_DATABASE_URL ? it : it.skip;

/** Where a run of each repository stands when its machine is stopped. */
const HELD = {
  shop: "c02-locate-files",
  stock: "p04-plan-work",
  till: "p09-change-file",
  post: "p11-review-work",
} as const;

const REPOSITORIES = Object.keys(HELD) as (keyof typeof HELD)[];

let same: OtherBuild;
let next: OtherBuild;

beforeAll(async () => {
  same = await copyBuild("1.0.1", {});
  next = await copyBuild("2.0.0", { raiseWorkflowVersion: true, addMigration: true });
}, WITHIN_MS);
afterAll(async () => {
  await same.remove();
  await next.remove();
});

onPostgres(
  "a rolling upgrade with the same order of steps loses and repeats nothing but the calls it cut off (TEST_DATABASE_URL)",
  () => upgrade(() => same),
  WITHIN_MS,
);

onPostgres(
  "nor does one to another order of steps and new tables, which the version before cannot be started on again",
  () =>
    upgrade(
      () => next,
      async (start) => {
        await expect(start()).rejects.toThrow("A newer version of MAGIS has used this database");
      },
    ),
  WITHIN_MS,
);

/** Replaces two machines one after the other while each works on two runs and one waits, and looks at what came of it. */
async function upgrade(build: () => OtherBuild, afterwards?: (startOld: () => Promise<Bot>) => Promise<void>) {
  const database = await createPostgresDatabase();
  const bots: Bot[] = [];
  let current: readonly string[] | undefined;
  const scene = await startScene({
    repository: { files: DURABLE_FILES },
    more: REPOSITORIES.slice(1).map((name) => ({ name })),
    script: durableScript(),
    environment: { DATABASE_URL: database.url, MAGIS_CONCURRENCY: "2" },
    ownProcess: true,
    command: () => current ?? OWN_BUILD,
  });
  const { model, world } = scene;
  const start = async () => {
    const bot = await scene.start();
    bots.push(bot);
    return bot;
  };
  try {
    bots.push(scene.bot());
    await start();
    const [first, second] = bots as [Bot, Bot];
    const holds = REPOSITORIES.map((name) =>
      model.hold(({ promptId, text }) => promptId === HELD[name] && text.includes(`(${name})`)),
    );
    const asked = await Promise.all(
      REPOSITORIES.map(async (name) => ({
        repository: `acme/${name}`,
        issue: await scene.ask(`greet.txt has a typo (${name})`, undefined, `acme/${name}`),
      })),
    );
    for (const hold of holds) await hold.reached;
    const queued = await scene.ask("greet.txt has a typo (queued)", undefined, "acme/shop");

    current = build().command;
    await start();
    expect(await first.stop()).toBe(0);
    await start();
    expect(await second.stop()).toBe(0);
    for (const hold of holds) hold.release();

    for (const { repository, issue } of asked) {
      await expectPublishedOnce(scene, await scene.ended(issue, repository), repository.slice("acme/".length));
    }
    const last = await scene.ended(queued, "acme/shop");
    expect(last.pull?.state).toBe("open");
    expect(await scene.comments(queued, "acme/shop")).toHaveLength(1);
    expect(madeAgain(scene, 0).toSorted()).toEqual(Object.values(HELD).toSorted());
    expect(world.deliveries.filter(({ status }) => status !== 200)).toEqual([]);
    current = undefined;
    await afterwards?.(() => scene.start());
  } finally {
    for (const bot of bots) await bot.stop();
    await scene.close();
    await database.drop();
  }
}

/** A copy of the built bot with another version. */
interface OtherBuild {
  /** starts it */
  command: readonly string[];
  remove(): Promise<void>;
}

interface Changes {
  /** runs that the version before began start again from their first step */
  raiseWorkflowVersion?: boolean;
  /** one more migration, which adds a column */
  addMigration?: boolean;
}

/** Starts the build itself, as `startBot` does without a command. */
const OWN_BUILD = commandOf(projectRoot());

/** Copies the build to a folder of its own, as another version of the package with `changes`. */
async function copyBuild(version: string, { raiseWorkflowVersion, addMigration }: Changes): Promise<OtherBuild> {
  const folder = await mkdtemp(join(tmpdir(), "magis-build-"));
  await cp(join(projectRoot(), "dist"), join(folder, "dist"), { recursive: true });
  for (const name of ["node_modules", "lists", "prompts", "pages", "schemas"])
    await symlink(join(projectRoot(), name), join(folder, name));
  await edit(join(projectRoot(), "package.json"), join(folder, "package.json"), /"version": ".*?"/, () => {
    return `"version": "${version}"`;
  });
  if (raiseWorkflowVersion) {
    const file = join(folder, "dist", "app", "start-bot.js");
    await edit(file, file, /WORKFLOW_VERSION = "(\d+)"/, (_, one) => `WORKFLOW_VERSION = "${Number(one) + 1}"`);
  }
  if (addMigration) {
    const file = join(folder, "dist", "queue", "database", "migrations.js");
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
