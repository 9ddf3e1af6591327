import { z } from "zod";
import { settingsSchema } from "./schema.ts";

/** What holds for keys that have no default of their own. */
const FALLBACKS: Readonly<Record<string, string>> = {
  _extends: "none",
  label: "`MAGIS_LABEL`",
  "base-branch": "the repository's default branch",
  draft: "`MAGIS_DRAFT`",
  "models.fast": "`MAGIS_MODEL_FAST`",
  "models.strong": "`MAGIS_MODEL_STRONG`",
  "effort.fast": "`MAGIS_EFFORT_FAST`",
  "effort.strong": "`MAGIS_EFFORT_STRONG`",
  candidates: "`MAGIS_CANDIDATES`",
  "review-rounds": "`MAGIS_REVIEW_ROUNDS`",
  "budget.money": "`MAGIS_BUDGET_MONEY`",
  "budget.tokens": "`MAGIS_BUDGET_TOKENS`",
  "budget.minutes": "`MAGIS_BUDGET_MINUTES`",
  "allowed-bots": "`MAGIS_ALLOWED_BOTS`",
};

/** One key as the documentation shows it, in Markdown. */
export interface SettingNote {
  readonly key: string;
  readonly fallback: string;
  readonly about: string;
}

/** Every key of `.github/magis.yml` with its default and its sentence, in the schema's order: `docs/configuration.md`. */
export function settingsTable(): readonly SettingNote[] {
  return rowsOf(settingsSchema, "");
}

function rowsOf({ shape }: z.ZodObject, parent: string): readonly SettingNote[] {
  return Object.entries(shape).flatMap(([name, type]) => {
    const key = parent + name;
    const inner = type instanceof z.ZodDefault ? type.unwrap() : type;
    if (inner instanceof z.ZodObject) return rowsOf(inner, `${key}.`);
    const own = type instanceof z.ZodDefault ? `\`${JSON.stringify(type.def.defaultValue)}\`` : undefined;
    const fallback = own ?? FALLBACKS[key] ?? "";
    return [{ key, fallback, about: z.globalRegistry.get(type as z.ZodType)?.description ?? "" }];
  });
}

/** The JSON schema (draft 7, which editors know best) of `.github/magis.yml`: `schemas/magis.schema.json`. */
export function settingsJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(settingsSchema, { target: "draft-07", io: "input" });
  const about = { title: "MAGIS", description: "The configuration of MAGIS in a repository: .github/magis.yml." };
  return { $schema, ...about, ...schema };
}

/** The keys that may stand in the mapping at `path`; none when there is no mapping of known keys. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  let shape: z.core.$ZodType | undefined = settingsSchema;
  for (const step of path) {
    if (!(shape instanceof z.ZodObject)) return [];
    shape = shape.shape[String(step)];
    while (shape instanceof z.ZodDefault || shape instanceof z.ZodOptional) shape = shape.unwrap();
  }
  return shape instanceof z.ZodObject ? Object.keys(shape.shape) : [];
}
