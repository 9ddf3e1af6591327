import { describe, expect, it } from "@jest/globals";
import { firstCodeLine } from "../../src/edits/numbered.ts";

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
