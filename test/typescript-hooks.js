import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transformSync } from "@swc/core";

const OPTIONS = {
  swcrc: false,
  configFile: false,
  jsc: { target: "es2022", parser: { syntax: "typescript" } },
  module: { type: "es6" },
};

/** Node's hook, in the form for `registerHooks`. */
export function loadSync(url, context, nextLoad) {
  if (!url.endsWith(".ts")) return nextLoad(url, context);
  const { code } = transformSync(readFileSync(fileURLToPath(url), "utf8"), OPTIONS);
  return { format: "module", source: code, shortCircuit: true };
}

/** Node's hook, in the form for `register`. */
export const load = async (url, context, nextLoad) => loadSync(url, context, nextLoad);
