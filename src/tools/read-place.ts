import { readText } from "../edits/read-text.ts";
import { outlineSymbols } from "./outline-symbols.ts";
import { resolvePath } from "./resolve-path.ts";
import { showLines } from "./show-lines.ts";
import { splitName } from "./split-name.ts";
import type { ToolContext } from "./tool-context.ts";
import { unknownPath } from "./unknown-path.ts";

interface Place {
  readonly path: string;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly symbol?: string | undefined;
}

/** Lines of one file, by their numbers or by the declaration they are; of a long file without either its outline. */
export async function readPlace(context: ToolContext, { path: written, start, end, symbol }: Place): Promise<string> {
  const { files, limits } = context;
  const resolved = resolvePath(written);
  if ("reason" in resolved) return resolved.reason;
  const { path } = resolved;
  if (!files.has(path)) {
    return files.hasFolder(path) ? `${path || "The top"} is a folder: use list.` : unknownPath(files, path);
  }
  const bytes = await files.bytes(path);
  const file = bytes && readText(bytes);
  if (!file) return `${path} is no text file, or its content is not at hand.`;
  const { lines } = file;
  if (lines.length === 0) return `${path} is empty.`;
  if (symbol !== undefined) return readSymbol(context, path, lines, symbol);
  if (start === undefined && end === undefined && isLong(lines, limits)) {
    return (await outlineSymbols(context, path, lines)) ?? showLines(path, lines, 1, lines.length, limits);
  }
  const from = Math.max(1, start ?? 1);
  const to = Math.min(lines.length, end ?? lines.length);
  if (from > lines.length) return `${path} has ${lines.length} lines: there is no line ${from}.`;
  if (to < from) return `No lines from ${from} to ${end}: end comes before start.`;
  return showLines(path, lines, from, to, limits);
}

async function readSymbol(context: ToolContext, path: string, lines: readonly string[], symbol: string) {
  const { parser, limits } = context;
  const split = splitName(symbol);
  const symbols = (await parser.symbols(path, lines.join(""))) ?? [];
  const named = symbols.filter(({ name }) => name === split?.name);
  const owned = named.filter(({ parent }) => split?.owner === undefined || parent === split.owner);
  const found = (owned.length > 0 ? owned : named).slice(0, 2);
  if (found.length > 0) return found.map(({ start, end }) => showLines(path, lines, start, end, limits)).join("\n\n");
  const outline = await outlineSymbols(context, path, lines);
  return `${path} declares no ${symbol}.${outline === undefined ? " Give lines." : `\n${outline}`}`;
}

function isLong(lines: readonly string[], limits: ToolContext["limits"]): boolean {
  const characters = lines.reduce((sum, text) => sum + text.length + 7, 0);
  return lines.length > limits.lines || characters > limits.readCharacters;
}
