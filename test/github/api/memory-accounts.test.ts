import { describe } from "@jest/globals";
import { createMemoryAccounts } from "../../../src/github/api/memory-accounts.ts";
import { writeAccountContract } from "../../contracts/write-account-contract.ts";

describe("accounts in memory", () => writeAccountContract(createMemoryAccounts));
