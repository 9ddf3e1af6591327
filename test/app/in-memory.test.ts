import { describe } from "@jest/globals";
import { createEvolutionMemory, createRunStore } from "../../src/app/in-memory.ts";
import { evolutionMemoryContract } from "../contracts/evolution-memory-contract.ts";
import { runStoreContract } from "../contracts/run-store-contract.ts";

describe("the run store in memory", () => runStoreContract(createRunStore));
describe("the evolution memory in memory", () => evolutionMemoryContract(createEvolutionMemory));
