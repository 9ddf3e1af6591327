import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { transformFile } from "@swc/core";

const ROOT = join(import.meta.dirname, "../..");
const SOURCES = ["src/adapters/database", "src/engine", "src/model", "src/ports", "src/text", "test/engine"];
/** A constant of its own, because swc's types do not know the last option yet. */
const JSC = {
  target: "es2022",
  parser: { syntax: "typescript" },
  rewriteRelativeImportExtensions: true,
} as const;

export interface CompiledWorker {
  readonly path: string;
  remove(): Promise<void>;
}

/** Compiles `worker.ts` and what it imports to a place from where a plain Node runs it with our packages. */
export async function compileWorker(): Promise<CompiledWorker> {
  const cache = join(ROOT, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  const out = await mkdtemp(join(cache, "magis-worker-"));
  await writeFile(join(out, "package.json"), '{ "type": "module" }');
  for (const source of SOURCES) {
    for (const entry of await readdir(join(ROOT, source), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith(".ts")) continue;
      const from = join(entry.parentPath, entry.name);
      const to = join(out, relative(ROOT, from).replace(/\.ts$/, ".js"));
      const { code } = await transformFile(from, {
        swcrc: false,
        configFile: false,
        jsc: JSC,
        module: { type: "es6" },
      });
      await mkdir(dirname(to), { recursive: true });
      await writeFile(to, code);
    }
  }
  const remove = () => rm(out, { recursive: true, force: true });
  return { path: join(out, "test/engine/worker.js"), remove };
}
