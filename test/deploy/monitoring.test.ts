import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";
import { createPrometheus } from "../../src/app/prometheus.ts";

const folder = new URL("../../deploy/monitoring/", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), "utf8");
const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

interface Alerts {
  groups: readonly { rules: readonly { alert: string; expr: string }[] }[];
}

interface Dashboard {
  panels: readonly { title: string; targets: readonly { expr: string }[] }[];
}

const rules = (parse(read("alerts.yaml")) as Alerts).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read("grafana.json")) as Dashboard;
const asked: readonly (readonly [string, string])[] = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** Names of metrics with the labels that a selector may name. */
async function metricNames(): Promise<ReadonlySet<string>> {
  const text = await createPrometheus({
    models: [],
    events: [],
    countRuns: async () => ({ queued: 0, held: 0, working: 0, waiting: 0 }),
    limitsInUse: async () => [],
  }).scrape();
  const names = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = "", type]) =>
    type === "histogram" ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  return new Set(names);
}

describe("the alerts and the dashboard", () => {
  (hasPromtool ? it : it.skip)("has rules that promtool accepts", () => {
    const { status, stderr } = spawnSync(
      "promtool",
      ["check", "rules", fileURLToPath(new URL("alerts.yaml", folder))],
      {
        encoding: "utf8",
      },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it.each(asked)("%s asks only for metrics that the bot has", async (_, expr) => {
    const known = await metricNames();
    const named = expr.match(/\b(?:magis|process|nodejs)_\w+/g) ?? [];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(named.length > 0 || expr.startsWith("up{")).toBe(true);
  });
});
