import type { Root, RootContent } from "hast";
import { fromParse5 } from "hast-util-from-parse5";
import { defaultSchema, type Schema, sanitize } from "hast-util-sanitize";
import { type DefaultTreeAdapterMap, Parser, type Token } from "parse5";

/** The deepest nesting of elements, and the most of them; what follows is left out. */
const MAX_DEPTH = 250;

const MAX_ELEMENTS = 50_000;

/** Kept without attributes: a parser reopens these in each block, and the same ones at most three times. */
const FORMATTING: ReadonlySet<string> = new Set([..."b code em i s small strike strong tt u".split(" ")]);

/** Elements whose content is not shown as text. `rp` is for browsers without `ruby`. */
const UNSEEN: readonly string[] = ["script", "style", "template", "svg", "math", "rp"];

/** GitHub's own element around a formula. */
const FORMULA = "math-renderer";

const KNOWN: ReadonlySet<string> = new Set([...(defaultSchema.tagNames ?? []), ...UNSEEN, FORMULA]);

/**
 * GitHub's published schema, with the classes and styles that GitHub itself adds: it takes away those that people write.
 */
const SCHEMA: Schema = {
  ...defaultSchema,
  tagNames: [...KNOWN].filter((name) => !UNSEEN.includes(name)),
  strip: [...UNSEEN],
  attributes: {
    "*": ["className", "hidden", "style"],
    a: ["href", "dataFootnoteRef"],
    img: ["src"],
    input: ["checked"],
    ol: ["start"],
    pre: ["lang"],
  },
};

/**
 * The tree of an HTML text without what its page does not show, sanitised as GitHub does. `cut`: it is too long or nests
 * too deeply, and the rest is left out. Never throws; takes linear time.
 */
export function sanitiseHtml(html: string): { tree: Root; cut: boolean } {
  const parser = BoundedParser.getFragmentParser<DefaultTreeAdapterMap>(null, {
    scriptingEnabled: false,
  }) as BoundedParser;
  parser.tokenizer.write(html, true);
  const tree = sanitize(fromParse5(parser.getFragment()), SCHEMA);
  if (tree.type !== "root") return { tree: { type: "root", children: [] }, cut: parser.isFull };
  return { tree: { ...tree, children: seen(tree.children) }, cut: parser.isFull };
}

/** GitHub's classes for what it hides, such as the quoted part of an e-mail, or shows to screen readers alone. */
const HIDING = /(?:^|-)hidden(?:-|$)|^sr-only$|^d-none$/;

const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;

function seen<Node extends RootContent>(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => {
    if (node.type !== "element") return [node];
    const { className, hidden, style } = node.properties;
    const isHidden = Array.isArray(className) && className.some((name) => HIDING.test(String(name)));
    if (isHidden || (hidden !== undefined && hidden !== false) || HIDDEN_STYLE.test(String(style ?? ""))) return [];
    return [{ ...node, children: seen(node.children) }];
  });
}

/** An HTML parser that ignores tags which GitHub removes, and stops at a depth and a number of elements. */
class BoundedParser extends Parser<DefaultTreeAdapterMap> {
  isFull = false;
  #elements = 0;

  override onStartTag(token: Token.TagToken): void {
    const { tagName } = token;
    if (!KNOWN.has(tagName)) return;
    if (FORMATTING.has(tagName)) token.attrs = [];
    this.#elements += 1;
    this.isFull ||= this.openElements.stackTop >= MAX_DEPTH || this.#elements > MAX_ELEMENTS;
    if (!this.isFull) super.onStartTag(token);
  }

  override onCharacter(token: Token.CharacterToken): void {
    if (!this.isFull) super.onCharacter(token);
  }

  override onWhitespaceCharacter(token: Token.CharacterToken): void {
    if (!this.isFull) super.onWhitespaceCharacter(token);
  }
}
