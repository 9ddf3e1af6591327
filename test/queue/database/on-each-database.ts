import { afterAll, beforeAll, describe, it } from "@jest/globals";
import type { Database } from "../../../src/queue/database.ts";
import { TEST_DATABASES } from "./test-databases.ts";

/** Describes `what` on each kind of database: a new, empty one, which is open while the tests of `suite` run. */
export function onEachDatabase(what: string, suite: (opened: { database: Database }) => void): void {
  for (const [name, open] of Object.entries(TEST_DATABASES)) {
    if (!open) {
      it.skip(`${name}: left out, TEST_DATABASE_URL is not set`, () => undefined);
      continue;
    }
    describe(`${what} on ${name}`, () => {
      const opened = {} as Awaited<ReturnType<typeof open>>;
      beforeAll(async () => void Object.assign(opened, await open()));
      afterAll(() => opened.remove());
      suite(opened);
    });
  }
}
