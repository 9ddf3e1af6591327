import type { Node } from "web-tree-sitter";
import type { Grammar } from "./languages.ts";

/** How one grammar declares things, by its types of nodes. */
export interface DeclarationRules {
  /** what a node declares; a `function` in a class and its like is a `method` */
  kinds: Readonly<Record<string, string>>;
  /** values, which a name may hold anywhere, but are declarations only outside of functions */
  values: Readonly<Record<string, string>>;
  /** a declaration begins where these begin around it */
  wrappers: readonly string[];
}

const FIELD = "field";

const JAVASCRIPT: DeclarationRules = {
  kinds: {
    function_declaration: "function",
    generator_function_declaration: "function",
    class_declaration: "class",
    method_definition: "method",
  },
  values: { variable_declarator: "constant", field_definition: FIELD, assignment_expression: "", pair: "" },
  wrappers: ["export_statement", "lexical_declaration", "variable_declaration", "expression_statement"],
};

const TYPESCRIPT: DeclarationRules = {
  kinds: {
    ...JAVASCRIPT.kinds,
    abstract_class_declaration: "class",
    interface_declaration: "interface",
    type_alias_declaration: "type",
    enum_declaration: "enum",
    internal_module: "module",
    module: "module",
    function_signature: "function",
    method_signature: "method",
    abstract_method_signature: "method",
  },
  values: { ...JAVASCRIPT.values, public_field_definition: FIELD, property_signature: FIELD },
  wrappers: [...JAVASCRIPT.wrappers, "ambient_declaration"],
};

/** A small table for each grammar, written for these versions: the types of nodes are the grammar's own. */
export const DECLARATION_RULES: Readonly<Record<Grammar, DeclarationRules>> = {
  javascript: JAVASCRIPT,
  typescript: TYPESCRIPT,
  tsx: TYPESCRIPT,
  python: {
    kinds: { function_definition: "function", class_definition: "class", type_alias_statement: "type" },
    values: { assignment: "constant" },
    wrappers: ["decorated_definition", "expression_statement"],
  },
  go: {
    kinds: {
      function_declaration: "function",
      method_declaration: "method",
      method_elem: "method",
      type_spec: "type",
      type_alias: "type",
    },
    values: { const_spec: "constant", var_spec: "variable", field_declaration: FIELD },
    wrappers: [],
  },
  java: {
    kinds: {
      class_declaration: "class",
      interface_declaration: "interface",
      enum_declaration: "enum",
      record_declaration: "record",
      annotation_type_declaration: "interface",
      method_declaration: "method",
      constructor_declaration: "constructor",
      compact_constructor_declaration: "constructor",
    },
    values: { variable_declarator: FIELD, enum_constant: "constant" },
    wrappers: ["field_declaration", "constant_declaration"],
  },
  ruby: {
    kinds: { module: "module", class: "class", method: "method", singleton_method: "method" },
    values: { assignment: "constant" },
    wrappers: [],
  },
  rust: {
    kinds: {
      function_item: "function",
      function_signature_item: "function",
      struct_item: "struct",
      union_item: "struct",
      enum_item: "enum",
      trait_item: "trait",
      impl_item: "impl",
      mod_item: "module",
      type_item: "type",
      associated_type: "type",
      macro_definition: "macro",
    },
    values: { const_item: "constant", static_item: "constant", field_declaration: FIELD, enum_variant: "constant" },
    wrappers: [],
  },
  cpp: {
    kinds: {
      function_definition: "function",
      class_specifier: "class",
      struct_specifier: "struct",
      union_specifier: "struct",
      enum_specifier: "enum",
      namespace_definition: "module",
      type_definition: "type",
      alias_declaration: "type",
      concept_definition: "type",
      preproc_def: "macro",
      preproc_function_def: "macro",
    },
    values: { declaration: "variable", field_declaration: FIELD, enumerator: "constant" },
    wrappers: ["template_declaration"],
  },
  "c-sharp": {
    kinds: {
      class_declaration: "class",
      struct_declaration: "struct",
      record_declaration: "record",
      interface_declaration: "interface",
      enum_declaration: "enum",
      delegate_declaration: "type",
      namespace_declaration: "module",
      file_scoped_namespace_declaration: "module",
      method_declaration: "method",
      constructor_declaration: "constructor",
      local_function_statement: "function",
      property_declaration: "property",
    },
    values: { variable_declarator: FIELD, enum_member_declaration: "constant" },
    wrappers: ["field_declaration", "event_field_declaration", "variable_declaration"],
  },
  php: {
    kinds: {
      class_declaration: "class",
      interface_declaration: "interface",
      trait_declaration: "trait",
      enum_declaration: "enum",
      function_definition: "function",
      method_declaration: "method",
      namespace_definition: "module",
    },
    values: { const_element: "constant", property_element: FIELD, enum_case: "constant", assignment_expression: "" },
    wrappers: ["const_declaration", "property_declaration", "expression_statement"],
  },
};

/** A name in a declaration, and the name of what it belongs to when the declaration itself says so. */
interface DeclaredName {
  name: string;
  owner?: string;
  /** C and C++: the name is that of a function, which the type of the node does not tell */
  callable?: boolean;
}

const LEAF = /^(?:identifier|field_identifier|type_identifier|destructor_name|operator_name|operator_cast)$/;

const MAX_DEPTH = 12;

/** `View.prototype.lookup`, `app.use`: what the name belongs to, and the name. */
const MEMBER = /(?:^|\.)([\w$]+)(?:\.prototype)?\.([\w$]+)$/;

/** They name nothing: `exports.a`, `this.a`. */
const MODULE = /^(?:exports|module|this|self|window|globalThis)$/;

/**
 * The names a declaration gives: usually one; several in `a, b := …` or `int a, b;`; none when it has no plain name.
 */
export function declaredNames(node: Node, textOf: (node: Node) => string): DeclaredName[] {
  if (node.type === "impl_item")
    return plain([node.childForFieldName("type")], (type) => textOf(type).replace(/<.*/s, ""));
  const declarators = node.childrenForFieldName("declarator");
  if (declarators.length > 0) return declarators.flatMap((declarator) => fromDeclarator(declarator, textOf) ?? []);
  const receiver = node.type === "method_declaration" ? node.childForFieldName("receiver") : null;
  if (receiver) {
    const owner = /(?<!\w)(\w+)\s*$/.exec(textOf(receiver).split(/\[|\)$/, 1)[0] ?? "")?.[1];
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
  if (node.type === "member_expression") return /(?<![\w$])[\w$]+$/.exec(textOf(node))?.[0] ?? "";
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
