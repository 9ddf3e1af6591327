import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transform } from "@swc/core";

const OPTIONS = {
  swcrc: false,
  configFile: false,
  jsc: { target: "es2022", parser: { syntax: "typescript" } },
  module: { type: "es6" },
};

/** Node's hook that loads TypeScript. */
export async function load(url, context, nextLoad) {
  if (!url.endsWith(".ts")) return nextLoad(url, context);
  const { code } = await transform(await readFile(fileURLToPath(url), "utf8"), OPTIONS);
  return { format: "module", source: code, shortCircuit: true };
}
