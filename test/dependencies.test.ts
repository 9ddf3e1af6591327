import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "./world/project-root.ts";

/** Dependencies that no import names, and what they are for. */
const NOT_IMPORTED: Readonly<Record<string, string>> = {
  "@vscode/tree-sitter-wasm": "its grammars are found by their paths: code/tree-sitter/grammar.ts",
  "@octokit/graphql-schema": "the loopback GitHub reads its schema.graphql as a file",
  "@biomejs/biome": "npm run lint",
  "@swc/jest": "named in jest.config.js",
  "@types/hast": "types of hast-util-sanitize's trees",
  "@types/lunr": "types of lunr, which brings none",
  "@types/node": "types of Node",
  "@types/pg": "types of pg, which brings none",
  "@types/yauzl": "types of yauzl, which brings none",
  jest: "npm test",
  knip: "npm run unused",
};

const read = (path: string) => readFileSync(join(projectRoot(), path), "utf8");
const manifest = JSON.parse(read("package.json")) as Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Names of packages that the code in these folders imports. */
function importedIn(...folders: readonly string[]): ReadonlySet<string> {
  const files = folders.flatMap((folder) =>
    readdirSync(join(projectRoot(), folder), { recursive: true, withFileTypes: true })
      .filter(({ name }) => /\.[jt]s$/.test(name))
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8")),
  );
  const specifiers = files.flatMap((text) =>
    [...text.matchAll(/\b(?:from|import|resolve|require)\s*\(?\s*"([^".][^"]*)"/g)].map(([, name = ""]) => name),
  );
  return new Set(specifiers.map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/")));
}

describe("package.json", () => {
  const program = importedIn("src");
  const anywhere = importedIn("src", "test", "demo", "bench", "eval", "lint", "docs");
  const reasons = new Set(Object.keys(NOT_IMPORTED));

  it("has no dependency that the program does not import, without a stated reason", () => {
    const names = Object.keys(manifest.dependencies ?? {});
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !program.has(name) && !reasons.has(name))).toEqual([]);
  });

  it("has no development dependency that nothing imports, without a stated reason", () => {
    const names = Object.keys(manifest.devDependencies ?? {});
    expect(names.filter((name) => !anywhere.has(name) && !reasons.has(name))).toEqual([]);
  });

  it("states no reason that is not needed", () => {
    const names = new Set([
      ...Object.keys(manifest.dependencies ?? {}),
      ...Object.keys(manifest.devDependencies ?? {}),
    ]);
    expect([...reasons].filter((name) => !names.has(name) || anywhere.has(name))).toEqual([]);
  });
});
