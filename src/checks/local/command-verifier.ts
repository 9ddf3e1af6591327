import { existsSync, readFileSync, rmSync } from "node:fs";
import { lstat, mkdir, mkdtemp, readdir, realpath, rm, rmdir, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileMode } from "../../code/edits/file-mode.ts";
import { type CommitResults, NO_RESULTS, type RanJob } from "../../data/test-results.ts";
import { atExit } from "../../git/at-exit.ts";
import { searchPathOf } from "../../git/programs.ts";
import type { Repository } from "../../git/repository.ts";
import type { TriedChange, Verifier } from "../../run/verifier.ts";
import { judge } from "../test-logs/judge.ts";
import { readStep } from "../test-logs/read-test-log.ts";
import { type CommandEnd, type CommandLimits, runCommand } from "./run-command.ts";
import type { Sandbox } from "./sandbox.ts";
import { partsOfTool, toolPlaces } from "./sandbox-tools.ts";
import { type TreeFile, type TreeLink, writeTree } from "./write-tree.ts";

export interface CommandVerifierOptions {
  command: string;
  /** the commit that changes are made on */
  repository: Repository;
  /** the person's checkout, whose installed dependencies the copy sees */
  beside?: string;
  /** more absolute paths that the sandbox shows, read-only */
  asked?: readonly string[];
  /** absent: it runs like any program on this machine */
  sandbox: Sandbox | undefined;
  environment: Readonly<Record<string, string | undefined>>;
  limits: CommandLimits;
}

/** A verifier that runs a command in a throw-away copy of the repository. The verdict: exit code and output. */
export function createCommandVerifier(options: CommandVerifierOptions): Verifier {
  const { command, repository, limits, beside, asked = [], sandbox } = options;
  let base: CommitResults = NO_RESULTS;
  return {
    async verify(change, question, signal) {
      const top = await realpath(await mkdtemp(path.join(os.tmpdir(), "magis-check-")));
      const gone = atExit(() => rmSync(top, { recursive: true, force: true }));
      try {
        const folder = path.join(top, "copy");
        for (const name of ["copy", "home", "tmp"]) await mkdir(path.join(top, name));
        const environment = pathOfCopy(options.environment, beside, folder);
        const installed = await findInstalled(beside, repository);
        await writeCopy(folder, change, { repository, folders: [...installed.keys()] });
        const shown = await placesFor(folder, installed);
        if (!sandbox) for (const [place, from] of shown) await replaceByLink(place, from);
        const variables: Record<string, string> = bundled(installed) ? { BUNDLE_PATH: BUNDLE } : {};
        const tools = () => [
          ...toolPlaces({ environment: options.environment, paths: repository.entries.keys(), beside }),
          ...[...installed].flatMap(([, from]) => interpretersOf(from, environment.HOME)),
          ...asked,
        ];
        const run = { command, folder, environment, variables, limits };
        const end = await runCommand(
          sandbox ? { ...run, sandbox: { is: sandbox, tools: tools(), shown } } : run,
          signal,
        );
        signal.throwIfAborted();
        const ran = { ...NO_RESULTS, jobs: [ranJob(command, end)] };
        if (question.ask === "base") base = ran;
        const now = question.ask === "red" ? { red: ran } : { green: ran };
        return judge({ base, ...now }, question, [...repository.entries.keys()]);
      } finally {
        await rm(top, { recursive: true, force: true });
        gone();
      }
    },
  };
}

const WHY_ENDED: Readonly<Record<NonNullable<CommandEnd["stopped"]>, string>> = {
  time: "too much time",
  disk: "too little is left of the disk",
  output: "too much output",
  cancelled: "cancelled",
};

/** A command as a job with one step. */
function ranJob(command: string, { code, output, seconds, stopped }: CommandEnd): RanJob {
  const job = { app: "", workflow: "", name: command, summary: "", seconds: Math.round(seconds) };
  if (stopped === "time") return { ...job, state: "neutral", because: "timed-out" };
  const state = code === 0 && stopped === undefined ? "passed" : "failed";
  const log = stopped === undefined ? output : `${output}\nIt was ended: ${WHY_ENDED[stopped]}.\n`;
  return { ...job, state, steps: [readStep(command, state, log)] };
}

/** Writes the commit's files with the change applied, and empty folders for what the copy is shown. */
async function writeCopy(
  folder: string,
  { files }: TriedChange,
  { repository, folders }: { repository: CommandVerifierOptions["repository"]; folders: string[] },
): Promise<void> {
  const changed = new Map(files.map(({ path: file, content }) => [file, content]));
  const kept = [...repository.entries.values()].filter(
    ({ path: file, mode, size }) => !changed.has(file) && mode !== "160000" && size !== undefined,
  );
  const links: TreeLink[] = [];
  for (const { path: file, blob, mode } of kept) {
    if (mode !== "120000") continue;
    links.push({ path: file, target: Buffer.from(await repository.readBlob(blob)).toString("utf8") });
  }
  async function* written(): AsyncGenerator<TreeFile> {
    for (const { path: file, blob, mode } of kept) {
      if (mode === "120000") continue;
      yield { path: file, content: await repository.readBlob(blob), executable: mode === "100755" };
    }
    for (const [file, content] of changed) {
      if (content === null) continue;
      yield { path: file, content, executable: fileMode(file, content, repository.entries) === "100755" };
    }
  }
  await writeTree(folder, { files: written(), links, folders });
}

/** Dependency folders, which no commit holds and tests need. None is a place for passwords. */
const INSTALLED = new Set(["node_modules", ".venv", "venv", "vendor", "deps", "Pods", "bower_components", "elm-stuff"]);

/** Where Bundler installs for one project. Its settings, which may hold passwords, are not shown. */
const BUNDLE = "vendor/bundle";

const bundled = (installed: ReadonlyMap<string, string>) =>
  existsSync(path.join(installed.get("vendor") ?? "", "bundle"));

const MAX_DEPTH = 3;

/** The dependency folders of the person's checkout that the commit does not hold, by path. */
async function findInstalled(
  top: string | undefined,
  { entries }: CommandVerifierOptions["repository"],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (top === undefined) return found;
  const folders = [...entries.keys()]
    .map((file) => file.split("/").slice(0, -1))
    .flatMap((parts) => parts.map((_, at) => parts.slice(0, at + 1).join("/")));
  const held = new Set([...folders, ...entries.keys()]);
  const look = async (at: string, depth: number): Promise<void> => {
    const names = await readdir(path.join(top, at), { withFileTypes: true }).catch(() => []);
    for (const one of names) {
      const place = path.posix.join(at, one.name);
      if (INSTALLED.has(one.name) && !held.has(place)) {
        const from = await dependenciesAt(path.join(top, place));
        if (from !== undefined) found.set(place, from);
      } else if (one.isDirectory() && held.has(place) && depth < MAX_DEPTH) await look(place, depth + 1);
    }
  };
  await look("", 1);
  return found;
}

/** The real dependency folder behind a path. A checkout may hold a link to anything, which gives undefined. */
async function dependenciesAt(place: string): Promise<string | undefined> {
  const end = await realpath(place).catch(() => undefined);
  if (end === undefined || !(await lstat(end)).isDirectory()) return undefined;
  const isAlike = INSTALLED.has(path.basename(end)) || existsSync(path.join(end, "pyvenv.cfg"));
  return isAlike ? end : undefined;
}

/** The environment with search path entries in the person's checkout (`node_modules/.bin`) moved to the copy. */
function pathOfCopy(
  environment: CommandVerifierOptions["environment"],
  beside: string | undefined,
  folder: string,
): CommandVerifierOptions["environment"] {
  if (beside === undefined) return environment;
  const top = path.resolve(beside);
  const entries = searchPathOf(environment)
    .split(path.delimiter)
    .map((entry) => (`${entry}${path.sep}`.startsWith(`${top}${path.sep}`) ? folder + entry.slice(top.length) : entry));
  const others = Object.entries(environment).filter(([name]) => name.toUpperCase() !== "PATH");
  return { ...Object.fromEntries(others), PATH: entries.join(path.delimiter) };
}

/** A Python virtual environment's folder, which its programs name, and the Python it was made from. */
function interpretersOf(folder: string, home: string | undefined): readonly string[] {
  const settings = path.join(folder, "pyvenv.cfg");
  if (!existsSync(settings)) return [];
  const base = /^home\s*=\s*(\/\S+)\s*$/m.exec(readFileSync(settings, "utf8"))?.[1];
  const hasPython = base !== undefined && path.basename(base) === "bin" && existsSync(path.join(base, "python3"));
  return [folder, ...(hasPython ? partsOfTool(path.normalize(base), home) : [])];
}

/** The absolute places for shown folders in the copy: those that exist and are no links. */
async function placesFor(folder: string, installed: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  for (const [at, from] of installed) {
    const place = path.join(folder, at);
    const isThere = (await realpath(place).catch(() => "")) === place && (await lstat(place)).isDirectory();
    if (isThere) places.set(place, from);
  }
  return places;
}

/** Without a sandbox nothing can be mounted over the empty folder. */
async function replaceByLink(place: string, from: string): Promise<void> {
  await rmdir(place);
  await symlink(from, place, "junction");
}
