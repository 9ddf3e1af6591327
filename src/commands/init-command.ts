import { lstat, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { MagisError } from "../data/error.ts";
import { fileFault } from "../data/file-faults.ts";
import { OWN_FOLDER } from "../data/own-files.ts";
import { settingsIn } from "../data/setting-definitions/all-settings.ts";
import { readGit } from "../git/run-git.ts";
import { type Environment, gitEnvironment } from "../settings/environment/read-config.ts";
import type { CliCommand, CliOption, CliResult } from "./cli-command.ts";

const TEMPLATE = path.join(OWN_FOLDER, "pages", "init", "workflow.yml");

const WORKFLOWS = ".github/workflows";

const WORKFLOW = `${WORKFLOWS}/magis.yml`;

const SETTINGS = ".github/magis.yml";

const OPTIONS = [
  {
    name: "action",
    argument: "OWNER/REPO@COMMIT",
    description: "where the Action's code is, with a commit's full hash; without it, this checkout's origin and commit",
  },
] as const satisfies readonly CliOption[];

/**
 * `magis init`: writes the Action's workflow and a file of settings into a working copy. A file that is there stays as
 * it is.
 */
export const initCommand: CliCommand<typeof OPTIONS> = {
  examples: ["init", "init ../shop --action acme/magis@COMMIT"],
  options: OPTIONS,
  async run({ operand = ".", options }, { environment, signal }) {
    const git = createGit(environment, signal);
    const top = await git(operand, "rev-parse", "--show-toplevel");
    if (top === undefined) return { exitCode: 1, text: `There is no working copy of a git repository at ${operand}.` };
    const action = options.action ?? (await ownAction(git));
    if (action === undefined) return { exitCode: 2, text: NO_ACTION };
    if (!ACTION.test(action)) return { exitCode: 2, text: `${action} is not OWNER/REPO@COMMIT. ${FULL_HASH}` };
    return written(top, action);
  },
};

const ACTION = /^[\w.-]{1,100}\/[\w.-]{1,100}@[0-9a-f]{40}$/;

const FULL_HASH = "COMMIT is the full hash, 40 hex digits, of a commit that you have looked at.";

const NO_ACTION = `Say which repository on GitHub holds this code, your fork or copy: --action OWNER/REPO@COMMIT. ${FULL_HASH}`;

type Git = (folder: string, ...args: string[]) => Promise<string | undefined>;

/** Gives git's answer; undefined when it refuses. */
function createGit(environment: Environment, signal: AbortSignal): Git {
  return async (directory, ...args) => {
    const { code, text } = await readGit({ directory, args, environment: gitEnvironment(environment), signal });
    return code === 0 && text !== "" ? text : undefined;
  };
}

/** The repository and commit of the checkout that this program runs from; undefined when it is none. */
async function ownAction(git: Git): Promise<string | undefined> {
  const top = await git(OWN_FOLDER, "rev-parse", "--show-toplevel");
  if (top === undefined || path.resolve(top) !== path.resolve(OWN_FOLDER)) return undefined;
  const [origin = "", commit] = [
    await git(OWN_FOLDER, "remote", "get-url", "origin"),
    await git(OWN_FOLDER, "rev-parse", "HEAD"),
  ];
  const [, name] = /^(?:https:\/\/|(?:ssh:\/\/)?git@)[\w.-]+[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(origin) ?? [];
  return name && commit ? `${name}@${commit}` : undefined;
}

async function written(top: string, action: string): Promise<CliResult> {
  const template = await readFile(TEMPLATE, "utf8");
  const checks = await ownWorkflows(top);
  const workflow = template
    .replaceAll("OWNER/REPO@COMMIT", action)
    .replace("workflows: [CI]", () => `workflows: ${JSON.stringify(checks.length > 0 ? checks : ["CI"])}`);
  const lines = [
    await writeNew(top, WORKFLOW, workflow),
    await writeNew(top, SETTINGS, startingSettings()),
    "",
    "Then:",
    "1. Read both files, commit and push them.",
    "2. Add the secret ANTHROPIC_API_KEY: Settings, Secrets and variables, Actions.",
    '3. Tick "Allow GitHub Actions to create and approve pull requests": Settings, Actions, General.',
    "4. Label an issue magis.",
    "`magis doctor --repo .` checks the settings.",
  ];
  if (checks.length === 0) lines.splice(-1, 0, `In ${WORKFLOW}, put the name of the workflow that tests for CI.`);
  return { exitCode: 0, text: lines.join("\n") };
}

/** The names of the workflows that are there, whose failures the bot repairs. */
async function ownWorkflows(top: string): Promise<readonly string[]> {
  const { parse } = await import("yaml");
  const folder = path.join(top, WORKFLOWS);
  const files = (await readdir(folder).catch(() => [])).filter((name) => /\.ya?ml$/.test(name) && name !== "magis.yml");
  const names = files.map(async (file) => {
    const text = await readFile(path.join(folder, file), "utf8").catch(() => "");
    try {
      const { name = `${WORKFLOWS}/${file}` } = (parse(text) ?? {}) as { name?: unknown };
      return String(name);
    } catch {
      return [];
    }
  });
  return (await Promise.all(names)).flat();
}

/** Writes a file that is not there, and says so. Nothing is written through a link. */
async function writeNew(top: string, file: string, text: string): Promise<string> {
  const place = path.join(top, file);
  for (let folder = path.dirname(place); folder.length > top.length; folder = path.dirname(folder)) {
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isSymbolicLink())
      throw new MagisError(
        "CONFIGURATION_INVALID",
        `${file} cannot be written: ${path.relative(top, folder)} is a link.`,
      );
  }
  try {
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, text, { flag: "wx" });
    return `Written: ${file}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return `Left as it is: ${file}, which is there already.`;
    throw new MagisError("CONFIGURATION_INVALID", `${file} cannot be written: ${fileFault(error)}.`, {}, error);
  }
}

const COLUMNS = 100;

/** Every setting of the repository's file with what it means and its default, all commented out. */
export function startingSettings(): string {
  const lines = [
    "Settings of MAGIS for this repository. All are optional, and these are the defaults: take the # away",
    "from what you want to change, and check it by: magis doctor --repo .",
  ].map((line) => `# ${line}`);
  let above = "";
  for (const [, { sentence, environment, file, default: value }] of settingsIn("file")) {
    const [head = "", inner] = file.key.split(".");
    lines.push("", ...wrapped([sentence, file.note && `(${file.note})`].filter(Boolean).join(" ")));
    if (inner !== undefined && head !== above) lines.push(`#${head}:`);
    above = inner === undefined ? "" : head;
    const key = inner === undefined ? file.key : `  ${inner}`;
    lines.push(`#${key}: ${value === undefined ? (environment?.example ?? "…") : JSON.stringify(value)}`);
  }
  return `${lines.join("\n")}\n`;
}

function wrapped(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + word.length >= COLUMNS) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`.trim();
  }
  return lines.map((line) => `# ${line}`);
}
