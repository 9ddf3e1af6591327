import { readFileSync, writeFileSync } from "node:fs";
import { COMMANDS_DOCUMENTS } from "./commands-documents.ts";
import { SETTINGS_DOCUMENTS } from "./settings-documents.ts";

// `npm run docs:tables`: writes, in the project's root, what the documents say of settings and commands.
for (const { path, make } of [...SETTINGS_DOCUMENTS, ...COMMANDS_DOCUMENTS]) {
  const text = readFileSync(path, "utf8");
  const made = make(text);
  if (made !== text) writeFileSync(path, made);
}
