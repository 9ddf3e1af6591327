import type { Node } from "web-tree-sitter";

/** A name in a declaration, and the name of what it belongs to when the declaration itself says so. */
export interface DeclaredName {
  readonly name: string;
  readonly owner?: string;
  /** C and C++: the name is that of a function, which the type of the node does not tell */
  readonly callable?: boolean;
}

const LEAF = /^(?:identifier|field_identifier|type_identifier|destructor_name|operator_name|operator_cast)$/;

const MAX_DEPTH = 12;

/** `View.prototype.lookup`, `app.use`: what the name belongs to, and the name. */
const MEMBER = /(?:^|\.)([\w$]+)(?:\.prototype)?\.([\w$]+)$/;

/** They name nothing: `exports.a`, `this.a`. */
const MODULE = /^(?:exports|module|this|self|window|globalThis)$/;

/** The names a declaration gives: usually one; several in `a, b := …` or `int a, b;`; none when it has no plain name. */
export function declaredNames(node: Node, textOf: (node: Node) => string): DeclaredName[] {
  if (node.type === "impl_item")
    return plain([node.childForFieldName("type")], (type) => textOf(type).replace(/<.*/s, ""));
  const declarators = node.childrenForFieldName("declarator");
  if (declarators.length > 0) return declarators.flatMap((declarator) => fromDeclarator(declarator, textOf) ?? []);
  const receiver = node.type === "method_declaration" ? node.childForFieldName("receiver") : null;
  if (receiver) {
    const owner = /(\w+)\s*(?:\[.*)?\)$/s.exec(textOf(receiver))?.[1];
    return plain([node.childForFieldName("name")], textOf).map((found) => (owner ? { ...found, owner } : found));
  }
  const left = node.childForFieldName("left");
  const [, holder, member] = MEMBER.exec(left?.type === "member_expression" ? textOf(left) : "") ?? [];
  if (holder !== undefined && member !== undefined && !MODULE.test(holder)) return [{ name: member, owner: holder }];
  const named = ["name", "property", "key", "left"].map((field) => node.childrenForFieldName(field)).find(hasAny);
  const names = named ?? node.namedChildren.filter(({ type }) => type === "name").slice(0, 1);
  return plain(names, (name) => plainName(name, textOf));
}

function plain(nodes: readonly (Node | null)[], textOf: (node: Node) => string): DeclaredName[] {
  return nodes.flatMap((node) => (node ? [{ name: textOf(node) }] : [])).filter(({ name }) => name !== "");
}

function hasAny(nodes: readonly Node[]): boolean {
  return nodes.length > 0;
}

/** "" for what is no plain name: a pattern, an index. */
function plainName(node: Node, textOf: (node: Node) => string): string {
  if (node.type === "member_expression") return /[\w$]+$/.exec(textOf(node))?.[0] ?? "";
  if (node.type === "string") return textOf(node).replace(/^["']|["']$/g, "");
  const text = textOf(node).replace(/^\$/, "");
  return /^[#\w$.:\\?!=<>+*/%[\]~^&|-]{1,120}$/u.test(text) || /identifier|constant|name/.test(node.type) ? text : "";
}

/** C: the name stands at the end of a chain, `*(*name)(…)`; the link before it tells what it is. */
function fromDeclarator(declarator: Node, textOf: (node: Node) => string): DeclaredName | undefined {
  let node: Node | null = declarator;
  let callable = false;
  for (let depth = 0; node && depth < MAX_DEPTH; depth++) {
    if (node.type === "variable_declarator") return { name: textOf(node.childForFieldName("name") ?? node) };
    if (LEAF.test(node.type)) return { name: textOf(node), callable };
    if (node.type === "qualified_identifier") {
      const parts = textOf(node)
        .replace(/<[^<>]*>/g, "")
        .split("::")
        .map((part) => part.trim());
      const [owner, name] = [parts.at(-2), parts.at(-1) ?? ""];
      return owner ? { name, owner, callable } : { name, callable };
    }
    callable = node.type === "function_declarator";
    node = node.childForFieldName("declarator") ?? node.namedChildren.at(-1) ?? null;
  }
  return undefined;
}
