import { parse as parseToml, TomlError } from "smol-toml";
import { parseAllDocuments } from "yaml";

/** Where a file of data cannot be read, and why. */
export interface DataFault {
  /** 1-based; absent when the reader does not say */
  readonly line?: number;
  readonly message: string;
}

/** What is wrong with a JSON, YAML or TOML file, by its path; undefined for other files and when nothing is. */
export function dataFault(path: string, text: string): DataFault | undefined {
  if (/\.(?:jsonc?|json5)$/i.test(path)) return jsonFault(text);
  if (/\.ya?ml$/i.test(path)) return yamlFault(text);
  return /\.toml$/i.test(path) ? tomlFault(text) : undefined;
}

function jsonFault(text: string): DataFault | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const { message } = error as SyntaxError;
    const told = /at position (\d+)/.exec(message)?.[1];
    const position = told ?? (/end of JSON/.test(message) ? text.trimEnd().length : undefined);
    if (position === undefined) return { message };
    return { message, line: text.slice(0, Number(position)).split("\n").length };
  }
}

/** Several documents and tags of one's own are YAML; a tag that is not known is only a warning. */
function yamlFault(text: string): DataFault | undefined {
  const documents = parseAllDocuments(text, { merge: true, logLevel: "silent" });
  const [error] = [...documents].flatMap(({ errors }) => errors);
  if (error === undefined) return undefined;
  const message = error.message.split("\n")[0] ?? error.message;
  const line = error.linePos?.[0].line;
  return line === undefined ? { message } : { message, line };
}

function tomlFault(text: string): DataFault | undefined {
  try {
    parseToml(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { message: error.message.split("\n")[0] ?? error.message, line: error.line };
  }
}
