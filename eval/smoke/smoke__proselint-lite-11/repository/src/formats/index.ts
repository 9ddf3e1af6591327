import type { Finding } from "../finding.js";
import { json } from "./json.js";
import { text } from "./text.js";

/** Every format by the name that `--format` takes. */
export const formats: ReadonlyMap<string, (findings: readonly Finding[]) => string> = new Map([
  ["text", text],
  ["json", json],
]);
