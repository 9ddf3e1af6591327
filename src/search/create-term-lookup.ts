import { getOrMake } from "./get-or-make.ts";
import type { IdentifierTable } from "./identifier-table.ts";

/** Which of the asked terms an identifier stands for: `groups[groupOf[identifier]]`, by place; group 0 is empty. */
export interface TermLookup {
  readonly groupOf: Int32Array;
  readonly groups: readonly (readonly number[])[];
}

/** Gives, for each table of identifiers, the lookup of `terms` in it; made once a table. */
export function createTermLookup(terms: readonly string[]): (table: IdentifierTable) => TermLookup {
  const known = new Map<IdentifierTable, TermLookup>();
  return (table) => getOrMake(known, table, () => lookup(table, terms));
}

function lookup(table: IdentifierTable, terms: readonly string[]): TermLookup {
  const carriers = terms.map((term) => table.carriers(term));
  const groupOf = new Int32Array(table.size);
  const groups: number[][] = [[]];
  carriers.forEach((ids, term) => {
    for (const id of ids) {
      const group = groupOf[id] as number;
      if (group > 0) groups[group]?.push(term);
      else groupOf[id] = groups.push([term]) - 1;
    }
  });
  return { groupOf, groups };
}
