import type { Finding } from "./finding.js";
import { formats } from "./formats/index.js";

/** The findings in the format of that name; throws when there is none. */
export function report(findings: readonly Finding[], format: string): string {
  const write = formats.get(format);
  if (!write) throw new Error(`unknown format: ${format} (there are ${[...formats.keys()].join(", ")})`);
  return write(findings);
}
