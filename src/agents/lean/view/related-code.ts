import { CALLABLE, type SourceParser } from "../../../code/source-parser.ts";
import { readWords } from "../../../data/own-files.ts";
import type { Place } from "../../../data/plan.ts";
import { groupOf, isTestPath } from "../../../search/classify-file.ts";
import { holdsSignatures, mayImport } from "../../../search/imports.ts";
import { DEFAULT_LIMITS, type SeenLines } from "../../tools/define-tool.ts";
import type { FileUses, FoundUse } from "../../tools/lookups/find-references.ts";
import { fittingLines, shorten } from "../../tools/matches.ts";
import type { Overlay, RepositoryView } from "./repository-view.ts";

/** Names whose uses are looked up. */
const MAX_NAMES = 4;

/** A name with more uses is too common to tell anything. */
const MAX_USES = 60;

/** Names that many programs have: their uses tell nothing. */
const COMMON: ReadonlySet<string> = new Set(
  ["method", "keyword"].flatMap((kind) => readWords("common-names", kind).flat()),
);

const isTelling = (name: string): boolean => name.length > 2 && !COMMON.has(name) && !/^__\w+__$/.test(name);

/** The kinds of files whose uses count. */
const CODE: ReadonlySet<string | null> = new Set(["source", "test"]);

interface UsesInput {
  repositoryView: Pick<RepositoryView, "lookups" | "read">;
  parser: Pick<SourceParser, "imports">;
  overlay: Overlay;
  seen: SeenLines;
  /** characters of all that is found */
  most: number;
}

/** A name and the file in which it is declared. */
interface DeclaredIn {
  name: string;
  path: string;
}

/**
 * Shows where code uses the first few of the `declared`, without lines that are `seen`; "" without tools. Of a name that
 * other files declare too, only the uses that folders and imports tie to these.
 */
export async function findUses(declared: readonly DeclaredIn[], input: UsesInput): Promise<string> {
  const { repositoryView, overlay, seen, most } = input;
  const lookups = repositoryView.lookups(overlay);
  if (!lookups) return "";
  const shown: string[] = [];
  const names = [...new Set(declared.map(({ name }) => name))];
  const chosen = names.filter(isTelling).slice(0, MAX_NAMES);
  for (const name of chosen) {
    const files = await lookups.findReferences(name);
    const all = files.flatMap(({ uses }) => uses);
    if (all.every(({ declares }) => declares) || all.length > MAX_USES) continue;
    const own = new Set(declared.filter((one) => one.name === name).map(({ path }) => path));
    const isMeant = await createMeaning(files, own, input);
    const unseen = files
      .filter(({ path }) => CODE.has(groupOf(path)) && isMeant(path))
      .map(({ path, uses }) => ({
        path,
        lines: uses.filter(({ line, declares }) => !declares && !seen.get(path)?.has(line)).map(useLine),
      }));
    const fitting = fittingLines(unseen, DEFAULT_LIMITS);
    const lines = fitting.flatMap(({ path, lines: uses }) => uses.map(({ at, text }) => `${path}:${at}: ${text}`));
    if (lines.length > 0) shown.push(`${name}:\n${shortened(lines.join("\n"), most / chosen.length)}`);
  }
  return shown.join("\n\n");
}

/** A use as a line to show, with the function that it is in. */
function useLine({ line, text, inside }: FoundUse) {
  const where = inside ? `  [in ${inside}]` : "";
  return { line, at: `${line}`, text: `${shorten(text.trim(), DEFAULT_LIMITS.lineCharacters)}${where}` };
}

/**
 * Says whether a file means the declaration in `own`: where others declare the name too, only if it declares it there,
 * is in the same folder, or imports it.
 */
async function createMeaning(
  files: readonly FileUses[],
  own: ReadonlySet<string>,
  { repositoryView, parser, overlay }: UsesInput,
): Promise<(path: string) => boolean> {
  const declaring = files.filter(({ uses }) => uses.some(({ declares }) => declares)).map(({ path }) => path);
  if (declaring.every((path) => own.has(path) || isTestPath(path) || holdsSignatures(path))) return () => true;
  const folders = new Set([...own].map(folderOf));
  const meant = new Set(files.map(({ path }) => path).filter((path) => own.has(path) || folders.has(folderOf(path))));
  for (const { path } of files) {
    const text = Buffer.from((await repositoryView.read(path, overlay)) ?? []).toString("utf8");
    const imports = (await parser.imports(path, text)) ?? [];
    if (imports.some((one) => [...own].some((file) => mayImport(path, one, file)))) meant.add(path);
  }
  return (path) => meant.has(path);
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** Names that are looked up, and lines of one function. */
const MAX_CALLEES = 8;

const MAX_CALLEE_LENGTH = 30;

/** A call, and what stands before the name if it is called on something. */
const CALL = /(?<![\p{L}\p{N}_$])(\.|->|::)?([\p{L}_$][\p{L}\p{N}_$]{2,80})(?![\p{L}\p{N}_$])\s{0,20}\(/gu;

/**
 * The short functions that a text calls, outside of tests: by names that are declared once, and are not in `except`. A
 * plain call means no method of a class.
 */
export async function findCallees(
  text: string,
  { repositoryView, overlay, except }: Pick<UsesInput, "repositoryView" | "overlay"> & { except: ReadonlySet<string> },
): Promise<readonly Place[]> {
  const lookups = repositoryView.lookups(overlay);
  const calls = new Map([...text.matchAll(CALL)].map(([, on, name = ""]) => [name, on !== undefined]));
  const places: Place[] = [];
  const names = [...calls].filter(([name]) => isTelling(name) && !except.has(name)).slice(0, MAX_CALLEES);
  for (const [name, isMember] of names) {
    const found = await lookups?.findSymbol({ name });
    // `Set` does not declare `set`.
    if (!found || "reason" in found || found.inOtherCase) continue;
    const [one, ...others] = found.declarations.filter(
      ({ path, kind, start, end, stub }) => CALLABLE.has(kind) && end > start && !stub && !isTestPath(path),
    );
    if (!one || others.length > 0 || one.end - one.start >= MAX_CALLEE_LENGTH) continue;
    if (isMember || one.parent === undefined) places.push(one);
  }
  return places;
}

/** Cuts a text at a line, and counts the rest. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.lastIndexOf("\n", most);
  const shown = text.slice(0, end > 0 ? end : most);
  return `${shown}\n… ${text.slice(shown.length).trim().split("\n").length} more lines`;
}
