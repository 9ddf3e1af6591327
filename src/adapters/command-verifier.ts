import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { MagisError } from "../model/error.ts";
import type { Repository } from "../ports/repository.ts";
import type { TriedChange, Verifier } from "../ports/verifier.ts";
import { type EndedCheck, judgeEnded } from "../search/test-logs/judge.ts";
import { type CommandEnd, type CommandLimits, runCommand, SANDBOX } from "./run-command.ts";

export type SandboxWish = "off" | "auto" | "required";

export interface CommandVerifierOptions {
  readonly command: string;
  /** the commit that changes are made on */
  readonly repository: Pick<Repository, "commit" | "entries" | "readBlob">;
  /** a directory of the person's, whose installed dependencies the copy is shown; absent: there is none */
  readonly beside?: string;
  readonly sandbox: SandboxWish;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly limits: CommandLimits;
  /** hears, once, what is missing */
  warn(sentence: string): void;
}

/**
 * A verifier that runs a command in a copy of the repository that is thrown away, in this machine's sandbox where there is
 * one. What the command is told by: its exit code and what it prints. Throws CONFIGURATION_INVALID when the sandbox is
 * required and does not work here.
 */
export function createCommandVerifier(options: CommandVerifierOptions): Verifier {
  const { command, repository, environment, limits } = options;
  const sandboxed = chooseSandbox(options);
  let onBase: EndedCheck["state"] | undefined;
  return {
    async verify(change, question, signal) {
      const top = await mkdtemp(path.join(os.tmpdir(), "magis-check-"));
      try {
        const folder = path.join(top, "copy");
        for (const name of ["copy", "home", "tmp"]) await mkdir(path.join(top, name));
        await writeCopy(folder, change, repository);
        const shown =
          options.beside === undefined ? new Map<string, string>() : await installed(options.beside, repository);
        for (const [at, from] of shown) await makePlace(path.join(folder, at), from, sandboxed);
        const end = await runCommand({ command, folder, shown, environment, sandboxed, limits }, signal);
        signal.throwIfAborted();
        const ended = endedCheck(command, end, onBase);
        if (question.ask === "base") onBase = ended.state;
        return judgeEnded([ended], question, [...repository.entries.keys()]);
      } finally {
        await rm(top, { recursive: true, force: true });
      }
    },
  };
}

/** Whether commands are run in the sandbox, tried out here and now: it may be there and not be allowed. */
function chooseSandbox({ sandbox, environment, warn }: CommandVerifierOptions): boolean {
  if (sandbox === "off") return false;
  const tried = spawnSync(
    SANDBOX,
    ["--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "true"],
    {
      env: { PATH: environment.PATH },
      encoding: "utf8",
    },
  );
  if (tried.status === 0) return true;
  const why = tried.error
    ? `${SANDBOX} (bubblewrap) is not there`
    : `${SANDBOX} does not work here (${tried.stderr.trim().split("\n").at(-1)})`;
  if (sandbox === "required") {
    throw new MagisError("CONFIGURATION_INVALID", `The check was to run in a sandbox, but ${why}.`);
  }
  warn(`The check runs without a sandbox, since ${why}: it can use the network and read what you can read.`);
  return false;
}

/** What `magis` shows of a command as a check. */
function endedCheck(
  command: string,
  { code, output, seconds, stopped }: CommandEnd,
  onBase: EndedCheck["state"] | undefined,
): EndedCheck {
  const told = { name: command, seconds: Math.round(seconds), ...(onBase && { onBase }) };
  if (stopped === "time") return { ...told, state: "neutral", because: "timed-out" };
  if (stopped !== undefined)
    return { ...told, state: "failed", log: `${output}\nIt was ended: too much ${stopped}.\n` };
  return code === 0 ? { ...told, state: "passed" } : { ...told, state: "failed", log: output };
}

/** Writes the commit's files with the change over them. Links that lead out of the copy are left out. */
async function writeCopy(
  folder: string,
  { files }: TriedChange,
  repository: CommandVerifierOptions["repository"],
): Promise<void> {
  const changed = new Map(files.map(({ path: file, content }) => [file, content]));
  for (const { path: file, blob, mode, size } of repository.entries.values()) {
    if (changed.has(file) || mode === "160000" || size === undefined) continue;
    const content = await repository.readBlob(blob);
    if (mode === "120000") await link(folder, file, Buffer.from(content).toString("utf8"));
    else await write(folder, file, content, mode === "100755");
  }
  for (const [file, content] of changed) {
    if (content) await write(folder, file, content, repository.entries.get(file)?.mode === "100755");
  }
}

function placeOf(folder: string, file: string): string {
  const place = path.resolve(folder, file);
  if (place.startsWith(`${folder}${path.sep}`)) return place;
  throw new MagisError("ANSWER_INVALID", `${file} is no path in the repository.`);
}

async function write(folder: string, file: string, content: Uint8Array, executable: boolean): Promise<void> {
  const place = placeOf(folder, file);
  await mkdir(path.dirname(place), { recursive: true });
  await writeFile(place, content, { flag: "wx" });
  if (executable) await chmod(place, 0o755);
}

async function link(folder: string, file: string, target: string): Promise<void> {
  const place = placeOf(folder, file);
  const end = path.resolve(path.dirname(place), target);
  if (path.isAbsolute(target) || !end.startsWith(`${folder}${path.sep}`)) return;
  await mkdir(path.dirname(place), { recursive: true });
  await symlink(target, place);
}

/** Folders of dependencies, which no commit holds and a test cannot do without. */
const INSTALLED = new Set([
  "node_modules",
  ".venv",
  "venv",
  "vendor",
  "deps",
  "Pods",
  "bower_components",
  ".bundle",
  "elm-stuff",
]);

const MAX_DEPTH = 3;

/** The folders of dependencies in a person's directory that the commit does not hold, by their paths there. */
async function installed(top: string, { entries }: CommandVerifierOptions["repository"]): Promise<Map<string, string>> {
  const held = new Set(
    [...entries.keys()]
      .map((file) => file.split("/").slice(0, -1))
      .flatMap((parts) => parts.map((_, at) => parts.slice(0, at + 1).join("/"))),
  );
  const found = new Map<string, string>();
  const look = async (at: string, depth: number): Promise<void> => {
    const names = await readdir(path.join(top, at), { withFileTypes: true }).catch(() => []);
    for (const one of names) {
      const place = path.posix.join(at, one.name);
      if (INSTALLED.has(one.name) && !held.has(place)) {
        const from = path.join(top, place);
        const target = one.isSymbolicLink() ? path.resolve(path.dirname(from), await readlink(from)) : from;
        found.set(place, target);
      } else if (one.isDirectory() && held.has(place) && depth < MAX_DEPTH) await look(place, depth + 1);
    }
  };
  await look("", 1);
  return found;
}

/** In the sandbox the folder is laid over an empty one, read-only; without it a link leads there. */
async function makePlace(place: string, from: string, sandboxed: boolean): Promise<void> {
  await mkdir(path.dirname(place), { recursive: true });
  if (sandboxed) await mkdir(place, { recursive: true });
  else await symlink(from, place);
}
