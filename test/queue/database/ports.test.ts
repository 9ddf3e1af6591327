import { describe } from "@jest/globals";
import { createEvolutionMemory } from "../../../src/queue/database/evolution-memory.ts";
import { createRunStore } from "../../../src/queue/database/run-store.ts";
import { keepRequest } from "../../../src/queue/runs.ts";
import { evolutionMemoryContract } from "../../contracts/evolution-memory-contract.ts";
import { runStoreContract } from "../../contracts/run-store-contract.ts";
import { onEachDatabase } from "./on-each-database.ts";
import { QUIET } from "./test-databases.ts";

onEachDatabase("the ports", (opened) => {
  describe("RunStore", () =>
    runStoreContract(() => {
      const { pool } = opened.database;
      return { store: createRunStore(pool, QUIET), keep: (request) => keepRequest(pool, QUIET, request) };
    }));
  describe("EvolutionMemory", () =>
    evolutionMemoryContract((maxVersions) => createEvolutionMemory(opened.database.pool, { maxVersions, log: QUIET })));
});
