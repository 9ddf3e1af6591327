import type { Node, TreeCursor } from "web-tree-sitter";
import { listed } from "../../text/patterns.ts";
import { hasMethods, type SourceSymbol } from "../source-parser.ts";
import { DECLARATION_RULES, declaredNames } from "./declaration-rules.ts";
import { lastRow } from "./grammar.ts";
import type { Grammar } from "./languages.ts";

/** What is known about the children of a node. */
interface Place {
  /** name of the enclosing declaration */
  parent?: string;
  parentKind?: string;
  /** in a function, where values are local */
  local: boolean;
  /** first and last row of a wrapper around the children */
  outer?: { from: number; to: number };
}

const FUNCTION_VALUES = `arrow_function function_expression generator_function lambda lambda_expression
  anonymous_function func_literal closure_expression`;

const FUNCTIONS = listed("^", FUNCTION_VALUES, "$");

const CALLABLE = listed(
  "^",
  `${FUNCTION_VALUES} function async_function do_block (?:local_)?function_statement compound_statement`,
  "$",
);

const BODY_OF_FUNCTION = new Set(["function", "method", "constructor"]);

/** The declarations of a text in its order, those in others with the nearest one's name as `parent`. */
export function findSymbols(root: Node, grammar: Grammar, text: string): SourceSymbol[] {
  const found: SourceSymbol[] = [];
  const cursor = root.walk();
  const places: Place[] = [{ local: false }];
  const visit = createVisit(grammar, text, found);
  try {
    for (;;) {
      const inside = visit(cursor, places.at(-1) as Place);
      if (cursor.gotoFirstChild()) {
        places.push(inside);
        continue;
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return withoutStubs(found);
        places.pop();
      }
    }
  } finally {
    cursor.delete();
  }
}

/** Notes what the cursor's node declares; gives what is known inside it. */
function createVisit(grammar: Grammar, text: string, found: SourceSymbol[]) {
  const callType = LOOKS_LIKE_TESTS.test(text) ? CALLS[grammar] : undefined;
  const { kinds, values, wrappers } = DECLARATION_RULES[grammar];
  const wrapping = new Set(wrappers);
  const textOf = (node: Node) => text.slice(node.startIndex, node.endIndex);
  return (cursor: TreeCursor, place: Place): Place => {
    const type = cursor.nodeType;
    const inside = place.outer ? without(place) : place;
    if (!cursor.nodeIsNamed) return inside;
    if (type === callType) found.push(...testCase(cursor.currentNode, textOf));
    if (wrapping.has(type)) return { ...place, outer: place.outer ?? rows(cursor) };
    const given = kinds[type] ?? values[type];
    if (given === undefined) return !place.local && CALLABLE.test(type) ? { ...inside, local: true } : inside;
    const node = cursor.currentNode;
    const kind = type in kinds ? kindOf(node, given, place) : valueKind(node, given, place.local);
    if (kind === undefined) return inside;
    return note(node, kind, place, inside);
  };

  function note(node: Node, kind: string, place: Place, inside: Place): Place {
    const { from, to } = place.outer ?? { from: node.startPosition.row, to: lastRow(node) };
    let last: Place = inside;
    const by = registrationOf(node, textOf);
    for (const { name: written, owner, callable } of declaredNames(node, textOf)) {
      const name = grammar === "cpp" ? nameAmong(written) : nameOf(written, by);
      if (name === undefined) continue;
      const own = callable && (kind === "variable" || kind === "field") ? functionKind(place) : kind;
      const parent = owner ?? place.parent;
      const actual = owner !== undefined && own === "function" ? "method" : own;
      found.push({
        name,
        kind: actual,
        start: from + 1,
        end: to + 1,
        parent,
        by,
        stub: (BODY_OF_FUNCTION.has(actual) && isStub(node, grammar, textOf)) || undefined,
      });
      last = { parent: name, parentKind: actual, local: place.local || BODY_OF_FUNCTION.has(actual) };
    }
    return last;
  }
}

/** Drops signatures of overloads whose function is there. */
function withoutStubs(found: readonly SourceSymbol[]): SourceSymbol[] {
  if (!found.some(({ stub }) => stub)) return [...found];
  const key = ({ name, parent = "" }: SourceSymbol) => `${parent}\0${name}`;
  const written = new Set(found.filter(({ stub }) => !stub).map(key));
  return found.filter((symbol) => !symbol.stub || !written.has(key(symbol)));
}

const NO_BODY = /^(?:\.\.\.|raise NotImplementedError.*)$/;

const HAS_BODY = listed("^", `${FUNCTION_VALUES} class`, "$");

/** A function without a body: a signature, a prototype, an overload in Python, an abstract one. */
function isStub(node: Node, grammar: Grammar, textOf: (node: Node) => string): boolean {
  const value = node.childForFieldName("value") ?? node.childForFieldName("right");
  if (value && HAS_BODY.test(value.type)) return false;
  const body = node.childForFieldName("body");
  if (body === null) return grammar !== "ruby";
  if (grammar !== "python") return false;
  const decorators = decoratorsOf(node).map(textOf);
  if (decorators.some((text) => /^@(?:\w+\.)*overload$/.test(text))) return true;
  const last = body.namedChildren.filter(({ type }) => type !== "comment").at(-1);
  return body.namedChildCount <= 2 && last !== undefined && NO_BODY.test(textOf(last).trim());
}

const DECORATED = new Set(["function_definition", "class_definition", "method_definition", "class_declaration"]);

/** The decorators, or annotations, of a declaration. */
function decoratorsOf(node: Node): Node[] {
  if (node.parent?.type === "decorated_definition")
    return node.parent.namedChildren.filter(({ type }) => type === "decorator");
  if (node.type === "method_declaration") {
    const modifiers = node.namedChildren.find(({ type }) => type === "modifiers");
    return modifiers?.namedChildren.filter(({ type }) => type === "annotation") ?? [];
  }
  if (!DECORATED.has(node.type)) return [];
  const found = node.namedChildren.filter(({ type }) => type === "decorator");
  for (let before = node.previousNamedSibling; before?.type === "decorator"; before = before.previousNamedSibling)
    found.unshift(before);
  return found;
}

/** These change how a function behaves, and register it nowhere. */
const PLAIN_DECORATOR = listed(
  String.raw`^@(?:\w+\.)*`,
  `overload property setter getter deleter staticmethod classmethod abstractmethod wraps lru_cache cache cached_property
  dataclass contextmanager override final deprecated parametrize skipif? SuppressWarnings Deprecated`,
  String.raw`\b`,
);

const MAX_REGISTRATION_LENGTH = 60;

/** `@app.route("/users")`: the first decorator that registers the declaration somewhere. */
function registrationOf(node: Node, textOf: (node: Node) => string): string | undefined {
  const written = decoratorsOf(node)
    .map((decorator) => textOf(decorator).replace(/\s+/g, " "))
    .find((text) => /[.(]/.test(text) && !PLAIN_DECORATOR.test(text));
  return written !== undefined && written.length > MAX_REGISTRATION_LENGTH
    ? `${written.slice(0, MAX_REGISTRATION_LENGTH)}…`
    : written;
}

/** The name; for `_` the beginning of its decorator. */
const nameOf = (written: string, by: string | undefined): string | undefined =>
  written === "_" ? /^@(\w+)/.exec(by ?? "")?.[1] : written;

/** Words of a line that a macro has torn apart for the parser: they declare nothing. */
const NEVER_NAMED = listed(
  "^",
  `if else for while do switch case return sizeof namespace class struct enum union typedef template typename static
  const constexpr inline void function using extern goto`,
  "$",
);

/** Before a macro that the parser cannot know, C's name comes with its type, its parameters, or both. */
function nameAmong(written: string): string | undefined {
  if (written.startsWith("operator")) return written;
  if (!/\s/.test(written)) return NEVER_NAMED.test(written) ? undefined : written;
  const [, name] = /(?<![\p{L}\p{N}_])([\p{L}_~][\p{L}\p{N}_]*)\s*(?:[([]|$)/u.exec(written) ?? [];
  return name === undefined || NEVER_NAMED.test(name) ? undefined : name;
}

/** The node type of a call, where tests are calls with a name and a function. */
const CALLS: Readonly<Partial<Record<Grammar, string>>> = {
  javascript: "call_expression",
  typescript: "call_expression",
  tsx: "call_expression",
  go: "call_expression",
  ruby: "call",
};

const LOOKS_LIKE_TESTS = /\b(?:it|test|describe|context|specify|suite|Run|should)\b[\w.]{0,20}\s?[("'`]/;

const CASE = /^(?:\w+\.)?(?:it|test|specify|should|Run|describe|context|suite)(?:\.\w+)*$/;

const SUITE = /^(?:\w+\.)?(?:describe|context|suite)\b/;

const MAX_CASE_NAME = 80;

/**
 * `it("adds", () => {…})`, `test.each(rows)("adds %s", …)`, `describe "…" do`, `t.Run("…", func…)`: a test by its name.
 */
function testCase(node: Node, textOf: (node: Node) => string): SourceSymbol[] {
  const callee = node.childForFieldName("function") ?? node.childForFieldName("method");
  const verb = callee?.type === "call_expression" ? callee.childForFieldName("function") : callee;
  if (!verb || verb.endIndex - verb.startIndex > MAX_CASE_NAME || !CASE.test(textOf(verb))) return [];
  const [first, ...others] = node.childForFieldName("arguments")?.namedChildren ?? [];
  const body = node.childForFieldName("block") ?? others.at(-1);
  if (!first || !body || !/string/.test(first.type)) return [];
  const name = textOf(first).replace(/^["'`]|["'`]$/g, "");
  const kind = SUITE.test(textOf(verb)) ? "suite" : "case";
  return [{ name: name.slice(0, MAX_CASE_NAME), kind, start: node.startPosition.row + 1, end: lastRow(node) + 1 }];
}

function without({ outer: _, ...place }: Place): Place {
  return place;
}

function rows(cursor: TreeCursor) {
  return { from: cursor.startPosition.row, to: lastRow(cursor) };
}

function functionKind({ parentKind }: Place): string {
  return parentKind !== undefined && hasMethods(parentKind) ? "method" : "function";
}

/** A kind made exact; undefined for a node that only refers to what is declared elsewhere, such as `struct x *`. */
function kindOf(node: Node, kind: string, place: Place): string | undefined {
  if (node.type.endsWith("_specifier") && node.childForFieldName("body") === null) return undefined;
  if (kind === "function") return functionKind(place);
  if (node.type !== "type_spec") return kind;
  const type = node.childForFieldName("type")?.type;
  if (type === "struct_type") return "struct";
  return type === "interface_type" ? "interface" : kind;
}

/**
 * The kind of a value with a name: `function` or `class` when it holds one, wherever it stands; else `kind`, outside
 * of functions only; undefined when it is no declaration: a local, an import by `require`, an assignment to a part.
 */
function valueKind(node: Node, kind: string, local: boolean): string | undefined {
  const value = node.childForFieldName("value") ?? node.childForFieldName("right");
  const left = node.childForFieldName("left");
  if (value && FUNCTIONS.test(value.type)) return node.type === "pair" || kind === "field" ? "method" : "function";
  if (value?.type === "class") return "class";
  if (kind === "") return left && /^(?:module\.)?exports\.\w+$/.test(left.text) ? "constant" : undefined;
  if (local && node.type !== "enumerator") return undefined;
  if (node.type === "assignment") return isName(left) ? kind : undefined;
  if (value?.type === "call_expression" && /^require\b/.test(value.text)) return undefined;
  return isPattern(node.childForFieldName("name")) ? undefined : kind;
}

/** Python's names, and Ruby's constants: other names in Ruby are local. */
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
