import { fc } from "../../seeded.ts";
import { texts } from "./texts.ts";

/** Pairs of texts, the second made mostly of the first's lines. */
export function versions(): fc.Arbitrary<[string, string]> {
  const related = fc
    .tuple(texts(), fc.array(fc.tuple(fc.nat(14), texts()), { maxLength: 3 }))
    .map(([before, changes]): [string, string] => {
      const lines = before.match(/[^\n]*\n|[^\n]+/g) ?? [];
      for (const [at, text] of changes) lines.splice(Math.min(at, lines.length), at % 3, text);
      return [before, lines.join("")];
    });
  return fc.oneof(related, fc.tuple(texts(), texts()));
}
