import { z } from "zod";
import { type OptionName, settingsIn } from "../data/setting-definitions/all-settings.ts";

type Names = Readonly<Partial<Record<OptionName, string>>>;

/** An option that sets a variable; its value stays the text that was given. */
interface SettingOption<Name extends string> {
  name: Name;
  argument: string;
  description: string;
  shape: z.ZodType<string, string>;
}

/**
 * An option for each setting that the command line can choose, validated like the setting anywhere else.
 * @param names other names for some options, by variable
 */
export function settingOptions<const Renamed extends Names = Readonly<Record<never, never>>>(
  names?: Renamed,
): readonly SettingOption<Exclude<OptionName, keyof Renamed> | Extract<Renamed[keyof Renamed], string>>[] {
  return settingsIn("option").map(([, { option, kind, sentence, default: value }]) => ({
    name: nameOf(option.name, names) as Exclude<OptionName, keyof Renamed>,
    argument: option.value,
    description: `${asDescription(sentence)}${value === undefined ? "" : ` (default: ${value})`}`,
    shape: z.string().refine((text) => kind.fromText(text.trim()) !== undefined, { error: withoutStop(kind.rule) }),
  }));
}

/** The variables that the given options set. */
export function chosenVariables(
  options: Readonly<Record<string, unknown>>,
  names?: Names,
): Readonly<Record<string, string>> {
  const given = settingsIn("environment", "option").flatMap(([, { environment, option }]) => {
    const value = options[nameOf(option.name, names)];
    return value === undefined ? [] : [[environment.variable, String(value)]];
  });
  return Object.fromEntries(given);
}

function nameOf(option: string, names: Names = {}): string {
  return names[option as OptionName] ?? option;
}

/**
 * Formats a description for help: no full stop, and lower case at the start unless the word is written with a capital.
 */
function asDescription(sentence: string): string {
  const text = withoutStop(sentence);
  return /^[A-Z][a-z ]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

const withoutStop = (sentence: string) => sentence.replace(/\.$/, "");
