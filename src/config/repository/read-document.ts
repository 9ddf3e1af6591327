import { type Document, LineCounter, parseDocument } from "yaml";
import { describeYamlError } from "./describe-yaml-error.ts";
import { findAliasFaults } from "./find-alias-faults.ts";
import { findExcess } from "./find-excess.ts";
import { locatePath } from "./locate-path.ts";
import type { DocumentFault, SettingsDocument } from "./settings-document.ts";

const MAX_SIZE = 64 * 1024;
const KEY = /^[\w$.-]{1,60}(?=\s*:)/;

/** Reads a YAML mapping (1.2, one document, at most 64 KiB), or says all that is wrong with it as YAML. Never throws. */
export function readDocument(text: string): SettingsDocument | { readonly faults: readonly DocumentFault[] } {
  if (Buffer.byteLength(text) > MAX_SIZE) {
    return fault("The file is larger than 64 KiB: a configuration has no need of so much.");
  }
  const excess = findExcess(text);
  if (excess) return { faults: [excess] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, stringKeys: true, prettyErrors: false });
  const faults = [...document.errors, ...document.warnings].map((error) => ({
    line: lines.linePos(error.pos[0]).line,
    key: error.code === "DUPLICATE_KEY" ? (KEY.exec(text.slice(error.pos[0], error.pos[0] + 200))?.[0] ?? "") : "",
    message: describeYamlError(error),
  }));
  // What comes after the first fault of grammar is often only its echo; a key that stands twice is no such fault.
  const [first] = faults;
  if (first !== undefined) {
    const apart = document.errors.every(({ code }) => code === "DUPLICATE_KEY");
    return { faults: apart ? faults : [first, ...findAliasFaults(document, lines)] };
  }
  const aliases = findAliasFaults(document, lines);
  return aliases.length > 0 ? { faults: aliases } : readMapping(document, lines);
}

function readMapping(document: Document, lines: LineCounter): ReturnType<typeof readDocument> {
  const lineOf = (path: readonly PropertyKey[]) => lines.linePos(locatePath(document, path)).line;
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: 100 });
  } catch {
    return fault("The aliases stand for far more than the file holds: write the values themselves.");
  }
  if (content === null) return { content: {}, lineOf };
  if (typeof content !== "object" || Array.isArray(content)) {
    return fault("The file must be a mapping, one `key: value` on each line.", lineOf([]));
  }
  return { content: content as Readonly<Record<string, unknown>>, lineOf };
}

function fault(message: string, line = 1): { readonly faults: readonly DocumentFault[] } {
  return { faults: [{ line, key: "", message }] };
}
