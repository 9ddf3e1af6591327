import { expect, it } from "@jest/globals";
import { createPostgresDatabase } from "../adapters/database/test-databases.ts";
import { DURABLE_FILES, durableScript } from "./durable-script.ts";
import { expectMadeOnce } from "./expect-made-once.ts";
import { startScene } from "./start-scene.ts";

/** Jest lists the test as skipped when there is no server. */
const onPostgres = process.env.TEST_DATABASE_URL ? it : it.skip;

onPostgres("a run killed while coding resumes by itself on PostgreSQL (TEST_DATABASE_URL)", async () => {
  const database = await createPostgresDatabase();
  try {
    const environment = { DATABASE_URL: database.url };
    const scene = await startScene({
      repository: { files: DURABLE_FILES },
      script: durableScript(),
      environment,
      ownProcess: true,
    });
    try {
      const hold = scene.model.hold(({ promptId }) => promptId === "p11-review-work");
      const issue = await scene.ask("greet.txt has a typo");
      await hold.reached;
      await scene.bot().kill();
      hold.release();
      await scene.startHere();
      await expectMadeOnce(scene, await scene.ended(issue), 0, ["p11-review-work"]);
      expect(scene.bot().log.some(({ level = 0 }) => level >= 50)).toBe(false);
    } finally {
      await scene.close();
    }
  } finally {
    await database.drop();
  }
});
