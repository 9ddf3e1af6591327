import { describe, expect, it } from "@jest/globals";
import { createAnswerer } from "../../src/app/requests.ts";
import { ownVersion } from "../../src/data/own-files.ts";
import type { RunArchive, RunSummary } from "../../src/run/runs.ts";
import { createFakeLog } from "../fakes/create-fake-log.ts";
import { EMPTY_LEDGER } from "../fakes/empty-ledger.ts";
import { sampleReport } from "../report/run/sample-report.ts";

const OLD = { command: "forget", owner: "a", name: "b", version: "0.0.1" };
const NO_RUNS: RunArchive = {
  report: async () => undefined,
  latestReport: async () => undefined,
  latest: async () => [],
};

describe("createAnswerer", () => {
  const answer = (request: unknown, forget: () => Promise<number> = async () => 2, ledger = EMPTY_LEDGER) =>
    createAnswerer({ memory: { forget }, runs: NO_RUNS, ledger, log: createFakeLog().log })(
      Object.assign({ version: ownVersion() }, request),
    );

  it("forgets a repository at once, its month's costs too", async () => {
    const ledger = { ...EMPTY_LEDGER, forget: async (_: object, when: string) => (when === "now" ? 3 : 0) };
    const asked = answer({ command: "forget", owner: "a", name: "b" }, undefined, ledger);
    expect(await asked).toEqual({ versions: 2, entries: 3 });
  });

  it("checks the request, since it comes from another process", async () => {
    const wrong = [undefined, 1, {}, { command: "forget" }, { command: "drop", owner: "a", name: "b" }];
    for (const request of [...wrong, { command: "forget", owner: "a/b", name: "" }, OLD]) {
      expect(await answer(request)).toEqual({ fault: expect.stringContaining("does not know") });
    }
  });

  it("gives a failure as a sentence", async () => {
    const broken = () => Promise.reject(new Error("secret detail"));
    expect(await answer({ command: "forget", owner: "a", name: "b" }, broken)).toEqual({
      fault: "The database could not do it; the log says why.",
    });
  });
});

const RUN = "ana/shop#7@delivery-1";
const SUMMARY: RunSummary = {
  id: RUN,
  repository: "ana/shop",
  number: 7,
  title: "Discounts are \u001b[31mcut off",
  requestedAt: "2026-01-01T12:00:00Z",
  end: "published",
  pullRequest: 12,
  money: 0.5,
};

describe("createAnswerer, asked to show", () => {
  const asked: unknown[] = [];
  const runs: RunArchive = {
    report: async (id) => {
      asked.push(id);
      return id === RUN ? sampleReport() : undefined;
    },
    latestReport: async (repository, number) => {
      asked.push([repository, number]);
      return sampleReport();
    },
    latest: async (most) => {
      asked.push(most);
      return [SUMMARY];
    },
  };
  const parts = { memory: { forget: async () => 0 }, runs, ledger: EMPTY_LEDGER, log: createFakeLog().log };
  const answer = (request: object) => createAnswerer(parts)({ ...request, version: ownVersion() });

  it.each([
    [{ run: RUN }, RUN, { report: sampleReport() }],
    [{ run: "ana/shop#7" }, [{ owner: "ana", name: "shop" }, 7], { report: sampleReport() }],
    [{ run: "other" }, "other", { report: null }],
    [{}, 20, { runs: [SUMMARY] }],
  ])("answers %j", async (request, wanted, expected) => {
    asked.length = 0;
    expect(await answer({ command: "show", ...request })).toEqual(expected);
    expect(asked).toEqual([wanted]);
  });

  it("checks the request", async () => {
    for (const run of ["", "x".repeat(2000), 7]) {
      expect(await answer({ command: "show", run })).toEqual({ fault: expect.stringContaining("does not know") });
    }
  });
});
