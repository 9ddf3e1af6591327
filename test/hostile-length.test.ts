import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "@jest/globals";
import { type FunctionDeclaration, type Param, type Pattern, parseSync, type TsType } from "@swc/core";

const SRC = join(import.meta.dirname, "../src");

/** Whoever loads these may start the program, write files or reach the network. */
const OUTSIDE = /from "node:(?:fs|fs\/promises|child_process|net|http|https|tls|worker_threads)"/;

const PROGRAMS = ["main.ts", "cli.ts"];

/** How a value of a type is made of a text. */
type Maker = (text: string) => unknown;

const COUNT = /^(?:length|depth|parts|size|number|line|start|end|most|max|id|count|room)/;

/**
 * Whatever is asked of it is the text, or a number where the name says so: stands for issues, comments, plans. What it
 * cannot stand for throws.
 */
const anythingOf: Maker = (text) =>
  new Proxy(
    {},
    {
      get(_, name) {
        if (typeof name === "symbol") return undefined;
        return COUNT.test(name) ? 1_000 : text;
      },
    },
  );

function makerOf(type: TsType | undefined): Maker | undefined {
  if (type?.type === "TsKeywordType") {
    if (type.kind === "string" || type.kind === "unknown") return (text) => text;
    if (type.kind === "number") return () => 1_000;
    if (type.kind === "boolean") return () => false;
  }
  if (type?.type === "TsTypeReference" && type.typeName.type === "Identifier") {
    if (["Uint8Array", "Buffer"].includes(type.typeName.value)) return (text) => Buffer.from(text);
    const [item] = type.typeParams?.params ?? [];
    if (type.typeName.value === "Iterable" && isText(item)) return (text) => text.split("\n");
  }
  if (type?.type === "TsTypeOperator" && type.op === "readonly") return makerOf(type.typeAnnotation);
  if (type?.type === "TsArrayType" && isText(type.elemType)) return (text) => text.split("\n");
  if (type?.type === "TsUnionType") return type.types.map((one) => makerOf(one)).find((make) => make !== undefined);
  return type?.type === "TsFunctionType" || type?.type === "TsArrayType" ? undefined : anythingOf;
}

const isText = (type: TsType | undefined) => type?.type === "TsKeywordType" && type.kind === "string";

interface Taker {
  file: string;
  name: string;
  makers: readonly Maker[];
}

/** The parameters that a call must give; undefined where one is of a type that a text cannot fill, or none takes text. */
function makersOf(parameters: readonly Pattern[]): readonly Maker[] | undefined {
  const makers: Maker[] = [];
  for (const one of parameters) {
    if (one.type === "AssignmentPattern" || one.type === "RestElement") break;
    // The types of the parser leave these two out.
    const { typeAnnotation, optional } = one as { typeAnnotation?: { typeAnnotation: TsType }; optional?: boolean };
    const type = typeAnnotation?.typeAnnotation;
    if (optional) break;
    const make = makerOf(type);
    if (make === undefined) return undefined;
    makers.push(make);
  }
  return makers.some((make) => typeof make("text") !== "number" && make("text") !== false) ? makers : undefined;
}

/** Every exported function of src that takes text and nothing that a text cannot stand for, by its declared types. */
function takersIn(file: string): readonly Taker[] {
  const source = readFileSync(join(SRC, file), "utf8");
  if (OUTSIDE.test(source)) return [];
  return parseSync(source, { syntax: "typescript", target: "es2024" }).body.flatMap((item): readonly Taker[] => {
    if (item.type !== "ExportDeclaration") return [];
    const { declaration } = item;
    if (declaration.type === "FunctionDeclaration") return takerOf(file, declaration.identifier.value, declaration);
    if (declaration.type !== "VariableDeclaration") return [];
    return declaration.declarations.flatMap(({ id, init }) =>
      id.type === "Identifier" && init?.type === "ArrowFunctionExpression" ? takerOf(file, id.value, init) : [],
    );
  });
}

function takerOf(file: string, name: string, { async, params, returnType }: Declared): readonly Taker[] {
  const makers = makersOf(params.map((one) => (one.type === "Parameter" ? one.pat : one)));
  const isFactory = FACTORY.test(name) && makers?.includes(anythingOf);
  return async || isPromise(returnType?.typeAnnotation) || makers === undefined || isFactory
    ? []
    : [{ file, name, makers }];
}

type Declared = Pick<FunctionDeclaration, "async" | "returnType"> & { params: readonly (Param | Pattern)[] };

/** Its work would go on after the measurement. */
const isPromise = (type: TsType | undefined) =>
  type?.type === "TsTypeReference" && type.typeName.type === "Identifier" && type.typeName.value === "Promise";

/** They are given parts, not texts, and some begin something. */
const FACTORY = /^(?:create|open|start|with|run|show)/;

const CHARACTERS = [..." \t\n\u00a0a1A[](){}<>`*_#-+=|\\/\"'.,:;!?@&~$%^é"];

const PAIRS = [
  ...["a ", "a\n", "\r\n", "\n ", " \n", "\n#", "\n>", "\n-", "\n*", "\n`", "[(", "](", "[]", "()", "![", "[^", "``a"],
  ...["<a", "<!", "</", "a<", "*a", "_a", "~~", "a.", "a/", "./", "..", "a,", "a:", ": ", "1.", "1 ", "1:", "| ", "|-"],
  ...[
    '"a',
    "'a",
    "\\n",
    "\\a",
    "#1",
    "@a",
    "&a",
    "a=",
    "a;",
    "a-",
    "-a",
    "::",
    "//",
    "{ ",
    "a(",
    "# a\n\n",
    "a, b\n",
    "anyway ",
    "files:a, ",
  ],
];

/** What stands before the repeats: what may begin something. */
const BEGINNINGS = ["a", "", "/magis resolve a", "# a\n", "Error: "];

/** Every unit behind one of the beginnings, and blanks behind each. */
const SHAPES = [
  ...[...CHARACTERS, ...PAIRS].map((unit, at) => ({ begin: BEGINNINGS[at % BEGINNINGS.length], unit })),
  ...BEGINNINGS.flatMap((begin) => [" ", "\n", "\u00a0"].map((unit) => ({ begin, unit }))),
];

type Pair = [string, string];

/** Characters. */
const [SHORT, LONG] = [16 * 1024, 64 * 1024];

/** Milliseconds of computing below which nothing is judged: the square of 64,000 takes far longer. */
const FLOOR = 200;

/** Four times the text may take this much more, collecting garbage included; a square takes sixteen times. */
const MOST = 8;

function computing(call: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  try {
    Promise.resolve(call(text)).catch(() => undefined);
  } catch {
    // A text may be refused.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const best = (call: (text: string) => unknown, text: string, first = Number.POSITIVE_INFINITY) =>
  Math.min(first, computing(call, text), computing(call, text));

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !PROGRAMS.includes(file))
  .sort();

describe("no text costs more than its length", () => {
  it.each(files.map((file) => [file, takersIn(file)] as const).filter(([, takers]) => takers.length > 0))(
    "in %s",
    async (file, takers) => {
      const module = (await import(pathToFileURL(join(SRC, file)).href)) as Record<
        string,
        (...all: unknown[]) => unknown
      >;
      const slow: string[] = [];
      for (const { name, makers } of takers) {
        const call = (text: string) => module[name]?.(...makers.map((make) => make(text)));
        for (const { begin, unit } of SHAPES) {
          const [short, long] = [SHORT, LONG].map((length) => `${begin}${unit.repeat(length / unit.length)}b`) as Pair;
          const first = computing(call, long);
          if (first < FLOOR) continue;
          const [less, more] = [best(call, short), best(call, long, first)];
          if (more < FLOOR || more < less * MOST) continue;
          slow.push(`${name}: ${JSON.stringify(begin + unit)}… takes ${Math.round(less)} and ${Math.round(more)} ms`);
        }
      }
      expect(slow).toEqual([]);
    },
    600_000,
  );
});
