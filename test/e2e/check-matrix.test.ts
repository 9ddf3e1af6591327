import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { pushed, runChecks, startProofScene, title } from "./proof-scene.ts";
import type { Scene } from "./start-scene.ts";

/** For a busy machine: a test ends as soon as its condition holds. */
const WITHIN_MS = 240_000;

const MATRIX = { builds: 79 };

/**
 * Reads for one issue that count against GitHub's hourly limit: all but those answered with "not modified". Some 70 are
 * made; how many more depends on how often the lists of checks change between two looks. Writes do not depend on the
 * number of jobs.
 */
const READS = 80;

let scene: Scene;

beforeAll(async () => {
  scene = await startProofScene();
  await runChecks(scene, await scene.world.git("rev-parse", "main"), MATRIX);
}, WITHIN_MS);
afterAll(() => scene.close(), WITHIN_MS);

it(
  `proves a fix by a matrix of 80 jobs with fewer than ${READS} reads`,
  async () => {
    const { world } = scene;
    const from = world.journal.length;
    const issue = await scene.ask(title("bites"));
    const red = await pushed(scene, issue);
    await runChecks(scene, red.head.sha, MATRIX);
    const green = await pushed(scene, issue, red.head.sha);
    await runChecks(scene, green.head.sha, MATRIX);
    const { pull } = await scene.ended(issue);
    expect(pull?.body).toContain("## Tested");
    const asked = world.journal
      .slice(from)
      .filter(({ kind, actor, status }) => kind !== "git" && actor === "magis[bot]" && status !== 304);
    const reads = asked.filter(({ method }) => method === "GET");
    expect(reads.length).toBeLessThan(READS);
  },
  WITHIN_MS,
);
