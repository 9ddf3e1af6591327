import type { SourceParser } from "../../ports/source-parser.ts";
import { changedLines } from "./changed-lines.ts";
import type { PatchFile } from "./patch-file.ts";
import { touchedFunctions } from "./touched-functions.ts";

/**
 * How many functions the change of one file touches, by its language's grammar: in the old file those with a changed
 * line, in a created file all of them. Undefined where there is no grammar. `oldText`: of the file before the change.
 */
export async function countFunctions(
  file: PatchFile,
  oldText: string | undefined,
  parser: Pick<SourceParser, "symbols">,
): Promise<number | undefined> {
  if (file.oldPath !== undefined) {
    const symbols = oldText === undefined ? undefined : await parser.symbols(file.oldPath, oldText);
    return symbols && touchedFunctions(symbols, changedLines(file));
  }
  if (file.newPath === undefined) return undefined;
  const added = file.hunks.flatMap(({ runs }) => runs.flatMap((run) => run.added));
  const symbols = await parser.symbols(file.newPath, `${added.join("\n")}\n`);
  return (
    symbols &&
    touchedFunctions(
      symbols,
      added.map((_, index) => index + 1),
    )
  );
}
