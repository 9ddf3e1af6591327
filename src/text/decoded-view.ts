import { parseFragment } from "parse5";

/** A text as it reads once entities and escapes are decoded. */
export interface DecodedView {
  readonly shown: string;
  /** Where the character at `at` of `shown` begins in the source; behind the last one, the end of the source. */
  placeOf(at: number): number;
}

const CODED = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});|\\[!-/:-@[-`{-~]/gi;

/** The view of a text outside of code, with which what is found as GitHub reads it is found again in the source. */
export function decodedView(source: string): DecodedView {
  const entities = new Map<string, string>();
  const decode = (coded: string) => {
    if (coded.startsWith("\\")) return coded.slice(1);
    const known = entities.get(coded) ?? decodeEntity(coded);
    entities.set(coded, known);
    return known;
  };
  const parts: string[] = [];
  /** behind each part: its place in the view and in the source */
  const steps = [{ shown: 0, source: 0 }];
  let [length, from] = [0, 0];
  const add = (text: string, to: number) => {
    parts.push(text);
    length += text.length;
    from = to;
    steps.push({ shown: length, source: to });
  };
  for (const { 0: coded, index } of source.matchAll(CODED)) {
    if (index > from) add(source.slice(from, index), index);
    add(decode(coded), index + coded.length);
  }
  if (from < source.length) add(source.slice(from), source.length);

  let step = 0;
  const placeOf = (at: number) => {
    while (step > 0 && (steps[step]?.shown ?? 0) > at) step -= 1;
    while ((steps[step + 1]?.shown ?? Number.POSITIVE_INFINITY) <= at) step += 1;
    const { shown, source: place } = steps[step] ?? { shown: 0, source: 0 };
    return Math.min(place + at - shown, steps[step + 1]?.source ?? source.length);
  };
  return { shown: parts.join(""), placeOf };
}

function decodeEntity(entity: string): string {
  const [node] = parseFragment(entity).childNodes;
  return node && "value" in node ? node.value : entity;
}
