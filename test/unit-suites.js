import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
/** `from "…"`, `import "…"` and `import("…")`, except type-only imports. */
const IMPORT = /^(?:import|export) (?!type\b)[^;"]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;
const known = new Map();

function importsOf(file) {
  const imports = known.get(file) ?? [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, a, b, c]) => a ?? b ?? c);
  known.set(file, imports);
  return imports;
}

/**
 * Modules that start programs. PGlite runs PostgreSQL inside the tests' own process, but also takes seconds to start.
 */
const PROGRAMS = ["node:child_process", "@electric-sql/pglite"];

/** Whether a file, or any of our files that it imports, can start a program. */
export function startsPrograms(file) {
  const files = new Set([file]);
  for (const one of files) {
    const imports = importsOf(one);
    if (PROGRAMS.some((name) => imports.includes(name))) return true;
    for (const name of imports.filter((name) => name.startsWith("."))) {
      const path = resolve(dirname(one), name);
      if (existsSync(path)) files.add(path);
    }
  }
  return false;
}

/** Suites of hostile input in bulk take as long as all others of their folder: only `npm test` runs them. */
const IN_BULK = /^hostile-/;

/** The test files of all folders that start no program, as paths from the project's root. */
export function unitSuites() {
  return readdirSync(join(ROOT, "test"), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith(".test.ts") && !IN_BULK.test(name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !startsPrograms(file))
    .map((file) => relative(ROOT, file).split(sep).join("/"))
    .sort();
}
