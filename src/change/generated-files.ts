import { readText } from "../code/edits/text-file.ts";
import type { Task } from "../data/plan.ts";
import type { PastCommit, Repository } from "../git/repository.ts";
import { readAttributes } from "../search/attributes.ts";
import { classifyContent, classifyFile } from "../search/classify-file.ts";
import { parseJson } from "../text/bounded.ts";

type Files = Repository;

/**
 * Why a task leaves its file alone, in a sentence: a tool writes it (then with the command, where one can be told), it is
 * in Git LFS, or no text. Undefined for a file that people write, or that the task deletes. Only the first lines of
 * `before` can say that a tool writes it.
 */
export async function whyLeftAlone(
  { path, action }: Pick<Task, "path" | "action">,
  before: Uint8Array | undefined,
  files: Files,
): Promise<string | undefined> {
  const content = action === "delete" ? undefined : before;
  const found = content === undefined ? undefined : classifyContent(content);
  if (content === undefined || !found || found.kind === "minified") return undefined;
  if (found.kind === "lfs-pointer") return "It is kept in Git LFS: its content is not here, so it is not edited.";
  if (found.kind === "binary") return `It is not edited: ${found.reason}.`;
  const attributes = await readAttributes(files.entries.values(), (blob) => files.readBlob(blob));
  if (attributes.of(path).generated === false) return undefined;
  const command = await renewedBy(path, content, files);
  return `It is generated, says its header, so it is not edited by hand.${command ? ` To be made anew by ${command}.` : ""}`;
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
  files: Files,
): Promise<readonly string[]> {
  const made = (path: string) => {
    const entry = files.entries.get(path);
    if (!entry || changed.includes(path)) return false;
    const { kind, reason } = classifyFile(entry);
    return (kind === "generated" && reason !== "a source map") || API_REPORT.test(path);
  };
  const together = new Map<string, { readonly partner: string; readonly times: number; readonly all: number }>();
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
      const command = entry && (await renewedBy(path, await files.readBlob(entry.blob), files));
      const often = `\`${path}\` changed in ${times} of the last ${all} changes of \`${partner}\``;
      return command ? `${often}: make it anew by ${command}.` : `${often}.`;
    }),
  );
}

const API_REPORT = /\.api\.md$/;

/** The command or tool that makes a file anew, as code; undefined if nothing names it. */
async function renewedBy(path: string, content: Uint8Array, files: Files): Promise<string | undefined> {
  const script = await scriptFor(path, files);
  const command = recorder(path, script.text) ?? script.command ?? (await makeTarget(path, files)) ?? namedIn(content);
  return command === undefined ? undefined : `\`${command.replaceAll("`", "")}\``;
}

/** What renews recorded results. */
function recorder(path: string, manifest: string): string | undefined {
  if (/\.ambr$/.test(path)) return "pytest --snapshot-update";
  if (API_REPORT.test(path)) return "api-extractor run --local";
  if (/(?:^|\/)__snapshots__\/.*\.snap$/.test(path)) return manifest.includes('"vitest"') ? "vitest run -u" : "jest -u";
  return /(?:^|\/)snapshots\/.*\.snap$/.test(path) ? "cargo insta test --accept" : undefined;
}

const MANIFEST = "package.json";

const LIMITS = { length: 1024 * 1024 };

/** The script of the root's package.json that names the file, or builds the folder it is in. */
async function scriptFor(path: string, files: Files): Promise<{ readonly text: string; readonly command?: string }> {
  const text = await textOf(MANIFEST, files);
  const read = text === "" ? undefined : parseJson(text, LIMITS);
  const { scripts } =
    (read?.fault === undefined ? (read?.value as { scripts?: unknown } | undefined) : undefined) ?? {};
  if (typeof scripts !== "object" || scripts === null) return { text };
  const all = Object.entries(scripts).filter((one): one is [string, string] => typeof one[1] === "string");
  const name = path.slice(path.lastIndexOf("/") + 1);
  const [folder = ""] = /^(?:dist|lib|build|out)(?=\/)/.exec(path) ?? [];
  const found =
    all.find(([, script]) => script.includes(path) || script.includes(name)) ??
    (folder === "" ? undefined : all.find(([key]) => /^(?:package|build|bundle)$/.test(key)));
  return { text, command: found && `${runner(files)} run ${found[0]}` };
}

const runner = ({ entries }: Files): string => {
  if (entries.has("pnpm-lock.yaml")) return "pnpm";
  return entries.has("yarn.lock") ? "yarn" : "npm";
};

/** The file's own rule in the Makefile of the root. */
async function makeTarget(path: string, files: Files): Promise<string | undefined> {
  const lines = (await textOf("Makefile", files)).split("\n");
  return lines.some((line) => line.startsWith(`${path}:`)) ? `make ${path}` : undefined;
}

async function textOf(path: string, { entries, readBlob }: Files): Promise<string> {
  const entry = entries.get(path);
  if (!entry?.mode.startsWith("100") || (entry.size ?? 0) > LIMITS.length) return "";
  return readText(await readBlob(entry.blob))?.lines.join("") ?? "";
}

const HEADER = 1_500;

/** "run `make gen`", "Code generated by protoc-gen-go. DO NOT EDIT." */
const COMMAND = /\b(?:run|running|use|using|execute)[: ]{1,2}[`'"]([\w./][\w ./:@=-]{1,78})[`'"]/i;

const TOOL = /\bgenerated (?:by|with|using|from)[: ]{1,2}[`'"]?((?!(?:the|an?)\s)[\w@./:-]{2,60}?)[`'".,;(]?(?:\s|$)/i;

function namedIn(content: Uint8Array): string | undefined {
  const header = Buffer.from(content.subarray(0, HEADER)).toString("latin1");
  return (COMMAND.exec(header) ?? TOOL.exec(header))?.[1]?.trim();
}
