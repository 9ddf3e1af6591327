import { afterAll, beforeAll, describe, it } from "@jest/globals";
import { createEvolutionMemory } from "../../../src/queue/database/evolution-memory.ts";
import { createRunStore } from "../../../src/queue/database/run-store.ts";
import { keepRequest } from "../../../src/queue/runs.ts";
import { evolutionMemoryContract } from "../../contracts/evolution-memory-contract.ts";
import { runStoreContract } from "../../contracts/run-store-contract.ts";
import { QUIET, type TestDatabase, testDatabases } from "./test-databases.ts";

for (const { name, skip, open } of testDatabases()) {
  if (skip !== undefined) {
    it.skip(`${name}: left out, ${skip}`, () => undefined);
    continue;
  }
  describe(name, () => {
    let opened: Awaited<ReturnType<TestDatabase["open"]>>;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.remove());

    describe("RunStore", () =>
      runStoreContract(() => {
        const { pool } = opened.database;
        return { store: createRunStore(pool, QUIET), keep: (request) => keepRequest(pool, QUIET, request) };
      }));
    describe("EvolutionMemory", () =>
      evolutionMemoryContract((maxVersions) =>
        createEvolutionMemory(opened.database.pool, { maxVersions, log: QUIET }),
      ));
  });
}
