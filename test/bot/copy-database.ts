import { copyFileSync, linkSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** `template1` and `template0`, by PostgreSQL's fixed numbers: nobody connects to them, so that nobody writes to their files. */
const UNTOUCHED: readonly string[] = ["base/1", "base/4"];

/**
 * Copies a data directory of the embedded database that nobody has open. It has a thousand files: those that stay as they are,
 * more than half, are linked; and the rest is copied without asking again what each of them is, as Node's own copy of a folder does.
 */
export function copyDatabase(from: string, to: string): void {
  const folders = [""];
  for (const folder of folders) {
    mkdirSync(join(to, folder), { recursive: true, mode: 0o700 });
    const put = UNTOUCHED.includes(folder) ? linkSync : copyFileSync;
    for (const entry of readdirSync(join(from, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else put(`${from}/${path}`, `${to}/${path}`);
    }
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
