import { parse } from "acorn";
import { parse as parseToml, TomlError } from "smol-toml";
import { CST, Lexer, parseAllDocuments } from "yaml";
import type { SyntaxFault } from "../../ports/source-parser.ts";
import { countYamlNesting } from "../../text/yaml-nesting.ts";
import type { DataFormat } from "./languages.ts";

/** What is wrong with a text of data; undefined when nothing is. Throws when it cannot be read to its end. */
export function dataFault(format: DataFormat, text: string): SyntaxFault | undefined {
  if (format === "json") return jsonFault(text);
  return format === "yaml" ? yamlFault(text) : tomlFault(text);
}

function jsonFault(text: string): SyntaxFault | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { message } = error;
    const told = /at position (\d+)/.exec(message)?.[1];
    const position = told ?? (/end of JSON/.test(message) ? text.trimEnd().length : undefined);
    if (position === undefined) return { message };
    return { message, line: text.slice(0, Number(position)).split("\n").length };
  }
}

/** Several documents and tags of one's own are YAML; a tag that is not known is only a warning. */
function yamlFault(text: string): SyntaxFault | undefined {
  refuseDeepYaml(text);
  const documents = parseAllDocuments(text, { merge: true, logLevel: "silent" });
  const [error] = [...documents].flatMap(({ errors }) => errors);
  if (error === undefined) return undefined;
  const message = error.message.split("\n")[0] ?? error.message;
  const line = error.linePos?.[0].line;
  return line === undefined ? { message } : { message, line };
}

/** Brackets in brackets, and marks such as `- - -` on one line. */
const MAX_YAML_DEPTH = 200;

/**
 * The parser of YAML is recursive, and at the end of the stack V8 can end the whole process instead of throwing. Nesting
 * by indentation needs no limit: each level costs a longer line.
 */
function refuseDeepYaml(text: string): void {
  const depthAfter = countYamlNesting();
  for (const token of new Lexer().lex(text)) {
    if (depthAfter(CST.tokenType(token)) > MAX_YAML_DEPTH)
      throw new RangeError(`it nests deeper than ${MAX_YAML_DEPTH} levels`);
  }
}

function tomlFault(text: string): SyntaxFault | undefined {
  try {
    parseToml(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { message: error.message.split("\n")[0] ?? error.message, line: error.line };
  }
}

/** What is wrong with a text as plain JavaScript; undefined when nothing is. `path` tells modules (.mjs) from scripts (.cjs). */
export function scriptFault(path: string, text: string): SyntaxFault | undefined {
  const extension = /\.([cm]?js)$/i.exec(path)?.[1]?.toLowerCase() ?? "js";
  const faults = (["module", "commonjs"] as const)
    .filter((kind) => extension === "js" || (extension === "cjs") === (kind === "commonjs"))
    .map((sourceType) => faultIn(() => parse(text, { ecmaVersion: "latest", sourceType })));
  return faults.includes(undefined) ? undefined : faults[0];
}

function faultIn(read: () => unknown): SyntaxFault | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { message, loc } = error as SyntaxError & { readonly loc?: { readonly line: number } };
    return loc ? { line: loc.line, message } : { message };
  }
}
