import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { Ajv } from "ajv";
import fc from "fast-check";
import { parse } from "yaml";
import { settingsJsonSchema, settingsTable } from "../../../src/config/repository/documents.ts";
import { settingsSchema } from "../../../src/config/repository/schema.ts";
import { codeSpan } from "../../../src/text/compose-markdown.ts";
import { PROTECTED_PATHS } from "../../../src/workflow/change/path-policy.ts";
import { settingsWorld } from "./settings-world.ts";

const SCHEMA = new URL("../../../schemas/magis.schema.json", import.meta.url);
const DOCS = new URL("../../../docs/configuration.md", import.meta.url);

const rows = settingsTable().map(({ key, fallback, about }) => `| \`${key}\` | ${fallback} | ${about} |`);
const table = ["| key | default | what it is |", "| --- | --- | --- |", ...rows].join("\n");
const globs = PROTECTED_PATHS.map((glob) => `- ${codeSpan(glob)}`).join("\n");

const fill = (text: string, name: string, content: string) =>
  text.replace(
    new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(\n?<!-- /${name} -->)`),
    (_all, before) => `${before}\n${content}\n\n<!-- /${name} -->`,
  );

if (process.env.MAGIS_WRITE_DOCS === "1") {
  writeFileSync(SCHEMA, `${JSON.stringify(settingsJsonSchema(), null, 2)}\n`);
  writeFileSync(DOCS, fill(fill(readFileSync(DOCS, "utf8"), "keys", table), "protected", globs));
}
/** The formatter lines up the columns of tables. */
const docs = readFileSync(DOCS, "utf8")
  .replace(/-{3,}(?= \|)/g, "---")
  .replace(/ +\|/g, " |");

describe("schemas/magis.schema.json", () => {
  const published = JSON.parse(readFileSync(SCHEMA, "utf8"));
  const accepts = new Ajv({ strict: true }).compile(published);

  it("is that of the code", () => {
    expect(published).toEqual(JSON.parse(JSON.stringify(settingsJsonSchema())));
  });

  it("accepts and refuses what the program does", () => {
    const word = fc.constantFrom(
      "",
      "a",
      "a b",
      "magis/{issue}-{slug}",
      "{title}",
      "x.lock",
      "!a",
      "a/**",
      "none",
      "low",
    );
    const value = fc.oneof(
      word,
      fc.string({ maxLength: 12 }),
      fc.double(),
      fc.integer({ min: -1, max: 101 }),
      fc.boolean(),
    );
    const any = fc.oneof(value, fc.array(value, { maxLength: 3 }), fc.constant(null), fc.constant({}));
    const keys = [...Object.keys(settingsSchema.shape), "other"];
    const file = fc
      .dictionary(fc.constantFrom(...keys), any, { maxKeys: 2 })
      .map((made) => JSON.parse(JSON.stringify(made)));
    fc.assert(
      fc.property(file, (content) => accepts(content) === settingsSchema.safeParse(content).success),
      { numRuns: 3000 },
    );
  });
});

describe("docs/configuration.md", () => {
  it("has the table of the schema and the built-in globs", () => {
    expect(docs).toContain(`<!-- keys -->\n\n${table}\n\n<!-- /keys -->`);
    expect(docs).toContain(`<!-- protected -->\n\n${globs}\n\n<!-- /protected -->`);
  });

  it("says something about every key and its default", () => {
    for (const note of settingsTable()) {
      expect(note).toEqual({
        key: expect.any(String),
        fallback: expect.stringMatching(/./),
        about: expect.stringMatching(/\.$/),
      });
    }
  });

  it("shows an example that is valid", async () => {
    const example = /```yaml\n([\s\S]*?)```/.exec(docs)?.[1] ?? "";
    expect(Object.keys(parse(example)).length).toBeGreaterThan(3);
    const world = settingsWorld({ ".github/magis.yml": example }, { ".github/magis.yml": "" });
    expect(await world.settings()).toMatchObject({ approval: "required", budget: { money: 2 } });
  });
});
