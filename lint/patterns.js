/**
 * Refuses every regular expression of `src` and `eval` that may take more than linear time. Literals are found in the
 * source; those that a call composes are recorded while all modules are loaded, and a call that none of them makes is
 * refused, since nobody has seen what it composes.
 */
import { readdirSync, readFileSync } from "node:fs";
import { register } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseSync } from "@swc/core";
import { analyse } from "scslre";

/** Loading these starts the program. */
const PROGRAMS = new Set(["src/main.ts", "src/cli.ts"]);

const root = join(import.meta.dirname, "..");

const files = ["src", "eval"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((path) => path.endsWith(".ts") && !path.startsWith("eval/smoke/")),
);

/** Where each pattern was seen first, by the pattern itself. */
const seen = new Map();

/** Functions that compose a pattern, `path: name`, and which of them were called. */
const calls = new Set();
const made = new Set();

for (const path of files) readSource(path);

// Node 20 cannot strip types itself.
if (!process.features.typescript) register("../test/typescript-hooks.js", import.meta.url);

Error.stackTraceLimit = 50;
const Plain = globalThis.RegExp;
globalThis.RegExp = new Proxy(Plain, {
  construct(target, [pattern, flags]) {
    const made = new target(pattern, flags);
    record(made);
    return made;
  },
});
for (const path of files) {
  if (/^(?:src|eval\/evaluation)\//.test(path) && !PROGRAMS.has(path))
    await import(pathToFileURL(join(root, path)).href);
}
globalThis.RegExp = Plain;

const faults = [...calls]
  .filter((call) => !made.has(call))
  .map((call) => `${call} composes patterns that nobody has seen`);
for (const [written, { place, source, flags }] of seen) {
  const [report] = analyse({ source, flags }).reports;
  if (report) faults.push(`${place}: ${written} is not linear (${report.type})`);
}
for (const fault of faults) console.error(fault);
console.log(`${seen.size} patterns, ${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);

function readSource(path) {
  const module = parseSync(readFileSync(join(root, path), "utf8"), { syntax: "typescript", target: "es2024" });
  const visit = (node, around) => {
    if (typeof node !== "object" || node === null) return;
    // What is joined is seen as it is joined.
    if (node.type === "CallExpression" && node.callee.value === "inRow") return;
    if (node.type === "RegExpLiteral") add(node.pattern, node.flags, path);
    if (node.type === "NewExpression" && node.callee.value === "RegExp" && around !== undefined) {
      const [written] = node.arguments;
      if (written?.expression.type === "TemplateLiteral" && isLiteralButNames(written.expression))
        add(written.expression.quasis.map(({ cooked }) => cooked).join("name"), "", path);
      else calls.add(`${path}: ${around}`);
    }
    const inside = nameOf(node) ?? around;
    for (const value of Object.values(node)) visit(value, inside);
  };
  visit(module.body, undefined);
}

/** The name of a function, as stacks have it; undefined for any other node. */
function nameOf(node) {
  if (node.type === "FunctionDeclaration") return node.identifier.value;
  const isNamed = node.type === "VariableDeclarator" && /^(?:Arrow)?Function/.test(node.init?.type ?? "");
  if (isNamed) return node.id.value;
  return undefined;
}

/** Whether all that a template fills in is what `escapePattern` gives, which matches nothing but itself. */
function isLiteralButNames({ expressions }) {
  return expressions.every((one) => one.callee?.value === "escapePattern");
}

function record({ source, flags }) {
  const frames = new Error().stack?.split("\n").filter((line) => /\/(?:src|eval)\/.*\.ts:\d/.test(line)) ?? [];
  for (const frame of frames) {
    const [, name, path] = /at (?:new )?(\S+) \(.*\/((?:src|eval)\/.*\.ts):\d/.exec(frame) ?? [];
    if (name !== undefined) made.add(`${path}: ${name}`);
  }
  if (frames.length > 0) add(source, flags, /(?:src|eval)\/.*\.ts/.exec(frames.at(-1) ?? "")?.[0]);
}

function add(source, flags, place) {
  const written = `/${source}/${flags}`;
  if (!seen.has(written)) seen.set(written, { place, source, flags });
}
