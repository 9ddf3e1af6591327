import { z } from "zod";
import { settingsIn, type Variables } from "../../data/setting-definitions/all-settings.ts";
import type { IsGiven, SettingDefinition, ValueOf } from "../../data/setting-definitions/definition.ts";

type EnvironmentShape = {
  readonly [Name in keyof Variables]: z.ZodType<
    ValueOf<Variables[Name]> | (IsGiven<Variables[Name]> extends true ? never : undefined),
    string | undefined
  >;
};

/** Every variable of the program, from its text to its value. */
export const environmentSchema = z.object(
  Object.fromEntries(
    settingsIn("environment").map(([, definition]) => [definition.environment.variable, variableShape(definition)]),
  ) as EnvironmentShape,
);

export type EnvironmentValues = z.output<typeof environmentSchema>;

/** Messages never repeat a value: people paste keys into the wrong line. */
function variableShape({ kind, default: value, required }: SettingDefinition): z.ZodType<unknown, string | undefined> {
  const shape = z.string({ error: "is missing." }).transform((text, context) => {
    const read = kind.fromText(text.trim());
    if (read !== undefined) return read;
    context.addIssue({ code: "custom", message: kind.rule });
    return z.NEVER;
  });
  if (required) return shape as z.ZodType<unknown, string | undefined>;
  return value === undefined ? shape.optional() : shape.default(value);
}

/** What is wrong with a variable: a sentence that begins with its name and holds no value. */
export function describeFault(name: string, message: string): string {
  if (message !== "is missing.") return `${name} ${message}`;
  const settings = settingsIn("environment");
  const definitionOf = (variable = "") => settings.find(([, one]) => one.environment.variable === variable)?.[1];
  const { sentence = "", requiredFor } = definitionOf(name) ?? {};
  const isChosen =
    requiredFor !== undefined && String(definitionOf(requiredFor.variable)?.default) !== requiredFor.value;
  const why = isChosen ? ` ${requiredFor.variable}=${requiredFor.value} needs it.` : "";
  return `${name} is missing: set it. ${sentence.replace(/; [^;]* when not set\.$/, ".")}${why}`.trim();
}

/** The variables that are not set although the choices in `texts` need them. */
export function findMissing(texts: Readonly<Record<string, string | undefined>>): readonly string[] {
  const settings = settingsIn("environment");
  return settings.flatMap(([, { environment, requiredFor }]) => {
    if (requiredFor === undefined || texts[environment.variable] !== undefined) return [];
    const [, chooser] = settings.find(([, one]) => one.environment.variable === requiredFor.variable) ?? [];
    const chosen = texts[requiredFor.variable]?.trim() ?? chooser?.default;
    return chosen === requiredFor.value ? [environment.variable] : [];
  });
}
