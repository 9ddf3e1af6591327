import { createRequire, isBuiltin } from "node:module";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { SyntheticModule } from "node:vm";
import JestRuntime from "jest-runtime";
import { ofPackages } from "./globals-of-packages.js";

const require = createRequire(import.meta.url);
const PACKAGES = `${sep}node_modules${sep}`;
/** The built program, which runs as it is for everyone. */
const BUILT = join(import.meta.dirname, "..", "dist") + sep;
/** The part of Jest's own that keeps what it knows of a test file in its modules. */
const ADAPTER = /[\\/]jest-circus[\\/]build[\\/]jestAdapterInit/;
/** What this process has loaded, by address: a module's other name, for files that are linked by hand. */
const outside = new Map();

function loadOutside(address) {
  if (!outside.has(address)) outside.set(address, wrap(address));
  return outside.get(address);
}

async function wrap(address) {
  const before = new Set(Reflect.ownKeys(globalThis));
  const namespace = await import(address);
  for (const name of Reflect.ownKeys(globalThis)) if (!before.has(name)) ofPackages.add(name);
  const names = Object.keys(namespace);
  const module = new SyntheticModule(names, () => {
    for (const name of names) module.setExport(name, namespace[name]);
  });
  if (module.status === "unlinked") await module.link(() => undefined);
  await module.evaluate();
  return module;
}

/**
 * Jest's runtime, but that packages and the built program are loaded by Node, once a process, where Jest links their files anew for every test file: that
 * was half of all the time. What is ours stays a test file's own. Packages cannot be mocked (house rule 4). It goes with
 * `environment.js`: all runs among the globals of the process.
 */
// biome-ignore lint/style/noDefaultExport: Jest takes its runtime as a default export
export default class OutsideRuntime extends JestRuntime {
  constructor(...given) {
    super(...given);
    const loader = this.esmLoader;
    loader.getContext = () => undefined;
    // Else Jest resolves by itself on Node 24 and later, and asks nobody.
    this._resolution.hasDistinctAsyncResolver = () => true;
    const resolveInside = loader.resolveModule.bind(loader);
    loader.resolveModule = async (specifier, from, context) => {
      if (isBuiltin(specifier)) return loadOutside(specifier);
      if (!/^[.@a-z]/i.test(specifier) || specifier === "@jest/globals") return resolveInside(specifier, from, context);
      const path = await this._resolution.resolveEsmAsync(from, specifier);
      const isOutside = (path.includes(PACKAGES) && !path.endsWith(".json")) || path.startsWith(BUILT);
      return isOutside ? loadOutside(pathToFileURL(path).href) : resolveInside(specifier, from, context);
    };
  }

  requireInternalModule(from, to) {
    for (const path of Object.keys(require.cache)) if (ADAPTER.test(path)) delete require.cache[path];
    return require(to ? createRequire(from).resolve(to) : from);
  }
}

/** Jest `require`s this file, and asks for a default export in the way of compiled ones. */
export const __esModule = true;
