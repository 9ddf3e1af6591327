import { readFileSync, writeFileSync } from "node:fs";
import { COMMANDS_DOCUMENTS } from "./commands-documents.ts";
import { textsDocument } from "./texts-document.ts";

// `npm run docs:texts`: writes, in the project's root, the document of all texts and the tables of commands.
writeFileSync("docs/texts.md", textsDocument());
for (const { path, make } of COMMANDS_DOCUMENTS) writeFileSync(path, make(readFileSync(path, "utf8")));
