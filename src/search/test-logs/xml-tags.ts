/** A tag of a document, or the text between two of them. */
export interface Tag {
  readonly kind: "open" | "close" | "alone" | "text";
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
}

const ATTRIBUTE = /(?<![\w:.-])([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

const SKIPPED: readonly (readonly [string, string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
];

/**
 * The tags and texts of an XML document in order. Decodes XML's own five entities and numbers only: declared entities
 * are ignored, so that none can expand. Ends early where the text is no XML.
 */
export function* tagsOf(text: string): Generator<Tag> {
  let at = 0;
  while (at < text.length) {
    const begin = text.indexOf("<", at);
    const between = text.slice(at, begin < 0 ? text.length : begin);
    if (between.trim() !== "") yield said(decoded(between));
    if (begin < 0) return;
    if (text.startsWith("<![CDATA[", begin)) {
      const end = text.indexOf("]]>", begin);
      if (end < 0) return;
      yield said(text.slice(begin + 9, end));
      at = end + 3;
      continue;
    }
    const skipped = SKIPPED.find(([from]) => text.startsWith(from, begin));
    if (skipped || text.startsWith("<!", begin)) {
      const close = skipped?.[1] ?? ">";
      const end = text.indexOf(close, begin);
      if (end < 0) return;
      at = end + close.length;
      continue;
    }
    const end = endOfTag(text, begin);
    if (end < 0) return;
    yield tagOf(text.slice(begin + 1, end));
    at = end + 1;
  }
}

const said = (text: string): Tag => ({ kind: "text", name: "", attributes: {}, text });

/** Where a tag ends: a `>` may stand in the value of an attribute. */
function endOfTag(text: string, begin: number): number {
  let quote = "";
  for (let at = begin + 1; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (quote !== "") quote = sign === quote ? "" : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === ">") return at;
  }
  return -1;
}

function tagOf(inner: string): Tag {
  if (inner.startsWith("/")) return { kind: "close", name: localName(inner.slice(1)), attributes: {}, text: "" };
  const name = /^[^\s/>]+/.exec(inner)?.[0] ?? "";
  const attributes: Record<string, string> = {};
  for (const [, key = "", double, single] of inner.slice(name.length).matchAll(ATTRIBUTE))
    attributes[localName(key)] = decoded(double ?? single ?? "");
  return { kind: inner.endsWith("/") ? "alone" : "open", name: localName(name), attributes, text: "" };
}

const localName = (name: string) => name.trim().replace(/^.*:/, "");

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

const decoded = (text: string) =>
  text.replace(
    /&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w{1,10}));/g,
    (whole, hex?: string, number?: string, word?: string) => {
      if (word !== undefined) return ENTITIES[word] ?? whole;
      const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
