import { readFileSync, writeFileSync } from "node:fs";
import { SETTINGS_DOCUMENTS } from "./settings-documents.ts";

// `npm run docs:settings`: writes, in the project's root, what the documents say of the settings.
for (const { path, make } of SETTINGS_DOCUMENTS) {
  const text = readFileSync(path, "utf8");
  const made = make(text);
  if (made !== text) writeFileSync(path, made);
}
