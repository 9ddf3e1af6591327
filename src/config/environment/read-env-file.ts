import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { MagisError } from "../../model/magis-error.ts";

/**
 * The variables of a `.env` file, in the form that Node itself reads; none when there is no such file.
 * Throws CONFIGURATION_INVALID for a file that cannot be read.
 */
export function readEnvFile(path: string): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new MagisError("CONFIGURATION_INVALID", `${path} cannot be read: check its kind and rights.`, {}, error);
  }
}
