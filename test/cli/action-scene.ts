import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect } from "@jest/globals";
import { NODE_FLAGS } from "../bot/node-flags.ts";
import { type QuotedRevision, REVIEW_FILES, reviewScript } from "../e2e/review-script.ts";
import type { Script, ScriptedAnswer } from "../scripted-model/scripted-answer.ts";
import type { ScriptedCall } from "../scripted-model/scripted-call.ts";
import type { ScriptedModel } from "../scripted-model/scripted-model.ts";
import { startScriptedModel } from "../scripted-model/start-scripted-model.ts";
import { appClient } from "../world/app-client.ts";
import { projectRoot } from "../world/project-root.ts";
import { startWorld } from "../world/start-world.ts";
import type { World } from "../world/world-handle.ts";
import { artifactFolder, documentedWorkflows, type EndedJob, type Runner, runJob } from "./action-job.ts";

const [SIMPLE, HARDENED] = documentedWorkflows();
const READS = { actions: "read", contents: "read", issues: "read", metadata: "read", pull_requests: "read" };
const revisions: QuotedRevision[] = [
  { when: "Upper, please", edits: { 3: "A3" }, reply: "Done." },
  { when: "Change its first line", path: "docs/other.txt", edits: { 1: "O1" }, reply: "Done there as well." },
];

/** A comment on the pull request asks for a change of a file that it has not changed so far. */
function assign({ text }: ScriptedCall): ScriptedAnswer {
  const asked = text.split("have made these comments").at(-1) ?? "";
  const comments = [...asked.matchAll(/^(re\d+), by /gm)].map(([, id = ""]) => id);
  const replies = comments.map((comment) => ({ comment, reply: "As you say." }));
  const task = {
    path: "docs/other.txt",
    action: "modify",
    title: "Change other",
    description: "Change its first line.",
  };
  return { json: { replies, tasks: [{ ...task, comments }] } };
}

/** As in a review; checks that fail are repaired in line 4 of docs/a.txt. */
function script(call: ScriptedCall): ReturnType<Script> {
  if (call.promptId === "k01-plan-repair") {
    const task = { path: "docs/a.txt", action: "modify", title: "Upper", description: "Make line 4 upper case." };
    return { json: { repairable: true, reason: "Line 4 is not.", title: "make line 4 upper case", tasks: [task] } };
  }
  if (call.promptId === "p09-change-file" && call.text.includes("Our pull request makes checks fail")) {
    const qaEngineer = "QA Engineer: Takes care.";
    const edits = [{ start: 4, end: 4, anchor: "a4", text: "A4" }];
    return { json: { edits, summary: "It is upper case.", replies: [], qaEngineer } };
  }
  return reviewed(call);
}
const reviewed = reviewScript({ revisions, comments: assign });

/** A repository whose events are those of jobs. */
export interface ActionScene {
  readonly world: World;
  readonly model: ScriptedModel;
  readonly artifacts: string;
  /** What a workflow hears of an event that has `words` in it and whose sender's name has `sender`. */
  eventOf(event: string, action: string, words: string, sender?: string): Promise<Runner["event"]>;
  /** Carries out a documented job. */
  run(
    job: "magis" | "make" | "publish",
    event: Runner["event"],
    more?: Partial<Pick<Runner, "started" | "values" | "inputs" | "environment">>,
  ): Promise<EndedJob>;
  /** Opens an issue and labels it. */
  labelled(title: string): Promise<{ readonly issue: number; readonly event: Runner["event"] }>;
  close(): Promise<void>;
}

/** Starts the loopback GitHub, a scripted model, and what a runner needs to know of both. */
export async function startActionScene(): Promise<ActionScene> {
  const roles = { alice: "maintain", tom: "read" } as const;
  const files = { ...REVIEW_FILES, "docs/kept.txt": "k\n", ".github/magis.yml": "protect: [docs/kept.txt]\n" };
  const [model, world] = await Promise.all([
    startScriptedModel({ answer: script }),
    startWorld({ repositories: [{ owner: "acme", name: "docs", private: true, roles, files, labels: ["magis"] }] }),
  ]);
  const [app, reader] = [await appClient(world), await appClient(world, READS)];
  const values = {
    "app.token": app.token,
    "github.token": reader.token,
    "vars.MAGIS_APP_BOT": "magis[bot]",
    "secrets.ANTHROPIC_API_KEY": "scripted",
    "vars.MAGIS_APP_CLIENT_ID": "Iv1.a",
    "secrets.MAGIS_APP_PRIVATE_KEY": "k",
  };
  const environment = {
    GITHUB_REPOSITORY: "acme/docs",
    GITHUB_SERVER_URL: world.url,
    ANTHROPIC_BASE_URL: model.url,
    GITHUB_API_URL: `${world.url}/api/v3`,
  };
  const [artifacts, programs] = [artifactFolder(), programFolder()];
  const temporary = [artifacts, programs];
  const started: ChildProcess[] = [];
  const eventOf: ActionScene["eventOf"] = async (event, action, words, sender = "") => {
    const found = () =>
      world.deliveries.find(
        (one) =>
          one.event === event &&
          one.action === action &&
          one.body.includes(words) &&
          (JSON.parse(one.body) as { sender: { login: string } }).sender.login.includes(sender),
      );
    const { body } = await world.until(found, { what: `${event}.${action} with ${words}` });
    // A workflow's event names no installation.
    const { installation: _, ...payload } = JSON.parse(body) as Record<string, unknown>;
    return { name: event, body: JSON.stringify(payload) };
  };
  return {
    world,
    model,
    artifacts,
    eventOf,
    async run(job, event, more = {}) {
      const found = (job === "magis" ? SIMPLE : HARDENED)?.jobs[job];
      if (!found) throw new Error(`no job ${job} is documented`);
      const ended = await runJob(job, found, {
        event,
        artifacts,
        ...more,
        started:
          more.started &&
          ((child: ChildProcess) => {
            started.push(child);
            more.started?.(child);
          }),
        environment: { PATH: [programs, process.env.PATH].join(delimiter), ...environment, ...more.environment },
        // The permissions of the documented job give its own token what an app's has.
        values:
          job === "magis" ? { ...values, "github.token": app.token, ...more.values } : { ...values, ...more.values },
      });
      temporary.push(ended.temporary);
      return ended;
    },
    async labelled(title) {
      const issue = await world.person("alice").openIssue({ title, body: "" });
      await world.person("alice").label(issue, "magis");
      return { issue, event: await eventOf("issues", "labeled", JSON.stringify(title)) };
    },
    async close() {
      await world.close();
      await model.stop();
      // Those of a test that failed; the others have ended.
      for (const child of started) child.kill("SIGKILL");
      for (const folder of temporary) rmSync(folder, { recursive: true, force: true });
      expect(world.contract.violations).toEqual([]);
      expect(model.faults).toEqual([]);
    },
  };
}

/** A signal comes at its own pace: a test that goes on before the program has it would race with it. */
const SAY_SIGINT = `process.on("SIGINT", () => process.stderr.write("SIGINT has come\\n"))`;

/** Sends a signal to a program that a job has started, and waits until it is there. */
export async function interrupt({ pid = 0, stderr }: ChildProcess): Promise<void> {
  const come = new Promise<void>((resolve) => {
    stderr?.on("data", (bytes: Buffer) => bytes.includes("SIGINT has come") && resolve());
  });
  process.kill(pid, "SIGINT");
  await come;
}

/**
 * A folder for a PATH, in which `node` is the one that runs, with the flags for short lives. One that does not take
 * TypeScript runs the built program instead: `test/deploy/clean-clone` runs the sources.
 */
function programFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "magis-programs-"));
  const dist = join(projectRoot(), "dist", "cli.js");
  const built = `case "$1" in */src/cli.ts) shift; set -- '${dist}' "$@";; esac`;
  const swap = process.features.typescript ? "" : built;
  const flags = [...NODE_FLAGS, "--import", `'data:text/javascript,${SAY_SIGINT}'`];
  const script = `#!/bin/sh\n${swap}\nexec '${process.execPath}' ${flags.join(" ")} "$@"\n`;
  writeFileSync(join(folder, "node"), script, { mode: 0o755 });
  return folder;
}
