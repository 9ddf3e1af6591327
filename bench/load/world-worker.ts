// The loopback GitHub and the scripted model of one setting, in a process of their own.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pMap from "p-map";
import { createScript } from "../../test/scripted-model/script.ts";
import type { ScriptedModel } from "../../test/scripted-model/scripted-model.ts";
import { startScriptedModel } from "../../test/scripted-model/start-scripted-model.ts";
import { startBySmallProcess } from "../../test/world/git/run-program.ts";
import { projectRoot } from "../../test/world/project-root.ts";
import { startWorld } from "../../test/world/start-world.ts";
import type { World } from "../../test/world/world-handle.ts";
import type { FromWorld, RunTimes, ToWorld } from "./world-messages.ts";

const LOOK_MS = 25;

/** Labels set at a time: as many people at once. */
const AT_ONCE = 4;

type Watched = { -readonly [Key in keyof RunTimes]: RunTimes[Key] };

/** The runs that were asked for, by the number in the issue's title. */
const runs = new Map<number, Watched>();
const runOfIssue = new Map<string, number>();
const runOfComment = new Map<string, number>();
let from = performance.now();
let webhookUrls: readonly string[] = [];
let sent = 0;
let world: World;
let model: ScriptedModel;

const script = createScript({ files: { "greet.txt": { rounds: [{ edits: [{ start: 1, end: 1, text: "Hello" }] }] } } });

async function open({ repositories, callMs }: Extract<ToWorld, { do: "open" }>): Promise<FromWorld> {
  const files = { "greet.txt": "helo\nworld\nend\n", ...ownSources() };
  model = await startScriptedModel({
    answer: async (call) => {
      const run = runs.get(Number(/\(run (\d+)\)/.exec(call.text)?.[1]));
      if (run) run.began ||= performance.now() - from;
      if (run) run.calls += 1;
      await delay(callMs);
      return script(call);
    },
  });
  startBySmallProcess();
  world = await startWorld({
    webhookUrl: () => webhookUrls[sent++ % webhookUrls.length],
    repositories: repositories.map((name) => {
      const [owner = "", repository = ""] = name.split("/");
      return { owner, name: repository, private: true, roles: { alice: "maintain" }, labels: ["magis"], files };
    }),
  });
  const keys = { ANTHROPIC_API_KEY: "scripted", ANTHROPIC_BASE_URL: model.url };
  return { did: "open", environment: { ...world.botEnvironment(), ...keys } };
}

/** The sources of MAGIS: a repository of some hundred files. */
function ownSources(): Record<string, string> {
  const root = projectRoot();
  const listed = execFileSync("git", ["-C", root, "ls-files", "src"], { encoding: "utf8" }).trim().split("\n");
  return Object.fromEntries(listed.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

async function ask({ repositories }: Extract<ToWorld, { do: "ask" }>): Promise<FromWorld> {
  const first = runs.size;
  const issues = await pMap(
    repositories,
    async (repository, at) => {
      const title = `greet.txt has a typo (run ${first + at})`;
      const issue = await world.person("alice", repository).openIssue({ title });
      runOfIssue.set(`${repository}#${issue}`, first + at);
      return issue;
    },
    { concurrency: AT_ONCE },
  );
  from = performance.now();
  for (const [at, repository] of repositories.entries()) {
    runs.set(first + at, { repository, asked: 0, commented: 0, began: 0, ended: 0, calls: 0, opened: false });
  }
  const asked = [...runs.values()].slice(first);
  const labelled = pMap(
    asked,
    async (run, at) => {
      run.asked = performance.now() - from;
      await world.person("alice", run.repository).label(issues[at] ?? 0, "magis");
    },
    { concurrency: AT_ONCE },
  );
  while (asked.some(({ ended }) => ended === 0)) {
    readJournal();
    await delay(LOOK_MS);
  }
  await labelled;
  const faults = [...model.faults, ...world.contract.violations, ...world.contract.contradictions];
  if (faults.length > 0) throw new Error(faults.slice(0, 5).join("\n"));
  return { did: "ask", runs: asked, ms: Math.max(...asked.map(({ ended }) => ended)) };
}

const COMMENTED = /^\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)\/comments$/;

const UPDATED = /^\/repos\/([^/]+\/[^/]+)\/issues\/comments\/(\d+)$/;

/** Sees what the bot has written since the last look, and forgets the journal. */
function readJournal(): void {
  const now = performance.now() - from;
  for (const { method, path, request, answer } of world.journal.splice(0)) {
    const body = String((request as { body?: string } | undefined)?.body ?? "");
    const made = method === "POST" ? COMMENTED.exec(path) : undefined;
    const number = made ? runOfIssue.get(`${made[1]}#${made[2]}`) : undefined;
    if (made && number !== undefined) runOfComment.set(`${made[1]} ${(answer as { id: number }).id}`, number);
    const updated = method === "PATCH" ? UPDATED.exec(path) : undefined;
    const run = runs.get(number ?? runOfComment.get(`${updated?.[1]} ${updated?.[2]}`) ?? -1);
    if (run === undefined) continue;
    run.commented ||= now;
    if (/is working on this issue|when its turn comes/.test(body)) continue;
    run.ended ||= now;
    run.opened = body.includes("### MAGIS opened pull request");
  }
  world.deliveries.length = 0;
}

process.on("message", async (message: ToWorld) => {
  try {
    if (message.do === "open") process.send?.(await open(message));
    if (message.do === "ask") process.send?.(await ask(message));
    if (message.do !== "aim") return;
    webhookUrls = message.webhookUrls;
    process.send?.({ did: "aim" } satisfies FromWorld);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
});
process.once("SIGTERM", async () => {
  await world?.close();
  await model?.stop();
  process.exit(0);
});
