import { BOT_SETTINGS } from "./bot-settings.ts";
import type { IsGiven, SettingDefinition, Tree, ValueOf } from "./definition.ts";
import { growTree } from "./definition.ts";
import { RUN_SETTINGS } from "./run-settings.ts";

/** Every setting by its name in the program, in the order of the documents. */
export const SETTINGS = { ...BOT_SETTINGS, ...RUN_SETTINGS };

/** Names of earlier versions' settings that nothing has replaced: whoever still gives one is told so. */
export const FORMER_SETTINGS: ReadonlySet<string> = new Set([
  "candidates",
  "checks-wait",
  "review-rounds",
  "suggest-reviewer",
  "MAGIS_API_SECRET",
  "MAGIS_BUDGET_CONTINUE",
  "MAGIS_CANDIDATES",
  "MAGIS_CHECKS_WAIT",
  "MAGIS_REVIEW_ROUNDS",
  "MAGIS_WRITE_LIMITS",
]);

type All = typeof SETTINGS;

type Name = keyof All;

/** The definition of a setting that can be given in one place, such as the environment. */
type In<Place extends "environment" | "file" | "option" | "request"> = SettingDefinition & {
  readonly [P in Place]: NonNullable<SettingDefinition[P]>;
};

const entries: readonly (readonly [string, SettingDefinition])[] = Object.entries(SETTINGS);

/** The settings that can be given in all of `places`, by name. */
export function settingsIn<Place extends "environment" | "file" | "option" | "request">(
  ...places: readonly Place[]
): readonly (readonly [name: string, definition: In<Place>])[] {
  return entries.filter((entry): entry is readonly [string, In<Place>] =>
    places.every((place) => entry[1][place] !== undefined),
  );
}

/** The settings of the environment by variable. */
export type Variables = {
  readonly [N in Name as All[N] extends { environment: { variable: infer V extends string } } ? V : never]: All[N];
};

/** The variables that `magis resolve` and `npm run eval` read. */
export type CommandVariable = {
  [N in Name]: All[N] extends { environment: { variable: infer V extends string; commands: true } } ? V : never;
}[Name];

/** The options of commands that set a setting. */
export type OptionName = {
  [N in Name]: All[N] extends { option: { name: infer O extends string } } ? O : never;
}[Name];

type PlaceOf<Definition> = Definition extends { environment: { place: infer P extends string } } ? P : never;

/** The values of the environment's settings at their places in the configuration. */
export type PlacedSettings = Tree<
  { readonly [N in Name as IsGiven<All[N]> extends true ? PlaceOf<All[N]> : never]: ValueOf<All[N]> } & {
    readonly [N in Name as IsGiven<All[N]> extends true ? never : PlaceOf<All[N]>]?: ValueOf<All[N]>;
  }
>;

type NamesIn<Mark> = { [N in Name]: All[N] extends Mark ? N : never }[Name];

/** Nested values by name; optional when they may be unset. */
type ByName<N extends Name> = Tree<
  { readonly [K in N as IsGiven<All[K]> extends true ? K : never]: ValueOf<All[K]> } & {
    readonly [K in N as IsGiven<All[K]> extends true ? never : K]?: ValueOf<All[K]>;
  }
>;

/** The settings that the repository's file can set. */
export type FileSettings = ByName<NamesIn<{ file: object }>>;

/** The settings that the workflow gets with a run. */
export type RunValues = ByName<NamesIn<{ run: true }>>;

const byName = (definitions: readonly (readonly [string, SettingDefinition])[]) =>
  growTree(definitions.map(([name, { default: value }]) => [name, value]));

/** The defaults of the repository file's settings. */
export const DEFAULT_SETTINGS = byName(settingsIn("file")) as FileSettings;

/** The defaults of a run's settings. */
export const DEFAULT_RUN_VALUES = byName(entries.filter(([, { run }]) => run)) as RunValues;

/** The members of `values` that belong to a run's settings. */
export function runValuesOf<Values extends object>(values: Values): Pick<Values, keyof Values & keyof RunValues> {
  return pick(values, ({ run }) => run === true);
}

/** The members of `values` that the repository's file can set. */
export function fileSettingsOf<Values extends object>(values: Values): Pick<Values, keyof Values & keyof FileSettings> {
  return pick(values, ({ file }) => file !== undefined);
}

function pick<Values extends object, Kept extends keyof Values>(
  values: Values,
  isMeant: (definition: SettingDefinition) => boolean,
): Pick<Values, Kept> {
  const names = new Set(entries.flatMap(([name, one]) => (isMeant(one) ? [name.split(".")[0]] : [])));
  const kept = Object.entries(values).filter(([name, value]) => names.has(name) && value !== undefined);
  return Object.fromEntries(kept) as Pick<Values, Kept>;
}
