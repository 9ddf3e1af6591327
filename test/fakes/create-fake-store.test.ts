import { describe } from "@jest/globals";
import { runStoreContract } from "../contracts/run-store-contract.ts";
import { createFakeStore } from "./create-fake-store.ts";

describe("the fake RunStore", () => runStoreContract(createFakeStore));
