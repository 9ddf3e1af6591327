import { FileScanner } from "./file-scanner.ts";
import type { FileTokens } from "./file-tokens.ts";
import { IdentifierTable } from "./identifier-table.ts";
import { KEYWORDS } from "./keywords.ts";

/**
 * Gives `indexFile(bytes, size)`: what a file's text, its first `size` bytes, is worth to ranking. All files of a factory share one table of
 * identifiers, so that counts of different files can be compared by number.
 */
export function createFileIndexer(): (bytes: Uint8Array, size?: number) => FileTokens {
  const table = new IdentifierTable(KEYWORDS.names);
  const scanner = new FileScanner(table);
  return (bytes, size) => {
    const length = scanner.scan(bytes, size);
    table.expand();
    const { found, foundEnd, counts, declared, declaredEnd } = scanner;
    const countsEnd = foundEnd * 2;
    const data = new Int32Array(countsEnd + declaredEnd);
    for (let i = 0; i < foundEnd; i++) {
      const id = found[i] as number;
      data[2 * i] = id;
      data[2 * i + 1] = counts[id] as number;
      counts[id] = 0;
    }
    for (let i = 0; i < declaredEnd; i++) data[countsEnd + i] = declared[i] as number;
    return { table, data, countsEnd, length };
  };
}
