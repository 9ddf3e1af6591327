import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { parse } from "yaml";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const inFolder = (folder: string, end: string) =>
  readdirSync(new URL(folder, root))
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`);

/** The action, this repository's workflows, and every example of a workflow that the documents show. */
const DOCUMENTS: readonly (readonly [string, string])[] = [
  ["action.yml", read("action.yml")],
  ...inFolder(".github/workflows", ".yml").map((path) => [path, read(path)] as const),
  ...["README.md", ...inFolder("docs", ".md")].flatMap((path) =>
    [...read(path).matchAll(/```ya?ml\n([\s\S]*?)```/g)].map(
      ([, text = ""], at) => [`${path} (${at + 1})`, text] as const,
    ),
  ),
];

/** Keys whose text a shell or a program executes: a runner fills in expressions before that reads it. */
const EXECUTED = new Set(["run", "script", "shell", "working-directory", "entrypoint", "args"]);

/** Expressions that are safe as a working directory: the runner's own folders. */
const HARMLESS = new Set(["runner.temp", "github.action_path", "github.workspace"]);

/** The expressions in executed text, anywhere in a document. */
function expressionsIn(value: unknown, key = ""): readonly string[] {
  if (typeof value === "string") {
    if (!EXECUTED.has(key)) return [];
    const found = [...value.matchAll(/\$\{\{\s*([\s\S]*?)\s*\}\}/g)].map(([, name = ""]) => name);
    return key === "working-directory" ? found.filter((name) => !HARMLESS.has(name)) : found;
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => expressionsIn(part, Array.isArray(value) ? key : name));
}

const workflow = (step: object) => ({ on: "push", jobs: { a: { "runs-on": "ubuntu-latest", steps: [step] } } });
const HOSTILE = ["github.event.issue.title", "github.event['issue']['body']", "toJSON(github.event)", "inputs.check"];

describe("scripts of the action and of workflows", () => {
  it.each(DOCUMENTS)("%s has no expression in a script", (_, text) => {
    expect(expressionsIn(parse(text))).toEqual([]);
  });

  it("include those of the action, of the gate and of docs/action.md", () => {
    const scripts = DOCUMENTS.filter(([, text]) => /^ *(?:- )?run: /m.test(text)).map(([name]) => name);
    expect(scripts).toEqual(expect.arrayContaining(["action.yml", ".github/workflows/gate.yml"]));
    expect(DOCUMENTS.filter(([name]) => name.startsWith("docs/action.md")).length).toBeGreaterThanOrEqual(2);
  });

  it.each(HOSTILE)("would be reported with %s in them", (name) => {
    const expression = `$${"{{ "}${name} }}`;
    expect(expressionsIn(workflow({ run: `echo "${expression}"` }))).toEqual([name]);
    expect(expressionsIn(workflow({ run: `echo\n$${"{{"}\n${name}\n}}` }))).toEqual([name]);
    expect(expressionsIn({ runs: { using: "composite", steps: [{ run: expression, shell: "bash" }] } })).toEqual([
      name,
    ]);
    expect(expressionsIn(workflow({ uses: "actions/github-script@x", with: { script: expression } }))).toEqual([name]);
    expect(expressionsIn(workflow({ run: "true", "working-directory": expression }))).toEqual([name]);
    expect(expressionsIn(workflow({ run: "true", env: { TITLE: expression } }))).toEqual([]);
  });
});
