import type { Grammar } from "./languages.ts";

/** How one grammar declares things, by its types of nodes. */
export interface DeclarationRules {
  /** what a node declares; a `function` in a class and its like is a `method` */
  readonly kinds: Readonly<Record<string, string>>;
  /** values, which a name may hold anywhere, but are declarations only outside of functions */
  readonly values: Readonly<Record<string, string>>;
  /** a declaration begins where these begin around it */
  readonly wrappers: readonly string[];
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
