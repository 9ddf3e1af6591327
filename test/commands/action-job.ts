import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { projectRoot } from "../world/project-root.ts";
import { startMagisHere } from "./start-magis.ts";

type Texts = Readonly<Record<string, string>>;

interface Step {
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  with?: Texts;
  env?: Texts;
}

interface Job {
  steps: readonly Step[];
}

export interface Workflow {
  text: string;
  on: Readonly<Record<string, unknown>>;
  jobs: Readonly<Record<string, Job>>;
}

const read = (path: string) => readFileSync(join(projectRoot(), path), "utf8");

/** The workflows that `docs/action.md` shows, in their order. */
export function documentedWorkflows(): readonly Workflow[] {
  return [...read("docs/action.md").matchAll(/```yaml\n(# \.github[\s\S]*?)```/g)].map(([, text = ""]) => {
    return { text, ...(parse(text) as Omit<Workflow, "text">) };
  });
}

export interface ActionFile {
  inputs: Readonly<Record<string, { default: string }>>;
  runs: { steps: readonly Step[] };
}

/** What the documents say in place of the repository that holds this code, and of a commit of it. */
export const OWN_ACTION = "OWNER/REPO@COMMIT";

const actionFile = () => parse(read("action.yml")) as ActionFile;

/** What a runner gives a job, in a folder of its own. */
export interface Runner {
  /** what expressions of the workflow stand for, such as `secrets.ANTHROPIC_API_KEY` */
  values: Texts;
  environment: Texts;
  event: { name: string; body: string };
  /** the folder of artifacts, which outlives the job */
  artifacts: string;
  /** more inputs of the action than the documented workflow gives it */
  inputs?: Texts;
  /** the action's scripts are run by a shell, which this is told of; absent: what they start is called in this process */
  started?: (child: ChildProcess) => void;
  /** a program that the shell is started by, with its arguments */
  shell?: readonly string[];
}

export interface EndedJob {
  exitCode: number;
  log: string;
  summary: string;
  outputs: Texts;
  temporary: string;
}

/**
 * Carries out the steps of a documented job as a runner does: those of `action.yml` with the environment that it gives them,
 * by bash or by a call of the program's command; tokens and artifacts, which are others' actions, are put in their place. A
 * step after one that failed is done only when it says `always()`.
 */
export async function runJob(name: string, job: Job, runner: Runner): Promise<EndedJob> {
  const temporary = mkdtempSync(join(tmpdir(), "magis-runner-"));
  const [event, summary] = [join(temporary, "event.json"), join(temporary, "summary.md")];
  writeFileSync(event, runner.event.body);
  writeFileSync(summary, "");
  const environment = {
    PATH: process.env.PATH ?? "",
    GITHUB_EVENT_NAME: runner.event.name,
    GITHUB_EVENT_PATH: event,
    GITHUB_JOB: name,
    GITHUB_STEP_SUMMARY: summary,
    RUNNER_TEMP: temporary,
    GITHUB_RUN_ID: String(Date.now()),
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_ACTION_PATH: projectRoot(),
    RUNNER_OS: "Linux",
    RUNNER_ARCH: "X64",
    ...runner.environment,
  };
  const values: Record<string, string> = { ...runner.values, "runner.temp": temporary };
  const ended = { exitCode: 0, log: "", outputs: {} as Texts };
  for (const step of job.steps) {
    const given = filled(step.with ?? {}, values);
    if (step.uses?.startsWith("actions/create-github-app-token@")) {
      values[`steps.${step.id}.outputs.token`] = runner.values["app.token"] ?? "";
    } else if (step.uses?.startsWith("actions/upload-artifact@")) {
      if (existsSync(given.path ?? ""))
        cpSync(given.path ?? "", join(runner.artifacts, given.name ?? ""), { recursive: true });
    } else if (step.uses?.startsWith("actions/download-artifact@")) {
      cpSync(join(runner.artifacts, given.name ?? ""), given.path ?? "", { recursive: true });
    } else if (step.uses === OWN_ACTION) {
      const done = await runSteps({ ...given, ...runner.inputs }, values, environment, runner);
      ended.exitCode ||= done.exitCode;
      ended.log += done.log;
      ended.outputs = done.outputs;
      for (const [key, value] of Object.entries(done.outputs)) values[`steps.${step.id}.outputs.${key}`] = value;
    } else throw new Error(`nobody knows the step ${JSON.stringify(step)}`);
  }
  return { ...ended, summary: readFileSync(summary, "utf8"), temporary };
}

/** The steps of `action.yml` itself. */
async function runSteps(
  given: Texts,
  values: Texts,
  environment: Texts,
  { started, shell }: Pick<Runner, "started" | "shell">,
) {
  const { inputs, runs } = actionFile();
  const own: Record<string, string> = { ...values };
  for (const [name, { default: otherwise }] of Object.entries(inputs)) {
    own[`inputs.${name}`] = given[name] ?? expand(String(otherwise), values);
  }
  const ended = { exitCode: 0, log: "", outputs: {} as Texts };
  for (const step of runs.steps) {
    // Caches are others' actions; nothing is kept in one here.
    if (step.run === undefined) continue;
    if (step.if?.includes("inputs.mode != 'make'") && own["inputs.mode"] === "make") continue;
    // It installs programs, as root.
    if (step.run.includes("sudo ")) continue;
    if (ended.exitCode !== 0 && !step.if?.includes("always()")) continue;
    const output = join(environment.RUNNER_TEMP ?? "", `output-${Math.random()}`);
    writeFileSync(output, "");
    const env = { ...environment, ...filled(step.env ?? {}, own), GITHUB_OUTPUT: output };
    const isOurs = step.run.includes(OWN_COMMAND);
    const done = await (isOurs && !started
      ? inProcess(step.run, env)
      : inShell(step.run, env, isOurs ? { started, shell } : {}));
    ended.log += done.log;
    ended.exitCode ||= done.exitCode;
    const outputs = readOutputs(readFileSync(output, "utf8"));
    for (const [name, value] of Object.entries(outputs)) own[`steps.${step.id}.outputs.${name}`] = value;
    if (isOurs && step.id) ended.outputs = outputs;
  }
  return ended;
}

/** What the steps that do the work carry out; what stands before them installs its packages. */
const OWN_COMMAND = '"$GITHUB_ACTION_PATH/src/cli.ts" action ';

/** The action sets up a Node that runs TypeScript as it is; here any does, by what the tests load. */
const NODE_CHECK = '--require "$GITHUB_ACTION_PATH/bin/needs-node.cjs" ';

async function inShell(script: string, env: Texts, { started, shell = [] }: Pick<Runner, "started" | "shell">) {
  const bash = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script.replace(NODE_CHECK, "")];
  const [program = "bash", ...words] = [...shell, ...bash];
  const child = spawn(program, words, {
    env,
    cwd: env.RUNNER_TEMP,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  started?.(child);
  let log = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (bytes: Buffer) => (log += bytes.toString()));
  const [code] = await once(child, "close");
  return { log, exitCode: code ?? 137 };
}

/** What the script starts, but for the start. */
async function inProcess(script: string, env: Texts) {
  const words = ["action", "--mode", env.INPUT_MODE ?? "", ...(script.includes(" --ended") ? ["--ended"] : [])];
  const { exitCode, out, err } = await startMagisHere(words, { environment: env, cwd: env.RUNNER_TEMP ?? "" }).ended;
  return { log: `${out}${err}`, exitCode: exitCode ?? 0 };
}

const filled = (texts: Texts, values: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, expand(String(text), values)]));

/** As the runner does with expressions that are one name; anything else is a fault of the test. */
function expand(text: string, values: Texts): string {
  return text.replace(/\$\{\{ *(.+?) *\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nothing stands for ${name}`);
    return value;
  });
}

function readOutputs(text: string): Texts {
  const blocks = [...text.matchAll(/^(.+?)<<(.+)\n([\s\S]*?)\n\2$/gm)];
  const lines = blocks.length > 0 ? [] : [...text.matchAll(/^(\w+)=(.*)$/gm)];
  return Object.fromEntries([
    ...blocks.map(([, name = "", , value = ""]) => [name, value]),
    ...lines.map(([, name = "", value = ""]) => [name, value]),
  ]);
}

/** A folder for artifacts. */
export function artifactFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "magis-artifacts-"));
  mkdirSync(folder, { recursive: true });
  return folder;
}
