import { isHostRefusal, type MagisError } from "../../data/error.ts";
import { DEFAULT_SETTINGS, fileSettingsOf } from "../../data/setting-definitions/all-settings.ts";
import { EXTENDED_FILE } from "../../data/setting-definitions/name-forms.ts";
import type { Chosen, OperatorLimits, RepositorySettings, Settings } from "../../data/settings.ts";
import type { FoundText } from "../../text/found-text.ts";
import {
  checkDocument,
  checkLimits,
  type MonthOf,
  namedSettings,
  type SettingsFault,
  settingsSchema,
} from "./check-document.ts";
import { type DocumentFault, readDocument, type SettingsDocument } from "./read-document.ts";

const PATH = ".github/magis.yml";

const FOLDER = ".github";

/** What people call the file by mistake; its own name, when what stands there was not found by it. */
const NAME = /^magis\.ya?ml$/i;

export interface SettingsSource {
  /** login of the repository's owner */
  owner: string;
  /** a file of the repository's default branch; undefined when there is none */
  readRepositoryFile: (path: string) => Promise<FoundText | undefined>;
  /** the names in a folder there, the root being ""; none when there is no such folder */
  listRepositoryFolder: (path: string) => Promise<readonly string[]>;
  /** a file of the default branch of another repository of the owner; undefined if it is missing or out of reach */
  readOwnerFile: (repository: string, path: string) => Promise<FoundText | undefined>;
  limits: OperatorLimits;
}

/**
 * Reads a repository's settings: `.github/magis.yml` over the file it `_extends` over the operator's values and the
 * defaults, or all faults of both files. A run never starts on half a configuration, nor without one that is there and
 * cannot be read. Passes on what the readers throw.
 */
export async function readSettings(
  source: SettingsSource,
): Promise<{ settings: Settings } | { faults: readonly SettingsFault[] }> {
  const text = await source.readRepositoryFile(PATH).catch(refusalOf);
  if (isHostRefusal(text)) return { faults: [wholeFault(PATH, `It could not be read. ${text.message}`)] };
  const misplaced = text === undefined ? await findMisplaced(source) : undefined;
  if (misplaced) return { faults: [misplaced] };
  if (typeof text === "object") return { faults: [wholeFault(PATH, `It ${text.unreadable}. ${REMEDY}`)] };
  const own = readChecked(PATH, text ?? "", source.limits, "repository");
  const base = own.document && (await readBase(own.document, source));
  const faults = [...own.faults, ...(base?.faults ?? [])];
  if (faults.length > 0) return { faults };
  const { shared, ownersMonth } = splitBase(base?.document?.content ?? {});
  const merged = mergeSettings(shared, own.document?.content ?? {});
  return { settings: { ...buildSettings(settingsSchema.parse(merged), source.limits), ownersMonth } };
}

const REMEDY = "Make it a plain file in UTF-8 of at most 64 KiB.";

const wholeFault = (file: string, message: string): SettingsFault => ({ file, line: 1, key: "", message });

/** A file that is meant as the settings, where none was found by their name. */
async function findMisplaced({ listRepositoryFolder }: SettingsSource): Promise<SettingsFault | undefined> {
  let folder = FOLDER;
  let names = await listRepositoryFolder(folder);
  if (names.length === 0) {
    const found = (await listRepositoryFolder("")).find((name) => name.toLowerCase() === FOLDER);
    if (found === undefined) return undefined;
    if (found === FOLDER) return wholeFault(FOLDER, `What stands here is no folder, so \`${PATH}\` cannot be read.`);
    folder = found;
    names = await listRepositoryFolder(folder);
  }
  const name = names.find((one) => NAME.test(one));
  if (name === undefined) return undefined;
  const path = `${folder}/${name}`;
  if (path === PATH) return wholeFault(path, `It cannot be read. ${REMEDY}`);
  return wholeFault(path, `The configuration is read from \`${PATH}\` only: rename this file.`);
}

/** A file that may be there and cannot be read is a fault: its rules would not hold. */
function refusalOf(error: unknown): MagisError {
  if (isHostRefusal(error)) return error;
  throw error;
}

/** Separates what each repository inherits from the limit on all of the owner's repositories together. */
function splitBase(content: Mapping): { shared: Mapping; ownersMonth?: number | undefined } {
  if (!isMapping(content.budget)) return { shared: content };
  const { month, ...budget } = content.budget;
  return { shared: { ...content, budget }, ownersMonth: month as number | undefined };
}

interface Checked {
  /** absent if the text cannot be read as a mapping */
  document?: SettingsDocument;
  faults: readonly SettingsFault[];
}

function readChecked(file: string, text: string, limits: OperatorLimits, monthOf: MonthOf): Checked {
  const read = readDocument(text);
  const name = (fault: DocumentFault) => ({ file, ...fault });
  if ("faults" in read) return { faults: read.faults.map(name) };
  const faults = [...checkDocument(read), ...checkLimits(read, limits, monthOf)];
  return { document: read, faults: faults.sort((a, b) => a.line - b.line).map(name) };
}

/** The file that `_extends` names, if the form is right; faults of the form are reported elsewhere. */
async function readBase({ content, lineOf }: SettingsDocument, source: SettingsSource): Promise<Checked | undefined> {
  const extended = EXTENDED_FILE.schema.safeParse(content._extends).data;
  if (extended === undefined) return undefined;
  const fault = (message: string) => ({
    faults: [{ file: PATH, line: lineOf(["_extends"]), key: "_extends", message }],
  });
  const named = parseExtends(extended, source.owner);
  if (named === undefined) {
    return fault(`\`_extends\` names a repository of another owner: only \`${source.owner}/.github\` can be named.`);
  }
  const text = await source.readOwnerFile(named.repository, named.path);
  const file = `${source.owner}/${named.repository}:${named.path}`;
  if (text === undefined) {
    return fault(
      `\`_extends\` names \`${file}\`, which is not there, or this app is not installed on that repository.`,
    );
  }
  if (typeof text === "object") return fault(`\`_extends\` names \`${file}\`, which ${text.unreadable}.`);
  const base = readChecked(file, text, source.limits, "organisation");
  const lines = base.faults.map(({ line }) => line);
  if (base.document?.content._extends !== undefined) lines.push(base.document.lineOf(["_extends"]));
  return { ...base, faults: [...new Set(lines)].sort((a, b) => a - b).map((line) => hiddenFault(file, line)) };
}

/** The file may be private to whoever reads its faults, so these quote neither keys nor values. */
function hiddenFault(file: string, line: number): SettingsFault {
  const message =
    "what stands here is wrong, or cannot stand in a file that is extended. What it is, is not said outside of that repository.";
  return { file, line, key: "", message };
}

type Mapping = Readonly<Record<string, unknown>>;

const isMapping = (value: unknown): value is Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lays `over` over `under`: mappings merge; everything else, lists too, replaces. Both are checked already. */
function mergeSettings(under: Mapping, over: Mapping): Mapping {
  const merged: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isMapping(below) && isMapping(value) ? mergeSettings(below, value) : value;
  }
  return merged;
}

const FORM = /^(?:([^/:]+)\/)?(\.github)(?::(.+))?$/;

/**
 * Which file of the owner's `.github` repository `_extends` names; `.github/magis.yml` if it names none. Undefined for
 * another owner's repository, whose maintainers do not decide here.
 */
function parseExtends(value: string, owner: string): { repository: string; path: string } | undefined {
  const [, named = owner, repository, path = ".github/magis.yml"] = FORM.exec(value) ?? [];
  if (repository === undefined || named.toLowerCase() !== owner.toLowerCase()) return undefined;
  return { repository, path };
}

/** Fills in what the files leave to the operator, and groups the keys by the program's names. */
function buildSettings(keys: Mapping, { budget, defaults }: OperatorLimits): Settings {
  const layers: readonly Mapping[] = [defaults, { budget }, namedSettings(keys)];
  return layers.reduce(mergeSettings, DEFAULT_SETTINGS) as Settings;
}

/** Limits that let the repository's file ask for any budget when another was chosen for the run. */
export function limitsUnder(limits: OperatorLimits, { budget = {} }: Chosen): OperatorLimits {
  const unlimited = Object.fromEntries(Object.keys(budget).map((name) => [name, Number.POSITIVE_INFINITY]));
  return { ...limits, budget: { ...limits.budget, ...unlimited } };
}

/** A repository's settings with one run's choices in their place. */
export function withChosen(settings: RepositorySettings, chosen: Chosen): RepositorySettings {
  return mergeSettings(settings, fileSettingsOf(chosen)) as RepositorySettings;
}
