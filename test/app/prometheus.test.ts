import { describe, expect, it } from "@jest/globals";
import { createPrometheus } from "../../src/app/prometheus.ts";

describe("the metrics", () => {
  it("have as many series for 10,000 installations as for one, with the fewest requests left", async () => {
    const prometheus = createPrometheus({
      models: [],
      events: [],
      countRuns: async () => ({ queued: 0, held: 0, working: 0, waiting: 0 }),
      limitsInUse: async () => [],
    });
    const remaining = async () =>
      (await prometheus.scrape()).split("\n").filter((line) => line.startsWith("magis_github_rate_remaining"));
    expect(await remaining()).toEqual([]);
    for (let installation = 1; installation <= 10_000; installation++)
      prometheus.githubAnswered(200, { installation, remaining: 5_000 - (installation % 4_000) });
    expect(await remaining()).toEqual(["magis_github_rate_remaining 1001"]);
  });
});
