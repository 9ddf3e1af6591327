import { fc } from "../../seeded.ts";

const LINE = fc.oneof(
  fc.constantFrom(
    "",
    "a",
    "b",
    "\tindented",
    "  two",
    "é",
    "日本語",
    "🙂",
    "--- a/x",
    "+++ b/x",
    "@@ -1 +1 @@",
    "x\ry",
    "\\ no",
  ),
  fc.string({ maxLength: 6 }).map((text) => text.replace(/[\n\0\uFEFF]/g, "")),
);
const TERMINATOR = fc.constantFrom("\n", "\n", "\r\n");

/** Random texts of a few lines, many of them alike, the last line perhaps without a newline. */
function texts(): fc.Arbitrary<string> {
  const lines = fc.array(fc.tuple(LINE, TERMINATOR), { maxLength: 14 });
  return fc
    .tuple(lines, fc.constantFrom("", "", "last", "é"))
    .map(([all, last]) => all.map(([line, end]) => line + end).join("") + last);
}

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
