import type { z } from "zod";
import { codeSpan } from "../domain/report/code-span.ts";
import { describeUnknownKey } from "./describe-unknown-key.ts";
import { knownKeys } from "./known-keys.ts";
import { pathText } from "./path-text.ts";
import type { DocumentFault, SettingsDocument } from "./settings-document.ts";
import { settingsSchema } from "./settings-schema.ts";

/** Every fault of a file against the schema: one a value, in the order of the lines. */
export function checkDocument({ content, lineOf }: SettingsDocument): readonly DocumentFault[] {
  const issues = settingsSchema.safeParse(content).error?.issues ?? [];
  const faults = new Map<string, DocumentFault>();
  for (const { path, message } of issues.flatMap(withoutGroups)) {
    const key = pathText(path);
    if (!faults.has(key)) faults.set(key, { line: lineOf(path), key, message });
  }
  return [...faults.values()];
}

function withoutGroups(issue: z.core.$ZodIssue): readonly { path: readonly PropertyKey[]; message: string }[] {
  if (issue.code !== "unrecognized_keys") {
    return [{ path: issue.path, message: `${codeSpan(pathText(issue.path))} ${issue.message}` }];
  }
  const known = knownKeys(issue.path);
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: describeUnknownKey(key, known) }));
}
