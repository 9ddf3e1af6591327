import { createRequire } from "node:module";
import { dirname } from "node:path";

/** The node_modules folder from which this project compiles TypeScript; undefined when it is not installed. */
export function typescriptModules(): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve("typescript/package.json")));
  } catch {
    return undefined;
  }
}
