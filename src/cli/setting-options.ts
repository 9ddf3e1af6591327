import { z } from "zod";
import { type OptionName, settingsIn } from "../model/setting-definitions/all-settings.ts";

type Names = Readonly<Partial<Record<OptionName, string>>>;

/** An option whose value stands for a variable's; it stays the text that was given. */
interface SettingOption<Name extends string> {
  readonly name: Name;
  readonly argument: string;
  readonly description: string;
  readonly shape: z.ZodType<string, string>;
}

/**
 * An option for each setting that the command line can choose, checked as the setting is anywhere else.
 * @param names of options that the command calls otherwise
 */
export function settingOptions<const Renamed extends Names = Readonly<Record<never, never>>>(
  names?: Renamed,
): readonly SettingOption<Exclude<OptionName, keyof Renamed> | Extract<Renamed[keyof Renamed], string>>[] {
  return settingsIn("option").map(([, { option, kind, sentence }]) => ({
    name: nameOf(option.name, names) as Exclude<OptionName, keyof Renamed>,
    argument: option.value,
    description: asDescription(sentence),
    shape: z.string().refine((text) => kind.fromText(text.trim()) !== undefined, { error: withoutStop(kind.rule) }),
  }));
}

/** The variables in whose place `options`, by name, give the values. */
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

/** As help has it: no sentence, and no capital but where the word is written so. */
function asDescription(sentence: string): string {
  const text = withoutStop(sentence);
  return /^[A-Z][a-z ]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

const withoutStop = (sentence: string) => sentence.replace(/\.$/, "");
