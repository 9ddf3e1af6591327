import type { z } from "zod";
import { codeSpan } from "../../text/code-span.ts";
import { describeUnknownKey } from "./describe-unknown-key.ts";
import { knownKeys } from "./known-keys.ts";
import { pathText } from "./path-text.ts";
import type { DocumentFault, SettingsDocument } from "./settings-document.ts";
import { settingsSchema } from "./settings-schema.ts";

/** Beyond these nobody reads on, and each costs time to place. */
const MAX = 100;

/** The faults of a file against the schema: one a value, in no certain order; of very many the first, and their number. */
export function checkDocument({ content, lineOf }: SettingsDocument): readonly DocumentFault[] {
  const issues = (settingsSchema.safeParse(content).error?.issues ?? []).flatMap(oneByOne);
  const faults = new Map<string, DocumentFault>();
  for (const { path, describe } of issues.slice(0, MAX)) {
    const key = pathText(path);
    if (!faults.has(key)) faults.set(key, { line: lineOf(path), key, message: describe() });
  }
  const rest = issues.length - MAX;
  const last = Math.max(...[...faults.values()].map(({ line }) => line));
  const more = { line: last, key: "", message: `There are ${rest} more faults in this file.` };
  return [...faults.values(), ...(rest > 0 ? [more] : [])];
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly describe: () => string;
}

/** Zod puts all unknown keys of a mapping into one issue. */
function oneByOne(issue: z.core.$ZodIssue): readonly Problem[] {
  if (issue.code !== "unrecognized_keys") {
    return [{ path: issue.path, describe: () => `${codeSpan(pathText(issue.path))} ${issue.message}` }];
  }
  const known = knownKeys(issue.path);
  return issue.keys.map((key) => ({ path: [...issue.path, key], describe: () => describeUnknownKey(key, known) }));
}
