import { parse } from "acorn";

/**
 * Tells what is wrong when a file that parsed before a change parses no more; undefined when all is well or the
 * language is not known here (JSON and plain JavaScript are). Texts are without a BOM.
 */
export function checkSyntax(path: string, before: string, after: string): string | undefined {
  const extension = /\.(json|[cm]?js)$/i.exec(path)?.[1]?.toLowerCase();
  if (extension === undefined || faultOf(extension, before) !== undefined) return undefined;
  const fault = faultOf(extension, after);
  return fault === undefined ? undefined : `${path} parsed before the change and does not parse any more: ${fault}`;
}

function faultOf(extension: string, text: string): string | undefined {
  if (extension === "json") return faultIn(() => JSON.parse(text));
  const faults = (["module", "commonjs"] as const)
    .filter((kind) => extension === "js" || (extension === "cjs") === (kind === "commonjs"))
    .map((sourceType) => faultIn(() => parse(text, { ecmaVersion: "latest", sourceType })));
  return faults.includes(undefined) ? undefined : faults[0];
}

function faultIn(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
