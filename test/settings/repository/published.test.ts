import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { Ajv } from "ajv";
import { parse } from "yaml";
import { settingsSchema } from "../../../src/settings/repository/check-document.ts";
import { fc } from "../../seeded.ts";
import { settingsWorld } from "./settings-world.ts";

const SCHEMA = new URL("../../../schemas/magis.schema.json", import.meta.url);
const DOCS = new URL("../../../docs/configuration.md", import.meta.url);

describe("schemas/magis.schema.json", () => {
  const published = JSON.parse(readFileSync(SCHEMA, "utf8"));
  const accepts = new Ajv({ strict: true }).compile(published);

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
  it("shows a valid example", async () => {
    const example = /```yaml\n([\s\S]*?)```/.exec(readFileSync(DOCS, "utf8"))?.[1] ?? "";
    expect(Object.keys(parse(example)).length).toBeGreaterThan(3);
    const world = settingsWorld({ ".github/magis.yml": example }, { ".github/magis.yml": "" });
    expect(await world.settings()).toMatchObject({ approval: "required", budget: { money: 2 } });
  });
});
