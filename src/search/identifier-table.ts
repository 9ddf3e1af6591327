import { addTo } from "../data/add-to.ts";
import { splitIdentifier } from "./terms.ts";

/** Names and words of two characters or more; in scripts that are written without blanks, all up to the next mark. */
const IDENTIFIER = /[\w$\u0080-\u07ff]{2,}|[\u0800-\uffff]+/g;

/** No longer name is worth keeping; characters. */
const MAX_LENGTH = 80;

/** How often each identifier stands in a text, in the order of appearance. */
export function countIdentifiers(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.match(IDENTIFIER) ?? [])
    if (word.length <= MAX_LENGTH) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The distinct identifiers of some files, as written, by number; each is split into its terms once. */
export class IdentifierTable {
  readonly #numbers = new Map<string, number>();
  readonly #carriers = new Map<string, number[]>();

  get size(): number {
    return this.#numbers.size;
  }

  /** The number of an identifier, which is new if it was unknown. */
  numberOf(identifier: string): number {
    const known = this.#numbers.get(identifier);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    // A copy: a piece of a text would keep all of the text in memory.
    const name = Buffer.from(identifier).toString();
    this.#numbers.set(name, number);
    for (const term of new Set(splitIdentifier(name))) addTo(this.#carriers, term, number);
    return number;
  }

  /** The identifiers that stand for `term`, as a whole or by one of their parts. */
  carriers(term: string): readonly number[] {
    return this.#carriers.get(term) ?? [];
  }
}
