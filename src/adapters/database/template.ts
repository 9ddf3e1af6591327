import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { create, extract } from "tar";

/** Beside the compiled program, for what runs compiled and for what runs from the sources; one for each PGlite. */
function templateFile(): string {
  const pglite = dirname(dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite")));
  const { version } = JSON.parse(readFileSync(join(pglite, "package.json"), "utf8")) as { version: string };
  const program = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "dist");
  return join(program, `postgres-of-pglite-${version}.tgz`);
}

/**
 * Makes the template: a database that `open` has begun in an empty directory, packed. `npm run build` does it, because
 * PostgreSQL's initdb takes 750 MB of memory in WebAssembly and opening what it made takes 170. One that is there stays.
 */
export async function packTemplate(open: (directory: string) => Promise<{ close(): Promise<void> }>): Promise<void> {
  const template = templateFile();
  if (existsSync(template)) return;
  const scratch = await mkdtemp(join(dirname(template), ".postgres-"));
  try {
    await (await open(join(scratch, "postgres"))).close();
    const packed = join(scratch, "packed");
    await create({ file: packed, cwd: scratch, gzip: true, portable: true }, ["postgres"]);
    await rename(packed, template);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Begins a database in `directory`, which is not there yet, from the template; it is whole or not there. Without a
 * template (the program was not built) nothing happens. Throws what the file system says.
 */
export async function unpackTemplate(directory: string, template = templateFile()): Promise<void> {
  if (existsSync(directory) || !existsSync(template)) return;
  const prefix = `.${basename(directory)}-`;
  // What a process left that was killed while it did this.
  for (const name of await readdir(dirname(directory))) {
    if (name.startsWith(prefix)) await rm(join(dirname(directory), name), { recursive: true, force: true });
  }
  const scratch = await mkdtemp(join(dirname(directory), prefix));
  try {
    await extract({ file: template, cwd: scratch, preserveOwner: false });
    await rename(join(scratch, "postgres"), directory);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
