// How much load the bot takes: npm run bench:load -- [--only 2,embedded] [--seconds N] [--runs N] [--url URL] [CHECKOUT]
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { leaveNothing } from "../test/leave-nothing/leave-nothing.ts";
import { type LoadMeasure, type LoadSize, measureSetting, type Setting } from "./load/measure-setting.ts";
import { clusterAt, startCluster } from "./load/start-cluster.ts";

await leaveNothing("bench");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "embedded,1,2,4,2+1" },
    installations: { type: "string", default: "1000" },
    rate: { type: "string", default: "200" },
    seconds: { type: "string", default: "60" },
    runs: { type: "string", default: "100" },
    together: { type: "string", default: "50" },
    "call-seconds": { type: "string", default: "10" },
    url: { type: "string" },
    profiles: { type: "string" },
  },
});
const size: LoadSize = {
  installations: Number(values.installations),
  rate: Number(values.rate),
  seconds: Number(values.seconds),
  runs: Number(values.runs),
  together: Number(values.together),
  callMs: Number(values["call-seconds"]) * 1_000,
  checkout: resolve(positionals[0] ?? "."),
  profiles: values.profiles,
};
const only = values.only.split(",");

const cluster = values.url ? clusterAt(values.url) : await startCluster();
if (!cluster)
  console.log("PostgreSQL is not installed, and no --url is given: only the embedded database is measured.");
const measures: LoadMeasure[] = [];
try {
  for (const setting of settings()) {
    if (!only.includes(setting.key)) continue;
    console.error(`${setting.name} …`);
    const measure = await measureSetting(setting, size);
    // In case a later setting fails.
    console.error(JSON.stringify(measure));
    measures.push(measure);
  }
} finally {
  await cluster?.stop();
}
printMarkdown();

function settings(): readonly (Setting & { key: string })[] {
  const onServer = [1, 2, 4].map((processes) => {
    const name = `PostgreSQL, ${processes} ${processes === 1 ? "process" : "processes"}`;
    return { key: String(processes), name, processes, cluster };
  });
  const name = "PostgreSQL, 2 processes and one for webhooks";
  const withFront = { key: "2+1", name, processes: 2, hasFront: true, cluster };
  return [{ key: "embedded", name: "embedded", processes: 1 }, ...(cluster ? [...onServer, withFront] : [])];
}

function printMarkdown(): void {
  const { installations, rate, seconds, runs, together, callMs } = size;
  console.log(
    `${runs} runs, ${together} at once; ${callMs / 1_000} s for each call of the model; ${rate} webhooks a second of ` +
      `${installations} installations for ${seconds} s, one in five of them a comment.\n`,
  );
  const ms = (value: number) => `${Math.round(value)} ms`;
  const ROWS: readonly (readonly [string, (one: LoadMeasure) => string])[] = [
    ["all runs, times the ideal", (one) => one.timesIdeal.toFixed(2)],
    ["a run alone, times the model's time", (one) => one.aloneTimesModel.toFixed(2)],
    ["webhook answered without runs, p99", (one) => ms(one.quietP99)],
    ["webhook answered beside runs, p50", (one) => ms(one.webhookP50)],
    ["the same, p99", (one) => ms(one.webhookP99)],
    ["`/healthz` of the same process, p99", (one) => ms(one.healthP99)],
    ["an empty handler in another process, p99", (one) => ms(one.emptyP99)],
    ["webhook's p99, times the empty handler's", (one) => (one.webhookP99 / one.emptyP99).toFixed(1)],
    ["webhooks not answered by 200", ({ failedWebhooks: all }) => [all.length, ...new Set(all)].join(" ")],
    ["first comment of a run, p50", (one) => ms(one.firstCommentP50)],
    ["the same, p99", (one) => ms(one.firstCommentP99)],
    ["wait of small installations, times the large one's", (one) => one.fairness.toFixed(2)],
    ["memory, each of the runs at once", (one) => `${one.memoryMbOfRun.toFixed(1)} MB`],
    ["database, each run", (one) => `${Math.round(one.growthKbOfRun)} kB`],
    ["database, each comment", (one) => `${one.growthKbOfComment.toFixed(1)} kB`],
    ["computing of the bots, 1,000 webhooks", (one) => `${one.webhooksComputing.toFixed(1)} s`],
    ["computing of the bots, each run", (one) => `${one.botComputing.toFixed(2)} s`],
    ["computing of PostgreSQL, each run", (one) => `${one.databaseComputing.toFixed(2)} s`],
    ["computing of the loopback GitHub, each run", (one) => `${one.worldComputing.toFixed(2)} s`],
    ["runs without a pull request", (one) => String(one.notOpened)],
  ];
  console.log(`| | ${measures.map(({ setting }) => setting).join(" | ")} |`);
  console.log(`| --- |${measures.map(() => " --- |").join("")}`);
  for (const [name, cell] of ROWS) console.log(`| ${name} | ${measures.map(cell).join(" | ")} |`);
  console.log(`\n${JSON.stringify(measures)}`);
}
