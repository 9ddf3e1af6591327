import { describe, expect, it } from "@jest/globals";
import { documentText, shownText } from "../../src/text/shown-text.ts";
import { computingTime } from "../fakes/computing-time.ts";

describe("hostile texts", () => {
  it.each([
    ..."<!-- < <a <b> <ul><li> <blockquote> <table><tr><td> <td> <code>` <pre> <template> &#0 &amp; ` <br> <details>".split(
      " ",
    ),
    ..."<span></p> <i><p> \u200b \ud800".split(" "),
    '<a href="https://x/?jwt=">',
    "<a href='https://x'>a",
    '<p class="highlight-source-',
    "<x a='<x a=\"",
    "__a",
    "?jwt=",
    "![",
    "![a](",
    "[a",
    "[a]:",
    "<a =",
    "\n",
    " ",
  ])("take linear time: half a megabyte of %j", (piece) => {
    const started = computingTime();
    const text = piece.repeat(Math.ceil(500_000 / piece.length));
    for (const html of [text, `<ul><li>${text}`]) shownText({ body: text, html });
    documentText(text);
    expect(computingTime() - started).toBeLessThan(10_000);
  });
});
