import type { Kind, TextKind } from "./kinds.ts";

/** Where a setting stands in the environment. */
interface InEnvironment {
  readonly variable: string;
  /** of its value in `Config`; absent: the configuration makes something of it by hand */
  readonly place?: string;
  /** the commands that do the agents' work read it too */
  readonly commands?: true;
  /**
   * A `.env` of a directory that may be anybody's counts for it. Never for what runs something, says where anything goes,
   * loosens a limit or spends money.
   */
  readonly fromAnybody?: true;
  /** what is said of the variable beside the sentence, without a stop */
  readonly note?: string;
  /** a right value: what `.env.example` shows where there is no default */
  readonly example?: string;
  /**
   * It is a secret: these variables say where it goes, or what is spent with it. When it comes from the environment they do
   * not count from a file.
   */
  readonly secretFor?: readonly string[];
  /** secrets of the environment that are no settings and that go where this one says: from a file it then does not count */
  readonly takesSecrets?: readonly string[];
  /** values of it whose secrets the environment has by itself: a file then says neither this value nor what `spends` names */
  readonly ambient?: { readonly values: readonly string[]; readonly spends: readonly string[] };
  /** `.env.example` leaves it open, to be filled in, though it is not required by itself */
  readonly fillIn?: true;
}

/** Where a setting stands in the repository's file. */
interface InFile {
  /**
   * Dots lead into mappings. A file without it takes the operator's value where the environment has the setting, else
   * the default.
   */
  readonly key: string;
  /** a file without it takes the default, whatever the operator says */
  readonly ownDefault?: true;
  /** what is said of the key beside the sentence, without a stop */
  readonly note?: string;
  /** what holds where nothing is set, in Markdown */
  readonly whenAbsent?: string;
}

/** An option of `magis resolve` and `magis eval`; its value takes the variable's place. */
interface OnCommandLine {
  readonly name: string;
  /** what help calls its value */
  readonly value: string;
}

/** All that is known of one setting; whatever reads, checks, shows or documents settings is made of these. */
export type SettingDefinition = {
  /** for people, with a stop */
  readonly sentence: string;
  /** what holds when nobody says anything; absent: it is then not set */
  readonly default?: unknown;
  /** without it nothing starts */
  readonly required?: true;
  /** without it nothing starts when the setting of `variable` has this value */
  readonly requiredFor?: { readonly variable: string; readonly value: string };
  /** the workflow finds it in the settings of a run */
  readonly run?: true;
} & (
  | { readonly kind: TextKind<unknown>; readonly environment: InEnvironment; readonly file?: never }
  | { readonly kind: Kind<unknown>; readonly environment?: InEnvironment; readonly file: InFile }
) &
  (
    | { readonly environment: InEnvironment & { readonly commands: true }; readonly option?: OnCommandLine }
    | { readonly option?: never }
  );

export type SettingDefinitions = Readonly<Record<string, SettingDefinition>>;

/** A sentence with its stop, and `note` before the stop. */
export function withNote(sentence: string, note: string | undefined): string {
  return note === undefined ? sentence : `${sentence.replace(/\.$/, "")}; ${note}.`;
}

/** The type of a setting's value. */
export type ValueOf<Definition> = Definition extends { readonly kind: TextKind<infer Value> } ? Value : never;

/** Whether there always is a value. */
export type IsGiven<Definition> = Definition extends { readonly default: unknown } | { readonly required: true }
  ? true
  : false;

/** An object type with the paths of `Flat`, such as `models.fast`, as nested keys. */
export type Tree<Flat> = {
  readonly [Path in keyof Flat as Path extends `${string}.${string}` ? never : Path]: Flat[Path];
} & {
  readonly [Head in keyof Flat as Head extends `${infer First}.${string}` ? First : never]-?: Tree<
    Below<Flat, Head extends `${infer First}.${string}` ? First : never>
  >;
};

type Below<Flat, Head extends string> = {
  readonly [Path in keyof Flat as Path extends `${Head}.${infer Rest}` ? Rest : never]: Flat[Path];
};

/** Nested objects of values by path. An undefined value is left out, the objects above it are made. */
export function growTree(leaves: Iterable<readonly [path: string, value: unknown]>): Readonly<Record<string, unknown>> {
  const root: Record<string, unknown> = {};
  for (const [path, value] of leaves) {
    const steps = path.split(".");
    const last = steps.pop() ?? "";
    let branch = root;
    for (const step of steps) {
      branch[step] ??= {};
      branch = branch[step] as Record<string, unknown>;
    }
    if (value !== undefined) branch[last] = value;
  }
  return root;
}

/** What stands at `path` of nested objects; undefined when there is nothing. */
export function valueAt(tree: unknown, path: string): unknown {
  return path.split(".").reduce((branch: unknown, step) => {
    return typeof branch === "object" && branch !== null && Object.hasOwn(branch, step)
      ? Reflect.get(branch, step)
      : undefined;
  }, tree);
}
