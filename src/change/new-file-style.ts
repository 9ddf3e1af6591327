import path from "node:path";
import { readText, type TextFile } from "../code/edits/text-file.ts";
import type { Repository } from "../git/repository.ts";
import { createGlob } from "../search/attribute-globs.ts";
import { readAttributes } from "../search/attributes.ts";

type Style = Pick<TextFile, "eol" | "bom">;

const ENDINGS: ReadonlyMap<string, TextFile["eol"]> = new Map([
  ["lf", "\n"],
  ["crlf", "\r\n"],
  ["cr", "\r"],
]);

const PLAIN: Style = { eol: "\n", bom: false };

/** A longer `.editorconfig` is not read, and so many siblings tell enough. */
const MAX_SIZE = 64 * 1024;

const MAX_SIBLINGS = 5;

/** Steps to compare the file with the patterns of one `.editorconfig`. */
const MAX_STEPS = 100_000;

/**
 * The line ends and the mark of order for a new file: what `.editorconfig` says, else what most files of its kind in its
 * folder have. Where git itself turns line ends (`text` in `.gitattributes`), they are those of its store. Throws what
 * `readBlob` throws.
 */
export async function newFileStyle(file: string, repository: Repository): Promise<Style> {
  const said = await saidByEditorconfig(file, repository);
  const attributes = await readAttributes(repository.entries.values(), (blob) => repository.readBlob(blob));
  const eol = attributes.of(file).text === true ? PLAIN.eol : said.eol;
  if (eol !== undefined && said.bom !== undefined) return { eol, bom: said.bom };
  const siblings = await siblingsOf(file, repository);
  const most = (count: number) => count * 2 > siblings.length;
  const usual = [...ENDINGS.values()].find((one) => most(siblings.filter((sibling) => sibling.eol === one).length));
  return { eol: eol ?? usual ?? PLAIN.eol, bom: said.bom ?? most(siblings.filter(({ bom }) => bom).length) };
}

async function siblingsOf(file: string, { entries, readBlob }: Repository) {
  const alike = [...entries.values()].filter(
    (one) =>
      one.mode.startsWith("100") &&
      (one.size ?? 0) > 0 &&
      path.posix.dirname(one.path) === path.posix.dirname(file) &&
      path.posix.extname(one.path) === path.posix.extname(file),
  );
  const texts = await Promise.all(alike.slice(0, MAX_SIBLINGS).map(async ({ blob }) => readText(await readBlob(blob))));
  return texts.flatMap((text) => (text && text.lines.length > 0 ? [text] : []));
}

/** What the `.editorconfig` files from the root down say, the nearest last, up to one with `root = true`. */
async function saidByEditorconfig(file: string, { entries, readBlob }: Repository) {
  const said: { eol?: Style["eol"] | undefined; bom?: boolean | undefined } = {};
  const folders = file.split("/").map((_, at, parts) =>
    parts
      .slice(0, at)
      .map((part) => `${part}/`)
      .join(""),
  );
  for (const folder of folders) {
    const entry = entries.get(`${folder}.editorconfig`);
    if (!entry?.mode.startsWith("100") || (entry.size ?? MAX_SIZE) >= MAX_SIZE) continue;
    const text = readText(await readBlob(entry.blob))?.lines.join("") ?? "";
    if (isRoot(text)) Object.assign(said, { eol: undefined, bom: undefined });
    Object.assign(said, valuesFor(file.slice(folder.length), text));
  }
  return said;
}

/** Whether no `.editorconfig` of a folder above counts: said before the first section. */
function isRoot(text: string): boolean {
  const [preamble = ""] = text.split("[");
  return preamble.split("\n").some((line) => /^root=true$/i.test(line.replaceAll(/\s/g, "")));
}

function valuesFor(file: string, text: string) {
  const said: { eol?: Style["eol"] | undefined; bom?: boolean } = {};
  const budget = { left: MAX_STEPS };
  let applies = false;
  for (const line of text.split(/\r\n?|\n/)) {
    const section = /^\s*\[(.+)\]\s*$/.exec(line)?.[1];
    if (section !== undefined) applies = alternatives(section).some((glob) => createGlob(glob)(file, budget));
    const [, key = "", value = ""] = /^\s*([\w-]+)\s*[=:]\s*(\S+)\s*$/.exec(line.toLowerCase()) ?? [];
    if (!applies) continue;
    if (key === "end_of_line") said.eol = ENDINGS.get(value);
    if (key === "charset") said.bom = value === "utf-8-bom";
  }
  return said;
}

const MAX_ALTERNATIVES = 200;

/** The patterns that one with braces stands for: `*.{js,ts}`, `*.js` and `*.ts`. */
function alternatives(glob: string): readonly string[] {
  const done: string[] = [];
  const open = [glob];
  for (let one = open.pop(); one !== undefined && done.length + open.length < MAX_ALTERNATIVES; one = open.pop()) {
    const [all = "", inner = ""] = /\{([^{}]*)\}/.exec(one) ?? [];
    if (all === "") done.push(one);
    else for (const part of inner.split(",")) open.push(one.replace(all, () => part));
  }
  return done;
}
