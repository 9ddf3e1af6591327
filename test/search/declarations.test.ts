import { describe, expect, it } from "@jest/globals";
import { declarationsByLook } from "../../src/search/declarations.ts";
import { declaredNames } from "../../src/search/outline.ts";
import { fc } from "../seeded.ts";

const found = (text: string) =>
  declarationsByLook(text.split("\n")).map(({ kind, name, start, end, parent }) => {
    return `${kind} ${parent === undefined ? "" : `${parent}.`}${name} ${start}-${end}`;
  });

describe("declarationsByLook", () => {
  it.each<[string, string, string[]]>([
    [
      "Perl",
      "package Shop;\n\nsub total {\n  my $sum = 0;\n\n  return $sum;\n}\n\n=head1 NAME\n\nsub none\n\n=cut\n\n=for Pod::Coverage\n\nsub nothing\n\n=cut\n\nsub empty { 0 }\nmy $x = 1;",
      ["function total 3-7", "function empty 21-21"],
    ],
    [
      "Lua",
      "local function add(a, b)\n  return a + b\nend\n\nfunction Shop:total()\n  return 0\nend",
      ["function add 1-3", "function Shop:total 5-7"],
    ],
    [
      "Elixir",
      "defmodule Shop do\n  def total(items) do\n    0\n  end\n\n  defp none, do: 0\nend",
      ["function total 2-4", "function none 6-6"],
    ],
    [
      "Dart",
      "abstract class Shop extends Base {\n  external void total();\n}\nclass Other {\n}",
      ["class Shop 1-3", "class Other 4-5"],
    ],
    [
      "a signature over several lines",
      "fun total(\n  items: Int,\n) {\n  return 0\n}\nval x = 1",
      ["function total 1-5"],
    ],
    ["a class with methods", "class Shop\n  def a\n    1\n  end\nend", ["class Shop 1-5", "function Shop.a 2-4"]],
    ["prose and configuration", "A sub called x.\n# def of total\nname: function\n", []],
    [
      "a comment over lines",
      "/* A\nsub of\n*/\nsub one {\n}\n/* sub two */\nsub three {\n}",
      ["function one 4-5", "function three 7-8"],
    ],
    ["Lua's comments", "--[[\nfunction none()\n]]\nfunction one()\nend", ["function one 4-5"]],
    ["Elixir's documentation", '@doc """\ndef none do\n"""\ndef one do\nend', ["function one 4-5"]],
    [
      "PowerShell's and Haskell's comments",
      "<#\nfunction none\n#>\n{-\nclass none\n-}\nfunction one {\n}",
      ["function one 7-8"],
    ],
    [
      "sentences",
      "class that keeps things\nfunction which returns it.\nobject, as said\nclass Shop extends Base",
      ["class Shop 4-4"],
    ],
    [
      "a shell's pattern",
      "function one {\n  case $1 in\n  /*) echo ;;\n  esac\n}\nfunction two {\n}",
      ["function one 1-5", "function two 6-7"],
    ],
  ])("finds declarations: %s", (_name, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it("always gives spans within the text", () => {
    const line = fc.tuple(
      fc.nat(4),
      fc.constantFrom("sub a {", "}", "end", "", "x = 1", "class B", ") {", "=head1", "=cut"),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (parts) => {
        const lines = parts.map(([depth, words]) => " ".repeat(depth) + words);
        for (const { start, end } of declarationsByLook(lines)) {
          expect(start).toBeGreaterThanOrEqual(1);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(lines.length);
        }
      }),
    );
  });

  it("does not stall on a long line", () => {
    expect(declarationsByLook([`${"static ".repeat(200_000)}sub a`])).toEqual([]);
    expect(declarationsByLook([`sub a ${"of ".repeat(200_000)}`])).toHaveLength(0);
  });
});

const splits = (name: string) => name.toLowerCase().split("_");
const terms = new Map([
  ["round", 2],
  ["cents", 1],
]);
const declared = [
  { name: "Money" },
  { name: "parse", parent: "Money" },
  { name: "round_cents", parent: "Money" },
  { name: "helper" },
  { name: "other_helper" },
];

describe("declaredNames", () => {
  it("lists names with their members, those closest to the issue first", () => {
    expect(declaredNames(declared, splits, terms, 200)).toBe("Money (round_cents, parse); helper; other_helper");
  });

  it("keeps the names closest to the issue when not all fit, and marks the gap", () => {
    expect(declaredNames(declared, splits, terms, 38)).toBe("Money (round_cents, …); helper; …");
    const late = [{ name: "first" }, { name: "second" }, { name: "round" }];
    expect(declaredNames(late, splits, terms, 8)).toBe("round; …");
    expect(declaredNames([], splits, terms, 50)).toBe("");
  });

  it("gives a file of hundreds of functions no long struct", () => {
    const fields = Array.from({ length: 90 }, (_, at) => ({ name: `round_${at}`, parent: "context" }));
    const functions = Array.from({ length: 900 }, (_, at) => ({ name: `step_${at}` }));
    const shown = declaredNames([{ name: "context" }, ...fields, ...functions, { name: "cents" }], splits, terms, 200);
    expect(shown).toContain("cents");
    expect(shown.match(/round_/g)?.length).toBeLessThan(12);
    expect(shown.length).toBeLessThanOrEqual(200 + "; …".length);
  });
});
