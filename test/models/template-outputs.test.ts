import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { Liquid } from "liquidjs";
import { addPromptFilters } from "../../src/models/prompt-library.ts";
import { PROMPTS_FOLDER } from "../fakes/open-prompts.ts";

/** Values that prompts may show unfiltered: numbers, and names that only the program chooses. */
const OURS = [
  "issue.number",
  "number",
  "round",
  "lastRound",
  "turns",
  "room",
  "budget",
  "lineCount",
  "comment.line",
  "file.size",
  "made",
  "interval.start",
  "passage.number",
  "passage.line",
  "task.id",
  "task.action",
  "other.id",
  "other.action",
  "comment.id",
  "hunk.id",
  "change.task.id",
  "change.task.action",
  "task.threads",
  "issue.declined.number",
  "relative.relation",
  "relative.number",
];
const ORIGIN = '"(?:maintainer|file|colleague)"|issue|comment|attachment|relative';
const SAFE = [
  /^[\w.]+ \| code$/,
  /^\w+ \| interval$/,
  new RegExp(`^[\\w.]+ \\| fenced: (?:${ORIGIN})(?:, "(?:diff|markdown)")?$`),
  new RegExp(
    `^(?:${OURS.map((name) => name.replaceAll(".", "\\.")).join("|")})(?: \\| (?:plus|minus): 1| \\| join: ", ")?$`,
  ),
];
const TAGS = /^(?:if|elsif|else|endif|unless|endunless|for|endfor|render)\b/;

let sources: readonly (readonly [string, string])[];
beforeAll(async () => {
  const names = (await readdir(PROMPTS_FOLDER, { recursive: true })).filter((name) => name.endsWith(".liquid"));
  sources = await Promise.all(
    names.map(async (name) => [name, await readFile(path.join(PROMPTS_FOLDER, name), "utf8")] as const),
  );
});
const found = (form: RegExp) =>
  sources.flatMap(([name, source]) => [...source.matchAll(form)].map(([, inner = ""]) => `${name}: ${inner}`));
const inner = (line: string) => line.slice(line.indexOf(": ") + 2);

describe("the templates", () => {
  it("show only fenced texts, code spans, numbers and the program's own names", () => {
    const outputs = found(/\{\{-?\s*([\s\S]*?)\s*-?\}\}/g);
    expect(outputs.length).toBeGreaterThan(100);
    expect(outputs.filter((output) => !SAFE.some((form) => form.test(inner(output))))).toEqual([]);
  });

  it("have no other way to show a value", () => {
    const tags = found(/\{%-?\s*([\s\S]*?)\s*-?%\}/g);
    expect(tags.filter((tag) => !TAGS.test(inner(tag)))).toEqual([]);
  });

  it("put fences on lines of their own", () => {
    const fenced = sources.flatMap(([name, source]) =>
      source.split("\n").flatMap((line) => (line.includes("| fenced") ? [`${name}: ${line}`] : [])),
    );
    const alone = /^(?:\{%[^%]*%\}|\{\{ [^}]*\| fenced[^}]*\}\})+$/;
    expect(fenced.filter((line) => !alone.test(inner(line)))).toEqual([]);
  });

  it("leave backticks to the renderer, which knows how many are needed", () => {
    expect(found(/(`\{\{[^}]*\| code|\| code \}\}`)/g)).toEqual([]);
  });
});

describe("the filters", () => {
  const liquid = new Liquid({ strictVariables: true });
  addPromptFilters(liquid);
  const shown = (template: string, value: unknown) => liquid.parseAndRender(template, { value });

  it.each([
    ["src/a.js", "`src/a.js`"],
    ["a\n\n# b\r\nc\u2028d\u0085e\tf\0g", "`a # b c d e f g`"],
    ["a `b` c", "``a `b` c``"],
    ["`", "`` ` ``"],
    ["``a```", "```` ``a``` ````"],
    ["two  spaces", "`two  spaces`"],
    ["", "`(none)`"],
    [undefined, "`(none)`"],
    [7, "`7`"],
  ])("code shows %j as a code span", async (value, code) => {
    expect(await shown("{{ value | code }}", value ?? null)).toBe(code);
  });

  it.each([
    ["a", "```text from file\na\n```"],
    ["a\n", "```text from file\na\n```"],
    ["", "```text from file\n```"],
    ["```\n", "````text from file\n```\n````"],
    ["~~~~~", "``````text from file\n~~~~~\n``````"],
  ])("fenced shows %j on lines of its own", async (value, fence) => {
    expect(await shown('{{ value | fenced: "file" }}', value)).toBe(fence);
  });

  it.each([
    ["maintainer", "maintainer"],
    ["author", "author"],
    ["other", "other person"],
    ["log", "log"],
    [undefined, "person"],
    ["a standing of later versions", "person"],
  ])("fenced names the origin of a text by the standing %j", async (standing, origin) => {
    const value = standing === undefined ? {} : { standing };
    expect(await shown('{{ "a" | fenced: value, "diff" }}', value)).toBe(`\`\`\`diff from ${origin}\na\n\`\`\``);
  });

  it.each(["{{ value | fenced }}", '{{ value | fenced: "friend" }}', '{{ value | fenced: "diff" }}'])(
    "refuse %s, which names no origin",
    async (template) => {
      await expect(shown(template, "a")).rejects.toThrow("There is no origin");
    },
  );
});
