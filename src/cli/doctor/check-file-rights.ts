import { stat } from "node:fs/promises";
import path from "node:path";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";

const OTHERS = 0o077;

/** Whether a file that holds a secret can be read by its owner alone. Undefined: there is no such file. */
export async function checkFileRights(name: string, file: string | undefined): Promise<Finding | readonly Finding[]> {
  const { ok, warning, skipped } = findingsOf(name);
  if (file === undefined) return [];
  if (process.platform === "win32") return skipped("Windows keeps rights that are not looked at here.");
  const mode = await stat(file).then(
    (found) => found.mode & 0o777,
    () => undefined,
  );
  if (mode === undefined) return [];
  if ((mode & OTHERS) === 0) return ok("Only its owner can read it.");
  const rights = mode.toString(8).padStart(3, "0");
  return warning(`Other users of this machine may use it (mode ${rights}).`, `Run chmod 600 ${path.basename(file)}.`);
}
