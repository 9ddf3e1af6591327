import type { OperatorLimits } from "../../model/settings.ts";
import { codeSpan } from "../../text/code-span.ts";
import { pathText } from "./path-text.ts";
import type { DocumentFault, SettingsDocument } from "./settings-document.ts";
import { settingsSchema } from "./settings-schema.ts";

const UNITS = { money: "US dollars", tokens: "tokens", minutes: "minutes" } as const;
const MAX_NAMED = 10;
const TIERS = ["fast", "strong"] as const;

/**
 * What a file asks for and the operator does not grant: a higher budget, another model. Each value is read by itself,
 * so that a fault elsewhere does not hide these.
 */
export function checkLimits({ content, lineOf }: SettingsDocument, limits: OperatorLimits): readonly DocumentFault[] {
  const faults: DocumentFault[] = [];
  const add = (path: readonly string[], rest: string) => {
    const key = pathText(path);
    faults.push({ line: lineOf(path), key, message: `${codeSpan(key)} ${rest}` });
  };
  const budget = settingsSchema.shape.budget.unwrap().shape;
  for (const [name, unit] of Object.entries(UNITS) as [keyof typeof UNITS, string][]) {
    const most = limits.budget[name];
    if ((budget[name].safeParse(valueIn(content.budget, name)).data ?? 0) <= most) continue;
    add(
      ["budget", name],
      `is above what the operator of this bot allows, ${most} ${unit} a run: write ${most} or less.`,
    );
  }
  const models = settingsSchema.shape.models.unwrap().shape;
  for (const tier of TIERS) {
    const model = models[tier].safeParse(valueIn(content.models, tier)).data;
    if (model === undefined || limits.models.includes(model)) continue;
    const allowed = limits.models.slice(0, MAX_NAMED).map(codeSpan).join(", ");
    add(
      ["models", tier],
      `names ${codeSpan(model)}, which the operator of this bot does not allow: write one of ${allowed}.`,
    );
  }
  return faults;
}

function valueIn(part: unknown, name: string): unknown {
  return typeof part === "object" && part !== null ? Reflect.get(part, name) : undefined;
}
