import lunr from "lunr";

const STEMMABLE = /^[a-z]{3,}$/;

/**
 * A stemmer with its own memory: takes a lower-case word, gives its stem; anything that is not a plain English word
 * comes back as it is. The Porter stemmer is run until nothing changes, so that a stem is its own stem and a token
 * read again stays the same token.
 */
export function createStemmer(): (word: string) => string {
  const memory = new Map<string, string>();
  const stem = (word: string): string => {
    const known = memory.get(word);
    if (known !== undefined) return known;
    const shorter = STEMMABLE.test(word) ? lunr.stemmer(new lunr.Token(word, {})).toString() : word;
    const found = shorter === word || shorter.length < 2 ? word : stem(shorter);
    memory.set(word, found);
    return found;
  };
  return stem;
}
