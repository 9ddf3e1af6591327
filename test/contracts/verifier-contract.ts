import { describe, expect, it } from "@jest/globals";
import type { NewTest, Question } from "../../src/data/verdict.ts";
import type { TriedChange, Verifier } from "../../src/run/verifier.ts";

/** A verifier of a project whose tests `node --test` runs, and the project's commit. */
export interface OpenedVerifier {
  verifier: Verifier;
  base: string;
  close?(): Promise<void>;
}

export type OpenVerifier = (project: Readonly<Record<string, string>>) => Promise<OpenedVerifier>;

const HEAD =
  'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { sum } from "../sum.js";\n\n';
const OLD = `${HEAD}test("adds nothing", () => {\n  assert.equal(sum(0, 0), 0);\n});\n`;
const NEW = `${HEAD}test("adds two numbers", () => {\n  assert.equal(sum(1, 2), 3);\n});\n`;
const WRONG = "export const sum = (a, b) => a - b;\n";
const RIGHT = "export const sum = (a, b) => a + b;\n";

const PROJECT = { "package.json": '{ "type": "module" }\n', "sum.js": WRONG, "test/old.test.js": OLD };

const ADDED: NewTest = { path: "test/new.test.js", within: [], name: "adds two numbers" };

const bytes = (text: string) => new TextEncoder().encode(text);

const change = (base: string, files: Readonly<Record<string, string | null>>): TriedChange => ({
  base,
  files: Object.entries(files).map(([path, text]) => ({ path, content: text === null ? null : bytes(text) })),
});

/** The contract of every verifier, in terms of a change, a question and the verdict. */
export function verifierContract(name: string, open: OpenVerifier): void {
  const asked = async (
    project: Readonly<Record<string, string>>,
    files: Readonly<Record<string, string | null>>,
    ask: Question["ask"],
  ) => {
    const { verifier, base, close } = await open(project);
    try {
      const { signal } = new AbortController();
      const onBase = await verifier.verify(change(base, {}), { ask: "base", tests: [] }, signal);
      if (ask === "base") return onBase;
      return await verifier.verify(change(base, files), { ask, tests: [ADDED] }, signal);
    } finally {
      await close?.();
    }
  };

  describe(`a verifier: ${name}`, () => {
    it("calls a base that passes green, and lists the checks", async () => {
      const verdict = await asked(PROJECT, {}, "base");
      expect(verdict).toMatchObject({ kind: "green", checks: [{ state: "passed" }] });
    });

    it("calls a base that fails other-red, and quotes the failure", async () => {
      const broken = { ...PROJECT, "sum.js": "export const sum = () => 7;\n" };
      const verdict = await asked(broken, {}, "base");
      expect(verdict.kind).toBe("other-red");
      expect(JSON.stringify(verdict)).toContain("adds nothing");
    });

    it("calls a new test that fails on its assertion right-red, and names it", async () => {
      const verdict = await asked(PROJECT, { "test/new.test.js": NEW }, "red");
      expect(verdict).toMatchObject({ kind: "right-red", tests: [{ cause: "assertion", test: ADDED }] });
      if (verdict.kind === "right-red") expect(verdict.tests[0]?.words).toContain("3");
    });

    it("calls a new test that cannot run other-red", async () => {
      const verdict = await asked(PROJECT, { "test/new.test.js": NEW.replace("../sum.js", "../gone.js") }, "red");
      expect(verdict.kind).toBe("other-red");
    });

    it("calls a new test that passes without the change not-red", async () => {
      const verdict = await asked({ ...PROJECT, "sum.js": RIGHT }, { "test/new.test.js": NEW }, "red");
      expect(verdict.kind).toBe("not-red");
    });

    it("calls the whole change green", async () => {
      const verdict = await asked(PROJECT, { "test/new.test.js": NEW, "sum.js": RIGHT }, "green");
      expect(verdict.kind).toBe("green");
    });

    it("calls a change that breaks another test other-red, and names that test", async () => {
      const verdict = await asked(
        PROJECT,
        { "sum.js": "export const sum = () => 3;\n", "test/new.test.js": NEW },
        "green",
      );
      expect(verdict.kind).toBe("other-red");
      expect(JSON.stringify(verdict)).toContain("adds nothing");
    });

    it("removes the files that a change deletes", async () => {
      const broken = { ...PROJECT, "test/odd.test.js": OLD.replace("0), 0", "0), 1") };
      const { verifier, base, close } = await open(broken);
      const { signal } = new AbortController();
      const verdict = await verifier.verify(
        change(base, { "test/odd.test.js": null }),
        { ask: "base", tests: [] },
        signal,
      );
      await close?.();
      expect(verdict.kind).toBe("green");
    });
  });
}
