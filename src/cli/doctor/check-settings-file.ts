import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";

const { ok, fault } = findingsOf("repository settings");

/** As `readSettings` gives them, as far as they are told. */
export interface SettingsFaults {
  readonly faults: readonly { readonly file: string; readonly line: number; readonly message: string }[];
}

/** The faults of the repository's `.github/magis.yml`, and of the file that it extends. */
export async function checkSettingsFile(read: object | SettingsFaults): Promise<readonly Finding[]> {
  if (!("faults" in read)) return [ok(".github/magis.yml is valid, or not there.")];
  return read.faults.map(({ file, line, message }) => fault(`${file}, line ${line}: ${message}`));
}
