import { getOrMake } from "./get-or-make.ts";
import type { IdentifierTable } from "./identifier-table.ts";
import type { IndexedFile } from "./ranking-types.ts";

/** A name and the files that declare it, by their places in the list. */
export interface DefinedName {
  readonly name: string;
  readonly files: readonly number[];
}

/** Which files declare each of `names`, exactly as written. Names that no file declares are left out. */
export function findDefinitions(files: readonly IndexedFile[], names: readonly string[]): DefinedName[] {
  const holders = names.map((): number[] => []);
  const wantedIn = new Map<IdentifierTable, Int32Array>();
  files.forEach(({ tokens: { table, data, countsEnd } }, file) => {
    const wanted = getOrMake(wantedIn, table, () => idsOf(table, names));
    for (let i = countsEnd; i < data.length; i++) {
      const name = wanted[data[i] as number] as number;
      if (name > 0) holders[name - 1]?.push(file);
    }
  });
  return names.flatMap((name, i) => {
    const found = holders[i] as number[];
    return found.length > 0 ? [{ name, files: found }] : [];
  });
}

function idsOf(table: IdentifierTable, names: readonly string[]): Int32Array {
  const ids = new Int32Array(table.size);
  names.forEach((name, i) => {
    const id = table.identifiers.find(name);
    if (id >= 0) ids[id] = i + 1;
  });
  return ids;
}
