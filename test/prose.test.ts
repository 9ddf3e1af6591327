import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import MarkdownIt from "markdown-it";

const ROOT = join(import.meta.dirname, "..");

/** Characters of a line of prose. */
const LONGEST = 120;

const FOLDERS = ["bench", "demo", "deploy", "docs", "eval", "prompts", "schemas", "src", "test"];

/** Texts of the bot and of an issue, where line breaks are visible. */
const LEFT_OUT = ["demo/issue.md"];

const IS_FIXTURE = /^(?:eval\/smoke\/[^/]+|demo)\/repository\//;

const documents = [
  ...readdirSync(ROOT),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  ),
]
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => path.endsWith(".md") && !LEFT_OUT.includes(path) && !IS_FIXTURE.test(path))
  .sort();

const markdown = new MarkdownIt({ html: true });

/** Lines of a document's paragraphs that are too long and could be broken; tables, code and headings are no paragraphs. */
function longLines(text: string): readonly number[] {
  const lines = text.split("\n");
  const tokens = markdown.parse(text, {});
  return tokens
    .filter(({ type, map }) => type === "paragraph_open" && map)
    .flatMap(({ map }) => {
      const [from, to] = map as [number, number];
      return Array.from({ length: to - from }, (_, at) => from + at);
    })
    .filter((at) => isTooLong(lines[at] ?? ""))
    .map((at) => at + 1);
}

/** A single word, such as an address, may have any length. */
function isTooLong(line: string): boolean {
  const words = line.replace(/^(?:[-*+>]|\d+[.)]|\s)+/, "");
  return line.length > LONGEST && words.trim().includes(" ");
}

describe("the documents", () => {
  it("are found", () => {
    expect(documents.length).toBeGreaterThan(80);
    expect(documents).toEqual(expect.arrayContaining(["README.md", "docs/using.md", "src/README.md"]));
  });

  it.each(documents)("%s has no line of prose beyond 120 characters", (path) => {
    expect(longLines(readFileSync(join(ROOT, path), "utf8"))).toEqual([]);
  });

  it("may have long tables, code and addresses, and nothing else that is long", () => {
    const long = "word ".repeat(30).trim();
    const address = `https://example.com/${"a".repeat(120)}`;
    const fine = `# ${long}\n\n| a | b |\n| --- | --- |\n| ${long} | b |\n\n    ${long}\n\n\`\`\`\n${long}\n\`\`\`\n\n- ${address}`;
    expect(longLines(fine)).toEqual([]);
    expect(longLines(`short\n${long}\n\n- ${long}\n\n> ${long}\n\n1. short\n\n   ${long}`)).toEqual([2, 4, 6, 10]);
  });
});
