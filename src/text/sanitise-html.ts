import type { Root } from "hast";
import { fromParse5 } from "hast-util-from-parse5";
import { defaultSchema, type Schema, sanitize } from "hast-util-sanitize";
import { type DefaultTreeAdapterMap, Parser, type Token } from "parse5";

/** The deepest nesting of elements; what follows a deeper one is left out. */
const MAX_DEPTH = 250;

/**
 * Tags that only change how letters look. They are reopened in each block, so hostile ones would cost time and memory.
 */
const FORMATTING: readonly string[] = ["b", "em", "i", "s", "small", "strike", "strong", "tt", "u"];

/** Elements whose content is not shown as text. `rp` is for browsers without `ruby`. */
const UNSEEN: readonly string[] = ["script", "style", "template", "svg", "math", "rp"];

/** If one of these is never closed, it would hide the rest, which GitHub shows. */
const PAIRED: readonly string[] = ["template", "svg", "math"];

const KNOWN: ReadonlySet<string> = new Set([
  ...(defaultSchema.tagNames ?? []).filter((name) => !FORMATTING.includes(name)),
  ...UNSEEN,
]);

/** GitHub's published schema, plus the marks of `markdownToHtml`. */
const SCHEMA: Schema = {
  ...defaultSchema,
  tagNames: [...(defaultSchema.tagNames ?? [])].filter((name) => !UNSEEN.includes(name)),
  strip: [...UNSEEN],
  attributes: { ...defaultSchema.attributes, pre: ["dataLang"], div: ["dataNote"] },
};

/**
 * The tree of an HTML text, sanitised as GitHub does. `cut`: it nested too deeply, and the rest is left out. Never
 * throws; takes linear time.
 */
export function sanitiseHtml(html: string): { readonly tree: Root; readonly cut: boolean } {
  const parser = BoundedParser.getFragmentParser<DefaultTreeAdapterMap>(null, {
    scriptingEnabled: false,
  }) as BoundedParser;
  const lower = html.toLowerCase();
  parser.closed = new Set(PAIRED.filter((name) => lower.includes(`</${name}`)));
  parser.tokenizer.write(html, true);
  const tree = sanitize(fromParse5(parser.getFragment()), SCHEMA);
  return { tree: tree.type === "root" ? tree : { type: "root", children: [] }, cut: parser.isFull };
}

/** An HTML parser that ignores tags which GitHub removes, and stops at a depth. */
class BoundedParser extends Parser<DefaultTreeAdapterMap> {
  /** names from PAIRED that are closed somewhere */
  closed: ReadonlySet<string> = new Set();
  isFull = false;

  override onStartTag(token: Token.TagToken): void {
    const { tagName } = token;
    if (!KNOWN.has(tagName) || (PAIRED.includes(tagName) && !this.closed.has(tagName))) return;
    if (tagName === "code") token.attrs = [];
    this.isFull ||= this.openElements.stackTop >= MAX_DEPTH;
    if (!this.isFull) super.onStartTag(token);
  }

  override onCharacter(token: Token.CharacterToken): void {
    if (!this.isFull) super.onCharacter(token);
  }

  override onWhitespaceCharacter(token: Token.CharacterToken): void {
    if (!this.isFull) super.onWhitespaceCharacter(token);
  }
}
