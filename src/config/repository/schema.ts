import { z } from "zod";
import { type FileSettings, settingsIn } from "../../model/setting-definitions/all-settings.ts";
import { growTree, type SettingDefinition, valueAt, withNote } from "../../model/setting-definitions/definition.ts";
import { EXTENDED_FILE, EXTENDED_FILE_SENTENCE } from "../../model/setting-definitions/name-forms.ts";

/** What is said of the mappings that keys of the repository's file stand in. */
const MAPPINGS: Readonly<Record<string, string>> = {
  models: "The models, by tier.",
  effort: "How hard the models think, by tier.",
  budget: "The most that one run may use.",
};

const KEYS = growTree(settingsIn("file").map(([, definition]) => [definition.file.key, definition]));

/**
 * Every key of `.github/magis.yml`: those of the settings, and `_extends`, which says where others come from. A key has a
 * default here only when it does not take the operator's value. Messages follow on the key's name.
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

/** Whether a file without this key takes what the operator says, or nothing where nobody says anything. */
export function takesOperators({ environment, file, default: value }: SettingDefinition): boolean {
  return value === undefined || (environment !== undefined && !file?.ownDefault);
}

/** What a file decides by the program's names, over what the operator says. `keys` is what the schema gave. */
export function namedSettings(keys: Readonly<Record<string, unknown>>): Partial<FileSettings> {
  const given = settingsIn("file").flatMap(([name, { file }]) => {
    const value = valueAt(keys, file.key);
    return value === undefined ? [] : [[name, value] as const];
  });
  return growTree(given);
}

/** The keys that may stand in the mapping at `path`; none when there is no mapping of known keys. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
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
