import { access, constants, statfs } from "node:fs/promises";
import path from "node:path";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";

const { ok, warning, fault, skipped } = findingsOf("data directory");
const GIGABYTE = 1e9;

/** Whether MAGIS_DATA_DIR, or where it would be made, can be written and has room. Changes nothing there. */
export async function checkDiskSpace(dataDir: string, leastBytes = GIGABYTE): Promise<Finding> {
  let place = dataDir;
  for (;;) {
    const code = await access(place, constants.W_OK | constants.X_OK).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code ?? "",
    );
    if (code === undefined) break;
    const above = path.dirname(place);
    if (code === "ENOENT" && above !== place) {
      place = above;
      continue;
    }
    const why = code === "ENOTDIR" ? "a part of it is a file" : `this user may not write to ${place}`;
    return fault(
      `${dataDir} cannot be used: ${why}.`,
      "Set MAGIS_DATA_DIR to a directory of the bot's own, or its owner.",
    );
  }
  const disk = await statfs(place).catch(() => undefined);
  // Some network file systems know no size and say 0.
  if (disk === undefined || disk.blocks === 0)
    return skipped(`How much of the disk of ${dataDir} is free is not told.`);
  const free = disk.bavail * disk.bsize;
  const text = `${(free / GIGABYTE).toFixed(1)} GB of the disk of ${dataDir} are free`;
  if (free < leastBytes) return warning(`${text}.`, "Make room: below 100 MB the bot does not start.");
  return ok(`${text}${place === dataDir ? "" : "; it is made at the first start"}.`);
}
