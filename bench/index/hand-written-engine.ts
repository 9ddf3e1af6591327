import { STOP_WORDS, splitIdentifier } from "../../src/search/terms.ts";
import { createInterner } from "./create-interner.ts";
import type { Engine } from "./engine.ts";

const [K1, B] = [1.5, 0.4];
const IS_WORD = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte > 127 || /[\w$]/.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** term, count, term, count, …, and how many there are in all */
interface Counted {
  pairs: Int32Array;
  length: number;
}

/** Counts the terms of text: interns identifiers, splits each distinct one once, adds up per document. */
function createCounter() {
  const { intern, name, size } = createInterner();
  const numbers = new Map<string, number>();
  const termsOf: number[][] = [];
  let tally = new Int32Array(1 << 20);

  function expand(): void {
    for (let id = termsOf.length; id < size(); id++)
      termsOf.push(
        splitIdentifier(name(id)).map((term) => {
          const number = numbers.get(term) ?? numbers.size;
          if (number === numbers.size) numbers.set(term, number);
          return number;
        }),
      );
    while (numbers.size > tally.length) tally = new Int32Array(tally.length * 2);
  }

  return {
    numbers,
    count(bytes: Uint8Array): Counted {
      const ids: number[] = [];
      for (let i = 0; i < bytes.length; i++) {
        if (IS_WORD[bytes[i] as number] === 0) continue;
        const start = i;
        let hash = -2128831035;
        while (i < bytes.length && IS_WORD[bytes[i] as number] === 1)
          hash = Math.imul(hash ^ (bytes[i++] as number), 16777619);
        if (i - start > 1 && i - start <= 80) ids.push(intern(bytes, start, i, hash ^ (hash >>> 15)));
      }
      expand();
      const found: number[] = [];
      for (const id of ids)
        for (const term of termsOf[id] as number[]) {
          if (tally[term] === 0) found.push(term);
          tally[term] = (tally[term] as number) + 1;
        }
      const pairs = new Int32Array(found.length * 2);
      let length = 0;
      found.forEach((term, i) => {
        pairs[2 * i] = term;
        pairs[2 * i + 1] = tally[term] as number;
        length += tally[term] as number;
        tally[term] = 0;
      });
      return { pairs, length };
    },
  };
}

/** Postings of every term, in three flat arrays: term `t` is in `documents[starts[t], starts[t + 1])`. */
function invert(counted: readonly Counted[], terms: number) {
  const starts = new Int32Array(terms + 1);
  for (const { pairs } of counted)
    for (let i = 0; i < pairs.length; i += 2)
      starts[(pairs[i] as number) + 1] = (starts[(pairs[i] as number) + 1] ?? 0) + 1;
  for (let term = 0; term < terms; term++) starts[term + 1] = (starts[term + 1] as number) + (starts[term] as number);
  const documents = new Int32Array(starts[terms] as number);
  const weights = new Float32Array(documents.length);
  const next = starts.slice();
  const mean = counted.reduce((sum, { length }) => sum + length, 0) / counted.length;
  counted.forEach(({ pairs, length }, document) => {
    const norm = K1 * (1 - B + (B * length) / mean);
    for (let i = 0; i < pairs.length; i += 2) {
      const term = pairs[i] as number;
      const at = next[term] as number;
      next[term] = at + 1;
      documents[at] = document;
      weights[at] = ((K1 + 1) * (pairs[i + 1] as number)) / (norm + (pairs[i + 1] as number));
    }
  });
  return { starts, documents, weights };
}

/**
 * The limit: an inverted index with BM25 written for nothing but speed, over the same text, paths and tokens as ours.
 * It knows no kinds of files, no declarations, no mentions, and cannot be brought up to date.
 */
export const handWrittenEngine: Engine = async (files) => {
  const { count, numbers } = createCounter();
  const blobs = new Map<string, Counted>();
  const encoder = new TextEncoder();
  const counted = files.flatMap(({ path, blob, bytes }) => {
    const text = blobs.get(blob) ?? count(bytes);
    blobs.set(blob, text);
    return [text, count(encoder.encode(path))];
  });
  const { starts, documents, weights } = invert(counted, numbers.size);
  return ({ title, body }) => {
    const terms = queryTerms(`${title}\n${title}\n${body}`, numbers);
    const scores = new Float64Array(files.length);
    for (const [term, frequency] of terms) {
      const [from, to] = [starts[term] as number, starts[term + 1] as number];
      const weight = (1 + Math.log(frequency)) * Math.log(1 + (files.length - to + from + 0.5) / (to - from + 0.5));
      for (let at = from; at < to; at++) {
        const file = (documents[at] as number) >> 1;
        scores[file] = (scores[file] as number) + weight * (weights[at] as number);
      }
    }
    return [...scores.keys()]
      .filter((file) => (scores[file] as number) > 0)
      .sort((a, b) => (scores[b] as number) - (scores[a] as number))
      .slice(0, 20)
      .map((file) => files[file]?.path ?? "");
  };
};

function queryTerms(text: string, numbers: ReadonlyMap<string, number>): Map<number, number> {
  const pairs = new Map<number, number>();
  for (const [word] of text.matchAll(/[\w$\u0080-\uffff]{2,80}/g)) {
    if (STOP_WORDS.has(word.toLowerCase())) continue;
    for (const term of splitIdentifier(word)) {
      const number = numbers.get(term);
      if (number !== undefined) pairs.set(number, (pairs.get(number) ?? 0) + 1);
    }
  }
  return pairs;
}
