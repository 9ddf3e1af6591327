import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { MagisError } from "../../data/error.ts";

/** For the owner alone. */
const PRIVATE = 0o600;

const KEY_FILE = "magis.private-key.pem";

/**
 * Puts variables into a `.env` file. A missing file is made, for its owner alone; other lines stay as they are.
 * PRIVATE_KEY goes to a file beside it, which PRIVATE_KEY_PATH names. Gives the names of the written files. Throws
 * CONFIGURATION_INVALID if such a file cannot hold a value.
 */
export function writeEnvFile(path: string, values: Readonly<Record<string, string>>): readonly string[] {
  const { PRIVATE_KEY: key, ...others } = values;
  const keyFile = join(dirname(path), KEY_FILE);
  if (key !== undefined) replaceFile(keyFile, key);
  // Every key becomes a line, so one without a value must be absent.
  const wanted = key === undefined ? others : { ...others, PRIVATE_KEY_PATH: keyFile };
  const lines = readLines(path);
  for (const [name, value] of Object.entries(wanted)) {
    const line = `${name}=${quoted(name, value)}`;
    const at = lines.findLastIndex((one) => one.startsWith(`${name}=`));
    const commented = lines.findIndex((one) => one.startsWith(`#${name}=`));
    if (at >= 0) lines[at] = line;
    else if (commented >= 0) lines.splice(commented + 1, 0, line);
    else lines.push(line);
  }
  replaceFile(path, `${lines.join("\n")}\n`);
  return key === undefined ? [basename(path)] : [basename(path), KEY_FILE];
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").trimEnd().split(/\r?\n/);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new MagisError("CONFIGURATION_INVALID", `${path} cannot be read: check its kind and rights.`, {}, error);
  }
}

/** As Node's own parser of such files reads it back. */
function quoted(name: string, value: string): string {
  const forms = [value, `"${value}"`, `'${value}'`, `\`${value}\``];
  const form = forms.find((one) => parseEnv(`${name}=${one}\n`)[name] === value);
  if (form !== undefined && !/[\r\n]/.test(value)) return form;
  throw new MagisError("CONFIGURATION_INVALID", `The value of ${name} cannot be written to a .env file.`);
}

/** Writes whole or not at all, and never readable by others, not even for a moment. */
function replaceFile(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}.tmp`;
  writeFileSync(draft, text, { mode: PRIVATE, flag: "wx" });
  renameSync(draft, path);
}
