import type { Node } from "web-tree-sitter";

const FUNCTION =
  /^(?:arrow_function|function_expression|generator_function|lambda|lambda_expression|anonymous_function|func_literal|closure_expression)$/;

/**
 * The kind of a value with a name: `function` or `class` when it holds one, wherever it stands; else `kind`, outside
 * of functions only; undefined when it is no declaration: a local, an import by `require`, an assignment to a part.
 */
export function valueKind(node: Node, kind: string, local: boolean): string | undefined {
  const value = node.childForFieldName("value") ?? node.childForFieldName("right");
  const left = node.childForFieldName("left");
  if (value && FUNCTION.test(value.type)) return node.type === "pair" || kind === "field" ? "method" : "function";
  if (value?.type === "class") return "class";
  if (kind === "") return left && /^(?:module\.)?exports\.\w+$/.test(left.text) ? "constant" : undefined;
  if (local && node.type !== "enumerator") return undefined;
  if (node.type === "assignment") return isName(left) ? kind : undefined;
  if (value?.type === "call_expression" && /^require\b/.test(value.text)) return undefined;
  return isPattern(node.childForFieldName("name")) ? undefined : kind;
}

/** Python's names, and of Ruby's only constants: others are local. */
function isName(left: Node | null): boolean {
  return left !== null && /^(?:identifier|constant)$/.test(left.type) && !isRubyLocal(left);
}

function isRubyLocal({ type, parent }: Node): boolean {
  // Ruby's statements stand in a body directly, Python's assignments in an expression_statement.
  return type === "identifier" && parent?.parent?.type !== "expression_statement";
}

function isPattern(name: Node | null): boolean {
  return name?.type.endsWith("_pattern") === true;
}
