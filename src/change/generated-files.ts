import ignore from "ignore";
import { readText } from "../code/edits/text-file.ts";
import { readList, readWords } from "../data/own-files.ts";
import type { Task } from "../data/plan.ts";
import type { PastCommit, Repository } from "../git/repository.ts";
import { readAttributes } from "../search/attributes.ts";
import { classifyContent, classifyFile } from "../search/classify-file.ts";
import { parseJson } from "../text/bounded.ts";
import type { Side } from "./sides.ts";

/**
 * Why a task leaves its file alone, in a sentence: a tool writes it (then with the command, where one can be told), it is
 * in Git LFS, or no text. Undefined for a file that people write, or that the task deletes. Only the first lines of
 * `before` can say that a tool writes it.
 */
export async function whyLeftAlone(
  { path, action }: Pick<Task, "path" | "action">,
  before: Uint8Array | undefined,
  files: Repository,
): Promise<string | undefined> {
  const content = action === "delete" ? undefined : before;
  const found = content === undefined ? undefined : classifyContent(content);
  if (content === undefined || !found || found.kind === "minified") return undefined;
  if (found.kind === "lfs-pointer") return "It is kept in Git LFS: its content is not here, so it is not edited.";
  if (found.kind === "binary") return `It is not edited: ${found.reason}.`;
  const attributes = await readAttributes(files.entries.values(), (blob) => files.readBlob(blob));
  if (attributes.of(path).generated === false) return undefined;
  const command = await renewalOf(path, content, files);
  return `Its header says that it is generated, so it is not edited by hand.${command ? ` Regenerate it with ${spanOf(command)}.` : ""}`;
}

/** Fewer changes of a file tell nothing about what changes with it. */
const LEAST_CHANGES = 3;

const USUAL = 0.4;

/** Files named in a pull request. */
const MAX_NAMED = 5;

/**
 * Generated files and recorded results that usually changed together with files of a change, each in a sentence with
 * the command that makes it anew. Those that the change has are left out.
 */
export async function staleFiles(
  changed: readonly string[],
  landed: readonly PastCommit[],
  files: Repository,
): Promise<readonly string[]> {
  const made = (path: string) => {
    const entry = files.entries.get(path);
    if (!entry || changed.includes(path)) return false;
    const { kind, reason } = classifyFile(entry);
    // Mostly a report of API Extractor. Some are written by hand, so its name alone decides nothing else.
    return (kind === "generated" && reason !== "a source map") || path.endsWith(".api.md");
  };
  const together = new Map<string, { partner: string; times: number; all: number }>();
  for (const partner of changed) {
    const past = landed.filter(({ paths }) => paths.includes(partner));
    if (past.length < LEAST_CHANGES) continue;
    for (const path of new Set(past.flatMap(({ paths }) => paths.filter(made)))) {
      const times = past.filter(({ paths }) => paths.includes(path)).length;
      const known = together.get(path);
      if (times >= USUAL * past.length && times > (known?.times ?? 0))
        together.set(path, { partner, times, all: past.length });
    }
  }
  const most = [...together].sort((a, b) => b[1].times - a[1].times).slice(0, MAX_NAMED);
  return Promise.all(
    most.map(async ([path, { partner, times, all }]) => {
      const entry = files.entries.get(path);
      const command = entry && (await renewalOf(path, await files.readBlob(entry.blob), files));
      const often = `\`${path}\` changed in ${times} of the last ${all} changes of \`${partner}\``;
      return command ? `${often}: regenerate it with ${spanOf(command)}.` : `${often}.`;
    }),
  );
}

const RENEWAL = /^(?<names>[^:]+?)(?: where (?<file>\S+) has (?<word>\S+))?: (?<command>.+)$/;

const spanOf = (command: string) => `\`${command.replaceAll("`", "")}\``;

/** The lines of `lists/renewals.txt` that name files. */
const RENEWALS = readList("renewals").flatMap((line) => {
  const { names, file, word, command } = RENEWAL.exec(line)?.groups ?? {};
  if (names === undefined || command === undefined || /^(?:program|prose)$/.test(names)) return [];
  return [{ fits: ignore().add(names.split(" ")), file, word, command }];
});

/**
 * The command or program that makes a file anew: that of its name, a script or target of the repository that names it,
 * or the one in its own header. A header is the file's own words, so untrusted. Undefined when nothing says so.
 */
export async function renewalOf(path: string, content: Uint8Array, files: Side): Promise<string | undefined> {
  for (const { fits, file, word = "", command } of RENEWALS) {
    if (fits.ignores(path) && (file === undefined || (await textOf(file, files)).includes(word))) return command;
  }
  const manifest = await textOf("package.json", files);
  return scriptFor(path, manifest, files) ?? (await makeTarget(path, files)) ?? namedIn(content);
}

const MAX_LENGTH = 1024 * 1024;

/** The script of the root's package.json that names the file, or builds the folder it is in. */
function scriptFor(path: string, manifest: string, { entries }: Side): string | undefined {
  const read = manifest === "" ? undefined : parseJson(manifest, { length: MAX_LENGTH });
  const { scripts } = ((read && "value" in read && read.value) || {}) as { scripts?: unknown };
  if (typeof scripts !== "object" || scripts === null) return undefined;
  const all = Object.entries(scripts).filter((one): one is [string, string] => typeof one[1] === "string");
  const name = path.slice(path.lastIndexOf("/") + 1);
  const isBuilt = /^(?:dist|lib|build|out)\//.test(path);
  const [found] =
    all.find(([, script]) => script.includes(name)) ??
    all.find(([key]) => isBuilt && /^(?:package|build|bundle)$/.test(key)) ??
    [];
  const runner = ["pnpm", "yarn"].find((one) => entries.has(one === "pnpm" ? "pnpm-lock.yaml" : "yarn.lock")) ?? "npm";
  return found && `${runner} run ${found}`;
}

/** The file's own rule in the Makefile of the root. */
async function makeTarget(path: string, files: Side): Promise<string | undefined> {
  const lines = (await textOf("Makefile", files)).split("\n");
  return lines.some((line) => line.startsWith(`${path}:`)) ? `make ${path}` : undefined;
}

async function textOf(path: string, { entries, readBlob }: Side): Promise<string> {
  const entry = entries.get(path);
  if (!entry?.mode.startsWith("100") || (entry.size ?? 0) > MAX_LENGTH) return "";
  const content = await readBlob(entry.blob);
  return (content && readText(content)?.lines.join("")) ?? "";
}

const HEADER = 1_500;

const MAX_COMMAND = 120;

/** What a header says before the command: "run `make gen`", "Code generated by", "To regenerate, run". */
const SAYS = [
  /\b(?:run|running|use|using|execute)[: ]{1,2}([`'"][\w./][\w ./:@=-]{1,78}[`'"])/i,
  /\b(?:re-?generate|update)[^\n]{0,40}?\b(?:run|with|by|using|via):?\s+(.+)/i,
  /\bgenerated\b[^\n]{0,60}?\b(?:by|with|using|via|running)\b:?\s+(.+)/i,
];

/** The first command in a header. Another sentence is not: told as a command it would mislead. */
function namedIn(content: Uint8Array): string | undefined {
  const lines = Buffer.from(content.subarray(0, HEADER)).toString("utf8").split("\n");
  return lines.flatMap((line) => SAYS.flatMap((words) => commandIn(words.exec(line)?.[1] ?? "") ?? []))[0];
}

function commandIn(said: string): string | undefined {
  const [, quoted] = /[`'"]([^`'"]+)[`'"]/.exec(said) ?? [];
  const words = (quoted ?? said)
    .replace(/(?<!\s)[;,.]?\s*\b(?:do not|don't|please)\b.*/i, "")
    .replace(/(?<!\s)\s*(?:\*\/|-->|[.;,])\s*$/, "")
    .replace(/^(?:the )?(?:command|program|script|tool) /i, "")
    .trim();
  const named = /^(\S+) v?\d[\w.]*$/.exec(words)?.[1] ?? words;
  return named.length <= MAX_COMMAND && isCommand(named) ? named : undefined;
}

const PROGRAMS = new Set(readWords("renewals", "program").flat());

const PROSE = new Set(readWords("renewals", "prose").flat());

/** One word is a program's name. More are a command where the first is a known one or a path, or with an option. */
function isCommand(words: string): boolean {
  const [program = "", ...others] = words.toLowerCase().split(/\s+/);
  if (others.length === 0) return /^[\p{L}\p{N}@./]/u.test(program) && !PROSE.has(program);
  return PROGRAMS.has(program) || /^[\w.@-]*\/[\w./-]+$/.test(program) || others.some((word) => /^--?\w/.test(word));
}
