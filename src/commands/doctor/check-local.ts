import fs from "node:fs";
import { access, constants, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { LIMIT_VARIABLES, limitsBelowARun } from "../../settings/environment/limits-below-a-run.ts";
import { APP_VARIABLES, type InspectedConfig } from "../../settings/environment/read-config.ts";
import type { BotCommands } from "../bot-commands.ts";
import { fault, ok, skipped, type Verdict, warning } from "../findings.ts";
import type { Ask } from "./ask.ts";

const LEAST = [20, 19] as const;

/** Checks that the program supports this version of Node.js. */
export function checkNode(version: string): Verdict {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const least = LEAST.join(".");
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return ok(`Version ${version}.`);
  return fault(`Version ${version} is older than ${least}.`, `Install Node.js ${least} or later.`);
}

/** Checks that each limit of money has room for a run. */
export function checkLimits({ config, sound }: InspectedConfig): Verdict | readonly Verdict[] {
  if (!sound("MAGIS_BUDGET_MONEY", ...LIMIT_VARIABLES)) return skipped("They need valid numbers.");
  const tooLow = limitsBelowARun(config);
  return tooLow.length > 0 ? tooLow.map((sentence) => fault(sentence)) : ok("A run fits in each of them.");
}

/** Checks that git ignores the file with the secrets and has not committed it. `file` is absolute. */
export async function checkEnvFile(file: string): Promise<Verdict> {
  if (!fs.existsSync(file)) return ok("There is no file; the variables come from the environment.");
  try {
    const { default: git } = await import("isomorphic-git");
    const root = await git.findRoot({ fs, filepath: path.dirname(file) }).catch(() => undefined);
    if (root === undefined) return ok("It is not in a git repository.");
    const filepath = path.relative(root, file).split(path.sep).join("/");
    const tracked = await git.listFiles({ fs, dir: root });
    if (tracked.includes(filepath)) {
      return warning(
        "Git tracks it, along with its secrets.",
        `Run git rm --cached ${filepath}, add it to .gitignore, and replace its secrets if anyone else has the repository.`,
      );
    }
    if (await git.isIgnored({ fs, dir: root, filepath })) return ok("Git ignores it.");
    return warning(
      "Git does not ignore it: the next commit could include its secrets.",
      `Add ${filepath} to .gitignore.`,
    );
  } catch {
    return skipped("Could not ask git whether it ignores the file.");
  }
}

const OTHERS = 0o077;

/** Checks that only the owner can read a file with secrets. Undefined: the file does not exist. */
export async function checkFileRights(file: string | undefined): Promise<Verdict | readonly Verdict[]> {
  if (file === undefined) return [];
  if (process.platform === "win32") return skipped("File permissions are not checked on Windows.");
  const mode = await stat(file).then(
    (found) => found.mode & 0o777,
    () => undefined,
  );
  if (mode === undefined) return [];
  if ((mode & OTHERS) === 0) return ok("Only its owner can read it.");
  const rights = mode.toString(8).padStart(3, "0");
  return warning(`Other users of this machine can use it (mode ${rights}).`, `Run chmod 600 ${path.basename(file)}.`);
}

const GIGABYTE = 1e9;

/** The bot does not start with less. */
const LEAST_BYTES = 100e6;

/** Checks that MAGIS_DATA_DIR, or the folder where it would be made, is writable and has room. Changes nothing. */
export async function checkDiskSpace(dataDir: string, leastBytes = GIGABYTE): Promise<Verdict> {
  let place = dataDir;
  for (;;) {
    const code = await access(place, constants.W_OK | constants.X_OK).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code ?? "",
    );
    if (code === undefined) break;
    const above = path.dirname(place);
    if (code === "ENOENT" && above !== place) {
      place = above;
      continue;
    }
    const why = code === "ENOTDIR" ? "a part of it is a file" : `this user may not write to ${place}`;
    return fault(`${dataDir} cannot be used: ${why}.`, "Set MAGIS_DATA_DIR to a directory that the bot's user owns.");
  }
  const disk = await statfs(place).catch(() => undefined);
  // Some network file systems do not know the size and report 0.
  if (disk === undefined || disk.blocks === 0) return skipped(`The disk of ${dataDir} does not say how much is free.`);
  const free = disk.bavail * disk.bsize;
  const text = `${(free / GIGABYTE).toFixed(1)} GB of the disk of ${dataDir} are free`;
  const remedy = "Free some space: the bot does not start with less than 100 MB.";
  if (free < LEAST_BYTES) return fault(`${text}.`, remedy);
  if (free < leastBytes) return warning(`${text}.`, remedy);
  return ok(`${text}${place === dataDir ? "" : "; it is made at the first start"}.`);
}

/**
 * The faults that reading the configuration found, and unknown variables, each with its remedy. When no app is
 * configured at all, that alone comes first, with its one remedy.
 */
export function checkConfiguration(
  { hasApp, appFaults, faults, unknown }: Pick<InspectedConfig, "hasApp" | "appFaults" | "faults" | "unknown">,
  { toSetUp }: Pick<BotCommands, "toSetUp">,
): readonly Verdict[] {
  const findings = [
    ...(hasApp ? [] : [fault(`No GitHub App is configured: ${APP_VARIABLES.join(", ")} are not set.`, toSetUp)]),
    ...[...(hasApp ? appFaults : []), ...faults].map((sentence) => fault(sentence)),
    ...unknown.map((sentence) => warning(sentence)),
  ];
  return findings.length > 0 ? findings : [ok("Every variable is valid.")];
}

/** GitHub refuses a JWT issued more than a minute in the future. */
const MAX_SECONDS = 60;

const NOTICED_SECONDS = 20;

/** Whether GitHub answers, and this machine's clock agrees with its Date header, which counts whole seconds. */
export async function checkClock(ask: Ask, apiUrl: string, now: () => number = Date.now): Promise<Verdict> {
  const before = now();
  const reply = await ask(`${apiUrl}/meta`);
  if ("silence" in reply) return fault(`${apiUrl} ${reply.silence}.`, "Check the network, the proxy and GHE_HOST.");
  const theirs = Date.parse(reply.headers.get("date") ?? "");
  if (Number.isNaN(theirs)) return skipped(`${apiUrl} does not say what time it is.`);
  const seconds = Math.round(((before + now()) / 2 - theirs) / 1000);
  const off = `This machine's clock is ${Math.abs(seconds)} s ${seconds > 0 ? "ahead of" : "behind"} GitHub's`;
  const remedy = "Let the system set its clock by NTP.";
  if (Math.abs(seconds) > MAX_SECONDS) return fault(`${off}: the app's tokens are refused from 60 s on.`, remedy);
  if (Math.abs(seconds) > NOTICED_SECONDS) return warning(`${off}.`, remedy);
  return ok(`${apiUrl} answers, and this machine's clock agrees with it.`);
}
