import { writeFileSync } from "node:fs";
import { textsDocument } from "./texts-document.ts";

// `npm run docs:texts`: writes, in the project's root, the document of all texts.
writeFileSync("docs/texts.md", textsDocument());
