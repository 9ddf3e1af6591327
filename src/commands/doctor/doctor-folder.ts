import { lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { untilAborted } from "../../data/cancellation.ts";
import { isMagisError } from "../../data/error.ts";
import type { OperatorLimits } from "../../data/settings.ts";
import { readGit } from "../../git/run-git.ts";
import { modelKeys } from "../../settings/environment/config.ts";
import { operatorLimits } from "../../settings/environment/operator.ts";
import { gitEnvironment, readCommandConfig } from "../../settings/environment/read-config.ts";
import { readSettings } from "../../settings/repository/read-settings.ts";
import { type FoundText, readUtf8 } from "../../text/found-text.ts";
import {
  type Check,
  checksWith,
  type Finding,
  fault,
  ok,
  runChecks,
  type Verdict,
  warning,
  withoutSecrets,
} from "../findings.ts";
import { checkNode } from "./check-local.ts";
import { createDoctor, type DoctorContext, type DoctorRequest, modelChecks } from "./list-checks.ts";

/**
 * `magis doctor --repo FOLDER`, for people without an app: checks git, the repository, its settings as they are in the
 * working copy, committed or not, and what a run on this machine needs. The findings hold no secret.
 */
export async function examineFolder(
  folder: string,
  request: DoctorRequest,
  { environment, signal }: DoctorContext,
): Promise<readonly Finding[]> {
  const doctor = createDoctor(request, { environment, signal });
  const { inspected, envFile } = doctor;
  const limits = operatorLimits(inspected.config);
  const git = (...args: string[]) =>
    readGit({ directory: folder, args, environment: gitEnvironment(environment), signal });
  const top = git("rev-parse", "--show-toplevel").catch((error: unknown) => {
    if (isMagisError(error)) return { code: 1, text: "", message: error.message };
    throw error;
  });
  const found = top.then(({ code, text }) => (code === 0 ? text : undefined));
  const checks: Check[] = [
    { name: "Node.js", run: () => checkNode(process.version) },
    { name: "git", run: async () => checkGit(folder, await top, git) },
    checksWith(found, "They need a working copy.")("settings", (place) => checkSettings(place, limits)),
    {
      name: "configuration",
      run: async () => checkVariables(() => readCommandConfig({}, envFile, environment)),
    },
    ...modelChecks(doctor),
  ];
  const findings = await untilAborted(runChecks(checks), signal);
  return findings.map((one) => withoutSecrets(one, modelKeys(inspected.config)));
}

type Answer = Awaited<ReturnType<typeof readGit>>;

async function checkGit(folder: string, top: Answer, git: (...args: string[]) => Promise<Answer>): Promise<Verdict> {
  if (top.code !== 0) {
    const why = top.message.replace(/^fatal: /, "").split("\n")[0] ?? "";
    return fault(
      `There is no working copy of a git repository at ${folder}: ${why.replace(/\.?$/, ".")}`,
      "Name one: --repo FOLDER.",
    );
  }
  const head = await git("rev-parse", "--verify", "HEAD^{commit}");
  if (head.code !== 0) return fault(`${top.text} has no commit yet, and a run works on one.`, "Commit something.");
  return ok(`${top.text} is at commit ${head.text.slice(0, 10)}.`);
}

/** Checks the settings of a working copy as a run would, without GitHub. */
async function checkSettings(top: string, limits: OperatorLimits): Promise<Verdict | readonly Verdict[]> {
  let extended: string | undefined;
  let isThere = false;
  const read = await readSettings({
    owner: OWNER,
    limits,
    listRepositoryFolder: (folder) => readdir(path.join(top, folder)).catch(() => []),
    async readRepositoryFile(file) {
      const text = await textOf(top, file);
      isThere ||= text !== undefined;
      return text;
    },
    async readOwnerFile(_, file) {
      extended = file;
      return "";
    },
  });
  if ("faults" in read) {
    // Whose repository it is, only GitHub knows.
    const own = read.faults.filter(({ message }) => !message.includes(OWNER));
    if (own.length > 0) return own.map(({ file, line, message }) => fault(`${file}, line ${line}: ${message}`));
    return warning("`_extends` names a repository of an owner, which only GitHub knows: it was not looked at.");
  }
  if (!isThere) return ok("There is no .github/magis.yml: the defaults hold.");
  const valid = ok(".github/magis.yml is valid, whether it is committed or not.");
  if (extended === undefined) return valid;
  return [valid, warning(`The file that it extends (${extended}) is on GitHub, and was not looked at.`)];
}

/** Stands for the owner's login, which a folder does not tell. */
const OWNER = "the-owner";

/** GitHub gives no larger file. */
const MAX_SIZE = 1024 * 1024;

/** What stands at a path, by exactly this name: some file systems find others, too. */
async function textOf(top: string, file: string): Promise<FoundText | undefined> {
  const place = path.join(top, file);
  const names = await readdir(path.dirname(place)).catch((): readonly string[] => []);
  if (!names.includes(path.basename(place))) return undefined;
  const found = await lstat(place);
  if (found.isDirectory()) return { unreadable: "is a folder" };
  if (!found.isFile()) return { unreadable: "is a link or another kind of file" };
  if (found.size > MAX_SIZE) return { unreadable: "is larger than 1 MB" };
  return readUtf8(await readFile(place));
}

const OF_THIS_MACHINE = "A run on this machine needs it; a job of the Action takes its own from the workflow.";

/** Checks the variables that a run on this machine needs, the key of the model among them. */
function checkVariables(read: () => unknown): Verdict | readonly Verdict[] {
  try {
    read();
    return ok("Every variable that a run on this machine needs is valid.");
  } catch (error) {
    if (!isMagisError(error, "CONFIGURATION_INVALID")) throw error;
    return error.message.split("\n").map((sentence) => fault(sentence, OF_THIS_MACHINE));
  }
}
