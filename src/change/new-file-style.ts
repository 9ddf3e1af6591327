import path from "node:path";
import { readText, type TextFile } from "../code/edits/text-file.ts";
import type { Repository } from "../git/repository.ts";
import { readAttributes } from "../search/attributes.ts";

type Style = Pick<TextFile, "eol" | "bom">;

/** So many files of its kind tell enough. */
const MAX_READ = 5;

/**
 * The line ends and the byte order mark of a new file: those of most files of its kind, in its folder where there are
 * any. Where git itself turns line ends (`text` in `.gitattributes`), they are those of its store. Throws what
 * `readBlob` throws.
 */
export async function newFileStyle(file: string, { entries, readBlob }: Repository): Promise<Style> {
  const { dirname, extname } = path.posix;
  const alike = [...entries.values()].filter(
    (one) => one.mode.startsWith("100") && (one.size ?? 0) > 0 && extname(one.path) === extname(file),
  );
  const near = alike.filter((one) => dirname(one.path) === dirname(file));
  const read = (near.length > 0 ? near : alike).slice(0, MAX_READ);
  const texts = (await Promise.all(read.map(async ({ blob }) => readText(await readBlob(blob))))).flatMap((text) =>
    text && text.lines.length > 0 ? [text] : [],
  );
  const most = (fits: (text: TextFile) => boolean) => texts.filter(fits).length * 2 > texts.length;
  const attributes = await readAttributes(entries.values(), readBlob);
  const usual = (["\r\n", "\r"] as const).find((eol) => most((text) => text.eol === eol)) ?? "\n";
  return { eol: attributes.of(file).text === true ? "\n" : usual, bom: most(({ bom }) => bom) };
}
