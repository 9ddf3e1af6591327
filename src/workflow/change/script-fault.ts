import { parse } from "acorn";

/** Where a script cannot be read, and why. */
export interface ScriptFault {
  /** 1-based; undefined when it is not known */
  readonly line?: number;
  readonly message: string;
}

/** What is wrong with a text as plain JavaScript; undefined when nothing is. `path` tells modules (.mjs) from scripts (.cjs). */
export function scriptFault(path: string, text: string): ScriptFault | undefined {
  const extension = /\.([cm]?js)$/i.exec(path)?.[1]?.toLowerCase() ?? "js";
  const faults = (["module", "commonjs"] as const)
    .filter((kind) => extension === "js" || (extension === "cjs") === (kind === "commonjs"))
    .map((sourceType) => faultIn(() => parse(text, { ecmaVersion: "latest", sourceType })));
  return faults.includes(undefined) ? undefined : faults[0];
}

function faultIn(read: () => unknown): ScriptFault | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    const { message, loc } = error as Error & { readonly loc?: { readonly line: number } };
    return loc ? { line: loc.line, message } : { message };
  }
}
