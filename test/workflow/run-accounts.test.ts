import { expect, it } from "@jest/globals";
import { DEFAULT_SETTINGS } from "../../src/data/setting-definitions/all-settings.ts";
import { createAccounts } from "../../src/workflow/run-accounts.ts";
import { createFakeStore } from "../fakes/create-fake-store.ts";
import { delivery, requestOf } from "../queue/in-process.ts";

const OPERATORS = { day: 20, organisation: 200, repository: 50, openPullRequests: 5 };

const { limitsOf } = createAccounts({
  store: createFakeStore().store,
  prompts: { prompts: new Map() } as never,
  budget: { money: 5, tokens: 1_000_000, minutes: 30 },
  limits: OPERATORS,
});

const request = requestOf(delivery("d1", 1));

it("holds a run by the operator's limits where no file sets any", () => {
  expect(limitsOf(request).money).toEqual([
    { scope: "bot", period: "day", most: 20 },
    { scope: "organisation", period: "month", most: 200 },
    { scope: "repository", period: "month", most: 50 },
  ]);
});

it("holds a run by the limits of its repository's file and its owner's", () => {
  const settings = { ...DEFAULT_SETTINGS, budget: { ...DEFAULT_SETTINGS.budget, month: 30 }, ownersMonth: 120 };
  expect(limitsOf({ ...request, settings }).money).toEqual([
    { scope: "bot", period: "day", most: 20 },
    { scope: "organisation", period: "month", most: 120 },
    { scope: "repository", period: "month", most: 30 },
  ]);
});
