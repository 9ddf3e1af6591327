import { stripFenceInfo } from "./strip-fence-info.ts";
import { stripInvisible } from "./strip-invisible.ts";
import { stripReferences } from "./strip-references.ts";

const ATTRIBUTE = /\s([^\s"'<>/=]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?/g;
const TAG = /<([a-z][a-z0-9-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)+)\s*(\/?)>/gi;
/** A tag that opens a block is HTML even when it is never closed, or closed wrongly (CommonMark 4.6, kind 6). */
const BLOCK_NAMES =
  "address|article|aside|blockquote|center|dd|details|dialog|div|dl|dt|figure|footer|form|h[1-6]|header|hr|li|nav|ol|p|section|summary|table|tbody|td|tfoot|th|thead|tr|ul";
const OPEN_TAG = new RegExp(`(</?(?:${BLOCK_NAMES}))[\\s/](?:[^<>\\n]|\\n(?![ \\t]*(?:\\n|$)))*`, "gi");
/** Instructions and declarations, to their end or, never closed, to that of the paragraph. */
const DECLARATION = /<(?:\?|!(?!--))(?:[^>\n]|\n(?![ \t]*(?:\n|$)))*>?/g;
const IMAGE = /!\[(?:[^[\]]|\[[^[\]]*\])*\](?=[([])/g;
const TITLED =
  /(\]\(\s*(?:<[^<>\n]*>|[^\s()]*(?:\([^\s()]*\)[^\s()]*)*))\s+(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\((?:\\.|[^()\\])*\))\s*\)/g;
const ENTITY = /&(?:#(\d{1,12})|#x([0-9a-f]{1,10})|(zerowidthspace|zwn?j|lrm|rlm|shy|nobreak|invisible\w{1,10}));/gi;

/**
 * Takes out of Markdown (no code in it) what is in the source but not on the page: attributes of HTML tags but their
 * addresses, texts of images, titles of links, link definitions used as comments, and invisible characters, written
 * out or as entities. Visible text stays.
 */
export function stripHiddenMarkup(text: string): string {
  const marked = stripReferences(text)
    .replace(
      TAG,
      (_tag, name: string, attributes: string, slash: string) => `<${name}${addresses(attributes)}${slash}>`,
    )
    .replace(OPEN_TAG, (open, name: string) => (open === `${name}/` ? open : name))
    .replace(DECLARATION, "")
    .replace(IMAGE, "![]")
    .replace(TITLED, "$1)")
    .replace(ENTITY, visibleEntity);
  return stripInvisible(stripFenceInfo(marked));
}

function addresses(attributes: string): string {
  let kept = "";
  for (const [, name = "", value] of attributes.matchAll(ATTRIBUTE)) {
    if (/^(?:src|href)$/i.test(name) && value !== undefined) kept += ` ${name}=${value}`;
  }
  return kept;
}

function visibleEntity(entity: string, decimal: string | undefined, hexadecimal: string | undefined): string {
  if (decimal === undefined && hexadecimal === undefined) return "";
  const point = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number.parseInt(decimal, 10);
  if (point > 0x10ffff) return entity;
  return stripInvisible(String.fromCodePoint(point)) === "" ? "" : entity;
}
