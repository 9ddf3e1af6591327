import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
/** `from "…"`, `import "…"` and `import("…")`, except type-only imports. */
const IMPORT = /^(?:import|export) (?!type\b)[^;"]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;
const known = new Map();

/** What a file imports: packages by name, our own files by path. */
function importsOf(file) {
  const imports =
    known.get(file) ??
    [...readFileSync(file, "utf8").matchAll(IMPORT)]
      .map(([, a, b, c]) => a ?? b ?? c)
      .map((name) => (name.startsWith(".") ? resolve(dirname(file), name) : name))
      .filter((name) => !isAbsolute(name) || existsSync(name));
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
    for (const path of imports.filter(isAbsolute)) files.add(path);
  }
  return false;
}

/** The scenes that hold the promises to users, but for those that kill and replace the bot many times. */
const SCENES = /^test\/e2e\/(?!durability|outage|upgrade)/;

const FOLDERS =
  "app|change|checks|code|commands/action|data|follow-up|git|github|models|publish|queue|run|text|webhooks|workflow";
/** Also what has the linter look for dropped promises, which no fake shows. */
const ROOMS = new RegExp(`^test/(?:awaited\\.|(?:${FOLDERS})/)`);
/** Suites of these rooms that start and kill programs again and again. */
const KILLING = /\/(?:own-process|dry-run|command-verifier)/;

/** Each job with what tells its suites from those of the jobs after it. */
const JOBS = [
  ["scenes", (path) => SCENES.test(path)],
  // Hostile input, and a run stopped at each of its writes.
  ["bulk", (path) => /\/(?:hostile|every)-/.test(path)],
  ["package", (path) => /^test\/(?:package|deploy\/(?:clean-clone|image))\./.test(path)],
  ["chromium", (path) => /-in-chromium\./.test(path)],
  ["postgres", (path) => /\/(?:postgres|upgrade|engine\/outage)\./.test(path)],
  ["units", (path) => !startsPrograms(join(ROOT, path))],
  // Git, the embedded database or a GitHub on loopback, in the tests' own process.
  ["rooms", (path) => ROOMS.test(path) && !KILLING.test(path)],
  ["programs", () => true],
];

/** The suites of each job, as paths from the project's root. Each suite is in one job. */
export function suitesByJob() {
  const suites = readdirSync(join(ROOT, "test"), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith(".test.ts"))
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)).split(sep).join("/"))
    .sort();
  const jobs = Object.fromEntries(JOBS.map(([name]) => [name, []]));
  for (const path of suites) jobs[JOBS.find(([, takes]) => takes(path))[0]].push(path);
  return jobs;
}
