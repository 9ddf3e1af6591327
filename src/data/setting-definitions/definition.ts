import type { Kind, TextKind } from "./kinds.ts";

/** A setting's place in the environment. */
interface InEnvironment {
  variable: string;
  /** the path of its value in `Config`; absent when the configuration handles it by hand */
  place?: string;
  /** `magis resolve` and `npm run eval` read it, too */
  commands?: true;
  /**
   * May also come from a `.env` in an untrusted directory. Never for settings that run something, choose where data
   * goes, loosen a limit or spend money.
   */
  fromAnybody?: true;
  /** a remark on the variable, added to the sentence, without a full stop */
  note?: string;
  /** a valid value, shown by `.env.example` when there is no default */
  example?: string;
  /**
   * It is a secret, and these variables decide where it goes or what it pays for. When the secret comes from the
   * environment, a file may not set them.
   */
  secretFor?: readonly string[];
  /** secrets in the environment, not settings, that go where this one says; with them, a file may not set it */
  takesSecrets?: readonly string[];
  /** `values` whose credentials the environment provides: a file may set neither these nor the variables of `spends` */
  ambient?: { values: readonly string[]; spends: readonly string[] };
  /** `.env.example` has an empty line for it, although it is not strictly required */
  fillIn?: true;
}

/** A setting's place in the repository's file. */
interface InFile {
  /**
   * Dots lead into mappings. When the file lacks the key, the operator's value holds if the environment has the
   * setting, else the default.
   */
  key: string;
  /** when the file lacks the key, the default holds, whatever the operator says */
  ownDefault?: true;
  /** a remark on the key, added to the sentence, without a full stop */
  note?: string;
  /** what happens when nothing is set, in Markdown */
  whenAbsent?: string;
}

/** An option of `magis resolve` and `npm run eval`, which overrides the variable. */
interface OnCommandLine {
  name: string;
  /** its value's name in the help */
  value: string;
}

/** An option of `/magis resolve`, which sets the setting for one run. */
interface InRequest {
  name: string;
  /** its value's name in the help */
  value: string;
  /** it also means something on a pull request that is open already */
  onPullRequests?: true;
  /** it also holds for the later runs on the pull request: answers to reviews, repairs, merges of the base */
  lasts?: true;
}

/** One setting, defined once: everything that reads, checks, shows or documents settings uses this. */
export type SettingDefinition = {
  /** describes the setting to people, with a full stop */
  sentence: string;
  /** absent when the setting may stay unset */
  default?: unknown;
  /** nothing starts without it */
  required?: true;
  /** nothing starts without it when `variable` has this value */
  requiredFor?: { variable: string; value: string };
  /** the workflow gets it with a run's settings */
  run?: true;
  request?: InRequest;
} & (
  | { kind: TextKind<unknown>; environment: InEnvironment; file?: never }
  | { kind: Kind<unknown>; environment?: InEnvironment; file: InFile }
) &
  ({ environment: InEnvironment & { commands: true }; option?: OnCommandLine } | { option?: never });

export type SettingDefinitions = Readonly<Record<string, SettingDefinition>>;

/** `sentence` with `note` before its full stop. */
export function withNote(sentence: string, note: string | undefined): string {
  return note === undefined ? sentence : `${sentence.replace(/\.$/, "")}; ${note}.`;
}

export type ValueOf<Definition> = Definition extends { kind: TextKind<infer Value> } ? Value : never;

/** Whether a setting always has a value. */
export type IsGiven<Definition> = Definition extends { default: unknown } | { required: true } ? true : false;

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

/** Nested objects from values by path. Leaves out undefined values, but not the objects above them. */
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

/** The value at `path` in nested objects; undefined when there is none. */
export function valueAt(tree: unknown, path: string): unknown {
  return path.split(".").reduce((branch: unknown, step) => {
    return typeof branch === "object" && branch !== null && Object.hasOwn(branch, step)
      ? Reflect.get(branch, step)
      : undefined;
  }, tree);
}
