import { closest, distance } from "fastest-levenshtein";
import { z } from "zod";
import { type FileSettings, FORMER_SETTINGS, settingsIn } from "../../data/setting-definitions/all-settings.ts";
import { growTree, type SettingDefinition, valueAt, withNote } from "../../data/setting-definitions/definition.ts";
import { EXTENDED_FILE, EXTENDED_FILE_SENTENCE } from "../../data/setting-definitions/name-forms.ts";
import { RUN_SETTINGS } from "../../data/setting-definitions/run-settings.ts";
import type { OperatorLimits } from "../../data/settings.ts";
import { codeSpan } from "../../text/compose-markdown.ts";
import { counted } from "../../text/counted.ts";
import type { DocumentFault, SettingsDocument } from "./read-document.ts";

/** Nobody reads more than these, and each costs time to place. */
const MAX = 100;

/**
 * Checks a file against the schema: one fault a value, in no certain order; of very many the first, and their number.
 */
export function checkDocument({ content, lineOf }: SettingsDocument): readonly DocumentFault[] {
  const issues = (settingsSchema.safeParse(content).error?.issues ?? []).flatMap(oneByOne);
  const faults = new Map<string, DocumentFault>();
  for (const { path, describe } of issues.slice(0, MAX)) {
    const key = pathText(path);
    if (!faults.has(key)) faults.set(key, { line: lineOf(path), key, message: describe() });
  }
  const found = [...faults.values()];
  const rest = issues.length - MAX;
  if (rest > 0) {
    const last = Math.max(...found.map(({ line }) => line));
    found.push({ line: last, key: "", message: `This file has ${counted(rest, "more fault")}.` });
  }
  return found;
}

interface Problem {
  path: readonly PropertyKey[];
  describe: () => string;
}

/** Zod puts all unknown keys of a mapping into one issue. */
function oneByOne(issue: z.core.$ZodIssue): readonly Problem[] {
  if (issue.code !== "unrecognized_keys") {
    return [{ path: issue.path, describe: () => `${codeSpan(pathText(issue.path))} ${issue.message}` }];
  }
  const known = knownKeys(issue.path);
  return issue.keys.map((key) => ({ path: [...issue.path, key], describe: () => describeUnknownKey(key, known) }));
}

/** Whom a file's limit of a month holds: its own repository, or all of the owner's together, if it is extended. */
export type MonthOf = "repository" | "organisation";

/** The keys that the operator limits, with the most that is allowed and what it counts. */
function limitedKeys({ budget, limits }: OperatorLimits, monthOf: MonthOf): readonly LimitedKey[] {
  return [
    { name: "budget.money", most: budget.money, unit: "US dollars a run" },
    { name: "budget.tokens", most: budget.tokens, unit: "tokens a run" },
    { name: "budget.minutes", most: budget.minutes, unit: "minutes a run" },
    { name: "budget.month", most: limits?.[monthOf], unit: "US dollars a month" },
    { name: "openPullRequests", most: limits?.openPullRequests, unit: "open pull requests" },
  ];
}

interface LimitedKey {
  name: Extract<keyof typeof RUN_SETTINGS, `budget.${string}` | "openPullRequests">;
  /** absent: the operator sets no limit */
  most: number | undefined;
  unit: string;
}

const MAX_NAMED = 10;

const TIERS = ["fast", "strong"] as const;

/**
 * What a file asks for and the operator does not grant: a higher budget, another model. Reads each value by itself, so
 * that a fault elsewhere does not hide these.
 */
export function checkLimits(
  { content, lineOf }: SettingsDocument,
  limits: OperatorLimits,
  monthOf: MonthOf,
): readonly DocumentFault[] {
  const faults: DocumentFault[] = [];
  const add = (path: readonly string[], rest: string) => {
    const key = pathText(path);
    faults.push({ line: lineOf(path), key, message: `${codeSpan(key)} ${rest}` });
  };
  for (const { name, most, unit } of limitedKeys(limits, monthOf)) {
    const { kind, file } = RUN_SETTINGS[name];
    const asked = kind.schema.safeParse(valueAt(content, file.key)).data ?? 0;
    if (most === undefined || asked <= most) continue;
    add(file.key.split("."), `is above what the operator of this bot allows, ${most} ${unit}: write ${most} or less.`);
  }
  for (const tier of TIERS) {
    const model = RUN_SETTINGS[`models.${tier}`].kind.schema.safeParse(valueIn(content.models, tier)).data;
    if (model === undefined || limits.models.includes(model)) continue;
    const allowed = limits.models.slice(0, MAX_NAMED).map(codeSpan).join(", ");
    add(
      ["models", tier],
      `names ${codeSpan(model)}, which the operator of this bot does not allow: write one of ${allowed}.`,
    );
  }
  return faults;
}

function valueIn(part: unknown, name: string): unknown {
  return typeof part === "object" && part !== null ? Reflect.get(part, name) : undefined;
}

const MAX_LENGTH = 60;

/** Says that `key` is not among `known`, and which of them it may mean. */
function describeUnknownKey(key: string, known: readonly string[]): string {
  if (FORMER_SETTINGS.has(key)) return `${codeSpan(key)} is no longer a setting: take this line out.`;
  const short = key.slice(0, MAX_LENGTH);
  const near = closest(short.toLowerCase(), known);
  const advice =
    distance(short.toLowerCase(), near) <= near.length / 2
      ? `did you mean ${codeSpan(near)}?`
      : `the keys that can stand here are ${known.map(codeSpan).join(", ")}.`;
  return `${codeSpan(short)} is not a known key: ${advice}`;
}

/** A path into the configuration as people write it: `budget.money`, `ignore[2]`, where 1 is the first item. */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step + 1}]` : `${index > 0 ? "." : ""}${String(step)}`))
    .join("");
}

/** One thing that is wrong in a configuration file. */
export interface SettingsFault {
  /** for readers: `.github/magis.yml`, or `owner/.github:path/to/file.yml` */
  file: string;
  /** 1-based */
  line: number;
  /** `budget.money`, `ignore[2]`; "" for the whole file */
  key: string;
  /** Markdown: a sentence or two about what is wrong and what would be right */
  message: string;
}

/** What messages say about the mappings of the repository's file. */
const MAPPINGS: Readonly<Record<string, string>> = {
  models: "The models, by tier.",
  effort: "How hard the models think, by tier.",
  budget: "The most that one run may use, and all of a month.",
};

const KEYS = growTree(settingsIn("file").map(([, definition]) => [definition.file.key, definition]));

/**
 * All keys of `.github/magis.yml`: those of the settings, and `_extends`, which names the file to inherit from. A key
 * has a default here only if it does not take the operator's value. Messages follow the key's name.
 */
export const settingsSchema = mapping({
  _extends: EXTENDED_FILE.schema.optional().describe(EXTENDED_FILE_SENTENCE),
  ...Object.fromEntries(
    Object.entries(KEYS).map(([key, branch]) => {
      const inner = branch as SettingDefinition | Readonly<Record<string, SettingDefinition>>;
      return [key, isDefinition(inner) ? keyShape(inner) : mappingShape(key, inner)];
    }),
  ),
});

function isDefinition(
  branch: SettingDefinition | Readonly<Record<string, SettingDefinition>>,
): branch is SettingDefinition {
  return typeof branch.sentence === "string";
}

function mappingShape(key: string, inner: Readonly<Record<string, SettingDefinition>>): z.ZodType {
  const shape = Object.fromEntries(Object.entries(inner).map(([name, definition]) => [name, keyShape(definition)]));
  return mapping(shape)
    .default({})
    .describe(MAPPINGS[key] ?? "");
}

function keyShape(definition: SettingDefinition): z.ZodType {
  if (definition.file === undefined) throw new TypeError("A setting without a key has no shape in the file.");
  const { schema } = definition.kind;
  const shape = takesOperators(definition) ? schema.optional() : schema.default(definition.default);
  return shape.describe(withNote(definition.sentence, definition.file.note));
}

/** Whether a file without this key takes the operator's value, or nothing if nobody sets one. */
export function takesOperators({ environment, file, default: value }: SettingDefinition): boolean {
  return value === undefined || (environment !== undefined && !file?.ownDefault);
}

/** A file's choices by the program's names, over the operator's. `keys` comes from the schema. */
export function namedSettings(keys: Readonly<Record<string, unknown>>): Partial<FileSettings> {
  const given = settingsIn("file").flatMap(([name, { file }]) => {
    const value = valueAt(keys, file.key);
    return value === undefined ? [] : [[name, value] as const];
  });
  return growTree(given);
}

/** The keys allowed in the mapping at `path`; none if there is no mapping of known keys. */
function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  const branch = path.reduce<unknown>((above, step) => valueAt(above, String(step)), KEYS);
  if (typeof branch !== "object" || branch === null || isDefinition(branch as SettingDefinition)) return [];
  return path.length === 0 ? ["_extends", ...Object.keys(branch)] : Object.keys(branch);
}

/** A mapping of known keys; any other key is a fault. */
function mapping<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const rule = `must be a mapping with ${Object.keys(shape)
    .slice(0, 3)
    .map((key) => `\`${key}\``)
    .join(", ")} …, each on a line of its own, indented alike.`;
  return z.strictObject(shape, { error: ({ code }) => (code === "invalid_type" ? rule : undefined) });
}
