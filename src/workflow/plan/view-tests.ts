import path from "node:path";
import { readText } from "../../domain/edit/read-text.ts";
import { classifyFile } from "../../domain/ranking/classify-file.ts";
import { createStemmer } from "../../domain/ranking/create-stemmer.ts";
import { splitIdentifier } from "../../domain/ranking/split-identifier.ts";
import type { SourceParser } from "../../ports/source-parser.ts";
import type { LookAround } from "../look-around.ts";

const MOST_TESTS = 5;
/** Declarations named of one test file. */
const MOST_NAMES = 6;

/** Whether a file is a test, by its path. */
export const isTestPath = (file: string): boolean =>
  classifyFile({ path: file, mode: "100644", size: 1 }).group === "test";

/**
 * The tests among the candidates, then those by their names (`parse.test.ts`, `test_parse.py`, `ParseTest.java` for
 * `parse`), each with the declarations that share most with the issue, and their lines.
 */
export async function viewTests(
  candidates: readonly string[],
  terms: ReadonlyMap<string, number>,
  look: LookAround,
  parser: SourceParser,
): Promise<readonly { path: string; names: string }[]> {
  const tests = look.paths().filter(isTestPath);
  const names = candidates.filter((file) => !isTestPath(file)).map(nameOf);
  const matching = names.flatMap((name) => tests.filter((test) => name.length > 2 && nameOf(test) === name));
  const chosen = [...new Set([...candidates.filter(isTestPath), ...matching])].slice(0, MOST_TESTS);
  return Promise.all(
    chosen.map(async (file) => ({ path: file, names: await nearestNames(file, terms, look, parser) })),
  );
}

async function nearestNames(
  file: string,
  terms: ReadonlyMap<string, number>,
  look: LookAround,
  parser: SourceParser,
): Promise<string> {
  const lines = readText((await look.read(file)) ?? new Uint8Array())?.lines ?? [];
  const symbols = (await parser.symbols(file, lines.join(""))) ?? [];
  const stem = createStemmer();
  const scored = symbols.map(({ name, start, end }) => {
    const score = splitIdentifier(name, stem).reduce((sum, term) => sum + (terms.get(term) ?? 0), 0);
    return { text: `${name} (${start}-${end})`, start, score };
  });
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.start - b.start);
  const named = best.slice(0, MOST_NAMES).sort((a, b) => a.start - b.start);
  return [`${lines.length} lines`, ...named.map(({ text }) => text)].join(", ");
}

const nameOf = (file: string) =>
  path.posix
    .basename(file)
    .toLowerCase()
    .replace(/\..*$/, "")
    .replace(/^(?:tests?|specs?)[_-]|[_-]?(?:tests?|specs?)$/g, "");
