import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { transform } from "@swc/core";

const ROOT = join(import.meta.dirname, "../..");
/** A constant of its own, because swc's types do not know the last option yet. */
const JSC = {
  target: "es2022",
  parser: { syntax: "typescript" },
  rewriteRelativeImportExtensions: true,
} as const;
const IMPORT = /(?:^(?:import|export) (?!type\b)[^;"]*?from |\bimport\()"(\.[^"]+\.ts)"/gm;

export interface CompiledWorker {
  path: string;
  remove(): Promise<void>;
}

/** Compiles the worker, and our files that it imports, into a folder where plain Node finds our packages. */
export async function compileWorker(): Promise<CompiledWorker> {
  const cache = join(ROOT, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  const out = await mkdtemp(join(cache, "magis-worker-"));
  await writeFile(join(out, "package.json"), '{ "type": "module" }');
  // Our files find their lists beside src.
  await symlink(join(ROOT, "lists"), join(out, "lists"));
  const seen = new Set<string>();
  const compile = async (from: string): Promise<void> => {
    if (seen.has(from)) return;
    seen.add(from);
    const source = await readFile(from, "utf8");
    const { code } = await transform(source, { swcrc: false, configFile: false, jsc: JSC, module: { type: "es6" } });
    const to = join(out, relative(ROOT, from).replace(/\.ts$/, ".js"));
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, code);
    const imports = [...source.matchAll(IMPORT)].map(([, path = ""]) => resolve(dirname(from), path));
    await Promise.all(imports.map(compile));
  };
  await compile(join(ROOT, "test/queue/worker.ts"));
  const remove = () => rm(out, { recursive: true, force: true });
  return { path: join(out, "test/queue/worker.js"), remove };
}
