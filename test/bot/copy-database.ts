import { cpSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** `template1` and `template0`, by PostgreSQL's fixed numbers: nobody connects to them, so that nobody writes to their files. */
const UNTOUCHED = ["base/1", "base/4"];

/**
 * Copies a data directory of the embedded database that nobody has open. It has a thousand files: those that stay as they are,
 * more than half, are linked; and one call for the rest takes a quarter of what `cp` takes.
 */
export function copyDatabase(from: string, to: string): void {
  const untouched = new Set(UNTOUCHED.map((name) => join(from, name)));
  cpSync(from, to, { recursive: true, filter: (path) => !untouched.has(path) });
  for (const name of UNTOUCHED) {
    mkdirSync(join(to, name));
    for (const file of readdirSync(join(from, name))) linkSync(join(from, name, file), join(to, name, file));
  }
}

/**
 * Lets a bot or a command find the embedded database in `dataDir` started, where a whole run of the tests made one in advance
 * (`test/data-template.js`): a first start takes ten times what the copy does.
 */
export function copyStarted(dataDir: string): void {
  const template = process.env.MAGIS_TEST_DATA;
  if (template) copyDatabase(join(template, "postgres"), join(dataDir, "postgres"));
}
