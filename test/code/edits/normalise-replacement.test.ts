import { describe, expect, it } from "@jest/globals";
import { normaliseReplacement, replaceIntervals } from "../../../src/code/edits/line-edits.ts";
import { readText } from "../../../src/code/edits/text-file.ts";

/** The file's text with a model's answer in place of an interval. */
function edited(text: string, start: number, end: number, answer: string, path = "a.py"): string {
  const file = readText(new TextEncoder().encode(text));
  if (file === undefined) throw new Error("binary");
  const interval = { start, end };
  const replacement = normaliseReplacement(answer, { path, file, interval });
  return replaceIntervals(file, [{ ...interval, text: replacement }]).lines.join("");
}

describe("normaliseReplacement", () => {
  it.each<[string, string, string]>([
    ["adds a newline where lines follow", edited("a\nb\nc\n", 2, 2, "B"), "a\nB\nc\n"],
    ["adds no second newline", edited("a\nb\nc\n", 2, 2, "B\n"), "a\nB\nc\n"],
    ["keeps blank lines", edited("a\nb\nc\n", 2, 2, "\nB\n\n"), "a\n\nB\n\nc\n"],
    ["keeps the final newline of a file", edited("a\nb\n", 2, 2, "B"), "a\nB\n"],
    ["leaves a missing final newline missing", edited("a\nb", 2, 2, "B\n"), "a\nB"],
    ["keeps inner newlines there", edited("a\nb", 2, 2, "B\nC\n"), "a\nB\nC"],
    ["uses the file's line ending", edited("a\r\nb\r\n", 1, 1, "A\nB\n"), "a\r\nb\r\n".replace("a", "A\r\nB")],
    ["turns \\r\\n into \\n in a \\n file", edited("a\nb\n", 1, 1, "A\r\nB\r\n"), "A\nB\nb\n"],
    ["keeps an odd ending of an unchanged line", edited("a\nb\r\nc\n", 1, 2, "A\nb\n"), "A\nb\r\nc\n"],
    ["appends after a last line without a newline", edited("a\nb", 3, 2, "c\n"), "a\nb\nc"],
    ["appends after a last line with a newline", edited("a\nb\n", 3, 2, "c"), "a\nb\nc\n"],
    ["inserts before the first line", edited("a\n", 1, 0, "x"), "x\na\n"],
    ["fills an empty file", edited("", 1, 0, "x"), "x\n"],
    ["deletes for an empty answer", edited("a\nb\nc\n", 2, 2, ""), "a\nc\n"],
    ["deletes for an empty fence", edited("a\nb\nc\n", 2, 2, "```\n```"), "a\nc\n"],
    ["uses \\r in an old Mac file", edited("a\rb\r", 1, 1, "A\nB"), "A\rB\rb\r"],
    ["keeps each of equal lines its own ending", edited("\r\nx\n\ny\n", 1, 3, "\nX\n\n"), "\r\nX\n\ny\n"],
    ["keeps the ending of the equal line in its order", edited("\r\nx\n\ny\n", 1, 4, "x\n\ny\n"), "x\n\ny\n"],
    ["keeps a lone \\r of a repeated line", edited("a\rb\nc\n", 1, 2, "a\rb\nC\n"), "a\rb\nC\n"],
    ["keeps a lone \\r that the model left out", edited("a\rb\nc\n", 1, 2, "ab\nC\n"), "a\rb\nC\n"],
    ["keeps a lone \\r before \\r\\n", edited("a\r\r\nb\r\n", 1, 2, "a\nB\n"), "a\r\r\nB\r\n"],
    ["keeps U+FEFF in a repeated line", edited("x\n\uFEFFa\nb\n", 2, 3, "a\nB\n"), "x\n\uFEFFa\nB\n"],
    ["uses the file's ending for a further copy", edited("a\r\nb\nc\n", 1, 1, "a\na\n"), "a\r\na\nb\nc\n"],
    ["drops a BOM and NUL", edited("a\nb\n", 1, 1, "\uFEFFA\0"), "A\nb\n"],
  ])("%s", (_name, got, expected) => {
    expect(got).toBe(expected);
  });

  it.each<[string, string, string, string]>([
    ["a fence around all", "```python\n  x = 1\n```\n", "a.py", "  x = 1\n"],
    ["a longer fence around fences", "````\n```js\na\n```\n````", "a.py", "```js\na\n```\n"],
    ["a tilde fence", "~~~\nx\n~~~", "a.py", "x\n"],
    ["nothing from two blocks", "```js\na\n```\ntext\n```js\nb\n```", "a.py", "```js\na\n```\ntext\n```js\nb\n```\n"],
    ["nothing from an open fence", "```js\na", "a.py", "```js\na\n"],
    ["nothing from a code block in Markdown", "```js\na\n```", "a.md", "```js\na\n```\n"],
    ["a Markdown fence in Markdown", "```markdown\n# A\n```js\na\n```\n```", "a.md", "# A\n```js\na\n```\n"],
  ])("strips %s", (_name, answer, path, expected) => {
    expect(edited("", 1, 0, answer, path)).toBe(expected);
  });
});
