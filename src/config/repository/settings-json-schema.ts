import { z } from "zod";
import { settingsSchema } from "./settings-schema.ts";

/** The JSON schema (draft 7, which editors know best) of `.github/magis.yml`: `schemas/magis.schema.json`. */
export function settingsJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(settingsSchema, { target: "draft-07", io: "input" });
  const about = { title: "MAGIS", description: "The configuration of MAGIS in a repository: .github/magis.yml." };
  return { $schema, ...about, ...schema };
}
