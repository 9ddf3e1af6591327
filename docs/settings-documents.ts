import { z } from "zod";
import { settingsIn } from "../src/data/setting-definitions/all-settings.ts";
import { type SettingDefinition, withNote } from "../src/data/setting-definitions/definition.ts";
import { EXTENDED_FILE_SENTENCE } from "../src/data/setting-definitions/name-forms.ts";
import { settingsSchema, takesOperators } from "../src/settings/repository/check-document.ts";

/** A document of which parts are made of the definitions of the settings. */
export interface MadeDocument {
  /** from the project's root */
  readonly path: string;
  /** its text with the made parts as they should be, given as it is; throws when a part has lost its marks */
  readonly make: (text: string) => string;
}

/** Every document that is made of the settings, wholly or in parts. */
export const SETTINGS_DOCUMENTS: readonly MadeDocument[] = [
  { path: ".env.example", make: (text) => fillLines(text, envLines()) },
  { path: "docs/configuration.md", make: fillConfiguration },
  { path: "schemas/magis.schema.json", make: () => `${JSON.stringify(jsonSchema(), undefined, 2)}\n` },
];

function fillConfiguration(text: string): string {
  return fill(fill(text, "keys", keysTable()), "variables", variablesTable());
}

/** A document with what stands between the marks of a part replaced. Throws when the marks are not there. */
export function fill(text: string, name: string, content: string): string {
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  return between(text, opening, closing, `\n\n${content}\n\n`);
}

function fillLines(text: string, lines: readonly string[]): string {
  return between(text, "# --- settings ---", "# --- end ---", `\n${lines.join("\n")}\n`);
}

/** `text` with what stands between two marks replaced. Throws when they are not there. */
export function between(text: string, opening: string, closing: string, content: string): string {
  const [start, end] = [text.indexOf(opening), text.indexOf(closing)];
  if (start < 0 || end < start) throw new Error(`The marks ${opening} and ${closing} are not there.`);
  return text.slice(0, start + opening.length) + content + text.slice(end);
}

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A default as it would be written in the environment; "" when there is none. */
function defaultText({ default: value }: SettingDefinition): string {
  return Array.isArray(value) ? value.join(",") : String(value ?? "");
}

function variablesTable(): string {
  const rows = settingsIn("environment").map(([, definition]) => {
    const { environment, required, requiredFor, sentence } = definition;
    const value = defaultText(definition);
    const needed = required
      ? "**required**"
      : requiredFor && `**required** for \`${requiredFor.variable}=${requiredFor.value}\``;
    const shown = needed || (value && `\`${value}\``);
    return [`\`${environment.variable}\``, shown, withNote(sentence, environment.note)];
  });
  return table(["variable", "default", "what it is"], rows);
}

/** A variable that need not be filled in is commented out, and shows its default or an example. */
function envLines(): readonly string[] {
  return settingsIn("environment").flatMap(([, definition]) => {
    const { environment, required, sentence } = definition;
    const { variable, note, example = "", fillIn } = environment;
    const isOpen = required || fillIn;
    const value = isOpen ? "" : defaultText(definition) || example;
    return [`# ${withNote(sentence, note)}`, `${isOpen ? "" : "#"}${variable}=${value}`];
  });
}

function keysTable(): string {
  const rows = settingsIn("file").map(([, definition]) => {
    const { file, sentence } = definition;
    return [`\`${file.key}\``, fileDefault(definition), withNote(sentence, file.note)];
  });
  return table(["key", "default", "what it is"], [["`_extends`", "none", EXTENDED_FILE_SENTENCE], ...rows]);
}

function fileDefault(definition: SettingDefinition): string {
  const { file, environment, default: value } = definition;
  if (!takesOperators(definition)) return `\`${JSON.stringify(value)}\``;
  return environment === undefined ? (file?.whenAbsent ?? "none") : `\`${environment.variable}\``;
}

/** The JSON schema (draft 7, which editors know best) of `.github/magis.yml`. */
function jsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(settingsSchema, { target: "draft-07", io: "input" });
  const about = { title: "MAGIS", description: "The configuration of MAGIS in a repository: .github/magis.yml." };
  return { $schema, ...about, ...schema };
}
