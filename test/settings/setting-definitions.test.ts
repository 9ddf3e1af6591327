import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { SETTINGS_DOCUMENTS } from "../../docs/settings-documents.ts";
import { DEFAULT_RUN_VALUES, SETTINGS, settingsIn } from "../../src/data/setting-definitions/all-settings.ts";
import type { SettingDefinition } from "../../src/data/setting-definitions/definition.ts";

const all = Object.entries<SettingDefinition>(SETTINGS);
const asText = (value: unknown) => (Array.isArray(value) ? value.join(",") : String(value));
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

describe("the definitions of the settings", () => {
  it("have a sentence each, and defaults and examples that the setting accepts", () => {
    for (const [name, { sentence, kind, default: value, environment, file }] of all) {
      expect([name, sentence]).toEqual([name, expect.stringMatching(/^\S.*[^.]\.$/)]);
      if (environment?.example !== undefined) {
        expect([name, kind.fromText(environment.example)]).not.toEqual([name, undefined]);
      }
      if (value === undefined) continue;
      if (environment !== undefined) expect([name, kind.fromText(asText(value))]).toEqual([name, value]);
      if (file !== undefined) expect([name, kind.schema.safeParse(value).data]).toEqual([name, value]);
    }
  });

  it("have an example where a required value cannot be 1, and name known variables in `secretFor`", () => {
    for (const [name, { kind, environment, required }] of settingsIn("environment")) {
      if (required) expect([name, kind.fromText(environment.example ?? "1")]).not.toEqual([name, undefined]);
      for (const address of environment.secretFor ?? []) {
        expect(settingsIn("environment").map(([, one]) => one.environment.variable)).toContain(address);
      }
    }
  });

  it("repeat no variable, key, option or place, and name keys as the program does", () => {
    const names = all.flatMap(([, { environment, file, option }]) => [
      environment?.variable,
      file && `key ${file.key}`,
      option && `--${option.name}`,
      environment?.place && `place ${environment.place}`,
    ]);
    const given = names.filter((name) => name !== undefined);
    expect(given).toEqual([...new Set(given)]);
    for (const [name, { file }] of settingsIn("file")) expect(file.key).toBe(kebab(name));
  });

  it("belong to a run only as whole mappings", () => {
    for (const [name, { run }] of all) {
      const beside = all.filter(([other]) => name.includes(".") && other.split(".")[0] === name.split(".")[0]);
      expect([name, beside.filter((one) => one[1].run !== run)]).toEqual([name, []]);
    }
    expect(DEFAULT_RUN_VALUES).toMatchObject({ profile: "lean", ciRounds: 3, signOff: false });
  });

  it("accept the same values as text and from the file", () => {
    const texts = ["0", "1", "20", "21", "100", "101", "1440", "1441", "10000", "10001", "1000000000", "1000000001"];
    for (const [name, { kind }] of settingsIn("environment", "file")) {
      for (const text of texts) {
        const read = kind.fromText(text);
        if (typeof read !== "number" && kind.schema.safeParse(1).success === false) continue;
        expect([name, text, read]).toEqual([name, text, kind.schema.safeParse(Number(text)).data]);
      }
    }
  });
});

/** Compare JSON as data: the formatter lays out the file. */
const comparable = (path: string, text: string) => (path.endsWith(".json") ? JSON.stringify(JSON.parse(text)) : text);

describe("documents made from the settings", () => {
  it.each(SETTINGS_DOCUMENTS.map((document) => [document.path, document] as const))("%s is up to date", (path, one) => {
    const text = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
    const isCurrent = comparable(path, one.make(text)) === comparable(path, text);
    expect(isCurrent ? "up to date" : `${path} differs from the definitions: npm run docs:tables`).toBe("up to date");
  });

  it("cannot be made without the marks", () => {
    const configuration = SETTINGS_DOCUMENTS.find(({ path }) => path === "docs/configuration.md");
    expect(() => configuration?.make("# Configuration\n")).toThrow("<!-- keys -->");
  });
});
