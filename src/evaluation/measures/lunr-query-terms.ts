import lunr from "lunr";

/** What `search` makes of a text: split at blanks and hyphens, stemmed, punctuation kept, each repetition a boost. */
export function lunrQueryTerms(query: string): ReadonlyMap<string, number> {
  const terms = new Map<string, number>();
  for (const word of query
    // Operators of lunr's query language: with them it throws.
    .replace(/[:~^*+-]/g, " ")
    .toLowerCase()
    .split(/\s+/)) {
    if (word === "") continue;
    const term = lunr.stemmer(new lunr.Token(word, {})).toString();
    terms.set(term, (terms.get(term) ?? 0) + 1);
  }
  return terms;
}
