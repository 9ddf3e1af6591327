import type { Node } from "web-tree-sitter";
import type { ImportedModule } from "../source-parser.ts";
import { lastRow } from "./grammar.ts";
import type { Grammar } from "./languages.ts";

type Named = Pick<ImportedModule, "from" | "names">;

type Read = (node: Node, textOf: (node: Node) => string) => readonly Named[];

const MAX_IMPORTS = 300;

/**
 * What a text imports, by its grammar: wherever it stands, and nothing in comments or strings. `from` is written with
 * slashes: `./a/b` and `../a` from the file's own folder, `a/b` from the top of some source folder.
 */
export function findImports(root: Node, grammar: Grammar, text: string): ImportedModule[] {
  const { types, read } = IMPORTS[grammar];
  const textOf = (node: Node) => text.slice(node.startIndex, node.endIndex);
  const nodes = root.descendantsOfType([...types]);
  const found: ImportedModule[] = [];
  for (const node of nodes) {
    if (found.length >= MAX_IMPORTS) break;
    if (node === null) continue;
    const lines = { start: node.startPosition.row + 1, end: lastRow(node) + 1 };
    found.push(...read(node, textOf).map((one) => ({ ...one, ...lines })));
  }
  return found;
}

const unquoted = (text: string) => text.replace(/^[`'"<]|[`'">]$/g, "");

const named = (from: string, names: readonly string[] = []): Named[] => (from === "" ? [] : [{ from, names }]);

/** `import a, { b as c } from "d"`, `export * from "d"`, `require("d")`, `import("d")`. */
const script: Read = (node, textOf) => {
  if (node.type === "call_expression") {
    const callee = node.childForFieldName("function");
    const [argument] = node.childForFieldName("arguments")?.namedChildren ?? [];
    const loads = callee !== null && /^(?:require|import|require\.resolve)$/.test(textOf(callee));
    return loads && argument?.type === "string" ? named(unquoted(textOf(argument))) : [];
  }
  const source = node.childForFieldName("source");
  const names = node.descendantsOfType(["import_specifier", "export_specifier"]);
  return source
    ? named(unquoted(textOf(source)), names.flatMap((one) => one?.childForFieldName("name") ?? []).map(textOf))
    : [];
};

/** `import a.b`, `from ..a import b, c`. */
const python: Read = (node, textOf) => {
  const plain = node
    .childrenForFieldName("name")
    .flatMap((name) => (name.type === "aliased_import" ? (name.childForFieldName("name") ?? []) : name))
    .map(textOf);
  const module = node.childForFieldName("module_name");
  if (!module) return plain.flatMap((name) => named(name.replaceAll(".", "/")));
  const written = textOf(module).trim();
  const rest = written.replace(/^\.+/, "");
  const dots = written.slice(0, written.length - rest.length);
  const climb = dots === "." ? "./" : "../".repeat(Math.max(0, dots.length - 1));
  return named(`${climb}${rest.replaceAll(".", "/")}`, plain);
};

const RUST_FOLDERS: ReadonlyMap<string, string> = new Map([
  ["self", "./"],
  ["super", "../"],
]);

/** `use a::{b, c::d};`, `mod a;` */
const rust: Read = (node, textOf) => {
  if (node.type === "mod_item") {
    const name = node.childForFieldName("name");
    return node.childForFieldName("body") || !name ? [] : named(`./${textOf(name)}`);
  }
  const argument = node.childForFieldName("argument");
  const written = argument ? textOf(argument).replace(/\s+/g, "") : "";
  return useTrees(written).map((parts) => {
    const [first = "", ...rest] = parts;
    const up = RUST_FOLDERS.get(first) ?? "";
    const path = up === "" && first !== "crate" ? parts : rest;
    return { from: `${up}${path.slice(0, -1).join("/") || path.join("/")}`, names: path.slice(-1) };
  });
};

/** Of braces in braces. */
const MAX_LEVELS = 8;

/** The paths of a tree of uses: `a::{b,c::d}` is a::b and a::c::d. */
function useTrees(written: string, before: readonly string[] = [], level = 0): string[][] {
  const open = written.indexOf("{");
  const plain = (open < 0 ? written : written.slice(0, open)).split("::").filter((part) => part !== "");
  const path = [...before, ...plain.map((part) => part.replace(/as\w+$/, ""))];
  if (open < 0) return path.length > 0 ? [path] : [];
  const parts: string[] = [];
  let [depth, from] = [0, open + 1];
  for (let at = open + 1; at < written.length && depth >= 0; at++) {
    const char = written[at];
    if (char === "{") depth += 1;
    if (char === "}") depth -= 1;
    if (depth < 0 || (depth === 0 && char === ",")) {
      parts.push(written.slice(from, at));
      from = at + 1;
    }
  }
  return parts
    .filter((part) => part !== "")
    .flatMap((part) => (level < MAX_LEVELS ? useTrees(part, path, level + 1) : []));
}

/** `import a.b.C;`, `using A.B;`: the last part may be a type. */
const dotted: Read = (node, textOf) => {
  const written = textOf(node)
    .replace(/^(?:global\s+)?(?:import|using)\s+(?:static\s+)?(?:\w+\s*=\s*)?|(?<![;\s])[;\s]+$/g, "")
    .replace(/\.\*$/, "");
  return /^[\w.]+$/.test(written) ? named(written.replaceAll(".", "/"), written.split(".").slice(-1)) : [];
};

/** `use A\B\C;`, `use A\{B, C};`, `require __DIR__ . "/a.php"`. */
const php: Read = (node, textOf) => {
  const text = textOf(node);
  if (node.type !== "namespace_use_declaration") {
    const [, path = ""] = /["']\/?([^"']+)["']/.exec(text) ?? [];
    return named(path === "" ? "" : `./${path}`);
  }
  const written = text.replace(/^use\s+(?:function\s+|const\s+)?|;$/g, "").replace(/(?<!\s)\s+as\s+\w+/g, "");
  const [, head = "", group] = /^([^{]*)(?:\{([^}]*)\})?$/s.exec(written) ?? [];
  const names = (group ?? head).split(",").map((name) => `${group === undefined ? "" : head.trim()}${name.trim()}`);
  return names.flatMap((name) => named(name.replace(/^\\/, "").replaceAll("\\", "/"), name.split("\\").slice(-1)));
};

const ruby: Read = (node, textOf) => {
  const method = node.childForFieldName("method");
  const verb = method ? textOf(method) : "";
  if (!/^(?:require|require_relative|autoload|load)$/.test(verb)) return [];
  const path = node.childForFieldName("arguments")?.namedChildren.find(({ type }) => type === "string");
  if (!path) return [];
  return named(`${verb === "require_relative" ? "./" : ""}${unquoted(textOf(path))}`);
};

const pathOf: Read = (node, textOf) => {
  const path = node.childForFieldName("path");
  return path ? named(unquoted(textOf(path))) : [];
};

const SCRIPT = { types: ["import_statement", "export_statement", "call_expression"], read: script } as const;

const IMPORTS: Readonly<Record<Grammar, { types: readonly string[]; read: Read }>> = {
  javascript: SCRIPT,
  typescript: SCRIPT,
  tsx: SCRIPT,
  python: { types: ["import_statement", "import_from_statement"], read: python },
  go: { types: ["import_spec"], read: pathOf },
  java: { types: ["import_declaration"], read: dotted },
  ruby: { types: ["call"], read: ruby },
  rust: { types: ["use_declaration", "mod_item"], read: rust },
  cpp: { types: ["preproc_include"], read: pathOf },
  "c-sharp": { types: ["using_directive"], read: dotted },
  php: {
    types: ["namespace_use_declaration", "require_expression", "require_once_expression", "include_expression"],
    read: php,
  },
};
