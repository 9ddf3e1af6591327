import { describe, expect, it } from "@jest/globals";
import { firstCodeLine, lastImport } from "../../src/edits/text-file.ts";

const first = (text: string) => firstCodeLine(text.split("\n"));

describe("firstCodeLine", () => {
  it.each([
    ["/*\n * Licence\n */\n\npackage a;", 5],
    ["// Licence\n// more\n\nimport a;", 4],
    ["#!/bin/sh\n# Licence\nset -e", 3],
    ["/* one line */\n#include <a.h>", 2],
    ['"use strict";', 1],
    ["", 1],
    ["/* never ends", 1],
  ])("of %j is %d", (text, line) => {
    expect(first(text)).toBe(line);
  });
});

describe("lastImport", () => {
  it.each([
    ['import a from "a";\nimport {\n  b,\n} from "b";\n\nconst c = 1;', 4],
    ['package a\n\nimport (\n\t"b"\n)\n\nvar c = 1', 5],
    ["from a import (\n    b,\n)\n\nC = 1", 3],
    ['require "a"\nrequire_relative "b"\n\nmodule C', 2],
    ['const a = require("a");\n\nmodule.exports = 1;', 1],
    ["use a::{\n    b,\n};\nfn c() {}", 3],
    ["import {\n  never", 2],
    ["module A\n  # words\n  module B", 0],
    ["", 0],
  ])("of %j is %d", (text, line) => {
    const lines = text.split("\n");
    expect(lastImport(lines, { from: 1, to: lines.length })).toBe(line);
  });
});
