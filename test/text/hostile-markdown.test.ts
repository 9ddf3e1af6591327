import { describe, expect, it } from "@jest/globals";
import { stripHiddenText } from "../../src/text/strip-hidden.ts";
import { computingTime } from "../fakes/computing-time.ts";

describe("stripHiddenText on text made to be slow", () => {
  it.each([
    "<!--",
    "<!-- a -->",
    "- <!--",
    "a <!--",
    "`",
    "``` ",
    "`a``",
    "```\n",
    "\n",
    " ",
    "-",
    "- ",
    "-\n",
    "1. ",
    ">",
    ">\n",
    "<",
    "<a ",
    "<div>",
    "<p>x",
    "<b a=1>",
    "<code a=1></p><p>x",
    "<a href=1>",
    "<table><tr><td>",
    '<a x="',
    "<a x='<a x=\"",
    "![",
    "![[",
    "![a]",
    "](",
    '](a "',
    "](a (",
    "[a]: b (",
    '[a]: b "\n',
    "[a]: b\n(",
    "[",
    "[^",
    "[^a]: b [^a]\n",
    "&#",
    "&#0",
    "\u200b",
    "\ud800",
    "\\`",
    "~~~\n",
    "<!--\n\n",
    "<a b=c ",
    "$",
    "$\n",
    "$$a\n%",
    "|a",
    "a|b\n-|-\n",
    "*a_ ",
  ])("takes linear time on a megabyte of %j", (piece) => {
    const started = computingTime();
    for (const lead of ["", "- "]) stripHiddenText(lead + piece.repeat(Math.ceil(30_000 / piece.length)));
    stripHiddenText(piece.repeat(Math.ceil(1_000_000 / piece.length)));
    expect(computingTime() - started).toBeLessThan(10_000);
  });

  it("does not overflow the stack on 125,000 runs of backticks or deep nesting", () => {
    for (const text of ["`a".repeat(50_000), "``".repeat(125_000), ">".repeat(100_000), "- ".repeat(50_000)])
      expect(typeof stripHiddenText(text)).toBe("string");
    expect(typeof stripHiddenText("![".repeat(16_000) + "](b)".repeat(16_000))).toBe("string");
    expect(typeof stripHiddenText("<span>".repeat(5_000) + "a".repeat(100) + "</span>".repeat(5_000))).toBe("string");
  });
});
