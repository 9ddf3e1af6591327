import { distance as editDistance } from "fastest-levenshtein";
import type { z } from "zod";
import { RUN_SETTINGS } from "../../model/setting-definitions/run-settings.ts";
import type { OperatorLimits } from "../../model/settings.ts";
import { codeSpan } from "../../text/compose-markdown.ts";
import type { DocumentFault, SettingsDocument } from "./read-document.ts";
import { knownKeys, settingsSchema } from "./schema.ts";

/** Beyond these nobody reads on, and each costs time to place. */
const MAX = 100;

/** The faults of a file against the schema: one a value, in no certain order; of very many the first, and their number. */
export function checkDocument({ content, lineOf }: SettingsDocument): readonly DocumentFault[] {
  const issues = (settingsSchema.safeParse(content).error?.issues ?? []).flatMap(oneByOne);
  const faults = new Map<string, DocumentFault>();
  for (const { path, describe } of issues.slice(0, MAX)) {
    const key = pathText(path);
    if (!faults.has(key)) faults.set(key, { line: lineOf(path), key, message: describe() });
  }
  const rest = issues.length - MAX;
  const last = Math.max(...[...faults.values()].map(({ line }) => line));
  const more = { line: last, key: "", message: `There are ${rest} more faults in this file.` };
  return [...faults.values(), ...(rest > 0 ? [more] : [])];
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly describe: () => string;
}

/** Zod puts all unknown keys of a mapping into one issue. */
function oneByOne(issue: z.core.$ZodIssue): readonly Problem[] {
  if (issue.code !== "unrecognized_keys") {
    return [{ path: issue.path, describe: () => `${codeSpan(pathText(issue.path))} ${issue.message}` }];
  }
  const known = knownKeys(issue.path);
  return issue.keys.map((key) => ({ path: [...issue.path, key], describe: () => describeUnknownKey(key, known) }));
}

const UNITS = { money: "US dollars", tokens: "tokens", minutes: "minutes" } as const;

const MAX_NAMED = 10;

const TIERS = ["fast", "strong"] as const;

/**
 * What a file asks for and the operator does not grant: a higher budget, another model. Each value is read by itself,
 * so that a fault elsewhere does not hide these.
 */
export function checkLimits({ content, lineOf }: SettingsDocument, limits: OperatorLimits): readonly DocumentFault[] {
  const faults: DocumentFault[] = [];
  const add = (path: readonly string[], rest: string) => {
    const key = pathText(path);
    faults.push({ line: lineOf(path), key, message: `${codeSpan(key)} ${rest}` });
  };
  for (const [name, unit] of Object.entries(UNITS) as [keyof typeof UNITS, string][]) {
    const most = limits.budget[name];
    if ((RUN_SETTINGS[`budget.${name}`].kind.schema.safeParse(valueIn(content.budget, name)).data ?? 0) <= most)
      continue;
    add(
      ["budget", name],
      `is above what the operator of this bot allows, ${most} ${unit} a run: write ${most} or less.`,
    );
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

/** Says that `key` is none of `known`, and which of them may be meant: `reviewRounds` and `review_rounds` are near too. */
function describeUnknownKey(key: string, known: readonly string[]): string {
  const short = key.slice(0, MAX_LENGTH);
  const word = short
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replace(/[_\s]/g, "-")
    .toLowerCase();
  const near = known
    .filter((name) => Math.abs(name.length - word.length) <= reach(name))
    .map((name) => ({ name, distance: editDistance(word, name) }))
    .filter(({ name, distance }) => distance <= reach(name))
    .sort((a, b) => a.distance - b.distance);
  const advice = near[0]
    ? `did you mean ${codeSpan(near[0].name)}?`
    : `the keys that can stand here are ${known.map(codeSpan).join(", ")}.`;
  return `${codeSpan(short)} is not a known key: ${advice}`;
}

/** Letters that may be wrong in a name. */
function reach(name: string): number {
  return Math.max(1, name.length / 2);
}

/** A path into the configuration as people write it: `budget.money`, `ignore[2]`, the first item being 1. */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === "number" ? `[${step + 1}]` : `${index > 0 ? "." : ""}${String(step)}`))
    .join("");
}

/** One thing that is wrong in a configuration file. */
export interface SettingsFault {
  /** as a reader finds it: `.github/magis.yml`, or `owner/.github:path/to/file.yml` */
  readonly file: string;
  /** 1 is the first */
  readonly line: number;
  /** `budget.money`, `ignore[2]`; "" when the whole file is meant */
  readonly key: string;
  /** Markdown: a sentence or two that say what is wrong and what would be right */
  readonly message: string;
}
